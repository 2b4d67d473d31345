/**
 * The counts of an explore as its answer shows them, and the buckets of a histogram, by which both
 * executors count.
 */

import { AppError } from '../../errors.ts';
import type { FacetResult, HistogramResult, Scalar } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import { COUNT, closedObject, type JsonSchema } from '../definition/jsonSchema.ts';
import { type ShownValue, shownIn } from '../definition/predicate.ts';
import { labelsThrough } from '../definition/tableDefinition.ts';
import type { LabelSet, ValueLabels } from '../definition/valueLabels.ts';
import { calendarOf, INTERVALS, type Interval, PLAIN_INTERVALS } from './calendar.ts';
import { type FacetPlan, type HistogramPlan, MAX_BUCKETS } from './plan.ts';
import type { Stats } from './stats.ts';

export interface FacetCount extends Omit<FacetResult['values'][number], 'value'> {
  /** Null stands for null and missing. */
  readonly value: ShownValue;
  readonly label?: string;
}

export interface Facet {
  readonly field: string;
  readonly by?: { readonly field: string; readonly values: readonly ShownValue[] };
  /** In the requested order, ties in the store's order of values. */
  readonly values: readonly FacetCount[];
  /** The number of distinct values. */
  readonly distinct: number;
  /** The sum of the counts of values not listed. */
  readonly rest: number;
  /** The documents counted, with a baseline. */
  readonly total?: number;
  readonly baseline_total?: number;
}

/** A facet as its answer shows it; `labelOf`: a value's label in another resource's documents. */
export function facetOf(
  resource: Resource,
  { column: field, by }: FacetPlan,
  { values, distinct, rest, total, baselineTotal, by: split = [] }: FacetResult,
  labelOf: (value: Scalar) => string | undefined,
): Facet {
  const shown = shownIn(resource, field);
  return {
    field,
    ...(by && { by: { field: by.column, values: split.map(shownIn(resource, by.column)) } }),
    values: values.map(({ value, ...counts }) => {
      const label = labelOf(value);
      return { value: shown(value), ...(label !== undefined && { label }), ...counts };
    }),
    ...{ distinct, rest },
    ...(total !== undefined && { total, baseline_total: baselineTotal! }),
  };
}

export interface Bucket {
  /** ISO 8601, UTC; inclusive. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly count: number;
  /** In the order of `by.values`. */
  readonly counts?: readonly number[];
  /** Documents with none of `by.values`. */
  readonly rest?: number;
}

export interface Histogram {
  readonly field: string;
  readonly interval: Interval;
  readonly time_zone: string;
  readonly by?: { readonly field: string; readonly values: readonly ShownValue[] };
  readonly buckets: readonly Bucket[];
  /** Values that are no dates. */
  readonly missing: number;
}

const VALUE: JsonSchema = { type: ['string', 'number', 'boolean', 'null'] };
const MOMENT: JsonSchema = { type: 'string', format: 'date-time' };

const BY = closedObject({ field: { type: 'string' }, values: { type: 'array', items: VALUE } }, [
  'field',
  'values',
]);
const COUNTS: JsonSchema = {
  type: 'array',
  items: COUNT,
  description: 'In the order of `by.values`.',
};

/** The schema of `Facet`. */
export const FACET: JsonSchema = {
  title: 'Facet',
  ...closedObject(
    {
      field: { type: 'string' },
      by: BY,
      values: {
        type: 'array',
        description: 'Most frequent first, or in the `order` asked for.',
        items: closedObject(
          {
            value: VALUE,
            label: { type: 'string' },
            count: COUNT,
            baseline: { ...COUNT, description: "The count under the baseline's conditions." },
            counts: COUNTS,
          },
          ['value', 'count'],
        ),
      },
      distinct: { ...COUNT, description: 'How many values there are.' },
      rest: { ...COUNT, description: 'The sum of the counts of what is not listed.' },
      total: { ...COUNT, description: 'With a baseline: the rows counted.' },
      baseline_total: { ...COUNT, description: 'The rows counted for the baseline.' },
    },
    ['field', 'values', 'distinct', 'rest'],
  ),
};

/** The schema of `Histogram`. */
export const HISTOGRAM: JsonSchema = {
  title: 'Histogram',
  ...closedObject(
    {
      field: { type: 'string' },
      interval: { enum: INTERVALS },
      time_zone: { type: 'string' },
      by: BY,
      buckets: {
        type: 'array',
        items: closedObject(
          {
            start: MOMENT,
            end: { ...MOMENT, description: 'Exclusive.' },
            count: COUNT,
            counts: COUNTS,
            rest: { ...COUNT, description: 'Documents with none of `by.values`.' },
          },
          ['start', 'end', 'count'],
        ),
      },
      missing: { ...COUNT, description: 'Values that are no dates.' },
    },
    ['field', 'interval', 'time_zone', 'buckets', 'missing'],
  ),
};

