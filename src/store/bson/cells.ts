/**
 * Writes stored values as JSON, from bytes to bytes, without a JavaScript value in between. It covers
 * text, dates, numbers, booleans, ObjectIds, and objects and arrays of them. A field's presenter
 * writes all other values, so a record shows the same either way.
 *
 *     BSON string  ──► bytes as they are, with escapes ──► JSON
 *     BSON date    ──► its day (kept), its time of day ──► 2026-11-20T09:30:00.000Z
 */
import { Decimal128 } from 'mongodb';
import { writeShort } from './decimal.ts';
import { jsonText } from './jsonText.ts';
import type { Output } from './output.ts';
import { BsonType, doubleAt, endOfName, endOfValue, int32At, roundedInt64At } from './raw.ts';

/**
 * The presenter for a value's own type, by name. `value` shows values of all these types; arrays and
 * objects are rare there.
 */
export type Plain = 'text' | 'boolean' | 'number' | 'date' | 'value' | 'json';

const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const QUOTE = 0x22;
const COMMA = 0x2c;
const { string, boolean, int, double, long, decimal, date, objectId } = BsonType;
const NUMBERS = [int, double, long, decimal];
const ALL = [string, boolean, ...NUMBERS, date, objectId];
/** The BSON types that are written here. */
const WRITTEN: Readonly<Record<Plain, readonly number[]>> = {
  text: [string],
  boolean: [boolean],
  number: NUMBERS,
  date: [date],
  value: ALL,
  json: ALL,
};

/**
 * Writes the value as a presenter of this kind shows it; false, with nothing written, for values that
 * the presenter itself has to show. `type` 0: there is no value.
 */
export function writeJson(
  out: Output,
  as: Plain,
  type: number,
  bytes: Uint8Array,
  from: number,
  end: number,
): boolean {
  if (as === 'json' && (type === BsonType.object || type === BsonType.array)) {
    const { length } = out;
    const isWritten = writeNested(out, type, bytes, from);
    if (!isWritten) out.length = length;
    return isWritten;
  }
  if (type === 0 || type === BsonType.null || type === BsonType.undefined) {
    out.put(NULL);
    return true;
  }
  if (!WRITTEN[as].includes(type)) return false;
  switch (type) {
    case BsonType.string:
      // Its length stands before it, and 00 after it.
      return jsonText(out, bytes, from + 4, end - 1);
    case BsonType.boolean:
      out.put(bytes[from] === 0 ? FALSE : TRUE);
      return true;
    case BsonType.date:
      return writeDate(out, roundedInt64At(bytes, from));
    case BsonType.objectId:
      writeHex(out, bytes.subarray(from, end));
      return true;
    case BsonType.decimal:
      out.byte(QUOTE);
      if (!writeShort(out, bytes, from))
        out.text(String(new Decimal128(bytes.subarray(from, end))));
      out.byte(QUOTE);
      return true;
    case BsonType.long:
      return writeLong(out, roundedInt64At(bytes, from));
    default: {
      const number = type === BsonType.int ? int32At(bytes, from) : doubleAt(bytes, from);
      if (Number.isSafeInteger(number)) out.digits(Math.abs(number), 0, number < 0);
      else if (Number.isFinite(number)) out.text(String(number));
      else out.put(NULL);
      return true;
    }
  }
}

/** Not for longs that no JavaScript number equals. */
function writeLong(out: Output, long: number): boolean {
  if (!Number.isSafeInteger(long)) return false;
  out.digits(Math.abs(long), 0, long < 0);
  return true;
}

const HEX = Buffer.from('0123456789abcdef');

function writeHex(out: Output, value: Uint8Array): void {
  out.reserve(value.length * 2 + 2);
  const to = out.bytes;
  let at = out.length;
  to[at++] = QUOTE;
  for (const byte of value) {
    to[at++] = HEX[byte >>> 4]!;
    to[at++] = HEX[byte & 15]!;
  }
  to[at++] = QUOTE;
  out.length = at;
}

/** Objects with more members are not checked for duplicate names; the presenter writes them. */
const MAX_MEMBERS = 32;

