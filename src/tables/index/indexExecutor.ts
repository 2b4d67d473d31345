/**
 * Runs plans on the in-memory tables, at the frontier.
 *
 *     plan ──► table.search at F ──► ids, total ──► rows: in memory, or read as of F ──► page
 *
 * While the store is away, for a limited time, the frontier does not move and answers are as of it:
 * as exact as ever, and from memory alone.
 *
 * The index returns no page when it cannot answer exactly, and the pipeline answers. Perhaps tables
 * are not live, the frontier is before a moment already handed out, the store no longer has the
 * snapshot, or no query can name an id.
 */
import { BSON, type Db, type Timestamp } from 'mongodb';
import { isRefusal } from '../../errors.ts';
import type { Follower } from '../../follow/follower.ts';
import { queryValue } from '../../store/bson/storeValue.ts';
import { justAfter } from '../../store/clusterTime.ts';
import type { Deadline } from '../../store/deadline.ts';
import { isOutOfTime } from '../../store/faults.ts';
import { isAway } from '../../store/hedged.ts';
import {
  isObjectId,
  type PageRequest,
  type PageResult,
  type RowId,
  type TableExplanation,
} from '../../textindex/index.ts';
import { tablesRead } from '../definition/collectionsRead.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Counts } from '../explore/counts.ts';
import { type ExplorePlan, isExplore } from '../explore/plan.ts';
import { isIndexed } from '../query/order.ts';
import type { Plan } from '../query/plan.ts';
import { allIds, type FoundIds } from '../rows/allIds.ts';
import type { MemoryRows } from '../rows/rests/memoryRows.ts';
import { completed } from '../rows/storedRows.ts';
import type { FallbackReason } from '../search/fallbacks.ts';
import type { Page } from '../search/page.ts';
import type { GuardedTable } from './guardedTable.ts';
import { IndexCounts } from './indexCounts.ts';
import type { Tables } from './tables.ts';

export interface IndexExecutorDeps {
  readonly db: Db;
  readonly resources: Resources;
  /** The tables, once there are some. */
  readonly running: () => RunningTables | undefined;
  /** Whether plans and tables use the same case folding, as far as is known. */
  readonly foldStands: () => boolean;
  /** How long memory answers after the store's last sign of life, milliseconds. */
  readonly maxSilentMs: number;
  /** Whether a pipeline would answer in time; left out, it would. */
  readonly pipelineHasChance?: ((plan: Plan) => boolean) | undefined;
  /** Told whenever no answer was given. */
  readonly onFallback: (reason: FallbackReason, error?: unknown) => void;
  /** Called as soon as rows are found, while the tables are as they were searched. */
  readonly onFound?: () => void;
}

export interface RunningTables {
  readonly tables: Tables;
  readonly memoryRows: MemoryRows;
  readonly follower: Follower;
}

/** The explanation of one search by index. */
export interface IndexExplanation {
  readonly page?: Page | undefined;
  /** The reason for having no page. */
  readonly fallback?: FallbackReason | undefined;
  /** The table's explanation, if it was asked. */
  readonly byTable?: TableExplanation | undefined;
}

/** The counts of an explore, and the ids of its rows where they are few, at one moment. */
export interface FoundCounts {
  readonly asOf: Timestamp;
  readonly counts: Counts;
  readonly ids?: readonly RowId[];
}

/** Most rows that the store is given by their ids to put in order. */
const FEW_ROWS = 10_000;
/** Most bytes of these ids: the store takes commands of 16 MB. */
const FEW_BYTES = 8 << 20;

/** A page of ids, and the counts of an explore. */
type Found = PageResult & { readonly counts?: Counts };

/** The rows found, the time that took, and when fetching them began, by `performance.now()`. */
interface Searched {
  readonly found: Found;
  readonly searchMs: number;
  readonly at: number;
}

type Outcome = Page | 'overtaken' | undefined;

/** A search at one moment. */
interface Attempt {
  readonly asOf: Timestamp;
  readonly outcome: Outcome | Promise<Outcome>;
}

