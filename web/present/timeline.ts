/** The histogram as shapes: bars of equal width, stacked; pure, in units of its own box. */

import { countOf } from '../state/times.ts';
import type { Value } from '../state/view.ts';
import { language, say } from '../words/words.ts';
import type { Series } from './status.ts';

export interface TimelineBucket {
  readonly start: string;
  readonly end: string;
  readonly count: number;
  readonly counts?: readonly number[] | undefined;
  readonly rest?: number | undefined;
}

export interface Layer {
  readonly series: Series;
  /** An SVG path of all its bars. */
  readonly path: string;
}

const countIn = (bucket: TimelineBucket, { index }: Series): number =>
  index >= 0 ? (bucket.counts?.[index] ?? 0) : bucket.counts ? (bucket.rest ?? 0) : bucket.count;

/** Small counts still show: a bar that is not empty has at least this height. */
const LEAST = 1.5;

/** One path a series: all bars of a colour are drawn at once. */
export function layersOf(
  buckets: readonly TimelineBucket[],
  series: readonly Series[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Layer[] {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const step = width / Math.max(1, buckets.length);
  const gap = Math.min(2, step * 0.2);
  const tops = buckets.map(() => height);
  return series.flatMap((one): Layer[] => {
    let path = '';
    for (const [at, bucket] of buckets.entries()) {
      const count = countIn(bucket, one);
      if (count <= 0) continue;
      const high = Math.max(LEAST, (count / most) * (height - 2));
      const top = Math.max(0, tops[at]! - high);
      const left = at * step + gap / 2;
      path += `M${round(left)} ${round(top)}h${round(step - gap)}V${round(tops[at]!)}H${round(left)}z`;
      tops[at] = top;
    }
    return path === '' ? [] : [{ series: one, path }];
  });
}

const round = (value: number) => Math.round(value * 100) / 100;

/** The bucket at `x`, a share of the width from 0 to 1. */
export function bucketAt(buckets: readonly TimelineBucket[], x: number): number {
  return Math.min(buckets.length - 1, Math.max(0, Math.floor(x * buckets.length)));
}

/** The range from one bucket to another, whichever comes first. */
export function rangeOf(
  buckets: readonly TimelineBucket[],
  one: number,
  other: number,
): { readonly from: string; readonly to: string } {
  const [first, last] = one < other ? [one, other] : [other, one];
  return { from: buckets[first]!.start, to: buckets[last]!.end };
}

/** Marks on the axis: a few buckets, with their beginnings as text. */
export function ticksOf(
  buckets: readonly TimelineBucket[],
  interval: string,
  most: number,
): readonly { readonly at: number; readonly text: string }[] {
  if (buckets.length === 0) return [];
  const every = Math.max(1, Math.ceil(buckets.length / most));
  const days = new Set(buckets.map(({ start }) => start.slice(0, 10))).size;
  return buckets
    .map(({ start }, at) => ({ at, text: tickText(new Date(start), interval, days) }))
    .filter(({ at }) => at % every === 0);
}

function tickText(start: Date, interval: string, days: number): string {
  const parts: Intl.DateTimeFormatOptions =
    interval === 'P1Y'
      ? { year: 'numeric' }
      : interval === 'P1M'
        ? { month: 'short', year: '2-digit' }
        : /^P1[DW]$/.test(interval)
          ? { day: 'numeric', month: 'short' }
          : days > 1
            ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
            : { hour: '2-digit', minute: '2-digit' };
  return new Intl.DateTimeFormat(language.value === 'en' ? 'en-GB' : language.value, parts).format(
    start,
  );
}

/** How long a bucket is, in words. */
export const stepText = (interval: string): string => say(STEPS[interval] ?? interval);

const STEPS: Readonly<Record<string, string>> = {
  ...{ PT1M: '1-minute buckets', PT5M: '5-minute buckets', PT15M: '15-minute buckets' },
  ...{ PT1H: '1-hour buckets', PT6H: '6-hour buckets' },
  ...{ P1D: '1-day buckets', P1W: '1-week buckets', P1M: '1-month buckets', P1Y: '1-year buckets' },
};

/** The counts of a bucket, in the order of its stack. */
export const partsOf = (
  bucket: TimelineBucket,
  series: readonly Series[],
): readonly { readonly series: Series; readonly count: number }[] =>
  series
    .map((one) => ({ series: one, count: countIn(bucket, one) }))
    .filter(({ count }) => count > 0);

/** The counts of a bucket in words, for screen readers. */
export function bucketText(
  bucket: TimelineBucket,
  series: readonly Series[],
  wordOf: (value: Value | 'rest') => string,
): string {
  const parts = partsOf(bucket, series).map(
    ({ count, series: { value } }) => `${countOf(count)} ${wordOf(value)}`,
  );
  return parts.length > 0 ? parts.join(', ') : say('none');
}
