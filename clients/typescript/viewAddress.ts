/**
 * The address of a saved view, as the web UI writes it → its conditions, and members of a search's body.
 *
 *     q=time+out&-q=gold      select   {"text": "time out"}, {"not_text": "gold"}
 *     status=A,B&-scope=x     select   {"field": "status", "in": ["A", "B"]}, {"field": "scope", "not_in": ["x"]}
 *     worker~=gpu&-worker~=7  select   {"field": "worker", "contains": "gpu"}, {"field": "worker", "not_contains": "7"}
 *     date_queued=7d          select   {"field": "date_queued", "from": "…seven days ago"}
 *     any=q:red|status:A      select   {"any": [{"text": "red"}, {"field": "status", "in": ["A"]}]}
 *     sort=-date_done         sorting  {"sort_by": "date_done", "sort_order": "desc"}
 *
 * A range is `a..b` (without b), `a..=b`, `>a..`, `a` alone, or a span: `24h`, `7d`, `today`. Values are text, except
 * after `~`: `~null`, `~true`, `~3`, and `~""`, the empty text. A field with ranges alone takes `~null` as its only
 * value. A backslash makes a text of what reads as a range: `\3`. A search leaves unknown parts of an address out, and
 * lists those that should be conditions as `unread`.
 */
import type { AnyRecord, Select, SingleSelect } from './ownTables.ts';

export type ViewValue = string | number | boolean | null;

const HOURS = { m: 1 / 60, h: 1, d: 24, w: 168 } as const;

/** A length of time that ends now: `15m`, `2h`, `7d`, `4w`. */
export type Length = `${number}${keyof typeof HOURS}`;
/** A length of time, or a day of the viewer's calendar. */
export type Span = Length | 'today' | 'yesterday';

export const isSpan = (text: string): text is Span =>
  /^[1-9]\d{0,3}[mhdw]$/.test(text) || text === 'today' || text === 'yesterday';

const hoursOf = (length: Length): number =>
  Number.parseInt(length, 10) * HOURS[length.at(-1) as keyof typeof HOURS];

/**
 * The beginning and end of a span for somebody who looks at `now`: a length has no end, a day is
 * one of this machine.
 */
export function boundsOf(span: Span, now: Date): { readonly from: Date; readonly to?: Date } {
  const midnight = (plus: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + plus);
  // Dates may lie in the future.
  if (span === 'today') return { from: midnight(0), to: midnight(1) };
  if (span === 'yesterday') return { from: midnight(-1), to: midnight(0) };
  return { from: new Date(now.getTime() - hoursOf(span) * 3_600_000) };
}

/** A condition on a field. */
export type FieldCondition =
  | {
      readonly kind: 'values';
      readonly field: string;
      readonly not: boolean;
      readonly values: readonly ViewValue[];
    }
  | {
      readonly kind: 'contains';
      readonly field: string;
      readonly not: boolean;
      /** A part of the field's text. */
      readonly text: string;
    }
  | {
      readonly kind: 'range';
      readonly field: string;
      /** ISO dates or numbers, of which text has more digits than a double: from inclusive, to exclusive. */
      readonly from?: string | number | undefined;
      readonly to?: string | number | undefined;
    }
  | { readonly kind: 'span'; readonly field: string; readonly span: Span };

/** A text that rows must hold, or must not. */
export interface TextCondition {
  readonly kind: 'text';
  readonly not: boolean;
  readonly text: string;
}

export type SimpleCondition = FieldCondition | TextCondition;

/** One of several holds. */
export interface AnyCondition {
  readonly kind: 'any';
  readonly of: readonly SimpleCondition[];
}

type SimpleSelect = SingleSelect<AnyRecord>;

/** A member of an explore's `select`. */
export type ViewSelect = Select<AnyRecord>;

/** The condition as an explore takes it. */
export function selectOf(one: SimpleCondition | AnyCondition, now: Date): ViewSelect {
  if (one.kind !== 'any') return simpleSelect(one, now);
  const any = one.of.map((each) => simpleSelect(each, now));
  return any.length === 1 ? any[0]! : { any };
}

