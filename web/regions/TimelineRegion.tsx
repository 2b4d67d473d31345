/** The timeline of the rows that match; a table without dates has none. */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { prefer, preferences } from '../data/preferences.ts';
import { asOf } from '../data/rows/asking.ts';
import { slowCounts } from '../data/rows/slow.ts';
import { labelOf } from '../data/service/projects.ts';
import { rowsAt } from '../data/service/service.ts';
import {
  ask,
  baseline as asked,
  bucketsFor,
  compare,
  conditions,
  go,
  histogramShown,
  buckets as places,
  table,
  time,
  total,
  view,
} from '../data/store.ts';
import { useAnswer } from '../parts/controls/useAnswer.ts';
import { useWhileSeen } from '../parts/controls/useWhileSeen.ts';
import { Timeline, type TimelineBaseline } from '../parts/sides/Timeline.tsx';
import {
  baselineIn,
  type Condition,
  rangeOn,
  withCondition,
  withoutCondition,
} from '../state/view.ts';
import { CompareRegion } from './CompareRegion.tsx';

export function TimelineRegion() {
  return time.value === undefined ? null : <Dated date={time.value} />;
}

function Dated({ date }: { readonly date: string }) {
  const section = useRef<HTMLElement>(null);
  const baseline = useBaseline(section);
  const range = rangeOn(conditions.value, date);
  return (
    <Timeline
      {...{ date, range, baseline, section, labelOf }}
      table={table.value}
      histogram={histogramShown.value}
      // Else it is painted with each new total.
      total={baseline && total.value}
      places={places.value}
      isFolded={!preferences.value.timeline}
      isSlow={slowCounts}
      compare={<CompareRegion />}
      fold={(isFolded) => prefer({ timeline: !isFolded })}
      setDate={(field) => go({ ...view.peek(), time: field })}
      setSpan={(span) =>
        span
          ? set({ kind: 'span', field: date, span })
          : range && ask({ conditions: withoutCondition(view.peek().conditions, range) })
      }
      setRange={(bounds) => set({ kind: 'range', field: date, ...bounds })}
      // In steps: the question is not to change with every pixel.
      measured={(width) => {
        places.value = bucketsFor(width);
      }}
    />
  );
}

const set = (range: Condition) => ask({ conditions: withCondition(view.peek().conditions, range) });

/**
 * The rows that the view is compared with, over time: undefined while the answer to this comparison is not there.
 *
 * @param element shows it: other filters are asked for again after changes, while it is in sight
 */
function useBaseline(element: RefObject<Element | null>) {
  const { question, of } = asked.value ?? {};
  const isSameTime = baselineIn(compare.value) === 'with';
  const moment = useWhileSeen(element, isSameTime ? String(asOf.value) : '');
  const [found] = useAnswer(
    async (signal) =>
      question &&
      moment !== undefined && {
        of,
        ...(await rowsAt(question).explore(question.body, { signal })),
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

/** Buckets that came since have their places, and no baseline until the next answer. */
function atPlaces(buckets: TimelineBaseline['buckets']): TimelineBaseline['buckets'] {
  const counts = new Map(buckets.map(({ start, count }) => [start, count]));
  const shown = histogramShown.value?.buckets ?? [];
  return shown.map(({ start, end }) => ({ start, end, count: counts.get(start) ?? 0 }));
}
