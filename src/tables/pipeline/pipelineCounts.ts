/**
 * The counts of an explore by aggregation pipelines, all at the moment of one snapshot read.
 *
 *     facets      one pipeline each, then the labels of the values listed
 *     histogram   extent ─► boundaries ─► counts ─► with `by`: its values ─► counts by value
 */
import { BSON, type Document, type Filter as MongoFilter } from 'mongodb';
import { AppError } from '../../errors.ts';
import { scalarOf } from '../../store/bson/storeValue.ts';
import { codeOf } from '../../store/faults.ts';
import type { SnapshotRead } from '../../store/snapshotRead.ts';
import { MAX_DATE, type Scalar, scalarKey } from '../../textindex/index.ts';
import type { RelatedField, Resource, Resources } from '../definition/definition.ts';
import { asText, at } from '../definition/record.ts';
import { keyTypeOf, type RelationKey } from '../definition/relationKey.ts';
import { typeOf } from '../explore/askable.ts';
import {
  bucketsFor,
  type Counts,
  type Extent,
  type Facet,
  facetOf,
  type Histogram,
  histogramOf,
  relatedLabel,
} from '../explore/counts.ts';
import {
  type BaselineMatch,
  bucketStages,
  byValueStages,
  extentStages,
  type FacetCounts,
  type FacetStages,
  facetStages,
  isFiniteNumber,
  matchOfPlan,
  splitFacetStages,
  splitStages,
} from '../explore/pipeline.ts';
import {
  type Condition,
  conditionsBeside,
  type ExplorePlan,
  type FacetPlan,
  type HistogramPlan,
} from '../explore/plan.ts';
import { ranksOf, type Stats, shownStats } from '../explore/stats.ts';
import {
  FIRST_DATE,
  LAST_DATE,
  matchWithin,
  type RelatedLookup,
  secondsOf,
  storedPath,
  valuesOf,
} from '../query/pipeline.ts';
import { documentsOf } from '../rows/relatedDocuments.ts';
import { beginningWithin } from './rowsWithin.ts';

export interface CountsReader {
  readonly read: SnapshotRead;
  readonly resources: Resources;
  /** The keys whose related text contains a text. */
  readonly keysOf: (lookup: RelatedLookup) => Promise<readonly RelationKey[]>;
}

/** @param plan with related texts resolved */
export async function countByPipeline(plan: ExplorePlan, reader: CountsReader): Promise<Counts> {
  const facets: Facet[] = [];
  const totals = totalsOf(plan, asker(plan, reader));
  for (const facet of plan.facets) facets.push(await countFacet(plan, facet, reader, totals));
  const stats: Stats[] = [];
  for (const field of plan.stats) stats.push(await countStats(plan, field, reader));
  const { histogram } = plan;
  if (!histogram) return { facets, stats };
  return { facets, stats, histogram: await countHistogram(plan, histogram, reader) };
}

async function countStats(plan: ExplorePlan, field: string, reader: CountsReader): Promise<Stats> {
  const { resource } = plan;
  const ask = asker(plan, reader);
  const { counts, sorted } = statsStages(resource, matchOfPlan(plan), field);
  const counted = await ask(counts);
  const of = (isValue: boolean): number => counted.find(({ _id }) => _id === isValue)?.count ?? 0;
  const shown = { count: of(true), missing: of(false) };
  if (shown.count === 0) return shownStats(resource, field, shown, []);
  const ranks = ranksOf(shown.count);
  const picked = ranks.map((rank, i) => [`r${i}`, [{ $skip: rank }, { $limit: 1 }]]);
  const [found] = await ask([...sorted, { $facet: Object.fromEntries(picked) }]);
  const quantiles = ranks.map((_, i) => scalarOf(found![`r${i}`][0].value) ?? null);
  return shownStats(resource, field, shown, quantiles);
}

/** The documents that a field's counts cover: conditions on that field do not matter. */
const matchBeside = (plan: ExplorePlan, field: string, conditions = plan.conditions) =>
  matchOfPlan(plan, conditionsBeside(conditions, field));

type Ask = (stages: readonly Document[]) => Promise<Document[]>;

const asker =
  (plan: ExplorePlan, { read }: CountsReader): Ask =>
  (stages) =>
    read.aggregate(plan.resource.collection, stages, beginningWithin(plan));