/** Facets with the labels that the application has for their values. */
export function withLabels(
  resource: Resource,
  facets: readonly Facet[],
  all: ValueLabels,
): readonly Facet[] {
  return facets.map((facet) => {
    const labels = labelsOfValues(resource, facet.field, all);
    if (!labels) return facet;
    const values = facet.values.map(({ value, ...counts }) => {
      const label = labels.labelOf(value);
      return { value, ...(label !== undefined && { label }), ...counts };
    });
    return { ...facet, values };
  });
}

/** The labels that the application has for a field's values, if any. */
export function labelsOfValues(
  { fields }: Resource,
  name: string,
  all: ValueLabels,
): LabelSet | undefined {
  for (const field of Object.values(fields)) {
    if (field.kind === 'value label' && field.of === name) return all[field.labels];
  }
  return undefined;
}

/** The field that labels a field's values in another resource, if any. */
export const relatedLabel = (resource: Resource, name: string): string | undefined =>
  labelsThrough(resource, name)[0];

export interface Counts {
  readonly facets: readonly Facet[];
  readonly histogram?: Histogram;
  readonly stats: readonly Stats[];
}

/** The least and the greatest date that a histogram counts, milliseconds since the epoch. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

export interface Buckets {
  readonly interval: Interval;
  /** The start of each bucket, then the end of the last one; empty if there is no bucket. */
  readonly boundaries: readonly number[];
}

/**
 * The buckets of a histogram over dates of this extent.
 *
 * @throws AppError 400 `TooManyBuckets`
 */
export function bucketsFor(histogram: HistogramPlan, extent: Extent | undefined): Buckets {
  const { interval, minBuckets = 0, maxBuckets, timeZone } = histogram;
  const first = (histogram.begin ?? histogram.from)?.getTime() ?? extent?.first;
  const last = lastOf(histogram, extent);
  if (first === undefined || last === undefined) {
    return { interval: interval === 'auto' ? INTERVALS[0] : interval, boundaries: [] };
  }
  const most = interval === 'auto' ? maxBuckets : MAX_BUCKETS;
  let needed = 0;
  const fitting = (intervals: readonly Interval[]): Buckets | undefined => {
    for (const one of intervals) {
      const found = calendarOf(timeZone).boundaries(one, first, Math.max(first, last), most);
      if (!('tooMany' in found)) return { interval: one, boundaries: found };
      needed = found.tooMany;
    }
    return undefined;
  };
  const tried = interval === 'auto' ? PLAIN_INTERVALS : [interval];
  const plain = fitting(tried);
  const isEnough = plain && plain.boundaries.length > minBuckets;
  const found = isEnough || interval !== 'auto' ? plain : fitting(INTERVALS);
  if (found) return found;
  throw new AppError(
    'TooManyBuckets',
    `With the interval ${tried.at(-1)} the histogram needs about ${needed} buckets, and ${most} ` +
      'are the most: ask for a longer interval, or for less time ("from", "to").',
  );
}

/** The last moment that a bucket has to hold. */
function lastOf({ to, until }: HistogramPlan, extent: Extent | undefined): number | undefined {
  if (to !== undefined) return to.getTime() - 1;
  if (until === undefined) return extent?.last;
  return Math.max(until.getTime() - 1, extent?.last ?? Number.NEGATIVE_INFINITY);
}

/** The histogram as its answer shows it. Buckets without a count may be left out. */
export function histogramOf(
  resource: Resource,
  plan: HistogramPlan,
  { interval, boundaries }: Buckets,
  { counts, missing, by }: HistogramResult,
): Histogram {
  const moments = boundaries.map((ms) => new Date(ms).toISOString());
  const buckets = moments.slice(0, -1).map((start, i) => ({
    start,
    end: moments[i + 1]!,
    count: counts[i] ?? 0,
    ...(by && {
      counts: by.split[i] ?? by.values.map(() => 0),
      rest: by.rest[i] ?? 0,
    }),
  }));
  return {
    field: plan.field,
    interval,
    time_zone: plan.timeZone,
    ...(by && { by: { field: plan.by!, values: by.values.map(shownIn(resource, plan.by!)) } }),
    ...{ buckets, missing },
  };
}
