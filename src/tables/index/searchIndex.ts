/**
 * The index as the service has it: from the connected server's case folding to tables that follow.
 *
 *     case folding (asked of the server) ──► tables ──► follower ──► answers (indexExecutor.ts)
 *
 * It starts in the background as soon as the store can be used. Until then, and whenever it is not
 * live, the pipeline answers, or the tables alone while the store is away. Its state, with the
 * reason, is shown by `/readyz` and the metrics.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Timestamp } from 'mongodb';
import { inWords } from '../../follow/faults.ts';
import { Follower, type FollowerState } from '../../follow/follower.ts';
import type { Logger } from '../../logger.ts';
import type { CaseFolding } from '../../store/caseFolding.ts';
import { printTime } from '../../store/clusterTime.ts';
import { withDeadline } from '../../store/deadline.ts';
import { isAway } from '../../store/hedged.ts';
import type { StoreWatch } from '../../store/storeWatch.ts';
import {
  CapacityExceeded,
  type Fold,
  type TableDefinition,
  type TextTable,
} from '../../textindex/index.ts';
import { type CheckpointSettings, Checkpoints } from '../checkpoint/checkpoints.ts';
import { programHash } from '../checkpoint/fingerprint.ts';
import { tablesRead } from '../definition/collectionsRead.ts';
import { type Resource, tableName } from '../definition/definition.ts';
import { filterAt } from '../query/pipeline.ts';
import { readingOf } from '../rows/reading.ts';
import { MemoryRows } from '../rows/rests/memoryRows.ts';
import { Fallbacks } from '../search/fallbacks.ts';
import { IndexExecutor, type IndexExecutorDeps, type RunningTables } from './indexExecutor.ts';
import type { CollectionHealth, Outage, RunningIndexHealth } from './indexHealth.ts';
import { KnownRows } from './knownRows.ts';
import { LoadProgress } from './loadProgress.ts';
import { type Standing, standingOf } from './standing.ts';
import { type BrokenTable, type ChangeListener, Tables } from './tables.ts';

/** Makes a table; `expectedRows`: an estimate, if there is one. */
export type CreateTable = (
  definition: TableDefinition,
  fold: Fold,
  expectedRows?: number,
) => TextTable;

export interface SearchIndexOptions
  extends Pick<IndexExecutorDeps, 'db' | 'resources' | 'maxSilentMs' | 'pipelineHasChance'> {
  /** The index does not use the store before it is usable; left out, it may at once. */
  readonly watch?: Pick<StoreWatch, 'whenUsable'> | undefined;
  readonly caseFolding: Pick<CaseFolding, 'fold' | 'ask' | 'latest'>;
  readonly log: Logger;
  readonly createTable: CreateTable;
  /** Whether heartbeats are written; true when left out. */
  readonly heartbeats?: boolean;
  /** `SEARCH_MAX_BYTES` */
  readonly maxTableBytes: number;
  /** `ROWS_MEMORY_BYTES` */
  readonly maxRestBytes: number;
  /** Where checkpoints of the tables are kept; left out, nowhere. */
  readonly checkpoints?: CheckpointSettings | undefined;
  /** Told of every change of the tables. */
  readonly changes?: ChangeListener | undefined;
}

interface Running extends RunningTables {
  readonly known: KnownRows;
  readonly checkpoints: Checkpoints | undefined;
}

/** How often it is looked how far loads are, and how often the log says it, milliseconds. */
const LOOK_MS = 1_000;
const PROGRESS_MS = 5_000;

/** Time for the counts before the first load, milliseconds. */
const COUNT_MS = 5_000;

const WAITING_FOR_STORE = 'waiting for the store';
const COUNTING = 'its documents are being counted';

export class SearchIndex extends IndexExecutor {
  readonly #options: SearchIndexOptions;
  readonly #abort = new AbortController();
  readonly #loads = new LoadProgress();
  readonly #fallbacks: Fallbacks;
  readonly #starting: Promise<void>;
  readonly #progress: NodeJS.Timeout;
  readonly #looking: NodeJS.Timeout;
  #running: Running | undefined;
  /** The folding of tables that are begun now; known once the index runs. */
  #fold: Fold | undefined;
  /** Whether the present tables have another folding: they are about to be built again. */
  #isOutdated = false;
  #waiting = WAITING_FOR_STORE;

  constructor(options: SearchIndexOptions) {
    const fallbacks = new Fallbacks(options.log);
    super({
      ...options,
      running: () => this.#running,
      foldStands: () => this.#foldStands,
      onFallback: (reason, error) => fallbacks.note(reason, error),
    });
    this.#options = options;
    this.#fallbacks = fallbacks;
    // It reads the program's files while the store connects.
    if (options.checkpoints) void programHash().catch(() => {});
    this.#starting = this.#start();
    this.#progress = setInterval(() => this.#logProgress(), PROGRESS_MS);
    this.#progress.unref();
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    this.#looking.unref();
  }

