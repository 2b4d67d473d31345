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
import { type HistogramResult, MAX_DATE, type Scalar, scalarKey } from '../../textindex/index.ts';
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
  type Bucketed,
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

type Ask = (stages: readonly Document[]) => Promise<Document[]>;

type LabelOf = (value: Scalar) => string | undefined;

export class PipelineCounts {
  readonly #plan: ExplorePlan;
  readonly #reader: CountsReader;
  readonly #ask: Ask;
  /** Documents by the condition that they meet: facets of fields without a condition share one number. */
  readonly #totals = new Map<string, number>();

  /** @param plan with related texts resolved */
  constructor(plan: ExplorePlan, reader: CountsReader) {
    this.#plan = plan;
    this.#reader = reader;
    const { collection } = plan.resource;
    this.#ask = (stages) => reader.read.aggregate(collection, stages, beginningWithin(plan));
  }

  async all(): Promise<Counts> {
    const { histogram } = this.#plan;
    const facets: Facet[] = [];
    for (const facet of this.#plan.facets) facets.push(await this.#facet(facet));
    const stats: Stats[] = [];
    for (const field of this.#plan.stats) stats.push(await this.#stats(field));
    return { facets, stats, ...(histogram && { histogram: await this.#histogram(histogram) }) };
  }

  async #stats(field: string): Promise<Stats> {
    const { resource } = this.#plan;
    const { counts, sorted } = statsStages(resource, matchOfPlan(this.#plan), field);
    const counted = await this.#ask(counts);
    const of = (isValue: boolean): number => counted.find(({ _id }) => _id === isValue)?.count ?? 0;
    const shown = { count: of(true), missing: of(false) };
    if (shown.count === 0) return shownStats(resource, field, shown, []);
    const ranks = ranksOf(shown.count);
    const picked = ranks.map((rank, i) => [`r${i}`, [{ $skip: rank }, { $limit: 1 }]]);
    const [found] = await this.#ask([...sorted, { $facet: Object.fromEntries(picked) }]);
    const quantiles = ranks.map((_, i) => scalarOf(found![`r${i}`][0].value) ?? null);
    return shownStats(resource, field, shown, quantiles);
  }

  /** The documents that a field's counts cover: conditions on that field do not matter. */
  #matchBeside(field: string, conditions = this.#plan.conditions): MongoFilter<Document> {
    return matchOfPlan(this.#plan, conditionsBeside(conditions, field));
  }

  async #facet(facet: FacetPlan): Promise<Facet> {
    const { resource } = this.#plan;
    const { column: field, having: { text = '', label } = {}, by } = facet;
    const match = this.#matchBeside(field);
    const relatedKeys =
      label === undefined
        ? []
        : await this.#reader.keysOf({ field: resource.fields[label] as RelatedField, text });
    const baseline = await this.#baseline(field);
    const stages = facetStages(resource, match, facet, { relatedKeys, baseline });
    const counted = await facetCounts(stages, this.#ask);
    const split = by && (await this.#splitBy(field, by, counted));
    const values = counted.top.map(({ _id, count, baseline: before }, i) => ({
      ...{ value: scalarOf(_id)!, count },
      ...(before !== undefined && { baseline: before }),
      ...(split && { counts: split.counts[i]! }),
    }));
    const listed = values.reduce((sum, { count }) => sum + count, 0);
    const all = counted.all.reduce((sum, { count }) => sum + count, 0);
    const result = {
      values,
      distinct: counted.all.find(({ _id }) => _id)?.distinct ?? 0,
      rest: all - listed,
      ...(baseline && { total: baseline.total, baselineTotal: baseline.baselineTotal }),
      ...(split && { by: split.values }),
    };
    const shown = values.map(({ value }) => value);
    return facetOf(resource, facet, result, await this.#labelsOf(field, shown));
  }

  async #baseline(field: string): Promise<BaselineMatch | undefined> {
    const { resource, conditions, baseline } = this.#plan;
    if (!baseline) return undefined;
    return {
      collection: resource.collection,
      within: matchWithin(this.#plan),
      match: this.#matchBeside(field, baseline),
      total: await this.#total(conditions, field),
      baselineTotal: await this.#total(baseline, field),
    };
  }

  /** How many documents a field's counts cover by these conditions. */
  async #total(conditions: readonly Condition[], field: string): Promise<number> {
    const match = this.#matchBeside(field, conditions);
    // Relaxed, two longs past all doubles would be one text.
    const key = BSON.EJSON.stringify(match, { relaxed: false });
    const count = async () => (await this.#ask([{ $match: match }, { $count: 'total' }]))[0]?.total;
    const total = this.#totals.get(key) ?? (await count()) ?? 0;
    this.#totals.set(key, total);
    return total;
  }

  /** The most frequent values of `by`, and the counts of each listed value by them. */
  async #splitBy(
    field: string,
    by: NonNullable<FacetPlan['by']>,
    { top }: FacetCounts,
  ): Promise<{ readonly values: readonly Scalar[]; readonly counts: readonly number[][] }> {
    const { resource } = this.#plan;
    const match = this.#matchBeside(field);
    const most = facetStages(resource, match, by);
    const stored = (await this.#ask([...most.groups, ...most.top])).map(({ _id }): unknown => _id);
    const listed = top.map(({ _id }) => _id);
    requireComparable(by.column, [...stored, ...listed]);
    const counts = listed.map(() => stored.map(() => 0));
    const stages = splitFacetStages(resource, match, [field, listed], [by.column, stored]);
    for (const { _id, count } of await this.#ask(stages)) counts[_id.value]![_id.by] = count;
    return { values: stored.map((value) => scalarOf(value)!), counts };
  }

  /** The labels that values have in another resource's documents. */
  async #labelsOf(field: string, values: readonly Scalar[]): Promise<LabelOf> {
    const { resource } = this.#plan;
    const { read, resources } = this.#reader;
    const label = relatedLabel(resource, field);
    if (label === undefined) return () => undefined;
    const related = resource.fields[label] as RelatedField;
    const { keyType, textPath } = related;
    const byKey = { field: related, shows: [textPath], one: true };
    const keys = values.filter((value): value is RelationKey => keyTypeOf(value) === keyType);
    // If several documents have one key the first counts, as in a record.
    const found = await documentsOf(byKey, keys, resources, read);
    return (value) => {
      const [first] = found.get(scalarKey(value)) ?? [];
      return (first && asText(at(first.document, textPath))) ?? undefined;
    };
  }

  async #histogram(histogram: HistogramPlan): Promise<Histogram> {
    const { resource } = this.#plan;
    const match = this.#matchBeside(histogram.field);
    const [found] = await this.#ask(extentStages(resource, match, histogram));
    const extent: Extent | undefined = found && {
      first: withinDates(found.first),
      last: withinDates(found.last),
    };
    const buckets = bucketsFor(histogram, extent);
    const bucketed = { resource, match, histogram, boundaries: buckets.boundaries };
    const counts: number[] = [];
    let missing = 0;
    for (const { _id, count } of await this.#ask(bucketStages(bucketed))) {
      if (_id < 0) missing = count;
      else counts[_id] = count;
    }
    const by = histogram.by === undefined ? undefined : await this.#byValue(bucketed, histogram.by);
    return histogramOf(resource, histogram, buckets, { counts, missing, ...(by && { by }) });
  }

  /** The most frequent values of a field, and the counts of each bucket by them. */
  async #byValue(bucketed: Bucketed, field: string): Promise<NonNullable<HistogramResult['by']>> {
    const stored = (await this.#ask(byValueStages(bucketed, field))).map(({ _id }): unknown => _id);
    requireComparable(field, stored);
    const values = stored.map((value) => scalarOf(value)!);
    const split: number[][] = [];
    const rest: number[] = [];
    for (const { _id, count } of await this.#ask(splitStages(bucketed, field, stored))) {
      const { bucket, by } = _id as { bucket: number; by: number };
      if (by < 0) rest[bucket] = count;
      else {
        split[bucket] ??= values.map(() => 0);
        split[bucket][by] = count;
      }
    }
    return { values, split, rest };
  }
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
