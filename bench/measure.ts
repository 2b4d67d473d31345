/** Timing, percentiles and memory, as the bench prints them. */
import { collectGarbage } from '../test/support/usage.ts';

export { waitedMs } from '../test/support/usage.ts';

/** The value below which the given share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds that the work takes. */
export function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Bytes held after a collection: heap used, external memory and array buffers. */
export function heldBytes(): number {
  for (let i = 0; i < 3; i++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
