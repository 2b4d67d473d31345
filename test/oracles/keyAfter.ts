/** The numbers that the kernel gives to values whose texts mostly have one beginning. */
import type { Scalar } from '../../src/textindex/api.ts';
import { wellFormed } from '../../src/textindex/caseFold.ts';
import { compareScalars, prefixKey } from '../../src/textindex/scalars.ts';

/**
 * `prefixKey` of the six bytes after the beginning. A text without the beginning gets one number if it
 * comes before the others, and one if it comes after.
 */
export function keyAfter(beginning: string, scalar: Scalar): number {
  if (typeof scalar !== 'string') return prefixKey(scalar);
  // As if zeros followed its end.
  const text = wellFormed(scalar).padEnd(beginning.length, '\0');
  if (text.startsWith(beginning)) return prefixKey(text.slice(beginning.length));
  const least = prefixKey('');
  return compareScalars(text, beginning) < 0 ? least - 1 : least + 2 ** 48 - 0.5;
}
