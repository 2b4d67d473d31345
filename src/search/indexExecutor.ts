/**
 * Runs plans on the in-memory tables, at the frontier.
 *
 *     plan ──► table.search at F ──► ids, total ──► rows: cached, or read as of F ──► page
 *
 * Whenever something stands in the way of an exact answer it gives none, and the pipeline answers:
 * tables that are not live, a frontier that does not reach a moment already handed out, a snapshot
 * the store no longer has, an id that cannot be asked for.
 */
import type { Timestamp } from 'mongodb';
import { justAfter } from '../mongo/clusterTime.ts';
import { isOutOfTime, isOvertaken } from '../mongo/snapshotRead.ts';
import type { Plan } from '../query/plan.ts';
import type { Resource, ResourceName } from '../resources/definition.ts';
import type { JoinedRow } from '../resources/record.ts';
import type { Follower } from '../sync/follower.ts';
import { type RowId, scalarKey } from '../textindex/index.ts';
import { collectionsRead } from './collectionsRead.ts';
import type { RowStore } from './rowStore.ts';
import type { Executor, Page } from './search.ts';
import type { Tables } from './tables.ts';

export interface IndexExecutorDeps {
  readonly resources: Readonly<Record<ResourceName, Resource>>;
  readonly tables: Tables;
  readonly rowStore: RowStore;
  readonly follower: Pick<Follower, 'frontier' | 'isLive' | 'waitFor'>;
  /** Told when an answer could not be given although the tables are live. */
  readonly onMissed: (reason: string, error?: unknown) => void;
}

/** How long a search waits for the frontier to reach a moment that was handed out before. */
const WAIT_MS = 250;

/** Moments that are tried when index builds or drops make reads of the frontier's impossible. */
const MAX_ATTEMPTS = 4;

export class IndexExecutor implements Executor {
  readonly #deps: IndexExecutorDeps;
  readonly #read: ReadonlyMap<ResourceName, readonly string[]>;

  constructor(deps: IndexExecutorDeps) {
    this.#deps = deps;
    const { resources } = deps;
    const all = Object.values(resources);
    this.#read = new Map(all.map((one) => [one.name, collectionsRead(one, resources)]));
  }

  async run(plan: Plan, notBefore: Timestamp | undefined): Promise<Page | undefined> {
    try {
      return await this.#run(plan, notBefore);
    } catch (error) {
      // A store that does not answer will not answer the pipeline either.
      if (isOutOfTime(error)) throw error;
      this.#deps.onMissed('the index failed', error);
      return undefined;
    }
  }

  async #run(plan: Plan, notBefore: Timestamp | undefined): Promise<Page | undefined> {
    let from = notBefore;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!(await this.#canAnswer(plan.resource, from))) return undefined;
      // Nothing may be awaited between this look at the frontier and the search.
      const asOf = this.#deps.follower.frontier;
      if (!asOf || !this.#isLive(plan.resource)) return undefined;
      const outcome = await this.#at(asOf, plan);
      if (outcome !== 'overtaken') return outcome;
      from = justAfter(asOf);
    }
    this.#deps.onMissed('the catalogue kept overtaking the rows of a page');
    return undefined;
  }

  /** Whether the tables are exact, at a frontier that has reached `notBefore`. */
  async #canAnswer(resource: Resource, notBefore: Timestamp | undefined): Promise<boolean> {
    const { follower } = this.#deps;
    if (!this.#isLive(resource)) return false;
    if (!(notBefore && follower.frontier?.lessThan(notBefore))) return true;
    return (await follower.waitFor(notBefore, WAIT_MS)) && this.#isLive(resource);
  }

  /** Searches at the frontier, which `asOf` is, and reads what rows are missing as of it. */
  async #at(asOf: Timestamp, plan: Plan): Promise<Page | 'overtaken' | undefined> {
    const started = performance.now();
    const { resource, page, perPage, within, where, sortBy, descending } = plan;
    const found = this.#deps.tables.tableOf(resource.collection).search({
      within,
      where,
      sortBy: sortBy === resource.key ? 'id' : sortBy,
      descending,
      page,
      perPage,
    });
    if (!found) return undefined;
    const searched = performance.now();
    const rows = await this.#rows(resource, found.ids, asOf);
    if (rows === 'overtaken' || rows === undefined) return rows;
    const timing = { searchMs: searched - started, rowsMs: performance.now() - searched };
    return { total: found.total, page: found.page, rows, asOf, timing };
  }

  /** The resource's own table, and those whose labels and rows it shows. */
  #isLive(resource: Resource): boolean {
    return this.#deps.follower.isLive(this.#read.get(resource.name)!);
  }

  /** The page's rows: cached, or read as of the moment of the search; undefined when in doubt. */
  async #rows(
    resource: Resource,
    ids: readonly RowId[],
    asOf: Timestamp,
  ): Promise<JoinedRow[] | 'overtaken' | undefined> {
    const { rowStore, onMissed } = this.#deps;
    // Looked up before anything is awaited: the cache is at the same frontier as the ids.
    const rows = ids.map((id) => rowStore.get(resource.collection, id));
    const missing = ids.filter((_, position) => !rows[position]);
    if (missing.length === 0) return rows as JoinedRow[];
    try {
      const read = await rowStore.read(resource, missing, asOf);
      const all = ids.map((id, position) => rows[position] ?? read.get(scalarKey(id)));
      if (all.every((row): row is JoinedRow => row !== undefined)) return all;
      onMissed('a row of a page could not be asked for');
    } catch (error) {
      if (isOvertaken(error)) return 'overtaken';
      throw error;
    }
    return undefined;
  }
}
