/**
 * Rows by time, stacked by state. Dragging over it, or the arrow keys with Shift and Enter, choose a
 * range; choosing one zooms in, and the browser's back zooms out.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import type { Bucket, Histogram } from '../../present/answer.ts';
import { valueText } from '../../present/chip.ts';
import { type Series, seriesOf } from '../../present/status.ts';
import {
  bucketAt,
  bucketText,
  byFrequency,
  type Layer,
  layersOf,
  mostOf,
  outlineOf,
  partsOf,
  rangeOf,
  ticksOf,
} from '../../present/timeline.ts';
import { countOf, datesText, momentOf } from '../../state/times.ts';
import type { LabelOf } from '../../state/view.ts';
import { columnOf, fieldTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Bars } from '../controls/Bars.tsx';
import { onResize } from '../controls/listening.ts';
import { along, isCommand, type Lead, useRoving } from '../controls/roving.ts';
import { type TimeGiven, TimelineHead } from './TimelineHead.tsx';

/** The rows that these are compared with, over time. */
export interface TimelineBaseline {
  readonly total: number;
  /** Whether they are rows with other filters, of the same time. */
  readonly isSameTime: boolean;
  readonly buckets: readonly Pick<Bucket, 'start' | 'end' | 'count'>[];
  /** Heights of the outline, in rows. */
  readonly outline: readonly { readonly count: number }[];
}

export interface TimelineGiven extends TimeGiven {
  readonly histogram: Histogram | undefined;
  readonly baseline: TimelineBaseline | undefined;
  /** Most bars that fit. */
  readonly places: number;
  /** Whether newer counts are due. */
  readonly isSlow: ReadonlySignal<boolean>;
  readonly labelOf: LabelOf;
  /** Gets its element: the baseline is asked for while that is in sight. */
  readonly section: RefObject<HTMLElement | null>;
  readonly setRange: (range: { readonly from: string; readonly to: string }) => void;
  /** Takes the width of the bars in pixels, at first and whenever it changes. */
  readonly measured: (width: number) => void;
}

const BOX = { width: 1_000, height: 72 };

