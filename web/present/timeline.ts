/** The histogram as shapes: bars of equal width, stacked; pure, in units of its own box. */

import type { Span, ViewValue } from '../../clients/typescript/viewAddress.ts';
import { countOf } from '../state/times.ts';
import { language, say } from '../words/words.ts';
import type { Series } from './status.ts';

/** The spans on offer. */
export const SPAN_CHOICES: readonly Span[] = ['1h', '24h', '7d', '30d', '365d', 'today'];

/** Rows that are counted together, and split by the values of a field. */
export interface Counted {
  readonly count: number;
  readonly counts?: readonly number[] | undefined;
  readonly rest?: number | undefined;
}

export interface TimelineBucket extends Counted {
  readonly start: string;
  readonly end: string;
}

export interface Layer {
  readonly series: Series;
  /** An SVG path of all its bars. */
  readonly path: string;
}

/** As the values are counted, the rest last: names that do not fit are left out from the end. */
export const byFrequency = (layers: readonly Layer[]): readonly Layer[] =>
  [...layers].sort((a, b) => placeOf(a) - placeOf(b));

const placeOf = ({ series: { index } }: Layer): number =>
  index < 0 ? Number.POSITIVE_INFINITY : index;

export const countIn = (bucket: Counted, { index }: Series): number =>
  index >= 0 ? (bucket.counts?.[index] ?? 0) : bucket.counts ? (bucket.rest ?? 0) : bucket.count;

interface Box {
  readonly width: number;
  readonly height: number;
}

/** The count of the tallest bar. */
export const mostOf = (...buckets: readonly (readonly Counted[])[]): number =>
  Math.max(1, ...buckets.flat().map(({ count }) => count));

/** An outline of other buckets at the same places, to draw around the bars. */
export function outlineOf(
  buckets: readonly Counted[],
  places: number,
  { width, height }: Box,
  most: number,
): string {
  const step = width / Math.max(1, places);
  const tops = buckets.slice(0, places).map(({ count }) => height - (count / most) * (height - 2));
  return `M0 ${height}${tops.map((top) => `V${round(top)}h${round(step)}`).join('')}V${height}`;
}

/** Small counts still show: a bar that is not empty has at least this height. */
const LEAST = 1.5;

/** One path a series: all bars of a colour are drawn at once. */
export function layersOf(
  buckets: readonly Counted[],
  series: readonly Series[],
  { width, height }: Box,
  most = mostOf(buckets),
): readonly Layer[] {
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

/** A round step of the axis. */
interface Step {
  /** The number of the step that holds a moment: a mark stands where it changes. */
  readonly of: (at: Date) => number;
  readonly text: Intl.DateTimeFormatOptions;
}

const months = (at: Date) => at.getFullYear() * 12 + at.getMonth();
/** Days since 1970 in the viewer's calendar. */
const days = (at: Date) => Math.floor((at.getTime() - at.getTimezoneOffset() * 60_000) / DAY_MS);
const DAY_MS = 86_400_000;
const minutes = (at: Date) => at.getHours() * 60 + at.getMinutes();

const HOUR = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const MONTH = { month: 'short' } as const;

const every = (unit: (at: Date) => number, n: number, text: Step['text']): Step => ({
  of: (at) => Math.floor(unit(at) / n),
  text,
});
/** Within a day: midnight begins a step, whichever way clocks change. */
const clock = (n: number) => every((at) => days(at) * 1440 + minutes(at), n, HOUR);

const STEPS_OF_AXIS: readonly Step[] = [
  ...[1, 5, 15, 30, 60, 120, 180, 360, 720].map(clock),
  ...[1, 2].map((n) => every(days, n, DAY)),
  // Mondays: 1970 began on a Thursday.
  ...[7, 14].map((n) => every((at) => days(at) + 3, n, DAY)),
  ...[1, 2, 3, 6].map((n) => every(months, n, MONTH)),
  ...[1, 10, 100, 1_000, 10_000, 100_000]
    .flatMap((n) => [n, 2 * n, 5 * n])
    .map((n) => every((at) => at.getFullYear(), n, { year: 'numeric' })),
];

/** Marks on the axis, at round times; each says its year or day where that is another than before. */
export function ticksOf(
  buckets: readonly TimelineBucket[],
  most: number,
): readonly { readonly at: number; readonly text: string }[] {
  const starts = buckets.map(({ start }) => new Date(start));
  const marksOf = ({ of }: Step) =>
    starts.flatMap((start, at) => {
      const before = starts[at - 1] ?? new Date(start.getTime() - 1);
      return of(start) === of(before) ? [] : [at];
    });
  const step =
    STEPS_OF_AXIS.find((one) => marksOf(one).length <= most && !isSplit(one, starts)) ??
    STEPS_OF_AXIS.at(-1)!;
  let before = new Date(0);
  const thisYear = new Date().getFullYear();
  return marksOf(step).map((at) => {
    const start = starts[at]!;
    const isFirst = before.getTime() === 0;
    const isOtherYear = start.getFullYear() !== (isFirst ? thisYear : before.getFullYear());
    const isOtherDay = days(start) !== days(before);
    before = start;
    return { at, text: tickText(start, step.text, isOtherYear, isOtherDay) };
  });
}

/** Whether buckets are longer than the step: then a mark would say less than its bucket holds. */
const isSplit = ({ of }: Step, starts: readonly Date[]) =>
  starts.length > 2 && of(starts[2]!) - of(starts[1]!) > 1;

function tickText(
  start: Date,
  text: Step['text'],
  isOtherYear: boolean,
  isOtherDay: boolean,
): string {
  const isClock = text === HOUR;
  const parts: Intl.DateTimeFormatOptions = {
    ...(isClock && isOtherDay && DAY),
    ...(!(isClock && isOtherDay && minutes(start) === 0) && text),
    ...(isOtherYear && !text.year && { year: 'numeric' }),
  };
  return formatOf(parts).format(start);
}

/** Making one takes half a millisecond, and each key stroke brings marks. */
function formatOf(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = language.value === 'en' ? 'en-GB' : language.value;
  const key = JSON.stringify([locale, parts]);
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, parts);
  FORMATS.set(key, format);
  return format;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** How long a bucket is, in words. */
export function stepText(interval: string): string {
  const [, isClock, n = '', unit = ''] = /^P(T?)(\d+)([MHDWY])$/.exec(interval) ?? [];
  return say(STEPS[`${isClock}${unit}`] ?? interval, { n });
}

const STEPS: Readonly<Record<string, string>> = {
  ...{ TM: '{n}-minute buckets', TH: '{n}-hour buckets', D: '{n}-day buckets' },
  ...{ W: '{n}-week buckets', M: '{n}-month buckets', Y: '{n}-year buckets' },
};

/** The counts of a bucket, in the order of its stack. */
export const partsOf = (
  bucket: Counted,
  series: readonly Series[],
): readonly { readonly series: Series; readonly count: number }[] =>
  series
    .map((one) => ({ series: one, count: countIn(bucket, one) }))
    .filter(({ count }) => count > 0);

/** The counts of a bucket in words, for screen readers. */
export function bucketText(
  bucket: TimelineBucket,
  series: readonly Series[],
  wordOf: (value: ViewValue | 'rest') => string,
): string {
  const parts = partsOf(bucket, series).map(
    ({ count, series: { value } }) => `${countOf(count)} ${wordOf(value)}`,
  );
  return parts.length > 0 ? parts.join(', ') : say('none');
}
