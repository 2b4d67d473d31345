/** The suggestions of the search box: names of fields, then their values. Pure; values are given. */

import { isSpan } from '../../clients/typescript/viewAddress.ts';
import { countOf } from '../state/times.ts';
import { LENGTHS } from '../state/view.ts';
import { typedText } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import {
  bare,
  type FieldKind,
  type Named,
  offersValues,
  parseQuery,
  type Vocabulary,
} from './language.ts';
import { valueText } from './termText.ts';

export interface Suggestion {
  /** The text in the list. */
  readonly text: string;
  readonly hint: string;
  /** The box's text after it is taken. */
  readonly box: string;
  /** Whether a condition is complete then. */
  readonly whole: boolean;
  /** The heading that it stands under, where the list has several. */
  readonly group?: string;
  /** Whether it is a search of its own, which takes the place of the filters that are there. */
  readonly isSearch?: true;
}

export interface Known extends Named {
  readonly count: number;
}

/** The values of a field that match the text before the cursor. */
export interface Wish {
  readonly kind: FieldKind;
  readonly contains: string;
  /** The text before the value. */
  readonly before: string;
}

/** The value that is being typed, if one is. */
export function wishOf(text: string, vocabulary: Vocabulary): Wish | undefined {
  const { unfinished } = parseQuery(text, vocabulary);
  if (!unfinished || unfinished.isPart) return undefined;
  const from = lastValue(text, unfinished.valuesFrom);
  return {
    kind: unfinished.kind,
    contains: bare(text.slice(from)),
    before: text.slice(0, from),
  };
}

/** Where the last value begins: a comma within quotes is part of a value. */
function lastValue(text: string, first: number): number {
  let from = first;
  let isQuoted = false;
  for (let next = first; next < text.length; next += 1) {
    if (isQuoted && text[next] === '\\') next += 1;
    else if (text[next] === '"') isQuoted = !isQuoted;
    else if (text[next] === ',' && !isQuoted) from = next + 1;
  }
  return from;
}

const MOST = 9;

/** Names of fields that the last word may begin. */
export function fieldSuggestions(
  text: string,
  vocabulary: Vocabulary,
  titleOf: (field: string) => string,
): Suggestion[] {
  const [, before = '', minus = '', word = ''] = /^(.*?\s|)(-?)(\S+)$/s.exec(text) ?? [];
  if (word === '' || parseQuery(text, vocabulary).unfinished?.isPart) return [];
  const folded = word.toLowerCase();
  const names = new Map<string, string>();
  const signOf = (name: string) => (vocabulary.fields[name]!.takes === 'part' ? '~' : ':');
  for (const [name, { field }] of Object.entries(vocabulary.fields)) {
    if (!name.toLowerCase().startsWith(folded)) continue;
    const known = names.get(field);
    if (known === undefined || name.length < known.length) names.set(field, name);
  }
  return [...names].slice(0, MOST).map(([field, name]) => ({
    text: `${minus}${name}${signOf(name)}`,
    hint: minus ? say('without {what}', { what: titleOf(field) }) : titleOf(field),
    box: `${before}${minus}${name}${signOf(name)}`,
    whole: false,
  }));
}

/** Values that are always there. */
const WORDS: Partial<Record<FieldKind['takes'], Known['value'][]>> = {
  date: ['today', 'yesterday', ...LENGTHS, null],
  flag: ['yes', 'no'],
  ...{ number: [null], seconds: [null] },
};

/** Values for the wish: the fixed ones where there are some, else the found ones. */
export function valueSuggestions({ kind, contains, before }: Wish, found: readonly Known[]) {
  const folded = contains.toLowerCase();
  const words = WORDS[kind.takes]?.map((value): Known => ({ value, count: 0 }));
  const known = words
    ? words.filter(({ value }) => String(value ?? 'none').startsWith(folded))
    : offersValues(kind)
      ? found
      : [];
  return known.slice(0, MOST).map((one): Suggestion => {
    return {
      text: textOf(one, kind),
      hint: hintOf(one),
      box: `${before}${valueText(one.value, one.label, kind)} `,
      whole: true,
    };
  });
}

function textOf({ value, label }: Known, { takes }: FieldKind): string {
  if (label !== undefined) return label;
  if (value === '') return say('Empty text');
  // Beside the text `3` the number looks the same.
  if (takes === 'values' && value !== null && typeof value !== 'string') return typedText(value);
  return value === null ? 'none' : String(value);
}

function hintOf({ value, count }: Known): string {
  if (count > 0) return countOf(count);
  if (typeof value === 'string' && isSpan(value))
    return say(SPAN_HINTS[value] ?? 'last {span}', { span: value });
  return '';
}

const SPAN_HINTS: Readonly<Record<string, string>> = {
  today: 'since midnight',
  yesterday: 'the whole day',
};