export function Timeline(given: TimelineGiven) {
  const { table, date, histogram, baseline, isFolded, section, labelOf, setRange } = given;
  const field = histogram?.by?.field;
  const buckets = histogram?.buckets ?? [];
  const look = field === undefined ? undefined : columnOf(table.name, field).look;
  const by = look === undefined ? 'nothing' : look === 'status' ? 'states' : 'values';
  const series = useMemo(() => seriesOf(by, histogram?.by?.values ?? []), [histogram]);
  const most = mostOf(buckets, baseline?.outline ?? []);
  const layers = useMemo(() => layersOf(buckets, series, BOX, most), [histogram, most]);
  const pointed = useSignal<number | undefined>(undefined);
  const begun = useSignal<number | undefined>(undefined);
  /** There may have been more bars when somebody pointed at one. */
  const inBars = (one: number | undefined) =>
    one !== undefined && one < buckets.length ? one : undefined;
  const at = inBars(pointed.value);
  const from = inBars(begun.value);
  const area = useRef<HTMLDivElement>(null);
  // A folded one has no width.
  useEffect(() => onResize(({ width }) => width > 0 && given.measured(width), area.current!), []);
  useRoving(section, '.timeline-head :is(select, button), .timeline-area', leadInTimeline);

  const bucketOf = ({ clientX }: { clientX: number }) => {
    const { left, width } = area.current!.getBoundingClientRect();
    return bucketAt(buckets, (clientX - left) / width);
  };
  const brush = (one: number | undefined, other: number) => {
    begun.value = undefined;
    if (one !== undefined) setRange(rangeOf(buckets, one, other));
  };
  const wordOf = (value: ViewValue | 'rest') => {
    if (value === 'rest') return say('other');
    const word = valueText(table.name, field ?? '', value, labelOf);
    // A "yes" alone does not name the question.
    return typeof value === 'boolean' ? `${fieldTitle(table.name, field!)}: ${word}` : word;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event)) return;
    // The latest ones: two keys may come between two renderings.
    const [at, from] = [inBars(pointed.peek()), inBars(begun.peek())];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && buckets.length > 0) {
      event.preventDefault();
      const before = at ?? buckets.length;
      if (event.shiftKey && from === undefined) begun.value = at ?? buckets.length - 1;
      if (!event.shiftKey) begun.value = undefined;
      pointed.value = Math.min(buckets.length - 1, Math.max(0, before + step));
    } else if (event.key === 'Enter' && at !== undefined) {
      event.preventDefault();
      brush(from ?? at, at);
    } else if (event.key === 'Escape' && (from !== undefined || at !== undefined)) {
      event.stopPropagation();
      begun.value = undefined;
      pointed.value = undefined;
    }
  };
  const hovered = at === undefined ? undefined : buckets[at];
  const before = at === undefined ? undefined : baseline?.buckets[at];
  const beforeText = (time: string) => (baseline?.isSameTime ? say('Baseline') : time);
  const brushed = brushedText(buckets, from, at);
  const alone = hovered
    ? [
        `${momentOf(hovered.start)}: ${bucketText(hovered, series, wordOf)}`,
        ...(before ? [`${beforeText(momentOf(before.start))}: ${countOf(before.count)}`] : []),
      ].join('; ')
    : say('{n} buckets', { n: buckets.length });
  const spoken = brushed ?? alone;
  return (
    <section
      ref={section}
      class={`timeline ${given.isSlow.value ? 'is-slow' : ''} ${isFolded ? 'is-folded' : ''}`}
      aria-label={say('Timeline')}
    >
      <TimelineHead
        {...given}
        missing={histogram?.missing ?? 0}
        interval={histogram?.interval ?? ''}
        most={isEmpty(buckets) ? 0 : most}
        before={baseline?.total}
      >
        <Legend
          layers={by === 'nothing' ? [] : layers}
          wordOf={wordOf}
          hasBaseline={baseline?.isSameTime === true}
        />
      </TimelineHead>
      <div
        ref={area}
        class="timeline-area"
        role="slider"
        tabIndex={0}
        aria-label={say(
          '{what} over time. Press Shift and the arrow keys to select a range, then Enter.',
          {
            what: fieldTitle(table.name, date),
          },
        )}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={spoken}
        onKeyDown={onKeyDown}
        onBlur={() => {
          pointed.value = undefined;
          begun.value = undefined;
        }}
        onPointerDown={(event) => {
          if (event.button !== 0 || buckets.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          begun.value = bucketOf(event);
        }}
        onPointerMove={(event) => {
          if (buckets.length > 0) pointed.value = bucketOf(event);
        }}
        onPointerLeave={() => {
          if (begun.peek() === undefined) pointed.value = undefined;
        }}
        onPointerUp={(event) => {
          brush(inBars(begun.peek()), bucketOf(event));
        }}
        onPointerCancel={() => {
          begun.value = undefined;
        }}
      >
        <Bars
          layers={layers}
          box={BOX}
          outline={baseline && outlineOf(baseline.outline, buckets.length, BOX, most)}
        />
        <Brush at={at} from={from} count={buckets.length} />
        {hovered && (
          <div class="timeline-tip" style={tipPlace(at!, buckets.length)}>
            <Tip bucket={hovered} {...{ brushed, series, wordOf, before, beforeText }} />
          </div>
        )}
      </div>
      <div class="timeline-ticks" aria-hidden="true">
        {ticksOf(buckets, given.places > 60 ? 10 : given.places > 45 ? 7 : 4).map((tick) => (
          <span key={tick.at} style={tickPlace(tick.at / buckets.length, tick.text)}>
            {tick.text}
          </span>
        ))}
      </div>
    </section>
  );
}

