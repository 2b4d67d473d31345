/** Turns values of the index, such as ids and keys, into the driver's, and back; and tells ids apart by a text. */
import { Binary, BSON, Decimal128, Long, ObjectId, Timestamp } from 'mongodb';
import {
  decimalText,
  hexOf,
  isDecimal,
  isObjectId,
  type Odd,
  objectIdFrom,
  type Scalar,
  scalarKey,
  TYPE_ORDER,
} from '../../textindex/index.ts';
import { asData } from './asData.ts';
import { decimalAt, simplest } from './decimal.ts';

/** The value in a query; undefined for values of rare types, which only the pipeline can read. */
export function queryValue(value: Scalar): unknown {
  if (typeof value === 'bigint') return integer(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isDecimal(value)) return Decimal128.fromString(decimalText(value));
  if (value.typeOrder === TYPE_ORDER.binary) return binaryOf(value);
  return isObjectId(value) ? ObjectId.createFromHexString(hexOf(value)) : undefined;
}

/** The length in two units, then the subtype and the bytes: see `orderKey.ts`. */
function binaryOf({ key }: Odd): Binary | undefined {
  const bytes = Buffer.from(key.slice(2), 'latin1');
  const subtype = bytes[0]!;
  return subtype === Binary.SUBTYPE_BYTE_ARRAY ? undefined : new Binary(bytes.subarray(1), subtype);
}

function binaryFrom({ sub_type, position, buffer }: Binary): Odd | undefined {
  // The driver leaves out the second length that these have.
  if (sub_type === Binary.SUBTYPE_BYTE_ARRAY) return undefined;
  const size = String.fromCharCode(position >>> 16, position & 0xffff, sub_type);
  const bytes = Buffer.from(buffer.subarray(0, position)).toString('latin1');
  return { typeOrder: TYPE_ORDER.binary, key: size + bytes };
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
  // The driver has a timestamp for a kind of long, and the store for no number.
  if (value instanceof Timestamp) return undefined;
  if (value instanceof Long) return simplest(value.toBigInt());
  if (value instanceof Binary) return binaryFrom(value);
  return value instanceof ObjectId ? objectIdFrom(value.toHexString()) : undefined;
}

/** A document's `_id` of any BSON type as a text that is equal exactly when the ids are. */
export function idKey(id: unknown): string {
  const scalar = scalarOf(id);
  if (scalar !== undefined) return scalarKey(scalar);
  return `b${Buffer.from(BSON.serialize({ id: asData(id) })).toString('latin1')}`;
}