/**
 * Writes an object or array if the driver would decode it to a plain one with the same members in
 * this order. So no name comes twice, is an array index, or is special to the driver.
 */
function writeNested(out: Output, type: number, bytes: Uint8Array, from: number): boolean {
  const isArray = type === BsonType.array;
  const names: number[] = [];
  out.byte(isArray ? BRACKET : BRACE);
  for (let i = from + 4; bytes[i] !== 0; ) {
    const name = i + 1;
    const nameEnd = endOfName(bytes, name);
    if (i > from + 4) out.byte(COMMA);
    if (!isArray) {
      if (isOdd(bytes[name]!) || names.length === MAX_MEMBERS) return false;
      for (const other of names) {
        if (isSameName(bytes, other, name, nameEnd - name)) return false;
      }
      names.push(name);
      if (!jsonText(out, bytes, name, nameEnd)) return false;
      out.byte(COLON);
    }
    const end = endOfValue(bytes, bytes[i]!, nameEnd + 1);
    if (!writeJson(out, 'json', bytes[i]!, bytes, nameEnd + 1, end)) return false;
    i = end;
  }
  out.byte(isArray ? BRACKET_END : BRACE_END);
  return true;
}

const DOLLAR = 0x24;
const UNDERSCORE = 0x5f;
const NINE = 0x39;
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a name that begins with this byte may be special to JavaScript or the driver: `$ref`,
 * `_bsontype`, `12`.
 */
const isOdd = (byte: number) =>
  byte === DOLLAR || byte === UNDERSCORE || (byte >= ZERO && byte <= NINE);

/** Whether the name that ends with 00 is the same as the other. */
function isSameName(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let k = 0; k <= length; k++) if (bytes[a + k] !== bytes[b + k]) return false;
  return true;
}

const ZERO = 0x30;

/** `2026-11-20T09:30:00.000Z`, and the part of it that is its day. */
const ISO_LENGTH = 24;
const ISO_DAY_LENGTH = 11;

/** False, with nothing written, for years of other lengths and for invalid dates. */
export function writeDate(out: Output, ms: number): boolean {
  const day = Math.floor(ms / DAY_MS);
  const text = isoDay(day);
  if (text.length !== ISO_DAY_LENGTH) return false;
  out.reserve(ISO_LENGTH + 2);
  const { bytes } = out;
  let at = out.length;
  bytes[at++] = QUOTE;
  for (let i = 0; i < ISO_DAY_LENGTH; i++) bytes[at++] = text.charCodeAt(i);
  const inDay = ms - day * DAY_MS;
  const seconds = (inDay / 1_000) | 0;
  const minutes = (seconds / 60) | 0;
  at = twoDigits(bytes, at, (minutes / 60) | 0);
  bytes[at++] = COLON;
  at = twoDigits(bytes, at, minutes % 60);
  bytes[at++] = COLON;
  at = twoDigits(bytes, at, seconds % 60);
  bytes[at++] = POINT;
  const millis = inDay - seconds * 1_000;
  bytes[at++] = ZERO + ((millis / 100) | 0);
  at = twoDigits(bytes, at, millis % 100);
  bytes[at++] = LETTER_Z;
  bytes[at++] = QUOTE;
  out.length = at;
  return true;
}

const DAY_MS = 86_400_000;
const CACHED_DAYS = 4_096;

/** Texts of days, by day since 1970: `toISOString` for each date takes seven times as long. */
const days = new Map<number, string>();

/** `2026-11-20T`, by the number of the day since 1970; longer before year 0 and after 9999, empty for no day. */
function isoDay(day: number): string {
  const cached = days.get(day);
  if (cached !== undefined) return cached;
  if (days.size >= CACHED_DAYS) days.clear();
  const date = new Date(day * DAY_MS);
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  const text = iso.slice(0, iso.indexOf('T') + 1);
  days.set(day, text);
  return text;
}

const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_Z = 0x5a;

function twoDigits(bytes: Uint8Array, at: number, number: number): number {
  bytes[at] = ZERO + ((number / 10) | 0);
  bytes[at + 1] = ZERO + (number % 10);
  return at + 2;
}