/**
 * How long a search waits at most for a frontier that moves to reach a moment that was handed out
 * before. The follower ends the wait sooner if the frontier has been quicker lately.
 */
const MAX_WAIT_MS = 2_000;

/** Moments that are tried when index builds or drops make reads of the frontier's impossible. */
const MAX_ATTEMPTS = 4;

export class IndexExecutor {
  readonly #deps: IndexExecutorDeps;
  readonly #read: ReadonlyMap<string, readonly string[]>;
  /** Plans some of whose rows were not in memory, and at which frontier: at that one it stays so. */
  readonly #lacking = new WeakMap<Plan, Timestamp>();

  constructor(deps: IndexExecutorDeps) {
    this.#deps = deps;
    const { resources } = deps;
    const all = Object.values(resources);
    this.#read = new Map(all.map((one) => [one.name, tablesRead(one)]));
  }

  /** Returns a page at once if there is nothing to wait for. */
  run(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
  ): Page | undefined | Promise<Page | undefined> {
    try {
      // Searches in the step of the call, so that its batch knows how long it takes.
      const asOf = this.#frontier(plan.resource, notBefore);
      const outcome = asOf && this.#at(asOf, plan, deadline);
      if (asOf && !(outcome instanceof Promise)) return outcome;
      const first = asOf && { asOf, outcome };
      return this.#run(plan, notBefore, deadline, first).catch((error: unknown) =>
        this.#failed(error, deadline),
      );
    } catch (error) {
      return this.#failed(error, deadline);
    }
  }

  /** A store that does not answer will not answer the pipeline either, and a refusal is an answer. */
  #failed(error: unknown, deadline: Deadline): undefined {
    if (deadline.isOver || isOutOfTime(error) || isRefusal(error)) throw error;
    this.#deps.onFallback('failed', error);
  }

  /** The same as `run`, with its explanation. */
  async explain(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
  ): Promise<IndexExplanation> {
    let fallback: FallbackReason | undefined;
    let byTable: TableExplanation | undefined;
    const executor = new IndexExecutor({
      ...this.#deps,
      onFallback: (reason, error) => {
        fallback = reason;
        this.#deps.onFallback(reason, error);
      },
      onFound: () => {
        byTable = this.#tableOf(plan).ask('explain', this.#asked(plan).request);
      },
    });
    const page = await executor.run(plan, notBefore, deadline);
    return { page, fallback, byTable };
  }

  async #run(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    first: Attempt | undefined,
  ): Promise<Page | undefined> {
    let from = notBefore;
    let begun = first;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const asOf = begun ? begun.asOf : await this.#reached(plan, from, deadline);
      if (!asOf) return undefined;
      const outcome = await (begun ? begun.outcome : this.#at(asOf, plan, deadline));
      if (outcome !== 'overtaken') return outcome;
      from = justAfter(asOf);
      begun = undefined;
    }
    return this.#fallBack('overtaken');
  }

  /** The frontier once it has reached `from`. Nothing may be awaited between this look at it and the search. */
  async #reached(
    plan: Plan,
    from: Timestamp | undefined,
    deadline: Deadline,
  ): Promise<Timestamp | undefined> {
    const fallback = await this.#whyFallback(plan, from, deadline);
    const asOf = fallback ? undefined : this.#frontier(plan.resource);
    return asOf ?? this.#fallBack(fallback ?? this.#phase(plan.resource));
  }

  /**
   * The answer from memory alone, while the store seems to be away and has not been away for too
   * long. Undefined otherwise, and if not all of it is in memory.
   */
  runAlone(plan: Plan, notBefore: Timestamp | undefined): Page | undefined {
    const { running, foldStands, maxSilentMs } = this.#deps;
    const follower = foldStands() ? running()?.follower : undefined;
    if (!follower?.frontier) return undefined;
    const { frontier: asOf, silentMs } = follower;
    if (notBefore && asOf.lessThan(notBefore)) return undefined;
    if (!isAway(silentMs, maxSilentMs) || this.#lacking.get(plan) === asOf) return undefined;
    if (!follower.isExact(this.#read.get(plan.resource.name)!)) return undefined;
    const page = this.#fromMemory(plan, asOf);
    return page && { ...page, silentMs };
  }

  /**
   * The answer in one step, if all of it is in memory and the frontier is far enough; undefined
   * otherwise.
   */
  runNow(plan: Plan, notBefore: Timestamp | undefined): Page | undefined {
    const asOf = this.#frontier(plan.resource, notBefore);
    // A row that had to be read once most likely has to be read again.
    if (!asOf || this.#lacking.has(plan)) return undefined;
    try {
      return this.#fromMemory(plan, asOf);
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.#deps.onFallback('failed', error);
      return undefined;
    }
  }

  /** Answers in one step, at the frontier, which `asOf` is; undefined when a row must be read. */
  #fromMemory(plan: Plan, asOf: Timestamp): Page | undefined {
    // Asked again and again while the store sorts: one search falls back once.
    if (!isIndexed(plan)) return undefined;
    const searched = this.#timed(plan);
    if (!searched) return undefined;
    const rows = this.#rowsOf(plan, searched.found.ids);
    if (isWhole(rows)) return pageOf(searched, { rows }, asOf);
    this.#lacking.set(plan, asOf);
    return undefined;
  }

  #rowsOf({ resource }: Plan, ids: readonly RowId[]): (JoinedRow | undefined)[] {
    const { memoryRows } = this.#running;
    return ids.map((id) => memoryRows.get(resource, id));
  }

  /** The ids of all rows, in the order of the plan; undefined if no query can name one of them. */
  async ids(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
  ): Promise<FoundIds | undefined> {
    const asOf = await this.#reached(plan, notBefore, deadline);
    if (!asOf) return undefined;
    const ids = allIds((page, perPage) => this.#search({ ...plan, page, perPage }));
    if (!ids) return undefined;
    if (ids.every(isAskable)) return { asOf, ids };
    return this.#fallBack('row_missing');
  }

  /** The counts of an explore whose rows the store orders; undefined if the pipeline has to count. */
  async counts(
    plan: ExplorePlan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
  ): Promise<FoundCounts | undefined> {
    const asOf = await this.#reached(plan, notBefore, deadline);
    if (!asOf) return undefined;
    const sorting = [{ by: plan.resource.key, descending: true }] as const;
    const found = this.#search({ ...plan, sorting, page: 1, perPage: FEW_ROWS });
    if (!found?.counts) return undefined;
    const { counts, ids, total } = found;
    return { asOf, counts, ...(total === ids.length && areFew(ids) && { ids }) };
  }

  #fallBack(reason: FallbackReason): undefined {
    this.#deps.onFallback(reason);
  }

  /** The present frontier, if the tables are exact and it has reached `notBefore`. */
  #frontier(resource: Resource, notBefore?: Timestamp): Timestamp | undefined {
    const frontier = this.#deps.running()?.follower.frontier;
    if (!frontier || !this.isLive(resource)) return undefined;
    return notBefore && frontier.lessThan(notBefore) ? undefined : frontier;
  }

  /** The page of ids at the frontier, and an explore's counts; undefined when the table breaks. */
  #search(plan: Plan): Found | undefined {
    if (!isIndexed(plan)) return this.#fallBack('no_column');
    const table = this.#tableOf(plan);
    const asked = this.#asked(plan);
    if (asked instanceof IndexCounts) {
      const found = table.ask('explore', asked.request);
      if (found) return { ...found, counts: asked.of(found) };
    } else {
      const found = table.ask('search', asked.request);
      if (found) return found;
    }
    this.#deps.onFallback('failed');
    return undefined;
  }

  #tableOf({ resource }: Plan): GuardedTable {
    return this.#running.tables.of(resource.name).table;
  }

  /** The plan as a table takes it. */
  #asked(plan: Plan): IndexCounts | { readonly request: PageRequest } {
    const { resource, page, perPage, within, where } = plan;
    const [{ by, descending }] = plan.sorting;
    const sortBy = by === resource.key ? 'id' : by;
    const request: PageRequest = { within, where, sortBy, descending, page, perPage };
    return isExplore(plan)
      ? new IndexCounts(plan, request, this.#running.tables.relations)
      : { request };
  }

  /** Undefined when the tables are exact, at a frontier that has reached `notBefore`; else why not. */
  async #whyFallback(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
  ): Promise<FallbackReason | undefined> {
    const { pipelineHasChance } = this.#deps;
    const { resource } = plan;
    do {
      if (!this.isLive(resource)) return this.#phase(resource);
      if (notBefore === undefined || this.#frontier(resource, notBefore)) return undefined;
      const ms = Math.min(MAX_WAIT_MS, deadline.left);
      if (await this.#running.follower.waitFor(notBefore, ms)) return undefined;
      // A search waits for the index alone if a pipeline would be slower still.
    } while (pipelineHasChance?.(plan) === false && !deadline.isOver);
    return this.isLive(resource) ? 'frontier_late' : this.#phase(resource);
  }

  /** Why the tables of a search are not all live. */
  #phase(resource: Resource): FallbackReason {
    const running = this.#deps.running();
    if (!running) return 'loading';
    const { phase, collections } = running.follower.state;
    const names = this.#read.get(resource.name)!;
    const off = collections.some((one) => one.phase === 'off' && names.includes(one.name));
    const now = phase === 'live' ? 'reloading' : phase;
    return off ? 'off' : now;
  }

  /** Searches at the frontier, which `asOf` is, and reads missing rows as of it. */
  #at(asOf: Timestamp, plan: Plan, deadline: Deadline): Page | undefined | Promise<Outcome> {
    const searched = this.#timed(plan);
    if (!searched) return undefined;
    const { ids } = searched.found;
    // Looked up before anything is awaited: the tables are at the same frontier as the ids.
    const rows = this.#rowsOf(plan, ids);
    if (isWhole(rows)) {
      this.#lacking.delete(plan);
      return pageOf(searched, { rows }, asOf);
    }
    const found = { resource: plan.resource, ids, rows, asOf };
    const store = { ...this.#deps, tables: this.#running.tables };
    return completed(found, store, deadline, store.onFallback).then((all) =>
      all === 'overtaken' || all === undefined ? all : pageOf(searched, all, asOf),
    );
  }

  #timed(plan: Plan): Searched | undefined {
    const started = performance.now();
    const found = this.#search(plan);
    if (!found) return undefined;
    const searchMs = performance.now() - started;
    this.#deps.onFound?.();
    return { found, searchMs, at: performance.now() };
  }

  /** The resource's own table, and the tables whose labels and rows it shows. */
  isLive(resource: Resource): boolean {
    return this.#deps.running()?.follower.isLive(this.#read.get(resource.name)!) === true;
  }

  /** Where there is a frontier. */
  get #running(): RunningTables {
    return this.#deps.running()!;
  }
}

/** Called when its rows have been fetched. */
function pageOf(
  { found, searchMs, at }: Searched,
  { rows, large }: Pick<Page, 'rows' | 'large'>,
  asOf: Timestamp,
): Page {
  const { total, page, counts } = found;
  const timing = { startedMs: at - searchMs, searchMs, rowsMs: performance.now() - at };
  const one: Page = { total, page, rows, asOf, timing };
  return large || counts ? { ...one, ...(large && { large }), ...(counts && { counts }) } : one;
}

const isAskable = (id: RowId) => isObjectId(id) || queryValue(id) !== undefined;

const areFew = (ids: readonly RowId[]) =>
  ids.every(isAskable) && BSON.calculateObjectSize(ids.map(queryValue)) <= FEW_BYTES;

function isWhole(rows: readonly (JoinedRow | undefined)[]): rows is readonly JoinedRow[] {
  for (let i = 0; i < rows.length; i++) if (!rows[i]) return false;
  return true;
}
