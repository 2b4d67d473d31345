/**
 * Scalars: their equality, their order, and the element that an array sorts by.
 *
 *     [] < null < NaN < -Infinity < numbers < Infinity < strings < … < false < true < … < dates < …
 *     0    5      10 ─────────────────────────────────   15        20…  40 ──────────    45      47…
 *
 * The numbers are `TYPE_ORDER`, MongoDB's canonical type order, in which an `Odd` takes its place
 * by its own. Numbers of all types compare by value (1 and 1n are the same, 0 and -0 too). Strings
 * compare by their UTF-8 bytes, which is by code point. JavaScript's `<` compares UTF-16 units and
 * puts `😀` before U+FFFF, MongoDB after.
 */
import type { Cell, Odd, Scalar } from './api.ts';
import { wellFormed } from './caseFold.ts';
import { compareNumbers, isDecimal, isNumeric, type Numeric, nearest } from './decimal.ts';
import { isObjectId } from './objectId.ts';
import { TYPE_ORDER } from './typeOrder.ts';

/** The value that an empty array sorts by. No element of a cell equals it. */
export const EMPTY_ARRAY: Odd = Object.freeze({ typeOrder: TYPE_ORDER.emptyArray, key: '' });

/**
 * An element of an array that a path cannot lead through. A sort takes it for null, and everything
 * else for nothing.
 */
export const NOTHING: Odd = Object.freeze({ typeOrder: TYPE_ORDER.null, key: '' });

/** Whether the cell is an array of scalars (else it is one scalar). */
export function isArray(cell: Cell): cell is readonly Scalar[] {
  return Array.isArray(cell);
}

/** The scalars a cell holds: itself, or an array's elements. */
export function elements(cell: Cell): readonly Scalar[] {
  return isArray(cell) ? cell : [cell];
}

export function typeOrderOf(scalar: Scalar): number {
  switch (typeof scalar) {
    case 'string':
      return TYPE_ORDER.string;
    case 'number':
    case 'bigint':
      return TYPE_ORDER.number;
    case 'boolean':
      return TYPE_ORDER.boolean;
    default:
      if (scalar === null) return TYPE_ORDER.null;
      return scalar instanceof Date ? TYPE_ORDER.date : scalar.typeOrder;
  }
}

/** Whether counts ignore it: an empty array inside of another value leaves `EMPTY_ARRAY`. */
export function isNothing(scalar: Scalar): boolean {
  if (typeof scalar !== 'object' || scalar === null || scalar instanceof Date) return false;
  return scalar.typeOrder === TYPE_ORDER.emptyArray || scalar.typeOrder === TYPE_ORDER.null;
}

/**
 * Whether counts by value list it: a string, a finite number, a boolean or null; with `ofIds` an
 * ObjectId too.
 */
export function isListed(scalar: Scalar, ofIds = false): boolean {
  if (typeof scalar === 'number') return Number.isFinite(scalar);
  if (typeof scalar !== 'object' || scalar === null) return true;
  return isDecimal(scalar) || (ofIds && isObjectId(scalar));
}

/**
 * One text for each class of equal scalars: `scalarKey(a) === scalarKey(b)` exactly when a and b
 * are the same. An Invalid Date counts as the epoch: a BSON writer writes it so.
 */
export function scalarKey(scalar: Scalar): string {
  switch (typeof scalar) {
    case 'string':
      return `s${wellFormed(scalar)}`;
    case 'number':
      if (Number.isSafeInteger(scalar)) return `n${scalar}`;
      // Larger integers are written like the bigint that equals them, without an exponent.
      return Number.isInteger(scalar) ? `n${BigInt(scalar)}` : `n${scalar}`;
    case 'bigint':
      return `n${scalar}`;
    case 'boolean':
      return scalar ? 'true' : 'false';
    default:
      if (scalar === null) return 'null';
      if (scalar instanceof Date) return `d${millisOf(scalar)}`;
      return `o${scalar.typeOrder} ${scalar.key}`;
  }
}

/** Milliseconds since the epoch. */
export function millisOf(date: Date): number {
  return date.getTime() || 0;
}

