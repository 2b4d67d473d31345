/**
 * How over-represented a value is: JLH, as Elasticsearch's `significant_terms` scores it.
 *
 *     (share − baseline share) × share ÷ baseline share
 *
 * A baseline share of nothing counts as of one row. Values of one facet are compared alone, so the
 * lift leaves out its constant factor, 1 ÷ total². The difference is exact below 2^53; the order of
 * operations is part of the contract, since the pipeline computes the same doubles.
 */
export interface Shares {
  readonly count: number;
  readonly total: number;
  readonly baseline: number;
  readonly baselineTotal: number;
}

/** Undefined for a value that is not over-represented. */
export function liftOf({ count, total, baseline, baselineTotal }: Shares): number | undefined {
  const before = Math.max(1, baseline);
  const more = count * Math.max(1, baselineTotal) - before * total;
  return more > 0 ? (more * count) / before : undefined;
}
