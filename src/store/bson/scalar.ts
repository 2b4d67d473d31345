/**
 * One BSON value as the text index knows values.
 *
 *     null                            null
 *     int, long, double, decimal      number where a double equals it, else bigint or Decimal
 *     string, symbol                  string
 *     boolean, date                   boolean, Date
 *     ObjectId                        Odd with a key of a unit a byte
 *     undefined                       what `[]` sorts as
 *     all else                        Odd: type order and key that order as MongoDB orders
 *
 * Equal values come out equal, whatever number type they are stored as, so that the result can be
 * the key of a row.
 *
 * Left out: dates past the range of a JavaScript Date (years beyond ±270,000), which become the last
 * one of that range.
 */

import { EMPTY_ARRAY, MAX_DATE, objectIdAt, type Scalar } from '../../textindex/index.ts';
import { decimalAt, simplest } from './decimal.ts';
import { orderKey, orderOfType } from './orderKey.ts';
import { BsonType, doubleAt, int32At, int64At, roundedInt64At, textAt } from './raw.ts';

export function scalarAt(bytes: Uint8Array, type: number, at: number): Scalar {
  switch (type) {
    case BsonType.null:
      return null;
    case BsonType.string:
    case BsonType.symbol:
      return textAt(bytes, at);
    case BsonType.int:
      return int32At(bytes, at);
    case BsonType.double:
      return doubleAt(bytes, at) + 0;
    case BsonType.long:
      return longAt(bytes, at);
    case BsonType.decimal:
      return decimalAt(bytes, at);
    case BsonType.boolean:
      return bytes[at] !== 0;
    case BsonType.date:
      return dateAt(bytes, at);
    case BsonType.objectId:
      return objectIdAt(bytes, at);
    case BsonType.undefined:
      return EMPTY_ARRAY;
    default:
      return { typeOrder: orderOfType(type), key: orderKey(bytes, type, at) };
  }
}

const longAt = (bytes: Uint8Array, at: number): number | bigint => {
  // Most longs are small and need no bigint.
  const rounded = roundedInt64At(bytes, at);
  return Number.isSafeInteger(rounded) ? rounded : simplest(int64At(bytes, at));
};

function dateAt(bytes: Uint8Array, at: number): Date {
  // Exact in the range of a Date; rounded numbers lie far past its end.
  const ms = roundedInt64At(bytes, at);
  return new Date(Math.max(-MAX_DATE, Math.min(MAX_DATE, ms)));
}
