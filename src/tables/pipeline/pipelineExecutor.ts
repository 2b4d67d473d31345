/** Runs plans as aggregation pipelines, every read of one search at the same cluster time. */
import type { Db, Document, Timestamp } from 'mongodb';
import { AppError, invariant } from '../../errors.ts';
import { laterOf } from '../../store/clusterTime.ts';
import { areSame, isThere } from '../../store/collectionUuids.ts';
import { aggregateFrom, readCommand } from '../../store/commands.ts';
import type { Deadline } from '../../store/deadline.ts';
import { isOutOfTime, isOvertaken } from '../../store/faults.ts';
import { snapshotReplies } from '../../store/snapshotCursor.ts';
import { SnapshotRead } from '../../store/snapshotRead.ts';
import type { RowId } from '../../textindex/index.ts';
import { collectionsBehind } from '../definition/collectionsRead.ts';
import type { Resources } from '../definition/definition.ts';
import { ALL, oneOf, type Predicate, type Value } from '../definition/predicate.ts';
import type { JoinedRow } from '../definition/record.ts';
import { windowStart } from '../definition/window.ts';
import { matchOfPlan } from '../explore/pipeline.ts';
import { type ExplorePlan, isExplore, withQueries } from '../explore/plan.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { isIndexed, orderStages, pageStages } from '../query/order.ts';
import { type RelatedLookup, stillWithin, withResolved } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import type { CountedIds } from '../rows/allIds.ts';
import { IS_SMALL, type LargeRow, pageOfRows } from '../rows/largeRows.ts';
import { MomentReader } from '../rows/momentReader.ts';
import { readRows } from '../rows/readRows.ts';
import type { Page } from '../search/page.ts';
import { type Caller, INSIDE, type Quota } from '../search/quota.ts';
import { PipelineCounts } from './pipelineCounts.ts';
import { RelatedKeys } from './relatedKeys.ts';
import { orderedWithin } from './rowsWithin.ts';
import { type StoreExplanation, storeExplanation } from './storeExplanation.ts';

export interface PipelineSettings {
  readonly db: Db;
  readonly resources: Resources;
  /** Turns of running searches among callers. */
  readonly running: Quota;
  /** Turns of explores among them; when left out, explores share the quota of all searches. */
  readonly counting?: Quota;
  /** Throws if a pipeline has no chance to answer in time. Left out, each has one. */
  readonly requireChance?: (plan: Plan) => void;
  /** The counts of the index, for explores whose rows the store alone can order. Left out, pipelines count. */
  readonly countsOf?: SearchIndex['counts'];
  /** Told how long the store took for a page, milliseconds, and why it failed. */
  readonly onTook?: (plan: Plan, ms: number, error?: unknown) => void;
}

/**
 * Attempts after which a page is returned although a row of it is missing. Ids and rows are read at
 * one moment, so a row is missing for two reasons only. Its collection was dropped between the two
 * reads, and another moment shows the present state. Or no query can name its id (a date that
 * JavaScript cannot hold).
 */
const MAX_INCOMPLETE = 3;

const overtaken = () =>
  new AppError('SearchTimeout', 'Collections were dropped or renamed all the time.');

/** Another order may be in time. */
function sortedTooLong(plan: Plan, cause: unknown): AppError | undefined {
  if (isIndexed(plan) || !isOutOfTime(cause)) return undefined;
  const detail =
    'The database sorts by this column, and took too long. Sort by another one, or narrow the rows down.';
  return new AppError('SearchTimeout', detail, { cause });
}

/** Ids of one reply. */
const IDS_AT_ONCE = 1_000;

export class PipelineExecutor {
  readonly #settings: PipelineSettings;

  constructor(settings: PipelineSettings) {
    this.#settings = settings;
  }

  /**
   * A page that is the caller's alone.
   *
   * @param notBefore a moment that the answer must include
   * @param at the very moment, which lies in the past
   */
  run(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    caller: Caller = INSIDE,
    at?: Timestamp,
  ): Promise<Page> {
    const { running, counting, requireChance, onTook } = this.#settings;
    requireChance?.(plan);
    const work = async () => {
      const began = performance.now();
      try {
        const page = await this.#whole(plan, notBefore, deadline, at);
        onTook?.(plan, performance.now() - began);
        return page;
      } catch (error) {
        onTook?.(plan, performance.now() - began, error);
        throw sortedTooLong(plan, error) ?? error;
      }
    };
    const inTurn = () => withinTime(running, caller, work, deadline);
    return counting && isExplore(plan) ? withinTime(counting, caller, inTurn, deadline) : inTurn();
  }