interface TipGiven {
  readonly bucket: Bucket;
  /** Several bars that are being selected: nobody has counted them yet. */
  readonly brushed: string | undefined;
  readonly series: readonly Series[];
  readonly wordOf: (value: ViewValue | 'rest') => string;
  /** The bucket that it is compared with. */
  readonly before: TimelineBaseline['buckets'][number] | undefined;
  readonly beforeText: (time: string) => string;
}

function Tip({ bucket, brushed, series, wordOf, before, beforeText }: TipGiven) {
  if (brushed !== undefined) return <strong>{brushed}</strong>;
  return (
    <>
      <strong>{datesText(bucket.start, bucket.end)}</strong>
      <span>{say('{n} total', { n: countOf(bucket.count) })}</span>
      {partsOf(bucket, series)
        .toReversed()
        .map(({ series: { tone, value }, count }) => (
          <span class="tip-part" key={JSON.stringify(value)}>
            <span class={`tip-mark ${tone}`} />
            <span class="tip-word">{wordOf(value)}</span>
            {countOf(count)}
          </span>
        ))}
      {before && (
        <span class="tip-part tip-before">
          <span class="tip-word">{beforeText(datesText(before.start, before.end))}</span>
          {countOf(before.count)}
        </span>
      )}
    </>
  );
}

interface LegendGiven {
  readonly layers: readonly Layer[];
  readonly wordOf: (value: ViewValue | 'rest') => string;
  /** Whether the outline is that of other filters. */
  readonly hasBaseline: boolean;
}

function Legend({ layers, wordOf, hasBaseline }: LegendGiven) {
  if (layers.length === 0 && !hasBaseline) return null;
  return (
    <p class="timeline-legend" aria-hidden="true">
      {hasBaseline && (
        <span>
          <i class="tip-mark is-outline" /> {say('Baseline, scaled to the same total')}
        </span>
      )}
      {byFrequency(layers).map(({ series: { tone, value } }) => (
        <span key={JSON.stringify(value)}>
          <i class={`tip-mark ${tone}`} /> {wordOf(value)}
        </span>
      ))}
    </p>
  );
}

/** Along the choices above the bars, and down to the bars. */
const leadInTimeline: Lead = (from, key, controls) => {
  const bars = controls.at(-1);
  if (from === bars) {
    const range = controls.find((one) => one.ariaPressed === 'true');
    return key === 'ArrowUp' ? (range ?? controls[0]) : undefined;
  }
  // Up and down are the choice's own.
  if (key === 'ArrowDown' && !from.matches('select')) return bars;
  return along('ArrowLeft', 'ArrowRight')(from, key, controls);
};

interface BrushGiven {
  readonly at: number | undefined;
  readonly from: number | undefined;
  readonly count: number;
}

function Brush({ at, from, count }: BrushGiven) {
  if (at === undefined) return null;
  const first = Math.min(at, from ?? at);
  const last = Math.max(at, from ?? at);
  return (
    <div
      class={`timeline-brush ${from === undefined ? 'is-one' : ''}`}
      style={{
        left: `${(first / count) * 100}%`,
        width: `${((last - first + 1) / count) * 100}%`,
      }}
    />
  );
}

const tipPlace = (at: number, count: number) => {
  const share = (at + 0.5) / count;
  return share < 0.5 ? { left: `${share * 100}%` } : { right: `${(1 - share) * 100}%` };
};

const isEmpty = (buckets: readonly Bucket[]) => buckets.every(({ count }) => count === 0);

/** The range from one bar to another one. */
function brushedText(
  buckets: readonly Bucket[],
  one: number | undefined,
  other: number | undefined,
) {
  if (one === undefined || other === undefined || one === other) return undefined;
  const { from, to } = rangeOf(buckets, one, other);
  return datesText(from, to);
}

/** A text begins at its mark, or before it where the axis would end first. */
const tickPlace = (share: number, { length }: string) => ({
  left: `min(${share * 100}%, 100% - ${length}ch)`,
});