function simpleSelect(one: SimpleCondition, now: Date): SimpleSelect {
  if (one.kind === 'text') return one.not ? { not_text: one.text } : { text: one.text };
  if (one.kind === 'values') return { field: one.field, [one.not ? 'not_in' : 'in']: one.values };
  if (one.kind === 'contains') {
    return { field: one.field, [one.not ? 'not_contains' : 'contains']: one.text };
  }
  if (one.kind === 'span') {
    const { from, to } = boundsOf(one.span, now);
    return { field: one.field, from: from.toISOString(), ...(to && { to: to.toISOString() }) };
  }
  const { field, from, to } = one;
  return { field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The fields of a table that an address can name. */
export interface AddressFields {
  /** Fields that conditions can be on. */
  readonly conditions: readonly string[];
  /** Fields that take ranges, and fields that take values. */
  readonly ranges: readonly string[];
  readonly values: readonly string[];
  /** Fields of which a part of their text can be asked for. */
  readonly contains: readonly string[];
}

/** The fields of a table by its description: `VIEWS.adminTasks`, or `viewOf(…)` for a table of your own. */
export const addressFieldsOf = (
  of: Pick<AddressFields, 'conditions' | 'values' | 'contains'> & {
    readonly ranges: Readonly<Record<string, unknown>>;
  },
): AddressFields => ({
  ...{ conditions: of.conditions, values: of.values, contains: of.contains },
  ranges: of.conditions.filter((field) => of.ranges[field] !== undefined),
});

/** Names of an address that are no field's; a field that is called so has a `~` before its name. */
export const RESERVED: readonly string[] = [
  ...['q', 'any', 'project', 'sort', 'page', 'per'],
  ...['cols', 'time', 'group', 'compare', 'with', 'open', 'tab'],
];

/**
 * The conditions of an entry: of `any` those of which one must hold; else one, or none. An `any` with a part that
 * cannot be read has none: the others alone would hide rows.
 */
export function conditionsOf(
  name: string,
  text: string,
  fields: AddressFields,
): readonly SimpleCondition[] {
  if (name !== 'any') return conditionOf(name, text, fields);
  const parts = alternativesOf(text).map((part) => conditionOf(...nameAndText(part), fields));
  return parts.every((part) => part.length > 0) ? parts.flat() : [];
}

/** Whether an entry is a condition: of `any` each of its parts. */
export const isCondition = (name: string, text: string, fields: AddressFields): boolean =>
  conditionsOf(name, text, fields).length > 0;

/** The entries of `any`: `q:red|status:a,b`. */
const alternativesOf = (text: string): readonly string[] =>
  (text.match(/(?:\\.|[^\\|])+/gs) ?? []).map(unescaped);

/** `status:a,b` */
export function nameAndText(entry: string): [name: string, text: string] {
  const at = entry.indexOf(':');
  return at < 0 ? ['', ''] : [entry.slice(0, at), entry.slice(at + 1)];
}

function conditionOf(name: string, text: string, fields: AddressFields): SimpleCondition[] {
  const not = name.startsWith('-');
  const bare = not ? name.slice(1) : name;
  if (bare === 'q') return text.trim() === '' ? [] : [{ kind: 'text', not, text: text.trim() }];
  if (RESERVED.includes(bare)) return [];
  const field = bare.replace(/^~|~$/g, '');
  if (bare.endsWith('~')) {
    const part = text.trim();
    const isAsked = fields.contains.includes(field) && part !== '';
    return isAsked ? [{ kind: 'contains', field, not, text: part }] : [];
  }
  if (!fields.conditions.includes(field)) return [];
  const range = !not && fields.ranges.includes(field) ? rangeOf(field, text) : undefined;
  if (range) return [range];
  const values = valuesOf(text);
  if (!values || values.length === 0) return [];
  const isNothing = fields.ranges.includes(field) && values.every((value) => value === null);
  return isNothing || fields.values.includes(field) ? [{ kind: 'values', field, not, values }] : [];
}

/** The range or span that a text names; values that read as one are escaped. */
export function rangeOf(field: string, text: string): FieldCondition | undefined {
  if (isSpan(text)) return { kind: 'span', field, span: text };
  if (isNumber(text)) return { kind: 'range', field, ...exactly(numberOf(text)) };
  const [, above, from, through, to] = /^(>?)(.*?)\.\.(=?)(.*)$/.exec(text) ?? [];
  const range = { ...boundOf('from', from, above), ...boundOf('to', to, through) };
  // A range without one of its ends would find more than it says.
  const isWhole = Object.keys(range).length === [from, to].filter(Boolean).length;
  return isWhole && (from || to) ? { kind: 'range', field, ...range } : undefined;
}

/** Past the largest double there is only infinity, which JSON has not. */
export const isNumber = (text: string): boolean =>
  /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
const DIGITS = /^(-?)0*(\d+)(?:\.(\d+))?$/;
/** Digits of the store's decimals. */
export const MOST_DIGITS = 34;
/** Every number of so many digits is a double's, as people write it. */
const DIGITS_OF_DOUBLES = 15;

/** The digits of smaller numbers are too many for a bound. */
const LEAST = 1e-6;

/** Whether a bound is a number: dates are ISO texts. */
export const isNumeric = (bound: string | number | undefined): boolean =>
  typeof bound === 'number' || DIGITS.test(bound ?? '');

/** The number that a text is; the text itself where no double is that number, and a decimal of the store is. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  const [, , whole = '', part = ''] = DIGITS.exec(text) ?? [];
  const { length } = (whole + part).replace(/^0+/, '');
  const size = Math.abs(number);
  // The next double after a large integer leaves other numbers out, and is itself an integer.
  const isDouble = length <= DIGITS_OF_DOUBLES || (String(number) === text && size < 2 ** 52);
  return isDouble || size < LEAST || length > MOST_DIGITS ? number : text;
}

/** @param next a sign where the bound comes right after the number */
function boundOf(end: 'from' | 'to', text: string | undefined, next: string | undefined) {
  if (!text) return {};
  if (isNumber(text)) {
    const number = numberOf(text);
    return { [end]: next ? nextAfter(number) : number };
  }
  return Number.isNaN(Date.parse(text)) ? {} : { [end]: new Date(text).toISOString() };
}

const bits = new DataView(new ArrayBuffer(8));

/** The next number that can be stored, so that `from: 3, to: nextAfter(3)` is exactly 3. */
export const nextAfter = (number: number | string): number | string =>
  typeof number === 'string' ? decimalBeside(number, 1n) : doubleAfter(number);

/** The number whose `nextAfter` this is. */
export const lastBefore = (number: number | string): number | string =>
  typeof number === 'string' ? decimalBeside(number, -1n) : -doubleAfter(-number) + 0;

/** The decimal of 34 digits right after a text of at most so many, or by `-1n` the one right before. */
function decimalBeside(text: string, step: 1n | -1n): string {
  const [, sign = '', whole = '', part = ''] = DIGITS.exec(text) ?? [];
  const significant = (whole + part).replace(/^0+/, '');
  // A number right below a power of ten has one place more.
  const isBelow = /^10*$/.test(significant) && (sign === '-') === (step === 1n);
  const places = MOST_DIGITS - significant.length + part.length + (isBelow ? 1 : 0);
  const next = BigInt(sign + whole + part.padEnd(places, '0')) + step;
  const digits = String(next < 0n ? -next : next).padStart(places + 1, '0');
  const rest = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${next < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${rest && `.${rest}`}`;
}

function doubleAfter(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
  // -0, right after the largest negative number, is written as 0.
  return bits.getFloat64(0) + 0;
}

/** Tables of a definition file alone take all digits of a number. */
export const askedInDoubles = (one: ViewSelect): ViewSelect =>
  one.any ? { any: one.any.map(inDoubles) } : inDoubles(one);

/**
 * The range with doubles for ends that have more digits than one: numbers of the built-in tables are doubles on their
 * way. It is the least such range that holds the given one.
 */
function inDoubles(range: SimpleSelect): SimpleSelect {
  const ends = (['from', 'to'] as const).flatMap((end) => {
    const given = range[end];
    return typeof given === 'string' && isNumeric(given) ? [[end, doubleAt(end, given)]] : [];
  });
  return { ...range, ...Object.fromEntries(ends) };
}

/** Fields of a table whose numbers may have more digits than a double. */
export interface ExactFields {
  readonly digits?: readonly string[];
  /** Fields of decimals, which `digits` has as well. */
  readonly decimals?: readonly string[];
}

/**
 * The condition with bounds that leave out no decimal. An address has the next double after 3, and a field of numbers
 * with any digits takes the next decimal. So does a field of decimals after 0.1, of which the next double is far off.
 */
export const askedInDecimals = (one: ViewSelect, fields: ExactFields): ViewSelect =>
  one.any ? { any: one.any.map((each) => inDecimals(each, fields)) } : inDecimals(one, fields);

function inDecimals(range: SimpleSelect, { digits, decimals }: ExactFields): SimpleSelect {
  const { field = '', from, to } = range;
  const isDecimal = decimals?.includes(field) === true;
  if (!isDecimal && !digits?.includes(field)) return range;
  return {
    ...range,
    ...(from !== undefined && { from: besideDigits(from, isDecimal) }),
    ...(to !== undefined && { to: besideDigits(to, isDecimal) }),
  };
}

/** Whether a bound comes right after the number that somebody means, which is shorter. */
export const isRightAfter = (bound: string | number): boolean =>
  String(lastBefore(bound)).length < String(bound).length;

/**
 * The decimal right after the number that a bound comes right after; any other bound as it is. A bound of 17 digits
 * that somebody means, such as 0.30000000000000004, is taken for the one right after 0.3.
 */
function besideDigits(bound: string | number, isDecimal: boolean): string | number {
  if (typeof bound === 'string' || Number.isInteger(bound)) return bound;
  const before = lastBefore(bound);
  const isMeant = Number.isInteger(before) || (isDecimal && isRightAfter(bound));
  const digits = String(before);
  // Zero has no neighbour of 34 digits, and small numbers are written with a power of ten.
  return isMeant && before !== 0 && DIGITS.test(digits) ? nextAfter(digits) : bound;
}

function doubleAt(end: 'from' | 'to', digits: string): number {
  const near = Number(digits);
  const [whole, part = ''] = digits.split('.') as [string, string?];
  // Numbers with a part and that many digits lie beside a double, on either side.
  if (!Number.isInteger(near)) return Number(end === 'from' ? lastBefore(near) : nextAfter(near));
  const rest = /[1-9]/.test(part) ? (digits.startsWith('-') ? 1n : -1n) : 0n;
  const above = BigInt(near) - BigInt(whole) || rest;
  if (end === 'from') return above > 0n ? Number(lastBefore(near)) : near;
  return above < 0n ? Number(nextAfter(near)) : near;
}

/** The range that holds this number alone. */
export const exactly = (number: number | string) => ({ from: number, to: nextAfter(number) });

/** Undefined where one of the values cannot be read. */
function valuesOf(text: string): ViewValue[] | undefined {
  const parts = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  const values = parts.map((part) =>
    part.startsWith('~') ? jsonOf(part.slice(1)) : unescaped(part),
  );
  return values.every((one) => one !== undefined) ? values : undefined;
}

function jsonOf(text: string): ViewValue | undefined {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '""') return '';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

export const unescaped = (text: string) => text.replace(/\\(.)/gs, '$1');

/** Most fields that rows are sorted by. */
export const MOST_SORTS = 3;

export interface Sort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

/** `worker,-id`: each field once. */
export function sortOf(text: string | null): readonly Sort[] {
  const seen = new Set<string>();
  return (text ?? '')
    .split(',')
    .map((one): Sort => {
      const isDown = one.startsWith('-');
      return { by: isDown ? one.slice(1) : one, order: isDown ? 'desc' : 'asc' };
    })
    .filter(({ by }) => by !== '' && !seen.has(by) && seen.add(by))
    .slice(0, MOST_SORTS);
}

/** The search of a saved view. */
export interface ViewedSearch {
  /** The project whose rows alone it shows. */
  readonly project: string | null;
  readonly select: readonly ViewSelect[];
  /** The most significant first; none: as the table sorts by itself. */
  readonly sort: readonly Sort[];
  /** Null where it shows the columns of its table. */
  readonly columns: readonly string[] | null;
  /** Parts that should be conditions and cannot be read: without them the search finds more rows. */
  readonly unread: readonly string[];
}

/** Reads the query of a saved view's address. */
export function viewedAt(query: string, fields: AddressFields, now: Date): ViewedSearch {
  const given = new URLSearchParams(query);
  const isUnread = ([name, text]: readonly [string, string]) =>
    text.trim() !== '' &&
    (['q', 'any'].includes(name) || !RESERVED.includes(name)) &&
    !isCondition(name, text, fields);
  return {
    project: given.get('project'),
    select: [...given].flatMap(([name, text]) => {
      const of = conditionsOf(name, text, fields);
      return of.length > 0 ? selectOf({ kind: 'any', of }, now) : [];
    }),
    sort: sortOf(given.get('sort')),
    columns: given.get('cols')?.split(',').filter(Boolean) ?? null,
    unread: [...given].filter(isUnread).map((entry) => entry.join('=')),
  };
}
