/**
 * Stored values as MongoDB compares them, in plain lines for oracles: numbers of all types exactly, as
 * fractions.
 *
 *     MinKey < undefined < null < numbers < text < objects < arrays < binary < ObjectId < booleans
 *            < dates < timestamps < patterns < code < code with a scope < MaxKey
 */
import type { Binary, BSONRegExp, Code, Timestamp } from 'mongodb';

/** A fraction in lowest terms; NaN and the infinities have no value. */
interface Exact {
  readonly top: bigint;
  readonly bottom: bigint;
}

const NUMBERS = new Set(['Double', 'Int32', 'Long', 'Decimal128']);
const ORDER = [
  ...['MinKey', 'undefined', 'null', 'number', 'string', 'object', 'array', 'Binary'],
  ...['ObjectId', 'boolean', 'date', 'Timestamp', 'BSONRegExp', 'Code', 'scoped', 'MaxKey'],
];

const bsonType = (value: unknown): string | undefined =>
  (value as { _bsontype?: string } | null | undefined)?._bsontype;

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  const type = bsonType(value);
  if (typeof value === 'bigint' || (type !== undefined && NUMBERS.has(type))) return 'number';
  if (type === 'Code' && (value as Code).scope) return 'scoped';
  if (type !== undefined) return type;
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'date' : typeof value;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeOf(value) === 'object';

/** A number's digits; `undefined` of values that are no numbers, or not finite. */
export function exactly(value: unknown): Exact | undefined {
  if (typeOf(value) !== 'number') return undefined;
  if (typeof value === 'bigint') return lowest(value, 1n);
  if (typeof value === 'number' || ['Double', 'Int32'].includes(bsonType(value)!)) {
    let number = Number(value);
    if (!Number.isFinite(number)) return undefined;
    let bottom = 1n;
    for (; !Number.isInteger(number); number *= 2) bottom *= 2n;
    return lowest(BigInt(number), bottom);
  }
  return exactText(String(value));
}

/** The number that a text writes in digits, such as `-12.50` or `1E+30`. */
export function exactText(text: string): Exact | undefined {
  const [, sign, whole, part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(`${sign}${whole}${part}`);
  const exponent = Number(power) - part.length;
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? lowest(digits, scale) : lowest(digits * scale, 1n);
}

function lowest(top: bigint, bottom: bigint): Exact {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  return { top: top / a, bottom: bottom / a };
}

/** Equal exactly for values that MongoDB takes for equal. */
export function keyOf(value: unknown): string {
  const type = typeOf(value);
  if (type === 'number') {
    const exact = exactly(value);
    return exact ? `number ${exact.top}/${exact.bottom}` : `number ${value}`;
  }
  if (type === 'date') return `date ${(value as Date).getTime()}`;
  if (type === 'array') return `[${(value as unknown[]).map(keyOf).join()}]`;
  if (isObject(value)) {
    return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${keyOf(one)}`)}}`;
  }
  return `${type} ${JSON.stringify(value)}`;
}

export const distinct = (found: readonly unknown[]): unknown[] => [
  ...new Map(found.map((value) => [keyOf(value), value])).values(),
];

/** As keys of a sort: of arrays, only the empty one is a key, and stands where undefined does. */
export function compareStored(a: unknown, b: unknown): number {
  const key = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value);
  return compareValues(key(a), key(b));
}

/** The same of values that stand inside of others, arrays among them. */
export function compareValues(a: unknown, b: unknown): number {
  const type = typeOf(a);
  if (type !== typeOf(b)) return ORDER.indexOf(type) - ORDER.indexOf(typeOf(b));
  switch (type) {
    case 'number':
      return compareNumbers(a, b);
    case 'string':
      return compareText(a as string, b as string);
    case 'object':
    case 'array':
      return compareMembers(a as object, b as object);
    case 'boolean':
    case 'date':
      return Number(a) - Number(b);
    case 'ObjectId':
      return compareText(String(a), String(b));
    case 'Binary':
      return compareBinary(a as Binary, b as Binary);
    case 'Timestamp':
      return Number((a as Timestamp).toBigInt() - (b as Timestamp).toBigInt());
    case 'BSONRegExp':
      return comparePatterns(a as BSONRegExp, b as BSONRegExp);
    case 'Code':
      return compareText((a as Code).code, (b as Code).code);
    case 'scoped':
      return compareScoped(a as Code, b as Code);
    default:
      return 0;
  }
}

/** NaN comes before all others. */
function compareNumbers(a: unknown, b: unknown): number {
  const [x, y] = [exactly(a), exactly(b)];
  if (x && y) {
    const difference = x.top * y.bottom - y.top * x.bottom;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  const [m, n] = [Number(String(a)), Number(String(b))];
  if (Number.isNaN(m) || Number.isNaN(n)) return Number(Number.isNaN(n)) - Number(Number.isNaN(m));
  return m < n ? -1 : m > n ? 1 : 0;
}

const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const compareBinary = (a: Binary, b: Binary) =>
  a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());

const comparePatterns = (a: BSONRegExp, b: BSONRegExp) =>
  compareText(a.pattern, b.pattern) || compareText(a.options, b.options);

const compareScoped = (a: Code, b: Code) =>
  compareText(a.code, b.code) || compareMembers(a.scope!, b.scope!);

/**
 * Member by member: by type, then by name, then by value; the one with more members comes later.
 */
function compareMembers(a: object, b: object): number {
  const [members, others] = [Object.entries(a), Object.entries(b)];
  for (const [i, [name, value]] of members.entries()) {
    const other = others[i];
    if (!other) return 1;
    const byType = ORDER.indexOf(typeOf(value)) - ORDER.indexOf(typeOf(other[1]));
    const order = byType || compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return members.length - others.length;
}

/** The values at a path, through arrays: null for a missing one, none for `[]`, its like and undefined. */
export const elementsAt = (document: unknown, path: string): unknown[] =>
  storedAt(document, path).filter((value) => value !== undefined);

/** The same with undefined where it is stored. */
function storedAt(document: unknown, path: string): unknown[] {
  let found: unknown[] = [document];
  const names = path.split('.');
  for (const [i, name] of names.entries()) {
    found = found.flatMap((inner): unknown[] => {
      const value = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : null;
      if (!Array.isArray(value)) return [i === names.length - 1 ? value : (value ?? null)];
      return i === names.length - 1 ? value : value.filter(isObject);
    });
  }
  return found;
}

/** The value at a path of objects alone; undefined where an array stands on the way. */
export const memberAt = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);

/**
 * The one value at a path; undefined for several. An array of one element on the way leads on
 * through its element; an array at the end alone is no one value.
 */
export function oneValueAt(document: unknown, path: string): unknown {
  const names = path.split('.');
  const isThroughArray = names.some((_, i) =>
    Array.isArray(memberAt(document, names.slice(0, i).join('.'))),
  );
  if (!isThroughArray) return memberAt(document, path);
  let found: unknown[] = [document];
  for (const name of names) {
    // Elements that lead nowhere count as well, and empty arrays.
    found = found.flatMap((inner) => {
      const member = isObject(inner) ? inner[name] : null;
      return Array.isArray(member) && member.length === 0 ? null : (member ?? null);
    });
  }
  return found.length === 1 ? found[0] : undefined;
}
