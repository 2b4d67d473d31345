/**
 * The language of the search box: `status:failure worker:"node 3" -scope:system date:today rest`.
 *
 *     text ─▶ terms (`field:value`, known fields alone) ─▶ conditions
 *        └──▶ the rest is the text that is searched for
 *
 * A term at the end that is still being typed is neither: it is completed. A quote keeps its term open
 * until it is closed. The service resolves values that it alone knows, see `resolved`.
 */
import { type Condition, isSpan, type Value } from '../state/view.ts';
import { say } from '../words/words.ts';

/** The names of a table's fields, and the kind of their values. */
export interface Vocabulary {
  /** By every name that may stand before the colon. */
  readonly fields: Readonly<Record<string, FieldKind>>;
}

export interface FieldKind {
  readonly field: string;
  /** Its name for people. */
  readonly title: string;
  readonly takes: 'values' | 'flag' | 'date' | 'number' | 'id';
}

export interface Term {
  readonly kind: FieldKind;
  readonly not: boolean;
  /** The name as typed, with its minus. */
  readonly name: string;
  /** As typed behind the colon, without quotes; null: `none`, which quotes make a text. */
  readonly values: readonly (string | null)[];
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

export interface Parsed {
  readonly terms: readonly Term[];
  /** The term at the end, while nothing closes it. */
  readonly unfinished: Term | undefined;
  /** The first term whose field is unknown: it is text. */
  readonly stranger: { readonly name: string; readonly start: number } | undefined;
  /** All else. */
  readonly rest: string;
}

const TERM = /(?<![^\s])(-?)([a-z_]+):((?:"(?:[^"\\]|\\.)*"?|[^\s",]|,)*)/gisu;

export function parseQuery(text: string, { fields }: Vocabulary): Parsed {
  const terms: Term[] = [];
  let unfinished: Term | undefined;
  let stranger: Parsed['stranger'];
  let rest = '';
  let after = 0;
  for (const match of text.matchAll(TERM)) {
    const [all, minus, name, given] = match;
    const start = match.index;
    const end = start + all.length;
    const kind = kindOf(fields, name!);
    if (!kind) {
      // `http://…` names no field.
      if (given !== '' && !given!.startsWith('//')) stranger ??= { name: name!, start };
      continue;
    }
    const values = valuesIn(given!);
    if (end < text.length && values.length === 0) continue;
    rest += text.slice(after, start);
    after = end;
    const term = { kind, not: minus === '-', name: `${minus}${name}`, values, start, end };
    if (end === text.length) unfinished = term;
    else terms.push(term);
  }
  rest += text.slice(after);
  return { terms, unfinished, stranger, rest: rest.replace(/\s+/g, ' ').trimStart() };
}

function kindOf(fields: Vocabulary['fields'], name: string): FieldKind | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(fields, known) ? fields[known] : undefined;
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
  return isQuoteOpen(text.slice(unfinished.start)) ? `${text}" ` : `${text} `;
}

const isQuoteOpen = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/gs, '').includes('"');

/** `a,"b c",none` → `a`, `b c`, null */
function valuesIn(given: string): (string | null)[] {
  const parts = given.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/gs) ?? [];
  return parts
    .filter((part) => part !== '"')
    .map((part) =>
      NONE.test(part)
        ? null
        : part.replace(/"((?:[^"\\]|\\.)*)"?/gs, (_, inner: string) => unescaped(inner)),
    );
}

const NONE = /^(none|null)$/i;

const unescaped = (text: string) => text.replace(/\\(.)/gs, '$1');

/** The meaning of a term as far as the box knows it; a sentence where it has none. */
export type Meaning =
  | { readonly condition: Condition }
  | { readonly ask: Term['values'] }
  | { readonly problem: string };

