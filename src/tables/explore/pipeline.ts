/**
 * From an explore's plan to aggregation stages: conditions, counts by value, counts by time.
 *
 *     facet       $match ─► values of the field, each once ─► $group ─► $facet { top, all }
 *     baseline    the same of other documents ─► $unionWith ─► both counts of each value
 *     histogram   $match ─► dates, each once ─► least and greatest ─► boundaries (calendar.ts)
 *                        ─► number of the bucket ─► $group
 *     by          the same, with the most frequent values of a second field
 *
 * A document stands once for each distinct element of an array, and not at all for `[]`.
 * Comparisons find a date's bucket by halving the boundaries: `$dateTrunc` would bring a second
 * idea of the calendar.
 */
import type { Document, Filter as MongoFilter } from 'mongodb';
import { queryValue } from '../../store/bson/storeValue.ts';
import { onlyAfter } from '../../store/commands.ts';
import { type FieldType, type Resource, typeOfField } from '../definition/definition.ts';
import type { RelationKey } from '../definition/relationKey.ts';
import {
  hasHex,
  isBetween,
  matchAll,
  matchOf,
  matchOfBounds,
  matchOfValues,
  rangeOf,
  regex,
  secondsOf,
  storedPath,
  valuesOf,
} from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import {
  BY_VALUES,
  type Condition,
  type FacetPlan,
  type HistogramPlan,
  isExplore,
} from './plan.ts';

/** Matches the rows of a plan with related texts resolved; those of an explore meet its conditions, or these. */
export function matchOfPlan(plan: Plan, conditions = isExplore(plan) ? plan.conditions : []) {
  const matched = conditions.map((one) => matchOfCondition(plan.resource, one));
  return matchAll(plan, matched);
}

/** A `$match` for a condition without related texts. */
function matchOfCondition(resource: Resource, condition: Condition): MongoFilter<Document> {
  switch (condition.op) {
    case 'ids':
      return { [storedPath(resource, resource.key)]: { $in: condition.ids.map(queryValue) } };
    case 'in':
      return matchOfValues(storedPath(resource, condition.column), condition.values);
    case 'range':
    case 'nothing':
      return matchOfOrder(resource, condition);
    case 'matches':
      return matchOf(resource, condition.query);
    case 'not':
      return { $nor: [matchOfCondition(resource, condition.of)] };
    case 'any':
      return { $or: condition.of.map((part) => matchOfCondition(resource, part)) };
  }
}

/** A `$match` for a condition that only takes the order of values. */
function matchOfOrder(
  resource: Resource,
  condition: Extract<Condition, { op: 'range' | 'nothing' }>,
): MongoFilter<Document> {
  const { op, column } = condition;
  const field = resource.fields[column];
  if (field?.kind === 'seconds') {
    const seconds = secondsOf(field);
    return { $expr: op === 'range' ? isBetween(seconds, condition) : { $eq: [seconds, null] } };
  }
  const path = storedPath(resource, column);
  return op === 'range' ? matchOfBounds(path, condition) : matchOfValues(path, [null]);
}

/** The result of a facet's stages, put together by `$facet`: one document of this shape. */
export interface FacetCounts {
  readonly top: readonly {
    readonly _id: unknown;
    readonly count: number;
    readonly baseline?: number;
  }[];
  readonly all: readonly {
    /** Whether these are values that can be listed. */
    readonly _id: boolean;
    readonly distinct: number;
    readonly count: number;
  }[];
}

/** Groups documents by value; `top` and `all` then list values and count all of them. */
export interface FacetStages extends Readonly<Record<keyof FacetCounts, readonly Document[]>> {
  readonly groups: readonly Document[];
}

/** How the baseline's documents are counted beside the others. */
export interface BaselineMatch {
  readonly collection: string;
  /** The documents that the caller may see, then of these the ones that the baseline counts. */
  readonly within: MongoFilter<Document>;
  readonly match: MongoFilter<Document>;
  readonly total: number;
  readonly baselineTotal: number;
}

/**
 * Counts by value. `relatedKeys`: the values whose related label contains the text of the facet, if
 * its values have one.
 */
