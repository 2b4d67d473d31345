/**
 * A text for any BSON value such that texts order by UTF-16 code unit as MongoDB orders the values,
 * and are equal when the values are. Used for the types the text index has no notion of.
 *
 *     object     for each member: type+2, name, value;  end 0
 *     array      for each element: type+2, value;       end 0
 *     texts      each byte + 1, end 0: the end is below everything, so a prefix comes first
 *     numbers    the double's bits with the sign turned over, then the digits that it has not
 *
 * The idea is MongoDB's KeyString; sixteen bits to a unit leave room for an end mark without
 * escapes. Left out: decimals past all doubles, inside of others, are one infinity.
 */

import { beyondNearest, type Numeric, nearest, TYPE_ORDER } from '../../textindex/index.ts';
import { decimalAt } from './decimal.ts';
import {
  BsonType,
  doubleAt,
  eachElement,
  endOfName,
  int32At,
  int64At,
  uint32At,
  uint64At,
} from './raw.ts';

/** The server's numbers (`canonicalizeBSONType`), as the text index has them; it need not know pointers and code. */
const TYPE_ORDERS: Readonly<Record<number, number>> = {
  [BsonType.minKey]: TYPE_ORDER.minKey,
  [BsonType.undefined]: TYPE_ORDER.emptyArray,
  [BsonType.null]: TYPE_ORDER.null,
  [BsonType.double]: TYPE_ORDER.number,
  [BsonType.int]: TYPE_ORDER.number,
  [BsonType.long]: TYPE_ORDER.number,
  [BsonType.decimal]: TYPE_ORDER.number,
  [BsonType.string]: TYPE_ORDER.string,
  [BsonType.symbol]: TYPE_ORDER.string,
  [BsonType.object]: TYPE_ORDER.object,
  [BsonType.array]: TYPE_ORDER.array,
  [BsonType.binary]: TYPE_ORDER.binary,
  [BsonType.objectId]: TYPE_ORDER.objectId,
  [BsonType.boolean]: TYPE_ORDER.boolean,
  [BsonType.date]: TYPE_ORDER.date,
  [BsonType.timestamp]: TYPE_ORDER.timestamp,
  [BsonType.regex]: TYPE_ORDER.regex,
  [BsonType.dbPointer]: 55,
  [BsonType.code]: 60,
  [BsonType.codeWithScope]: 65,
  [BsonType.maxKey]: TYPE_ORDER.maxKey,
};

/** Where a BSON type stands in MongoDB's order: a value of a lower type comes first. */
export const orderOfType = (type: number): number => TYPE_ORDERS[type] ?? TYPE_ORDER.maxKey;

const END = '\u0000';

export function orderKey(bytes: Uint8Array, type: number, at: number): string {
  switch (type) {
    case BsonType.double:
      return numberKey(doubleAt(bytes, at));
    case BsonType.int:
      return numberKey(int32At(bytes, at));
    case BsonType.long:
      return numberKey(int64At(bytes, at));
    case BsonType.decimal:
      return numberKey(decimalAt(bytes, at));
    case BsonType.string:
    case BsonType.symbol:
    case BsonType.code:
      return textKey(bytes, at + 4, at + 3 + int32At(bytes, at));
    case BsonType.object:
      return documentKey(bytes, at, true);
    case BsonType.array:
      return documentKey(bytes, at, false);
    case BsonType.boolean:
      return bytes[at] === 0 ? '0' : '1';
    case BsonType.date:
      return unitsOf(int64At(bytes, at) + (1n << 63n));
    case BsonType.timestamp:
      return unitsOf(uint64At(bytes, at));
    case BsonType.objectId:
      return plain(bytes, at, at + 12);
    case BsonType.binary:
      return binaryKey(bytes, at);
    case BsonType.dbPointer:
      return sized(bytes, at + 4, int32At(bytes, at) + 12);
    case BsonType.regex:
      return regexKey(bytes, at);
    case BsonType.codeWithScope:
      return codeKey(bytes, at);
    default:
      return '';
  }
}

function documentKey(bytes: Uint8Array, at: number, named: boolean): string {
  let key = '';
  eachElement(bytes, at, (type, nameAt, nameEnd, valueAt) => {
    key += String.fromCharCode(orderOfType(type) + 2);
    if (named) key += textKey(bytes, nameAt, nameEnd);
    key += orderKey(bytes, type, valueAt);
  });
  return key + END;
}

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);
const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;

function numberKey(value: Numeric): string {
  const near = nearest(value);
  // NaN comes before all numbers; the zeros are one.
  if (Number.isNaN(near)) return '\u0000\u0000\u0000\u0000\u8000';
  float[0] = near + 0;
  const ordered = bits[0]! & SIGN ? bits[0]! ^ ALL : bits[0]! | SIGN;
  return unitsOf(ordered) + beyondKey(value);
}

/** The sign, the place of the first digit, the digits; all of it turned over below zero. */
function beyondKey(value: Numeric): string {
  const { coefficient, exponent } = beyondNearest(value);
  if (coefficient === 0n) return '\u8000';
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  const place = digits.length + exponent;
  if (coefficient > 0n) return `\u8001${String.fromCharCode(0x8000 + place)}${digits}${END}`;
  const turned = digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
  return `\u7fff${String.fromCharCode(0x8000 - place)}${turned}\uffff`;
}

function unitsOf(value: bigint): string {
  return String.fromCharCode(
    Number(value >> 48n),
    Number((value >> 32n) & 0xffffn),
    Number((value >> 16n) & 0xffffn),
    Number(value & 0xffffn),
  );
}

function plain(bytes: Uint8Array, from: number, to: number): string {
  let key = '';
  for (let i = from; i < to; i++) key += String.fromCharCode(bytes[i]!);
  return key;
}

function textKey(bytes: Uint8Array, from: number, to: number): string {
  let key = '';
  for (let i = from; i < to; i++) key += String.fromCharCode(bytes[i]! + 1);
  return key + END;
}

/** The shorter comes first, then byte by byte. */
const sized = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(length >>> 16, length & 0xffff) + plain(bytes, at, at + length);

function binaryKey(bytes: Uint8Array, at: number): string {
  const length = uint32At(bytes, at);
  const size = String.fromCharCode(length >>> 16, length & 0xffff);
  return size + plain(bytes, at + 4, at + 5 + length);
}

function regexKey(bytes: Uint8Array, at: number): string {
  const end = endOfName(bytes, at);
  return textKey(bytes, at, end) + textKey(bytes, end + 1, endOfName(bytes, end + 1));
}

function codeKey(bytes: Uint8Array, at: number): string {
  const code = orderKey(bytes, BsonType.code, at + 4);
  const documentAt = at + 8 + int32At(bytes, at + 4);
  return code + documentKey(bytes, documentAt, true);
}
