/**
 * How over-represented a value is: JLH, as Elasticsearch's `significant_terms` scores it.
 *
 *     (share − baseline share) × share ÷ baseline share
 *
 * A baseline share of nothing counts as of one row. Values of one facet are compared alone, so the
 * lift leaves out its constant factor, 1 ÷ total². The difference is exact below 2^53; the order of
 * operations is part of the contract, since the pipeline computes the same doubles.
 */
import type { FacetOrder } from '../api.ts';

/** The rows counted, and those of the baseline. */
export interface Totals {
  readonly total: number;
  readonly baselineTotal: number;
}

/** Undefined for a value that is not over-represented. */
function liftOf(count: number, baseline: number, { total, baselineTotal }: Totals) {
  const before = Math.max(1, baseline);
  const more = count * Math.max(1, baselineTotal) - before * total;
  return more > 0 ? (more * count) / before : undefined;
}

/** The rank of a value in a facet's order; undefined for a value that it does not list. */
export function rankOf(
  count: number,
  baseline: number,
  order: FacetOrder | undefined,
  totals: Totals | undefined,
): number | undefined {
  if (order?.by === 'value') return 0;
  if (order?.by !== 'lift' || !totals) return count;
  return count < order.minCount ? undefined : liftOf(count, baseline, totals);
}