/** Negative, zero or positive as `a` comes before, equals or comes after `b` in MongoDB's order. */
export function compareScalars(a: Scalar, b: Scalar): number {
  const byType = typeOrderOf(a) - typeOrderOf(b);
  if (byType !== 0) return byType;
  if (typeof a === 'string') return compareTexts(a, b as string);
  if (isNumeric(a)) return compareNumbers(a, b as Numeric);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (a === null || b === null) return 0;
  if (a instanceof Date) return millisOf(a) - millisOf(b as Date);
  const other = b as Odd;
  return a.key < other.key ? -1 : a.key > other.key ? 1 : 0;
}

/**
 * Compares by UTF-8 bytes. Up to the first difference the texts are equal, so only one unit
 * decides.
 */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const left = wellFormed(a);
  const right = wellFormed(b);
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const x = left.charCodeAt(i);
    const y = right.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points past U+FFFF, so they come after every other unit. */
function codePointRank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

/** The element that a cell is ordered by: the least ascending, the greatest descending. */
export function sortKey(cell: Cell, descending: boolean): Scalar {
  if (!isArray(cell)) return cell;
  if (cell.length === 0) return EMPTY_ARRAY;
  return cell.reduce((best, element) => {
    const order = compareScalars(element, best);
    return (descending ? order > 0 : order < 0) ? element : best;
  });
}

const encoder = new TextEncoder();
const start = new Uint8Array(32);

/** A number of six units that are bytes each. */
export function sixBytes(key: string, from: number): number {
  let number = 0;
  for (let i = from; i < from + 6; i++) number = number * 256 + key.charCodeAt(i);
  return number;
}

/**
 * A number that never decreases along the order: a class by type, then 48 bits of the scalar. For a
 * string or an ObjectId, the 48 bits are its first six bytes.
 */
export function prefixKey(scalar: Scalar): number {
  if (typeof scalar === 'string') return stringKey(scalar);
  const base = classOf(typeOrderOf(scalar)) * 2 ** 48;
  if (isNumeric(scalar)) return base + numberBits(nearest(scalar));
  if (scalar instanceof Date) return base + Math.floor((millisOf(scalar) + MAX_DATE) / 64);
  return isObjectId(scalar) ? base + sixBytes(scalar.key, 0) : base;
}

/** The longest beginning of both texts that ends with a whole letter. */
export function sharedBeginning(a: string, b: string): string {
  const [text, other] = [wellFormed(a), wellFormed(b)];
  let end = 0;
  while (end < text.length && text.charCodeAt(end) === other.charCodeAt(end)) end++;
  const isCut = end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isCut ? end - 1 : end);
}

/** The last moment of a JavaScript Date, milliseconds; `-MAX_DATE` is the first one. */
export const MAX_DATE = 8.64e15;

function stringKey(text: string): number {
  let key: number = TEXT_CLASS;
  for (let i = 0; i < 6; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if (unit >= 128) return encodedKey(text);
    key = key * 256 + unit;
  }
  return key;
}

function encodedKey(text: string): number {
  start.fill(0);
  // Seven units, so that no pair of surrogates is cut within the first six bytes.
  encoder.encodeInto(text.slice(0, 7), start);
  return textPrefix(start);
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** The first 48 bits of a double, such that a greater number never has less; of NaN, the least. */
function numberBits(number: number): number {
  if (Number.isNaN(number)) return 0;
  // Not -0, which is the same number as 0.
  double[0] = number + 0;
  const [low, high] = halves as unknown as [number, number];
  const bits = high * 2 ** 16 + Math.floor(low / 2 ** 16);
  return high < 2 ** 31 ? bits + 2 ** 47 : 2 ** 48 - 1 - bits;
}

/** The key of a string that starts with these six bytes of UTF-8 (zeros after its end). */
export function textPrefix(bytes: Uint8Array): number {
  let key: number = TEXT_CLASS;
  for (let i = 0; i < 6; i++) key = key * 256 + bytes[i]!;
  return key;
}

/** The class of strings in a `prefixKey`. */
const TEXT_CLASS = 5;

/** The five types of scalars have a class each; between them lies one for all that comes there. */
function classOf(typeOrder: number): number {
  const types = [
    TYPE_ORDER.null,
    TYPE_ORDER.number,
    TYPE_ORDER.string,
    TYPE_ORDER.boolean,
    TYPE_ORDER.date,
  ];
  const after = types.findIndex((type) => typeOrder <= type);
  if (after < 0) return types.length * 2;
  return after * 2 + (typeOrder === types[after] ? 1 : 0);
}
