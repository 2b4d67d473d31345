/** A set of ordinals as bits, to test many rows for its members. */
import type { Pointer } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Dictionary } from './dictionary.ts';

/** A bitmap over all ordinals in which the n ordinals of the list are set, in scratch memory. */
export function ordinalSet(
  space: Space,
  dictionary: Dictionary,
  list: Pointer,
  n: number,
): Pointer {
  const members = space.scratch.takeZero(dictionary.ordinalBytes);
  space.kernel.setBits(members, list, n);
  return members;
}
