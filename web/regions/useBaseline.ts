/** The rows that the view is compared with, over time. */
import type { RefObject } from 'preact';
import { asOf } from '../data/rows/asking.ts';
import { noting, rowsAt } from '../data/service/service.ts';
import { baseline, compare, histogramShown, total } from '../data/store.ts';
import { useAnswer } from '../parts/controls/useAnswer.ts';
import { useWhileSeen } from '../parts/controls/useWhileSeen.ts';
import { baselineIn } from '../state/view.ts';

/**
 * Undefined while the answer to this comparison is not there.
 *
 * @param element shows it: other filters are asked for again after changes, while it is in sight
 */
export function useBaseline(element: RefObject<Element | null>) {
  const { question, of } = baseline.value ?? {};
  const isSameTime = baselineIn(compare.value) === 'with';
  const moment = useWhileSeen(element, isSameTime ? String(asOf.value) : '');
  const [found] = useAnswer(
    async (signal) =>
      question &&
      moment !== undefined && {
        of,
        ...(await noting(rowsAt(question).explore(question.body, { signal }))),
      },
    [JSON.stringify(question), moment],
  );
  if (of === undefined || !found || found.of !== of) return undefined;
  const { total_items: all } = found.meta.pagination;
  const counted = found.histogram?.buckets ?? [];
  const buckets = isSameTime ? atPlaces(counted) : counted;
  // Selections may be of any size: then the outline shows the course, as of the same number of rows.
  const scale = isSameTime && all > 0 ? (total.value ?? all) / all : 1;
  return {
    ...{ total: all, isSameTime, buckets },
    outline: buckets.map(({ count }) => ({ count: count * scale })),
  };
}

type Buckets = readonly { readonly start: string; readonly end: string; readonly count: number }[];

/** Buckets that came since have their places, and no baseline until the next answer. */
function atPlaces(buckets: Buckets): Buckets {
  const counts = new Map(buckets.map(({ start, count }) => [start, count]));
  const shown = histogramShown.value?.buckets ?? [];
  return shown.map(({ start, end }) => ({ start, end, count: counts.get(start) ?? 0 }));
}
