/** Turns values of the index, such as ids and keys, into the driver's, and back. */
import { Decimal128, Long, ObjectId } from 'mongodb';
import {
  decimalText,
  hexOf,
  isDecimal,
  isObjectId,
  objectIdFrom,
  type Scalar,
} from '../../textindex/index.ts';
import { decimalAt, simplest } from './decimal.ts';

/** The value in a query; undefined for values of rare types, which only the pipeline can read. */
export function queryValue(value: Scalar): unknown {
  if (typeof value === 'bigint') return integer(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isDecimal(value)) return Decimal128.fromString(decimalText(value));
  return isObjectId(value) ? ObjectId.createFromHexString(hexOf(value)) : undefined;
}

const MAX_LONG = 2n ** 63n - 1n;

const integer = (value: bigint) =>
  value > MAX_LONG || value < -MAX_LONG
    ? Decimal128.fromString(String(value))
    : Long.fromBigInt(value);

/** A value as the driver returns it, as the index has it; undefined for values of rare types. */
export function scalarOf(value: unknown): Scalar | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'undefined':
      return null;
    default:
  }
  if (value === null || value instanceof Date) return value;
  if (value instanceof Decimal128) return decimalAt(value.bytes, 0);
  if (value instanceof Long) return simplest(value.toBigInt());
  return value instanceof ObjectId ? objectIdFrom(value.toHexString()) : undefined;
}
