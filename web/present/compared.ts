/** A count beside that of the baseline, in words. */
import { changeOf, countOf, shareOf } from '../state/times.ts';
import { baselineIn, type Compare } from '../state/view.ts';
import { say } from '../words/words.ts';

/** The counts of a facet: its rows, and those of the baseline. */
export interface Totals {
  readonly total?: number | undefined;
  readonly baseline_total?: number | undefined;
}

/**
 * `+12 %`: the change of the count from an earlier range. Two selections may be of any size: for other filters it is
 * the change of the share.
 */
export function changeText(
  compare: Compare | null,
  count: number,
  baseline: number,
  totals: Totals,
): string {
  if (baselineIn(compare) !== 'with') return changeOf(count, baseline);
  const { total = 0, baseline_total = 0 } = totals;
  if (baseline === 0) return count === 0 ? changeOf(0, 0) : say('only');
  return changeOf(count, (baseline * total) / baseline_total);
}

/** The two counts that `changeText` compares. */
export function beforeText(
  compare: Compare | null,
  count: number,
  baseline: number,
  { total = 0, baseline_total = 0 }: Totals,
): string {
  if (baselineIn(compare) !== 'with') return say('{n} before', { n: countOf(baseline) });
  return say('{share} here, {before} in the baseline ({n})', {
    share: shareOf(count, total),
    before: shareOf(baseline, baseline_total),
    n: countOf(baseline),
  });
}
