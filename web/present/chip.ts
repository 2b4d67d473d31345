/** Conditions in words, as chips show them. */
import { isNumeric, type ViewValue } from '../../clients/typescript/viewAddress.ts';
import { type Ends, endsOf } from '../state/numbers.ts';
import { wordsIn } from '../state/searchText.ts';
import { boundText, datesText, durationOf } from '../state/times.ts';
import type { Condition, Filters, LabelOf, TableName } from '../state/view.ts';
import { columnOf, fieldTitle, isExactNumber, tableOf, typedText } from '../tables/tables.ts';
import { say } from '../words/words.ts';

/** The word for a value that is hardly a word itself: a stored text may well be `None`. */
export function plainWord(value: unknown): string | undefined {
  if (value === null) return 'No value';
  if (value === '') return 'Empty text';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return undefined;
}

export function valueText(
  table: TableName,
  field: string,
  value: ViewValue,
  labelOf: LabelOf,
): string {
  if (isForeign(table, field, value)) {
    return typeof value === 'string' ? say('“{text}”', { text: value }) : typedText(value);
  }
  const word = plainWord(value) ?? columnOf(table, field).words?.[String(value)];
  if (word !== undefined) return say(word);
  return withEnds(labelOf(field, value) ?? String(value));
}

/** Whether a value of another type than its field's would look like one of that type: the text `3` like the number. */
export function isForeign(name: TableName, field: string, value: ViewValue): boolean {
  const table = tableOf(name);
  const kind = table.kinds?.[field];
  if (kind === 'text') return typeof value === 'number' || typeof value === 'boolean';
  if (typeof value !== 'string' || value === '') return false;
  if (kind === 'boolean') return true;
  return kind === 'number' && isNumeric(value) && !isExactNumber(table, field, value);
}

/** A page does not show spaces at the ends: ` open` would look like `open`. */
export const withEnds = (text: string): string =>
  text === text.trim() ? text : say('“{text}”', { text });

/** Whether `valueText` has to say that there is nothing: for null, and for the empty text. */
export const isBlank = (value: ViewValue): boolean => value === null || value === '';

export interface ChipText {
  /** Nothing where the condition is on several fields. */
  readonly field: string;
  readonly is: string;
  readonly value: string;
  /** Whether it leaves rows out. */
  readonly not?: boolean;
}

export function chipText(table: TableName, one: Condition, labelOf: LabelOf): ChipText {
  if (one.kind === 'any') {
    const all = one.of.map((each) =>
      each.kind === 'text'
        ? `${each.not ? `${say('not')} ` : ''}${say('“{text}”', { text: each.text })}`
        : lineOf(chipText(table, each, labelOf)),
    );
    return { field: '', is: '', value: all.join(` ${say('or')} `) };
  }
  const field = fieldTitle(table, one.field);
  if (one.kind === 'contains') {
    const is = say(one.not ? 'does not contain' : 'contains');
    return { field, is, value: withEnds(one.text), not: one.not };
  }
  if (one.kind === 'span') {
    const word = one.span === 'today' || one.span === 'yesterday';
    return { field, is: '', value: word ? say(one.span) : say('last {span}', { span: one.span }) };
  }
  if (one.kind === 'range') {
    const isSeconds = columnOf(table, one.field).look === 'seconds';
    const textOf = isSeconds ? (number: number | string) => durationOf(Number(number)) : String;
    return { field, is: '', value: rangeText(one.from, one.to, textOf) };
  }
  if (one.not && one.values.length === 1 && one.values[0] === null) {
    return { field, is: '', value: say('Any value') };
  }
  const [first, ...more] = one.values.map((value) => valueText(table, one.field, value, labelOf));
  const value =
    more.length > 2
      ? say('{first} and {n} more', { first: first!, n: more.length })
      : [first, ...more].join(', ');
  return { field, is: one.not ? say('not') : '', value, not: one.not };
}

/** `Status not: Failure` */
export const lineOf = ({ field, is, value }: ChipText): string =>
  field === '' ? value : `${field}${is && ` ${is}`}: ${value}`;

/** `“time out”, Worker: gpu-1` */
export function filtersText(
  table: TableName,
  { q, conditions }: Filters,
  labelOf: LabelOf,
): string {
  const words = wordsIn(q).map((of) => ({ kind: 'any', of }) as const);
  return [...words, ...conditions].map((one) => lineOf(chipText(table, one, labelOf))).join(', ');
}

type Bound = string | number | undefined;

function rangeText(from: Bound, to: Bound, textOf: (number: number | string) => string): string {
  if (isNumeric(from) || isNumeric(to)) {
    return numbersText(endsOf({ from, to }), textOf);
  }
  if (from === undefined) return say('before {when}', { when: boundText(to!) });
  if (to === undefined) return say('from {when}', { when: boundText(from) });
  return datesText(from, to);
}

function numbersText(
  { first, last, only }: Ends,
  textOf: (number: number | string) => string,
): string {
  if (only !== undefined) return textOf(only);
  if (first && !first.isAfter && last?.isAfter) {
    return `${textOf(first.number)} – ${textOf(last.number)}`;
  }
  const begins = first && `${first.isAfter ? '>' : '≥'} ${textOf(first.number)}`;
  const ends = last && `${last.isAfter ? '≤' : '<'} ${textOf(last.number)}`;
  return [begins, ends].filter(Boolean).join(', ');
}