export function facetStages(
  resource: Resource,
  match: MongoFilter<Document>,
  facet: FacetPlan,
  { relatedKeys = [], baseline }: FacetMeans = {},
): FacetStages {
  const type = typeOfField(resource, facet.column);
  const having = facet.having
    ? [
        { $match: { _id: { $not: { $type: 'array' } } } },
        { $match: textMatch(facet.having, relatedKeys, type) },
      ]
    : [];
  const values = valuesOf(storedPath(resource, facet.column));
  const countedAs = (count: string) => [
    { $project: { _id: 0, value: values } },
    { $unwind: '$value' },
    { $group: { _id: '$value', [count]: { $sum: 1 } } },
  ];
  return {
    groups: [
      { $match: match },
      ...countedAs('count'),
      ...(baseline ? besideBaseline(baseline, countedAs('baseline')) : []),
      ...having,
      { $addFields: { listed: isListed('$_id', type) } },
    ],
    top: [
      { $match: { listed: true } },
      ...orderOf(facet, baseline),
      { $limit: facet.limit },
      { $project: { count: 1, baseline: 1 } },
    ],
    all: [{ $group: { _id: '$listed', distinct: { $sum: 1 }, count: { $sum: '$count' } } }],
  };
}

interface FacetMeans {
  readonly relatedKeys?: readonly RelationKey[];
  readonly baseline?: BaselineMatch | undefined;
}

/** The baseline's counts beside the others. A hint would not reach this part. */
function besideBaseline(
  { collection, within, match }: BaselineMatch,
  counted: readonly Document[],
): readonly Document[] {
  const visible = [...onlyAfter(within), { $match: match }];
  return [
    { $unionWith: { coll: collection, pipeline: [...visible, ...counted] } },
    { $group: { _id: '$_id', count: { $sum: '$count' }, baseline: { $sum: '$baseline' } } },
    { $match: { count: { $gt: 0 } } },
  ];
}

/** The order of the values listed. The lift is `liftOf`, as the same operations on doubles. */
function orderOf({ order }: FacetPlan, baseline: BaselineMatch | undefined): readonly Document[] {
  if (order?.by === 'value') return [{ $sort: { _id: 1 } }];
  if (order?.by !== 'lift' || !baseline) return [{ $sort: { count: -1, _id: 1 } }];
  const count = { $toDouble: '$count' };
  const all = Math.max(1, baseline.baselineTotal);
  const more = {
    $subtract: [{ $multiply: [count, all] }, { $multiply: ['$before', baseline.total] }],
  };
  return [
    { $match: { count: { $gte: order.minCount } } },
    { $addFields: { before: { $max: [1, { $toDouble: '$baseline' }] } } },
    { $addFields: { more } },
    { $match: { more: { $gt: 0 } } },
    { $addFields: { lift: { $divide: [{ $multiply: ['$more', count] }, '$before'] } } },
    { $sort: { lift: -1, _id: 1 } },
  ];
}

/** Documents by the places of their values in both lists of stored values. */
export function splitFacetStages(
  resource: Resource,
  match: MongoFilter<Document>,
  of: readonly [field: string, values: readonly unknown[]],
  by: readonly [field: string, values: readonly unknown[]],
): Document[] {
  return [
    { $match: match },
    { $project: { _id: 0, value: placesIn(resource, ...of), by: placesIn(resource, ...by) } },
    { $unwind: '$value' },
    { $unwind: '$by' },
    { $match: { value: { $gte: 0 }, by: { $gte: 0 } } },
    { $group: { _id: { value: '$value', by: '$by' }, count: { $sum: 1 } } },
  ];
}

/** The places of a document's values in a list of stored values; -1 for any other value. */
const placesIn = (resource: Resource, field: string, values: readonly unknown[]): Document => ({
  $setUnion: {
    $map: {
      input: valuesOf(storedPath(resource, field)),
      in: { $indexOfArray: [{ $literal: values }, '$$this'] },
    },
  },
});

function textMatch(
  { text, values = [] }: NonNullable<FacetPlan['having']>,
  relatedKeys: readonly RelationKey[],
  type: FieldType | undefined,
) {
  const own = type === 'objectId' ? { $expr: hasHex('$_id', text) } : { _id: regex(text) };
  const keys = [...relatedKeys, ...values].map(queryValue);
  return keys.length === 0 ? own : { $or: [own, { _id: { $in: keys } }] };
}

/** A match would see the dates inside of an array that stands in another one. */
const IS_DATE = { $type: 'date', $not: { $type: 'array' } };
const IS_ARRAY = { at: { $type: 'array' } };

