/**
 * A document without the values that the driver throws at, as MongoDB stores them nevertheless.
 *
 *     /a/g                       ─►  {"$regularExpression": {"pattern": "a", "options": "g"}}
 *     binary of the old subtype 2  ─►  of subtype 0, where its second length is not that of its bytes
 *
 * The driver makes an Invalid Date of a date that JavaScript has not. A whole document tells it as Extended JSON does:
 *
 *     +300000-01-01  ─►  {"$date": {"$numberLong": "9404747136000000"}}
 */
import { Binary } from 'mongodb';
import { MAX_DATE } from '../../textindex/index.ts';
import {
  BsonType,
  eachElement,
  endOfName,
  endOfValue,
  int32At,
  int64At,
  roundedInt64At,
} from './raw.ts';

/** The options that the driver has a pattern with. */
const OPTIONS = /^[imxlsu]*$/;
/** Ends a document, and a text. */
export const END = Buffer.alloc(1);

/**
 * @param at where the document, or the array, begins
 * @param withDates whether dates that JavaScript has not are written out
 */
export function readable(bytes: Uint8Array, at = 0, withDates = false): Buffer {
  const elements: Uint8Array[] = [];
  eachElement(bytes, at, (type, nameAt, nameEnd, valueAt) => {
    const value = bytes.subarray(valueAt, endOfValue(bytes, type, valueAt));
    const [shownType, shown] = readableValue(type, value, withDates);
    elements.push(Buffer.of(shownType), bytes.subarray(nameAt, nameEnd + 1), shown);
  });
  return sized([...elements, END]);
}

/** Whether a document, or an array, holds a date that JavaScript has not. */
export function hasFarDate(bytes: Uint8Array, at = 0): boolean {
  let has = false;
  eachElement(bytes, at, (type, _nameAt, _nameEnd, valueAt) => {
    if (type === BsonType.date) has ||= isFar(bytes, valueAt);
    else if (type === BsonType.object || type === BsonType.array)
      has ||= hasFarDate(bytes, valueAt);
    else if (type === BsonType.codeWithScope) {
      has ||= hasFarDate(bytes, endOfValue(bytes, BsonType.string, valueAt + 4));
    }
  });
  return has;
}

const isFar = (bytes: Uint8Array, at: number) => Math.abs(roundedInt64At(bytes, at)) > MAX_DATE;

function readableValue(
  type: number,
  value: Uint8Array,
  withDates: boolean,
): readonly [type: number, Uint8Array] {
  switch (type) {
    case BsonType.object:
    case BsonType.array:
      return [type, readable(value, 0, withDates)];
    case BsonType.codeWithScope: {
      const objectAt = endOfValue(value, BsonType.string, 4);
      const around = readable(value, objectAt, withDates);
      return [type, sized([value.subarray(4, objectAt), around])];
    }
    case BsonType.date: {
      if (!withDates || !isFar(value, 0)) break;
      const digits = text('$numberLong', Buffer.from(String(int64At(value, 0))));
      const inside = sized([...digits, END]);
      return [BsonType.object, sized([head(BsonType.object, '$date'), inside, END])];
    }
    case BsonType.regex: {
      const patternEnd = endOfName(value, 0);
      const options = value.subarray(patternEnd + 1, -1);
      if (OPTIONS.test(String(Buffer.from(options)))) break;
      const pattern = text('pattern', value.subarray(0, patternEnd));
      const inside = sized([...pattern, ...text('options', options), END]);
      return [BsonType.object, sized([head(BsonType.object, '$regularExpression'), inside, END])];
    }
    case BsonType.binary: {
      const isWrong = value.length < 9 || int32At(value, 5) !== value.length - 9;
      if (value[4] !== Binary.SUBTYPE_BYTE_ARRAY || !isWrong) break;
      const plain = Buffer.from(value);
      plain[4] = Binary.SUBTYPE_DEFAULT;
      return [type, plain];
    }
    default:
  }
  return [type, value];
}

const head = (type: number, name: string) => Buffer.from(`${String.fromCharCode(type)}${name}\0`);

const text = (name: string, bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeInt32LE(bytes.length + 1);
  return [head(BsonType.string, name), length, bytes, END];
};

/** The parts after their length, which counts itself. */
export function sized(parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), ...parts]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}
