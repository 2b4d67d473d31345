/**
 * The language of the search box: `status:failure worker:"node 3" worker~gpu -scope:system date:today "time out" or rest`.
 *
 *     text ─▶ terms (`field:value`, known fields alone) and words ─▶ groups, joined by `or`
 *                 groups with a term ─▶ conditions          groups of words ─▶ the text that is searched for
 *
 * A term at the end that is still being typed is completed. A quote keeps its term open until it is closed. The
 * service resolves values that it alone knows, see `resolved`.
 */
import {
  isNumber,
  numberOf,
  type TextCondition,
  unescaped,
  type ViewValue,
} from '../../clients/typescript/viewAddress.ts';
import {
  escaped,
  inQuotes,
  isOneText,
  joinedByOr,
  seen,
  skipBlanks,
  textOf,
  wordAt,
  wordsIn,
} from '../state/searchText.ts';
import { type Condition, outside } from '../state/view.ts';
import { say } from '../words/words.ts';
import { rangeOf } from './ranges.ts';

/** The names of a table's fields, and the kind of their values. */
export interface Vocabulary {
  /** Fields by each name before the colon: their very names, and others in small letters, with `_` for a blank. */
  readonly fields: Readonly<Record<string, FieldKind>>;
}

/**
 * Values that are counted, of which `numbers` have no ranges; then those with ranges; then all others. Labels take a
 * `part` of their text alone.
 */
type Taken =
  | ('values' | 'numbers' | 'flag')
  | ('date' | 'number' | 'seconds')
  | ('id' | 'idOrText' | 'text' | 'part');

export interface FieldKind {
  readonly field: string;
  /** Its name for people. */
  readonly title: string;
  readonly takes: Taken;
  /** Whether its values are counted. */
  readonly isCounted: boolean;
  /** Whether a condition can list its values. */
  readonly isListed: boolean;
  /** Whether a part of its text can be asked for. */
  readonly hasText: boolean;
}

export interface Term {
  readonly kind: FieldKind;
  readonly not: boolean;
  /** The name as typed, with its minus. */
  readonly name: string;
  /** Whether a part of the field's text is meant: `worker~gpu`. It is the one value then, and a text. */
  readonly isPart: boolean;
  /** As typed behind the colon, without quotes; null: `none`, which quotes make a text. */
  readonly values: readonly (string | null)[];
  /** Whether each of the values is in quotes. */
  readonly areQuoted: readonly boolean[];
  /** Where it stands in the text, and where its values begin. */
  readonly start: number;
  readonly valuesFrom: number;
  readonly end: number;
}

/** Terms and words of which one must hold; most are alone. */
export interface Group {
  readonly members: readonly (Term | TextCondition)[];
  /** Whether it begins with `or`, which joins it to the last condition. */
  readonly joins: boolean;
  readonly start: number;
  readonly end: number;
}

export interface Parsed {
  /** Groups that become conditions. */
  readonly groups: readonly Group[];
  /** The term at the end, while nothing closes it. */
  readonly unfinished: Term | undefined;
  /** The first word that looks like a term, of a field that is unknown. */
  readonly stranger: { readonly name: string; readonly sign: string } | undefined;
  /** The words that are searched for. */
  readonly q: string;
  /** Whether there are too many of them, so that they are one text. */
  readonly isOneText: boolean;
}

interface Token {
  readonly part: Term | TextCondition;
  readonly isOr: boolean;
  readonly start: number;
  readonly end: number;
}

export const isTerm = (part: Term | TextCondition): part is Term => part.kind !== 'text';

/** @param joinsLast whether an `or` at the beginning joins the next term to a condition that is there */
export function parseQuery(text: string, vocabulary: Vocabulary, joinsLast = false): Parsed {
  const { tokens, stranger } = tokensOf(text, vocabulary);
  const last = tokens.at(-1);
  const unfinished = last && isTerm(last.part) && last.end === text.length ? last.part : undefined;
  const joins = joinsLast && tokens[0]?.isOr === true;
  const all = joinedByOr(joins ? tokens.slice(1) : tokens).map(
    (group, at): Group => ({
      members: group.map(({ part }) => part).filter((part) => isTerm(part) || part.text !== ''),
      joins: joins && at === 0,
      start: joins && at === 0 ? tokens[0]!.start : group[0]!.start,
      end: group.at(-1)!.end,
    }),
  );
  const isSearched = (one: Group) => !one.joins && !one.members.some(isTerm);
  const parts = all.filter(isSearched).map(({ start, end }) => text.slice(start, end));
  const searched = parts.join(' ');
  return {
    groups: all.filter(
      (one) => !isSearched(one) && one.members.length > 0 && !one.members.includes(unfinished!),
    ),
    unfinished,
    stranger,
    q: textOf(wordsIn(searched)),
    isOneText: isOneText(searched),
  };
}

