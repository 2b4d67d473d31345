/** Bounds of numbers: a range ends before its bound, so that one that includes it ends at the next number. */

const bits = new DataView(new ArrayBuffer(8));

/** The next number that can be stored, so that `from: 3, to: nextAfter(3)` is exactly 3. */
export function nextAfter(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
  // -0, right after the largest negative number, is written as 0.
  return bits.getFloat64(0) + 0;
}

/** The range that holds this number alone. */
export const exactly = (number: number) => ({ from: number, to: nextAfter(number) });

/** The number that somebody means by a bound, and whether the bound comes right after it. */
interface Bound {
  readonly number: number;
  readonly isAfter: boolean;
}

function boundOf(number: unknown): Bound | undefined {
  if (typeof number !== 'number') return undefined;
  const before = -nextAfter(-number) + 0;
  const isAfter = String(before).length < String(number).length;
  return { number: isAfter ? before : number, isAfter };
}

/** The ends of a range; none where it is open or a date. `only`: the one number that it holds. */
export interface Ends {
  readonly first: Bound | undefined;
  readonly last: Bound | undefined;
  readonly only: number | undefined;
}

export function endsOf({ from, to }: { readonly from: unknown; readonly to: unknown }): Ends {
  const only = typeof from === 'number' && to === nextAfter(from) ? from : undefined;
  return { first: boundOf(from), last: boundOf(to), only };
}