/** The least and the greatest date within the histogram's own bounds, in ms; nothing for none. */
export function extentStages(
  resource: Resource,
  match: MongoFilter<Document>,
  histogram: HistogramPlan,
): Document[] {
  return [
    { $match: match },
    { $project: { _id: 0, at: valuesOf(storedPath(resource, histogram.field)) } },
    { $unwind: '$at' },
    { $match: { at: { ...IS_DATE, ...rangeOf(histogram) } } },
    {
      $group: {
        _id: null,
        first: { $min: { $toLong: '$at' } },
        last: { $max: { $toLong: '$at' } },
      },
    },
  ];
}

/** The documents that a histogram counts, and its buckets. */
export interface Bucketed {
  readonly resource: Resource;
  readonly match: MongoFilter<Document>;
  readonly histogram: HistogramPlan;
  readonly boundaries: readonly number[];
}

/** Documents by the number of their bucket, from 0; -1 stands for values that are no dates. */
export const bucketStages = (bucketed: Bucketed): Document[] => [
  ...inBuckets(bucketed),
  { $group: { _id: '$bucket', count: { $sum: 1 } } },
];

/** The most frequent values of `by` over the whole histogram, as a facet lists them. */
export function byValueStages(bucketed: Bucketed, by: string): Document[] {
  const { resource } = bucketed;
  return [
    ...inBuckets(bucketed, { by: valuesOf(storedPath(resource, by)) }),
    { $match: { bucket: { $gte: 0 } } },
    { $unwind: '$by' },
    { $group: { _id: '$by', count: { $sum: 1 } } },
    { $match: { $expr: isListed('$_id', typeOfField(resource, by)) } },
    { $sort: { count: -1, _id: 1 } },
    { $limit: BY_VALUES },
  ];
}

/** Counts by bucket and by the place of the value of `by` in `values`; -1 for any other value. */
export function splitStages(
  bucketed: Bucketed,
  by: string,
  values: readonly unknown[],
): Document[] {
  const known = { $filter: { input: '$by', cond: { $gte: ['$$this', 0] } } };
  return [
    ...inBuckets(bucketed, { by: placesIn(bucketed.resource, by, values) }),
    { $match: { bucket: { $gte: 0 } } },
    { $addFields: { by: { $cond: [{ $eq: [known, []] }, [-1], known] } } },
    { $unwind: '$by' },
    { $group: { _id: { bucket: '$bucket', by: '$by' }, count: { $sum: 1 } } },
  ];
}

function inBuckets(
  { resource, match, histogram, boundaries }: Bucketed,
  more: Document = {},
): Document[] {
  const within = { at: { ...IS_DATE, ...rangeOf(histogram) } };
  return [
    { $match: match },
    { $project: { _id: 0, at: valuesOf(storedPath(resource, histogram.field)), ...more } },
    { $unwind: '$at' },
    { $match: { $or: [{ at: { $not: { $type: 'date' } } }, IS_ARRAY, within] } },
    { $addFields: { bucket: bucketOf(boundaries) } },
  ];
}

/** The number of the bucket that `$at` lies in; -1 if it is no date. */
function bucketOf(boundaries: readonly number[]): Document {
  const dates = boundaries.map((ms) => new Date(ms));
  const search = (low: number, high: number): Document | number => {
    if (high - low === 1) return low;
    const middle = (low + high) >> 1;
    return { $cond: [{ $lt: ['$at', dates[middle]!] }, search(low, middle), search(middle, high)] };
  };
  const isDate = { $eq: [{ $type: '$at' }, 'date'] };
  const bucket = boundaries.length < 2 ? -1 : search(0, boundaries.length - 1);
  return { $cond: [isDate, bucket, -1] };
}

/**
 * Whether a facet lists this value: a string, a finite number, a boolean or null; in a field of
 * ObjectIds these too.
 */
function isListed(value: string, of: FieldType | undefined): Document {
  const types = ['string', 'symbol', 'bool', 'null', 'missing'];
  const type = { $type: value };
  return {
    $or: [
      { $in: [type, of === 'objectId' ? [...types, 'objectId'] : types] },
      isFiniteNumber(value),
    ],
  };
}

const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

export const isFiniteNumber = (value: string): Document => ({
  $and: [{ $isNumber: value }, { $not: { $in: [value, NOT_FINITE] } }],
});