function tokensOf(text: string, vocabulary: Vocabulary) {
  const tokens: Token[] = [];
  let stranger: Parsed['stranger'];
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const found = termAt(text, at, vocabulary);
    if (found?.term) {
      tokens.push({ part: found.term, isOr: false, start: at, end: found.term.end });
      at = found.term.end;
      continue;
    }
    stranger ??= found?.stranger;
    const { word, isOr, end } = wordAt(text, at)!;
    tokens.push({ part: word, isOr, start: at, end });
    at = end;
  }
  return { tokens, stranger };
}

const patterns = new WeakMap<Vocabulary, RegExp>();

/**
 * A term; a known name may have any sign in it, and blanks or dots between its words. An `and` before it says nothing:
 * all conditions must hold.
 */
function patternOf(vocabulary: Vocabulary): RegExp {
  const known = patterns.get(vocabulary);
  if (known) return known;
  const several = Object.keys(vocabulary.fields)
    .filter((name) => !/^\p{L}[\p{L}\d]*$/u.test(name))
    .sort((a, b) => b.length - a.length)
    .map((name) => `${escaped(name).replaceAll('_', '[_ .]')}|`);
  const name = `${several.join('')}[\\p{L}_][\\p{L}\\p{M}\\d_]*`;
  // As people write it: `total > 500`; up to the text's end, the number is still to come.
  const bound = `[<>]=?\\s+(?:$|(?=\\S)(?!-?(?:${name})!?[:=~]))`;
  const values = `(?:${bound})?(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s",]|,)*`;
  const pattern = new RegExp(
    `(?:and\\s+)?(-?)(${name})(:|!?[=~]|<>|\\s*(?=[<>]))(\\s+(?!-?(?:${name})!?[:=~]))?(${values})`,
    'suiy',
  );
  patterns.set(vocabulary, pattern);
  return pattern;
}

const RANGED: ReadonlySet<FieldKind['takes']> = new Set(['number', 'numbers', 'seconds', 'date']);

/** The term that begins there, or one that would be with a field of that name. */
function termAt(
  text: string,
  start: number,
  vocabulary: Vocabulary,
): { readonly term?: Term; readonly stranger?: Parsed['stranger'] } | undefined {
  const pattern = patternOf(vocabulary);
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [all, minus, name = '', sign = '', blanks, given = ''] = found;
  const kind = kindOf(vocabulary.fields, name);
  if (!kind) {
    // `http://…` names no field.
    const isStranger =
      sign.trim() !== '' && blanks === undefined && given && !given.startsWith('//');
    return isStranger ? { stranger: { name, sign } } : undefined;
  }
  // Text may have such signs between its words.
  const isRanged = RANGED.has(kind.takes);
  if (!isRanged && sign !== '' && sign.trim() === '') return undefined;
  const value = isRanged ? given : given.replace(/^([<>]=?)\s.*$/s, '$1');
  const end = start + all.length - given.length + value.length;
  const isPart = sign.endsWith('~') || kind.takes === 'part';
  const isExcluded = sign.startsWith('!') || sign === '<>';
  const parts = isPart ? [value] : partsOf(value.replace(/^([<>]=?)\s+/, '$1'));
  const values = isPart ? [bare(value).trim()].filter(Boolean) : parts.map(unquoted);
  if (end < text.length && values.length === 0) return undefined;
  const areQuoted = parts.map((part) => part.startsWith('"'));
  const at = { start, valuesFrom: end - value.length, end };
  const not = (minus === '-') !== isExcluded;
  const term = { kind, not, name: `${minus}${name}`, isPart, values, areQuoted };
  return { term: { ...term, ...at } };
}

function kindOf(fields: Vocabulary['fields'], name: string): FieldKind | undefined {
  const exact = name.replaceAll(' ', '_');
  // A path as MongoDB writes it: `ship.city`.
  const names = [exact, exact.replaceAll('.', '_')].flatMap((one) => [
    one,
    one.normalize().toLowerCase(),
  ]);
  const known = names.find((one) => Object.hasOwn(fields, one));
  return known === undefined ? undefined : fields[known];
}