  /** A page of which no row is missing, as far as that can be had. */
  async #whole(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    at: Timestamp | undefined,
  ): Promise<Page> {
    for (let attempt = 1; ; attempt++) {
      const pauseMs = Math.min(2 ** attempt, 100);
      // A moment that was chosen here can be chosen again; a given one cannot.
      const last = at !== undefined || pauseMs >= deadline.left;
      try {
        const { page, complete, torn } = await this.#attempt(plan, deadline, notBefore, at);
        if (torn && last) throw overtaken();
        if (!torn && (complete || last || attempt >= MAX_INCOMPLETE)) return page;
      } catch (error) {
        if (last || !isOvertaken(error)) throw error;
      }
      await deadline.pause(pauseMs);
    }
  }

  /**
   * How many rows a search has, and their ids in its order, at one moment.
   *
   * @param life of the whole, in which each reply may take `timeoutMs`
   */
  ids(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    { caller, life, timeoutMs }: { caller: Caller; life: Deadline; timeoutMs: number },
  ): Promise<CountedIds> {
    const { db, resources, requireChance } = this.#settings;
    requireChance?.(plan);
    const work = async () => {
      const read = new SnapshotRead(db, { deadline, notBefore });
      const asked = await resolved(plan, new RelatedKeys(plan, resources, read), read);
      const { collection } = plan.resource;
      const beginning = orderedWithin(asked);
      const match = { $match: matchOfPlan(asked) };
      const [counted] = await read.aggregate(collection, [match, { $count: 'total' }], beginning);
      const pipeline = [match, ...orderStages(plan, resources)];
      const moment = { at: read.at, batchSize: IDS_AT_ONCE, timeoutMs, deadline: life };
      const replies = snapshotReplies(db, { collection, pipeline, beginning, ...moment });
      const end = () => void replies.return().catch(() => {});
      try {
        const first = await deadline.wait(replies.next());
        const total = (counted?.total as number) ?? 0;
        return { total, asOf: read.at, ids: idsOf(first, replies), end };
      } catch (error) {
        end();
        throw error;
      }
    };
    return withinTime(this.#settings.running, caller, work, deadline).catch((error: unknown) => {
      throw sortedTooLong(plan, error) ?? error;
    });
  }

  /** The stages of the plan's page, run once more for the store's explanation. */
  explain(plan: Plan, deadline: Deadline, caller: Caller): Promise<StoreExplanation> {
    const { db, resources, running } = this.#settings;
    const work = async () => {
      const read = new SnapshotRead(db, { deadline });
      const asked = await resolved(plan, new RelatedKeys(plan, resources, read), read);
      const beginning = orderedWithin(asked);
      const stages = pageStages(asked, resources, matchOfPlan(asked), beginning);
      const { collection } = plan.resource;
      const aggregate = { aggregate: collection, cursor: {}, allowDiskUse: true };
      return await aggregateFrom(beginning, stages, async (options) => {
        const explain = { ...aggregate, ...options };
        const said = await readCommand(db, deadline, { explain, verbosity: 'executionStats' });
        return storeExplanation(collection, options.pipeline, said);
      });
    };
    return withinTime(running, caller, work, deadline);
  }

  async #attempt(plan: Plan, deadline: Deadline, notBefore?: Timestamp, at?: Timestamp) {
    const { db, resources } = this.#settings;
    const started = performance.now();
    // Moments that callers name lie in the past: only these callers can know the collections of
    // that time.
    const before = at
      ? undefined
      : await collectionsBehind(this.#settings, plan.resource, deadline);
    const after = before?.by ? laterOf(notBefore, before.by) : notBefore;
    const ofIndex = before && (await this.#countedByIndex(plan, after, deadline));
    const read = new SnapshotRead(db, { deadline, notBefore: after, at: ofIndex?.asOf ?? at });
    const related = new RelatedKeys(plan, resources, read);
    const asked = await resolved(plan, related, read);
    const { total, page, ids } = await this.#page(among(asked, ofIndex?.ids), read);
    const keysOf = (lookup: RelatedLookup) => related.of(lookup);
    const counts = isExplore(asked)
      ? (ofIndex?.counts ?? (await new PipelineCounts(asked, { read, resources, keysOf }).all()))
      : undefined;
    const found = performance.now();
    const { resource } = plan;
    const visible = stillWithin(resource, plan.within);
    const condition = { ...IS_SMALL, ...visible };
    const small = await readRows(read, resource, resources, ids, condition);
    const shown = Object.values(resource.record);
    const reader = new MomentReader(this.#settings, { resource, shown, at: read.at, visible });
    const left = ids.filter((_, i) => !small[i]);
    const others = await reader.rows(left, deadline);
    let next = 0;
    const sized = small.map((row) => row ?? others[next++]);
    const rows = sized.filter((row): row is JoinedRow | LargeRow => row !== undefined);
    const isTorn = async (time: Deadline) =>
      before && !areSame(before, await collectionsBehind(this.#settings, resource, time));
    const ofRows = pageOfRows(rows, async (some, time) => {
      const come = await reader.whole(some, time);
      return (await isTorn(time)) ? [] : come.filter((row) => row !== undefined);
    });
    const rowsMs = performance.now() - found;
    const timing = { startedMs: started, searchMs: found - started, rowsMs };
    const complete = rows.length === ids.length;
    // Between two looks at none a collection came and went.
    const hasPassed = total > 0 && before !== undefined && !isThere(before, resource.collection);
    return {
      page: { ...ofRows, total, page, asOf: read.at, timing, ...(counts && { counts }) },
      complete,
      torn: (await isTorn(deadline)) || hasPassed,
    };
  }

  /** Counts of a table that the index has, where it only lacks a column to sort by; at its moment. */
  async #countedByIndex(plan: Plan, notBefore: Timestamp | undefined, deadline: Deadline) {
    if (!isExplore(plan) || isIndexed(plan)) return undefined;
    return await this.#settings.countsOf?.(plan, notBefore, deadline);
  }

  /** Count and ids; for a page past the end a second request reads the last page. */
  async #page(plan: Plan, read: SnapshotRead) {
    const { resources } = this.#settings;
    let asked = plan;
    for (;;) {
      const beginning = orderedWithin(asked);
      const stages = pageStages(asked, resources, matchOfPlan(asked), beginning);
      const { collection } = plan.resource;
      const [facets] = await read.aggregate(collection, stages, beginning);
      invariant(facets, '$facet returns one document');
      const total: number = facets.count[0]?.total ?? 0;
      const last = Math.max(1, Math.ceil(total / plan.perPage));
      if (asked.page <= last) {
        const ids = (facets.page as Document[]).map((document): unknown => document._id);
        return { total, page: asked.page, ids };
      }
      asked = { ...plan, page: last };
    }
  }
}

/** The plan with related texts resolved to the keys they stand for, and with its window. */
async function resolved(asked: Plan, related: RelatedKeys, read: SnapshotRead): Promise<Plan> {
  const plan = await atMoment(asked, read);
  const resolve = (query: Predicate) =>
    withResolved(plan.resource, query, (lookup) => related.of(lookup));
  const where = await resolve(plan.where);
  if (!isExplore(plan)) return { ...plan, where };
  const found: ExplorePlan = {
    ...{ ...plan, where },
    conditions: await withQueries(plan.conditions, resolve),
    ...(plan.baseline && { baseline: await withQueries(plan.baseline, resolve) }),
  };
  return found;
}

/** The plan for the rows of these ids, which the caller may see; as it was where they are not known. */
function among(plan: Plan, ids: readonly RowId[] | undefined): Plan {
  if (!ids) return plan;
  const { since, ...others } = plan;
  const where = oneOf(plan.resource.key, ids as readonly Value[]);
  return { ...others, within: ALL, where, ...(isExplore(plan) && { conditions: [] }) };
}

/** The plan with the start of its window at the moment that is read. */
async function atMoment(plan: Plan, read: SnapshotRead): Promise<Plan> {
  const { window, collection } = plan.resource;
  return window ? { ...plan, since: windowStart(window, await read.begin(collection)) } : plan;
}

/** The ids of the replies, of which the first has come. */
async function* idsOf(
  first: IteratorResult<readonly Document[], void>,
  replies: AsyncGenerator<readonly Document[], void, void>,
): AsyncGenerator<readonly unknown[], void, void> {
  for (let reply = first; !reply.done; reply = await replies.next()) {
    yield reply.value.map(({ _id }): unknown => _id);
  }
}

/** Does work in a turn: the wait for it is part of the time that a search may take. */
const withinTime = <T>(quota: Quota, caller: Caller, work: () => Promise<T>, deadline: Deadline) =>
  quota.run(caller, work, { timeoutMs: deadline.left, signal: deadline.signal });