async function countFacet(
  plan: ExplorePlan,
  facet: FacetPlan,
  reader: CountsReader,
  totals: TotalBeside,
): Promise<Facet> {
  const { resource } = plan;
  const { column: field, having: { text = '', label } = {} } = facet;
  const ask = asker(plan, reader);
  const match = matchBeside(plan, field);
  const relatedKeys =
    label === undefined
      ? []
      : await reader.keysOf({ field: resource.fields[label] as RelatedField, text });
  const baseline = plan.baseline && (await baselineOf(plan, field, totals));
  const stages = facetStages(resource, match, facet, { relatedKeys, baseline });
  const counted = await facetCounts(stages, ask);
  const split = facet.by && (await splitBy(plan, field, facet.by, counted, ask));
  const values = counted.top.map(({ _id, count, baseline: before }, i) => ({
    ...{ value: scalarOf(_id)!, count },
    ...(before !== undefined && { baseline: before }),
    ...(split && { counts: split.counts[i]! }),
  }));
  const labels = await labelsOf(
    plan,
    field,
    values.map(({ value }) => value),
    reader,
  );
  const listed = values.reduce((sum, { count }) => sum + count, 0);
  const all = counted.all.reduce((sum, { count }) => sum + count, 0);
  const result = {
    values,
    distinct: counted.all.find(({ _id }) => _id)?.distinct ?? 0,
    rest: all - listed,
    ...(baseline && { total: baseline.total, baselineTotal: baseline.baselineTotal }),
    ...(split && { by: split.values }),
  };
  return facetOf(resource, facet, result, labels);
}

async function baselineOf(
  plan: ExplorePlan,
  field: string,
  totals: TotalBeside,
): Promise<BaselineMatch> {
  const { resource, conditions, baseline } = plan;
  return {
    collection: resource.collection,
    within: matchWithin(plan),
    match: matchBeside(plan, field, baseline),
    total: await totals(conditions, field),
    baselineTotal: await totals(baseline!, field),
  };
}

/** How many documents a field's counts cover by these conditions. */
type TotalBeside = (conditions: readonly Condition[], field: string) => Promise<number>;

/** Facets of fields without a condition share one number. */
function totalsOf(plan: ExplorePlan, ask: Ask): TotalBeside {
  const known = new Map<string, number>();
  return async (conditions, field) => {
    const match = matchBeside(plan, field, conditions);
    // Relaxed, two longs past all doubles would be one text.
    const key = BSON.EJSON.stringify(match, { relaxed: false });
    const total = known.get(key) ?? (await ask([{ $match: match }, { $count: 'total' }]))[0]?.total;
    known.set(key, total ?? 0);
    return total ?? 0;
  };
}

/** The most frequent values of `by`, and the counts of each listed value by them. */
async function splitBy(
  plan: ExplorePlan,
  field: string,
  by: NonNullable<FacetPlan['by']>,
  { top }: FacetCounts,
  ask: Ask,
): Promise<{ readonly values: readonly Scalar[]; readonly counts: readonly number[][] }> {
  const { resource } = plan;
  const match = matchBeside(plan, field);
  const most = facetStages(resource, match, by);
  const stored = (await ask([...most.groups, ...most.top])).map(({ _id }) => _id as unknown);
  const listed = top.map(({ _id }) => _id);
  requireComparable(by.column, [...stored, ...listed]);
  const counts = listed.map(() => stored.map(() => 0));
  const stages = splitFacetStages(resource, match, [field, listed], [by.column, stored]);
  for (const { _id, count } of await ask(stages)) counts[_id.value]![_id.by] = count;
  return { values: stored.map((value) => scalarOf(value)!), counts };
}

/**
 * All counts in one reply; if that would be too large a document, the groups are computed twice.
 */
async function facetCounts({ groups, top, all }: FacetStages, ask: Ask): Promise<FacetCounts> {
  try {
    const [counted] = await ask([...groups, { $facet: { top, all } }]);
    return counted as unknown as FacetCounts;
  } catch (error) {
    if (codeOf(error) !== DOCUMENT_TOO_LARGE) throw error;
    const [listed, sums] = [await ask([...groups, ...top]), await ask([...groups, ...all])];
    return { top: listed, all: sums } as unknown as FacetCounts;
  }
}

const DOCUMENT_TOO_LARGE = 10_334;

/** Values that are compared with stand in the command, which may have 16 MB; bytes. */
const COMPARED_BYTES = 12 * 2 ** 20;