/** The beginning of the text that is finished: it ends before the term or word that is being typed. */
export function finishedPart(text: string, vocabulary: Vocabulary): string {
  const { unfinished } = parseQuery(text, vocabulary);
  return unfinished ? text.slice(0, unfinished.start) : text.slice(0, text.search(/(?<!\S)\S*$/));
}

/** The text with its last term closed, and a quote that is still open. */
export function closedText(text: string, vocabulary: Vocabulary): string {
  const { unfinished } = parseQuery(text, vocabulary);
  if (!unfinished) return /\s$/.test(text) ? text : `${text} `;
  if (!isQuoteOpen(text.slice(unfinished.valuesFrom))) return `${text} `;
  // One backslash at the end would make the quote a part of the value.
  const isEscape = /(?<!\\)(?:\\\\)*\\$/.test(text);
  return `${text}${isEscape ? '\\' : ''}" `;
}

/** The text without these parts of it, and without the blanks behind each; all others may stand in quotes. */
export const cutOut = (text: string, parts: readonly { start: number; end: number }[]): string =>
  [...parts, { start: text.length }]
    .map(({ start }, at) => text.slice(parts[at - 1]?.end ?? 0, start).trimStart())
    .join('');

const isQuoteOpen = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/gs, '').includes('"');

/** `a,"b c",none` → `a`, `"b c"`, `none` */
const partsOf = (given: string): readonly string[] =>
  (given.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/gs) ?? []).filter((part) => part !== '"');

/** `a` → `a`, `"b c"` → `b c`, `none` → null */
const unquoted = (part: string): string | null => (NONE.test(part) ? null : bare(part));

/** A value without its quotes. */
export const bare = (part: string): string =>
  seen(part).replace(/"((?:[^"\\]|\\.)*)"?/gs, (_, inner: string) => unescaped(inner));

const NONE = /^(none|null)$/i;

/** Whether the box offers the values that are counted. */
export const offersValues = ({ takes }: FieldKind): boolean =>
  takes === 'values' || takes === 'numbers';

/** Whether quotes make a text of a number. */
const hasNumbers = ({ takes }: FieldKind): boolean => takes === 'number' || takes === 'numbers';

/** The values that a text may be: itself, and a number or boolean that reads so. */
export const readingsOf = (text: string): readonly ViewValue[] => [
  text,
  ...(isNumber(text) ? [numberOf(text)].filter((one) => one !== text) : []),
  ...(isTruth(text) ? [text === 'true'] : []),
];

const isTruth = (text: string) => text === 'true' || text === 'false';

/** Whether a text needs quotes, since it would read as a value of another type. */
export const readsOtherwise = (kind: FieldKind, text: string): boolean =>
  hasNumbers(kind) ||
  kind.takes === 'flag' ||
  (kind.takes === 'values' && readingsOf(text).length > 1);

/** The meaning of a term as far as the box knows it; a sentence where it has none. */
export type Meaning =
  | { readonly condition: Condition }
  | { readonly ask: Term['values'] }
  | { readonly problem: string };

export function meaningOf(term: Term): Meaning {
  const { kind, not, values, areQuoted, isPart } = term;
  const { field, title, takes, isListed, hasText } = kind;
  if (isPart) {
    return hasText
      ? { condition: { kind: 'contains', field, not, text: values[0] ?? '' } }
      : { problem: say('{field} is no text, of which “~” finds a part', { field: title }) };
  }
  // Where they are not counted, the service takes the digits of a number alone.
  const isText = (at: number) =>
    hasNumbers(kind) && areQuoted[at] === true && (kind.isCounted || isNumber(values[at] ?? ''));
  const isPlain = values.every((value, at) => value === null || isText(at) || isNumber(value));
  const listed = (all: readonly ViewValue[]): Meaning => ({
    condition: { kind: 'values', field, not, values: all },
  });
  const numbers = () =>
    values.map((value, at) => (value === null || isText(at) ? value : numberOf(value)));
  if (values.every((value) => value === null)) return listed([null]);
  if (takes === 'date' || takes === 'number' || takes === 'seconds') {
    if (isListed && isPlain) return listed(numbers());
    if (values.includes(null)) {
      return { problem: say('{field} takes “none” alone, or a range', { field: title }) };
    }
    return rangeMeaning(kind, values, not);
  }
  const range = values.find((value, at) => !areQuoted[at] && RANGE.test(value ?? ''));
  if (range) return { problem: noRange(term, range) };
  if (takes === 'values') return { ask: values };
  if (takes === 'numbers') {
    return isPlain
      ? listed(numbers())
      : {
          problem: say('{field} must be {what}', { field: title, what: say('a number such as 3') }),
        };
  }
  if (takes === 'id') return listed(values.map(idOf));
  if (takes === 'text') return listed(values);
  if (takes === 'idOrText') {
    return listed(values.map((one) => (UUID.test(one ?? '') ? idOf(one) : one)));
  }
  // A text among truths is another value: it is filtered by as it stands where the service counts values of any type.
  const flags = values.map((value, at) => {
    if (value === null || (areQuoted[at] && kind.isCounted)) return value;
    return flagOf(value) ?? (kind.isCounted && isNumber(value) ? numberOf(value) : undefined);
  });
  if (flags.includes(undefined))
    return { problem: say('{field} must be yes, no or none', { field: title }) };
  return listed(flags as ViewValue[]);
}