  /** The folding of the tables, while the store seems to be away; undefined otherwise. */
  get foldWhileAway(): Fold | undefined {
    const { silentMs = 0 } = this.#running?.follower ?? {};
    const isUsed = isAway(silentMs, this.#options.maxSilentMs) && this.#foldStands;
    return isUsed ? this.#fold : undefined;
  }

  /** How many searches fell back to the pipeline, by reason. */
  get fallbacks(): Readonly<Record<string, number>> {
    return this.#fallbacks.counts;
  }

  state(): RunningIndexHealth {
    const running = this.#running;
    if (!running) {
      const reason = this.#waiting;
      return { state: 'loading', reason, frontier: null, lag_ms: null, bytes: 0, collections: {} };
    }
    const { phase, reason, frontier, lagMs, collections } = running.follower.state;
    const { failures } = running.tables;
    const views = collections.filter(({ isView }) => isView).map(({ name }) => name);
    const byPipelines = (name: string) =>
      tablesRead(this.#options.resources[name]!).some((read) => views.includes(read));
    return {
      state: phase,
      ...(reason !== '' && { reason: tableName(reason) }),
      frontier: frontier && printTime(frontier),
      lag_ms: lagMs,
      bytes: running.tables.bytes,
      ...(Object.keys(failures).length > 0 && { failures }),
      collections: Object.fromEntries(
        collections.map((one) => [
          one.name,
          {
            ...progressOf(one, running.tables, this.#loads.documents(one.name)),
            ...(byPipelines(one.name) && { by_pipelines: true }),
          },
        ]),
      ),
    };
  }

  /** Why searches of this resource cannot be answered just now; undefined when they can. */
  unavailable(resource: Resource): Outage | undefined {
    if (this.isLive(resource)) return undefined;
    const { state, reason, collections } = this.state();
    const off = tablesRead(resource).find((name) => collections[name]?.phase === 'off');
    if (off !== undefined && state !== 'off') {
      // A table whose texts this one shows may be hidden from the caller.
      const table = off === resource.name ? tableName(off) : 'a table that it reads';
      return { reason: `The index is off for ${table}: ${collections[off]!.reason}.` };
    }
    const isLoading = state === 'loading' || state === 'reloading';
    const hasBegun = isLoading && reason !== WAITING_FOR_STORE;
    const loaded = hasBegun ? partLoaded(collections) : undefined;
    const of = loaded === undefined ? '' : ` (${loaded} % is there)`;
    // The table that is loading may be hidden from the caller.
    const own = tablesRead(resource).map((name) => collections[name]);
    const why =
      isLoading && this.#running ? own.find((one) => one?.phase !== 'live')?.reason : reason;
    return {
      reason: `The index is ${state === 'live' ? 'behind' : state}${of}${why ? `: ${why}` : ''}.`,
      ...(loaded !== undefined && { loaded }),
    };
  }

  standing(resource: Resource): Standing {
    if (!this.#running) return 'coming';
    const { maxSilentMs } = this.#options;
    const names = tablesRead(resource);
    return standingOf(names, this.#running.follower, this.#foldStands ? maxSilentMs : 0);
  }

  /** Whether collections were counted and loads may begin. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Documents of a resource's collection; undefined while the store has not told. */
  documents({ name }: Resource): number | undefined {
    return this.#loads.documents(name);
  }

  /** Milliseconds until the loads under way have ended, as far as these can tell. */
  get loadLeftMs(): number {
    return this.#running ? this.#loads.leftMs(this.#running.follower.state) : 0;
  }

  /** See `LoadProgress.firstLoad`. */
  get firstLoad(): Promise<void> {
    return this.#loads.firstLoad;
  }

  /** Rows for decisions that must not be stale; undefined while there are no tables. */
  get known(): KnownRows | undefined {
    return this.#running?.known;
  }

  /** See `Checkpoints.upTo`; undefined without a checkpoint. */
  get checkpointUpTo(): number | undefined {
    return this.#running?.checkpoints?.upTo;
  }

  /** The moment that the tables show; null before the first. */
  get frontier(): Timestamp | null {
    return this.#running?.follower.frontier ?? null;
  }

  /** Walks every invariant of the tables; for tests and soaks. */
  check(): void {
    this.#running?.tables.check();
  }

  async close(): Promise<void> {
    clearInterval(this.#progress);
    clearInterval(this.#looking);
    this.#abort.abort(new Error('the service stops'));
    await this.#starting;
    await this.#running?.checkpoints?.close();
    await this.#running?.follower.stop();
    this.#running?.tables.close();
  }

  /** Asks for the case folding until the store answers, then follows it. */
  async #start(): Promise<void> {
    const { caseFolding, log, watch } = this.#options;
    const { signal } = this.#abort;
    await watch?.whenUsable(signal).catch(() => {});
    for (let pause = 100; !signal.aborted; pause = Math.min(2 * pause, 5_000)) {
      try {
        this.#fold = await caseFolding.fold();
        this.#waiting = COUNTING;
        await this.#count();
        if (!signal.aborted) this.#running = await this.#follow();
        return;
      } catch (error) {
        const reason = inWords(error);
        if (this.#waiting !== reason) log.warn({ err: error }, 'the index waits for the store');
        this.#waiting = reason;
        await delay(pause, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #count(): Promise<void> {
    const { db, resources, log } = this.#options;
    const all = Object.values(resources);
    const failures = await withDeadline(COUNT_MS, (deadline) =>
      this.#loads.count(db, all, deadline),
    );
    for (const err of failures) log.warn({ err }, 'a collection could not be counted');
  }

  /** Whether plans and tables use the same case folding, as far as is known. */
  get #foldStands(): boolean {
    return !this.#isOutdated && this.#options.caseFolding.latest === this.#fold;
  }

  /** Asks for the case folding again: tables begun from now on use the answer. */
  async #sameFolding(): Promise<boolean> {
    const before = this.#fold;
    this.#fold = await this.#options.caseFolding.ask();
    this.#isOutdated = this.#fold !== before;
    return !this.#isOutdated;
  }

  async #follow(): Promise<Running> {
    const { db, resources, log, createTable } = this.#options;
    const { maxRestBytes, maxTableBytes, maxSilentMs } = this.#options;
    const tables: Tables = new Tables({
      resources,
      createTable: (definition, expectedRows) => createTable(definition, this.#fold!, expectedRows),
      maxBytes: maxTableBytes,
      maxRestBytes,
      changes: this.#options.changes,
      onBroken: (broken, backoffMs) => this.#loadAnew(follower, broken, backoffMs),
    });
    const collections = Object.values(resources).map((resource) => {
      const { name, collection } = resource;
      const { layout, rest } = tables.of(name);
      // A built-in table may begin without a collection; somebody has named that of a file.
      const isExpected = tableName(name) !== name;
      const reading = readingOf(layout, rest);
      return { name, collection, isExpected, filter: filterAt(resource), ...reading };
    });
    const dbName = db.databaseName;
    const restoring = this.#options.checkpoints;
    const checkpoints =
      restoring && new Checkpoints({ ...restoring, dbName, fold: () => this.#fold!, tables, log });
    if (checkpoints) this.#waiting = 'its checkpoint is being read';
    const restored = await checkpoints?.restore(this.#abort.signal);
    const follower: Follower = new Follower({
      ...{ db, collections, sink: tables, log, restored },
      options: { heartbeats: this.#options.heartbeats ?? true },
      tablesFit: () => this.#sameFolding(),
    });
    follower.onStateChange(() => this.#look());
    const memoryRows = new MemoryRows(tables);
    const known = new KnownRows({ tables, memoryRows, follower, maxSilentMs });
    checkpoints?.start(follower);
    return { tables, memoryRows, follower, known, checkpoints };
  }

  /**
   * The log tells the failure of a table; the index works without that table until it is loaded
   * again.
   */
  #loadAnew(follower: Follower, broken: BrokenTable, backoffMs: number): void {
    const { collection, operation, definition, error } = broken;
    if (!(error instanceof CapacityExceeded)) {
      const fields = { collection, operation, definition, backoff_ms: backoffMs, err: error };
      this.#options.log.error(fields, 'a table of the index broke; the pipeline answers');
    }
    const reason = `its table broke (${operation}); the log says why`;
    follower.restart(collection, reason, backoffMs);
  }

  #look(): void {
    const running = this.#running;
    if (!running) return;
    const { follower, tables } = running;
    this.#loads.look(follower.state, (name) => tables.of(name).table.size);
  }

  #logProgress(): void {
    const { state, reason, collections } = this.state();
    if (state !== 'loading' && state !== 'reloading') return;
    if (reason === WAITING_FOR_STORE) return;
    this.#options.log.info({ state, reason, collections }, 'index loading');
  }
}

/**
 * The loaded share of all rows in percent, not their number, since not everyone may see that. While a table is
 * loading it is never 100: how many rows it will have may not be known yet.
 */
function partLoaded(collections: RunningIndexHealth['collections']): number {
  let read = 0;
  let all = 0;
  for (const { documents, of = documents } of Object.values(collections)) {
    read += Math.min(documents, of);
    all += of;
  }
  return all === 0 ? 0 : Math.min(99, Math.floor((100 * read) / all));
}

function progressOf(
  { name, phase, reason, read, estimated }: FollowerState['collections'][number],
  tables: Tables,
  counted: number | undefined,
): CollectionHealth {
  const loading = phase === 'loading' || phase === 'loaded';
  const { size, bytes } = tables.of(name).table;
  return {
    phase,
    ...(reason !== '' && { reason }),
    documents: loading ? read : size,
    bytes,
    // A load that has not begun has no estimate yet, and counts all the same.
    ...(loading && { of: estimated || (counted ?? 0) }),
  };
}
