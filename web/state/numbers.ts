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

/** The number that somebody means by a bound, and whether the bound comes right after it. */
export function bound(number: number): { readonly number: number; readonly isAfter: boolean } {
  const before = -nextAfter(-number) + 0;
  const isAfter = String(before).length < String(number).length;
  return { number: isAfter ? before : number, isAfter };
}