/** A range as people type it: `>2`, `<=2026-01-01`, `2..4`. */
const RANGE = /^[<>]=?-?\d|^-?\d+(\.\d+)?\.\.<?-?\d/;

const noRange = ({ kind: { title }, name }: Term, range: string): string => {
  const values = range.replace(/^[<>]=?/, '').replace(/\.\.<?/, ',');
  return say('{field} takes no ranges, but values: {example}', {
    ...{ field: title, example: `${name}:${values}` },
  });
};

const FLAGS: Readonly<Record<string, ViewValue>> = {
  ...{ yes: true, true: true, on: true, no: false, false: false, off: false },
};

function flagOf(text: string): ViewValue | undefined {
  const word = text.toLowerCase();
  if (word === say('Yes').toLowerCase()) return true;
  if (word === say('No').toLowerCase()) return false;
  return FLAGS[word];
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An ObjectId may have digits alone, and zeros before them. */
function idOf(id: string | null): ViewValue {
  return id !== null && /^(0|[1-9]\d*)$/.test(id) ? numberOf(id) : (id?.toLowerCase() ?? null);
}

const EXAMPLES = {
  date: 'a date or a range, such as 2026-11-20, today, tuesday, 2h or 2026-11..2026-12',
  number: 'a number or a range, such as 2.5, 3..5 or >=3',
  seconds: 'a length of time or a range, such as 90s, 2m..5m or >1.5h',
} as const;

function rangeMeaning(
  { field, title, takes }: FieldKind,
  values: Term['values'],
  not: boolean,
): Meaning {
  const kind = takes as keyof typeof EXAMPLES;
  const range = values.length === 1 ? rangeOf(kind, values[0] ?? '') : undefined;
  if (range) {
    const within = { ...range, field };
    return { condition: not ? outside(within, new Date()) : within };
  }
  return {
    problem: say('{field} must be {what}', { field: title, what: say(EXAMPLES[kind]) }),
  };
}

/** A value that is known, and its name for people where it has one. */
export interface Named {
  readonly value: ViewValue;
  readonly label?: string | undefined;
}

/** Among values that hold the text: the one that is meant, or those that may be. */
export function resolved<T extends Named>(
  text: string,
  found: readonly T[],
): { readonly value: ViewValue } | { readonly candidates: readonly T[] } {
  const exact = exactly(text, found);
  if (exact.length === 1) return { value: exact[0]!.value };
  if (exact.length > 1) return { candidates: exact };
  if (found.length === 1) return { value: found[0]!.value };
  return { candidates: found };
}

/** Values that are called so; several where one name is that of several. */
export function exactly<T extends Named>(text: string, found: readonly T[]): readonly T[] {
  const folded = text.toLowerCase();
  for (const is of [
    ({ value }: Named) => String(value) === text,
    ({ label }: Named) => label === text,
    ({ value, label }: Named) =>
      [String(value), label].some((one) => one?.toLowerCase() === folded),
  ]) {
    const exact = found.filter(is);
    if (exact.length > 0) return exact;
  }
  return [];
}

/** A value as it is typed behind the colon. */
export const quoted = (text: string) =>
  /^$|[\s",]/.test(text) || NONE.test(text) || RANGE.test(text) || seen(text) !== text
    ? inQuotes(text)
    : text;
