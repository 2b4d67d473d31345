/**
 * A text for any BSON value such that texts order by UTF-16 code unit as MongoDB orders the values,
 * and are equal when the values are. Used for the types the text index has no notion of.
 *
 *     object     for each member: type+2, name, value;  end 0
 *     array      for each element: type+2, value;       end 0
 *     texts      each byte + 1, end 0: the end is below everything, so a prefix comes first
 *     numbers    the double's bits with the sign turned over, then what a long has beyond it
 *
 * The idea is MongoDB's KeyString; sixteen bits to a unit leave room for an end mark without
 * escapes. Left out: a decimal inside counts as the nearest double.
 */

import { decimalAt } from '../../store/bson/decimal.ts';
import {
  BsonType,
  doubleAt,
  eachElement,
  endOfName,
  int32At,
  int64At,
  uint32At,
  uint64At,
} from '../../store/bson/raw.ts';
import { nearest } from '../../textindex/index.ts';
import { orderOfType } from './typeOrder.ts';

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
      return numberKey(nearest(decimalAt(bytes, at)));
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

function numberKey(value: number | bigint): string {
  const nearest = Number(value);
  // NaN comes before all numbers; the zeros are one.
  if (Number.isNaN(nearest)) return '\u0000\u0000\u0000\u0000\u8000';
  float[0] = nearest + 0;
  const ordered = bits[0]! & SIGN ? bits[0]! ^ ALL : bits[0]! | SIGN;
  return unitsOf(ordered) + String.fromCharCode(0x8000 + beyond(value, nearest));
}

/** The difference between a long and the double nearest to it: ±512 at most. */
function beyond(value: number | bigint, nearest: number): number {
  if (typeof value === 'number' || !Number.isFinite(nearest)) return 0;
  return Math.max(-0x8000, Math.min(0x7fff, Number(value - BigInt(nearest))));
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