export function meaningOf({ kind, not, values }: Term): Meaning {
  const { field } = kind;
  if (kind.takes === 'date')
    return rangeMeaning(kind, values, dateRange, 'a date, today, 2h or a range a..b');
  if (kind.takes === 'number') return rangeMeaning(kind, values, numberRange, '3, 3..5, >=3');
  if (values.every((value) => value === null)) {
    return { condition: { kind: 'values', field, not, values: [null] } };
  }
  if (kind.takes === 'values') return { ask: values };
  if (kind.takes === 'id') {
    const ids = values.map(idOf);
    return { condition: { kind: 'values', field, not, values: ids } };
  }
  const flags = values.map((value) => (value === null ? null : FLAGS[value.toLowerCase()]));
  if (flags.includes(undefined))
    return { problem: say('{field} must be yes, no or none', { field: kind.title }) };
  return { condition: { kind: 'values', field, not, values: flags as Value[] } };
}

const FLAGS: Readonly<Record<string, Value>> = {
  ...{ yes: true, true: true, on: true, no: false, false: false, off: false },
};

function idOf(id: string | null): Value {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : (id?.toLowerCase() ?? null);
}

type Range = { readonly from?: string | number; readonly to?: string | number };

function rangeMeaning(
  { field, title }: FieldKind,
  values: Term['values'],
  read: (text: string) => Range | undefined,
  takes: string,
): Meaning {
  const text = values[0] ?? '';
  const problem = { problem: say('{field} must be {what}', { field: title, what: say(takes) }) };
  if (values.length !== 1) return problem;
  if (isSpan(text)) return { condition: { kind: 'span', field, span: text } };
  const range = bounded(text, read);
  if (!range || (range.from === undefined && range.to === undefined)) return problem;
  const empty = range.from !== undefined && range.to !== undefined && range.from >= range.to;
  return empty ? problem : { condition: { kind: 'range', field, ...range } };
}

/** `a..b`, `>=a`, `<b`, or what lies within `a`. */
function bounded(text: string, read: (text: string) => Range | undefined): Range | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const first = from === '' ? {} : read(from);
    const last = to === '' ? {} : read(to);
    if (!first || !last) return undefined;
    return { ...pick('from', first.from), ...pick('to', last.to) };
  }
  const [, sign, bound] = /^(>=|<=|>|<)(.+)$/.exec(text) ?? [];
  if (sign === undefined) return read(text);
  const within = read(bound!);
  if (!within) return undefined;
  if (sign === '>=') return pick('from', within.from);
  if (sign === '>') return pick('from', within.to);
  return pick('to', sign === '<' ? within.from : within.to);
}

const pick = (end: 'from' | 'to', bound: string | number | undefined): Range =>
  bound === undefined ? {} : { [end]: bound };

/** A whole number and the next one; to the next representable for fractions, none are stored. */
function numberRange(text: string): Range | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  return { from: Number(text), to: Number(text) + 1 };
}

/** A year, month, day or minute of the viewer's calendar, whole. */
function dateRange(text: string): Range | undefined {
  const match = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d))?(Z)?$/.exec(text);
  if (!match) {
    const at = Date.parse(text);
    if (!/^\d{4}-/.test(text) || Number.isNaN(at)) return undefined;
    return { from: new Date(at).toISOString(), to: new Date(at + 1).toISOString() };
  }
  const parts = match.slice(1, 6).map((part) => (part === undefined ? undefined : Number(part)));
  const [year, month, day, hour, minute] = parts as [number, ...(number | undefined)[]];
  const at = (plus: readonly number[]) => {
    const [y = 0, mo = 0, d = 0, mi = 0] = plus;
    const last = (minute ?? 0) + mi;
    return new Date(year + y, (month ?? 1) - 1 + mo, (day ?? 1) + d, hour ?? 0, last);
  };
  const step = minute !== undefined ? 3 : day !== undefined ? 2 : month !== undefined ? 1 : 0;
  const next = [0, 0, 0, 0].map((_, index) => (index === step ? 1 : 0));
  const first = at([]);
  if (month !== undefined && first.getMonth() !== month - 1) return undefined;
  return { from: first.toISOString(), to: at(next).toISOString() };
}

/** A value that is known, and its name for people where it has one. */
export interface Named {
  readonly value: Value;
  readonly label?: string | undefined;
}

/** Among values that hold the text: the one that is meant, or those that may be. */
export function resolved<T extends Named>(
  text: string,
  found: readonly T[],
): { readonly value: Value } | { readonly candidates: readonly T[] } {
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
  /^$|[\s",]/.test(text) || NONE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
