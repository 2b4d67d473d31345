/** ObjectIds among the scalars: an `Odd` whose key has a unit a byte. */
import type { Odd, Scalar } from './api.ts';
import { TYPE_ORDER } from './typeOrder.ts';

export const isObjectId = (scalar: Scalar): scalar is Odd =>
  typeof scalar === 'object' &&
  scalar !== null &&
  (scalar as Odd).typeOrder === TYPE_ORDER.objectId;

/** The ObjectId of the 12 bytes there. */
export function objectIdAt(b: Uint8Array, at: number): Odd {
  // One call for all units takes a third of the time of one for each.
  const key = String.fromCharCode(
    b[at]!,
    b[at + 1]!,
    b[at + 2]!,
    b[at + 3]!,
    b[at + 4]!,
    b[at + 5]!,
    b[at + 6]!,
    b[at + 7]!,
    b[at + 8]!,
    b[at + 9]!,
    b[at + 10]!,
    b[at + 11]!,
  );
  return { typeOrder: TYPE_ORDER.objectId, key };
}

/** The ObjectId of 24 hexadecimal digits, in any case; undefined for any other text. */
export function objectIdFrom(text: string): Odd | undefined {
  return /^[0-9a-fA-F]{24}$/.test(text) ? objectIdAt(Buffer.from(text, 'hex'), 0) : undefined;
}

/** The text of an id; that of a UUID is the UUID. */
export const textOfId = (id: Scalar): string => (isObjectId(id) ? hexOf(id) : String(id));

/**
 * The text of a value that searches look into; undefined for values without one. `ofIds`: those of
 * a column of ObjectIds.
 */
export function searchedText(value: Scalar, ofIds: boolean | undefined): string | undefined {
  if (ofIds) return isObjectId(value) ? hexOf(value) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Its text: 24 digits in lower case. */
export const hexOf = ({ key }: Odd): string => Buffer.from(key, 'latin1').toString('hex');
