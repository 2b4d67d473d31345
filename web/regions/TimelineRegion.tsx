/** The timeline of the rows that match; a table without dates has none. */
import { useRef } from 'preact/hooks';
import { prefer, preferences } from '../data/preferences.ts';
import { slowCounts } from '../data/rows/slow.ts';
import { labelOf } from '../data/service/projects.ts';
import {
  ask,
  buckets,
  bucketsFor,
  conditions,
  go,
  histogramShown,
  table,
  time,
  total,
  view,
} from '../data/store.ts';
import { Timeline } from '../parts/sides/Timeline.tsx';
import { type Condition, rangeOn, withCondition, withoutCondition } from '../state/view.ts';
import { CompareRegion } from './CompareRegion.tsx';
import { useBaseline } from './useBaseline.ts';

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
      places={buckets.value}
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
        buckets.value = bucketsFor(width);
      }}
    />
  );
}

const set = (range: Condition) => ask({ conditions: withCondition(view.peek().conditions, range) });