function requireComparable(field: string, values: readonly unknown[]): void {
  const bytes = BSON.calculateObjectSize({ values });
  if (bytes <= COMPARED_BYTES) return;
  throw new AppError(
    'StoreUnavailable',
    `The most frequent values of ${field} have ${Math.ceil(bytes / 2 ** 20)} MB, more than the store ` +
      'can compare with: leave "by" out, or ask again when the index answers.',
  );
}

type LabelOf = (value: Scalar) => string | undefined;

/** The labels that values have in another resource's documents. */
async function labelsOf(
  { resource }: ExplorePlan,
  field: string,
  values: readonly Scalar[],
  { read, resources }: CountsReader,
): Promise<LabelOf> {
  const label = relatedLabel(resource, field);
  if (label === undefined) return () => undefined;
  const related = resource.fields[label] as RelatedField;
  const target = resources[related.to]!;
  const text = storedPath(target, related.text);
  const { to, keyType } = related;
  const byKey = { to, keyType, key: storedPath(target, related.key), shows: [text], one: true };
  const keys = values.filter((value): value is RelationKey => keyTypeOf(value) === keyType);
  // If several documents have one key the first counts, as in a record.
  const found = await documentsOf(byKey, keys, resources, read);
  return (value) => {
    const [first] = found.get(scalarKey(value)) ?? [];
    return (first && asText(at(first.document, text))) ?? undefined;
  };
}

async function countHistogram(
  plan: ExplorePlan,
  histogram: HistogramPlan,
  reader: CountsReader,
): Promise<Histogram> {
  const { resource } = plan;
  const match = matchBeside(plan, histogram.field);
  const ask = asker(plan, reader);
  const [found] = await ask(extentStages(resource, match, histogram));
  const extent: Extent | undefined = found && {
    first: withinDates(found.first),
    last: withinDates(found.last),
  };
  const buckets = bucketsFor(histogram, extent);
  const bucketed = { resource, match, histogram, boundaries: buckets.boundaries };
  const counts: number[] = [];
  let missing = 0;
  for (const { _id, count } of await ask(bucketStages(bucketed))) {
    if (_id < 0) missing = count;
    else counts[_id] = count;
  }
  const { by: field } = histogram;
  if (field === undefined) return histogramOf(resource, histogram, buckets, { counts, missing });
  const top = await ask(byValueStages(bucketed, field));
  const stored = top.map(({ _id }) => _id as unknown);
  requireComparable(field, stored);
  const values = stored.map((value) => scalarOf(value)!);
  const split: number[][] = [];
  const rest: number[] = [];
  for (const { _id, count } of await ask(splitStages(bucketed, field, stored))) {
    const { bucket, by } = _id as { bucket: number; by: number };
    if (by < 0) rest[bucket] = count;
    else {
      split[bucket] ??= values.map(() => 0);
      split[bucket][by] = count;
    }
  }
  return histogramOf(resource, histogram, buckets, {
    counts,
    missing,
    by: { values, split, rest },
  });
}

/** Dates beyond those of JavaScript count as its first or last one, as in the index. */
const withinDates = (ms: unknown) => Math.max(-MAX_DATE, Math.min(MAX_DATE, Number(ms)));

/** The stages of a field's statistics: how many values are finite numbers, or dates; and these in order, at `value`. */
function statsStages(
  resource: Resource,
  match: MongoFilter<Document>,
  name: string,
): { readonly counts: Document[]; readonly sorted: Document[] } {
  const field = resource.fields[name];
  const isDate = typeOf(resource, name) === 'date';
  const found =
    field?.kind === 'seconds' ? [secondsOf(field)] : valuesOf(storedPath(resource, name));
  const values = [{ $match: match }, { $project: { _id: 0, value: found } }, { $unwind: '$value' }];
  const isCounted = isDate ? { $eq: [{ $type: '$value' }, 'date'] } : isFiniteNumber('$value');
  const within = { $max: [FIRST_DATE, { $min: [LAST_DATE, '$value'] }] };
  return {
    counts: [...values, { $group: { _id: isCounted, count: { $sum: 1 } } }],
    sorted: [
      ...values,
      { $match: { $expr: isCounted } },
      ...(isDate ? [{ $project: { value: within } }] : []),
      { $sort: { value: 1 } },
    ],
  };
}
