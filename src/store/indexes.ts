/**
 * The database indexes, as data, and their keeper.
 *
 *     start ──► those for rights, paths and changes ──► first load has ended ──► those for pipelines
 *
 * A build takes processor time of the store. The keeper waits for the first load with those that only
 * pipelines use: at ten million tasks a load took 282 s beside all builds, and 179 s without any. The
 * keeper works in the background, and recreates the indexes of a dropped collection within seconds.
 */
import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';
import type { Logger } from '../logger.ts';
import type { StoreWatch } from './storeWatch.ts';

interface IndexDefinition {
  readonly key: IndexSpecification & Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** Only pipelines use it; else rights, paths or changes need it, which go past the index in memory. */
  readonly forPipelines?: true;
  /** A value leads to few documents. */
  readonly selective?: true;
  /** The filters and sorts that use it. */
  readonly serves: string;
}

const SORT = { forPipelines: true, serves: 'sort' } as const;

export const DATABASE_INDEXES: Readonly<Record<string, readonly IndexDefinition[]>> = {
  users: [
    {
      key: { email: 1, _id: 1 },
      ...{ forPipelines: true, selective: true, serves: 'exact email, sort by email' },
    },
    { key: { tc_creation: 1, _id: 1 }, ...SORT },
    { key: { tc_update: 1, _id: 1 }, ...SORT },
  ],
  projects: [
    // Without the `_id` in it, joins that want the lowest one may walk the collection by `_id`.
    {
      key: { identifier: 1, _id: 1 },
      ...{ selective: true, serves: 'project_id, permission, join of names' },
    },
    {
      key: { 'members.user_id': 1, _id: 1 },
      ...{ selective: true, serves: "a user's own projects, member filter" },
    },
    { key: { tc_creation: 1, _id: 1 }, ...SORT },
    { key: { tc_update: 1, _id: 1 }, ...SORT },
  ],
  schedules: [
    { key: { project_id: 1, _id: 1 }, selective: true, serves: 'project searches, paths, sort' },
    { key: { date_last_run_at: 1, _id: 1 }, ...SORT },
    { key: { total_run_count: 1, _id: 1 }, ...SORT },
    { key: { enabled: 1, _id: 1 }, forPipelines: true, serves: 'filter and sort' },
  ],
  tasks: [
    { key: { task_id: 1, _id: 1 }, selective: true, serves: 'task_id, task paths' },
    { key: { project_id: 1, _id: 1 }, selective: true, serves: 'project searches, paths, sort' },
    { key: { date_queued: 1, _id: 1 }, ...SORT },
    { key: { date_started: 1, _id: 1 }, ...SORT },
    { key: { date_done: 1, _id: 1 }, ...SORT },
    // Not with `scope`: the store would refuse a document in which both were arrays.
    { key: { status: 1, _id: 1 }, serves: 'clean-up of running tasks' },
  ],
  task_logs: [{ key: { task_id: 1, seq: 1 }, unique: true, serves: "a task's log in order" }],
  audit: [
    { key: { at: 1, _id: 1 }, ...SORT },
    { key: { actor: 1, _id: 1 }, forPipelines: true, serves: 'what a user did' },
    {
      key: { target_id: 1, _id: 1 },
      ...{ forPipelines: true, selective: true, serves: 'what happened to a task or schedule' },
    },
  ],
};

/** Nothing is built in a store that is not usable, such as a standalone server. */
type UsableStore = Pick<StoreWatch, 'usable' | 'whenUsable'>;
const THERE: UsableStore = { usable: true, whenUsable: async () => {} };

/**
 * Creates missing indexes and returns their names, by collection.
 *
 * @param forPipelines whether to create also the indexes that only pipelines use
 * @throws the first failure, once everything that can be made has been made.
 */
export async function ensureIndexes(
  db: Db,
  { forPipelines = true } = {},
): Promise<Record<string, string[]>> {
  const created: Record<string, string[]> = {};
  const failures: unknown[] = [];
  for (const [collection, definitions] of Object.entries(DATABASE_INDEXES)) {
    const existing = await existingNames(db, collection);
    for (const definition of definitions) {
      const name = nameOf(definition);
      if (existing.has(name) || (definition.forPipelines && !forPipelines)) continue;
      const options: CreateIndexesOptions = { name };
      if (definition.unique) options.unique = true;
      try {
        await db.collection(collection).createIndex(definition.key, options);
        created[collection] = [...(created[collection] ?? []), name];
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  return created;
}

/** The name of the database index whose order begins with this path; undefined if there is none. */
export function indexOn(collection: string, path: string): string | undefined {
  const found = DATABASE_INDEXES[collection]?.find(({ key }) => Object.keys(key)[0] === path);
  return found && nameOf(found);
}

/** Whether the value of a path leads to few documents, by a database index. */
export const isSelective = (collection: string, path: string): boolean =>
  DATABASE_INDEXES[collection]?.some(
    ({ key, selective }) => selective === true && Object.keys(key)[0] === path,
  ) === true;

const nameOf = ({ key }: IndexDefinition): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');

async function existingNames(db: Db, collection: string): Promise<Set<string>> {
  try {
    const indexes = await db.collection(collection).listIndexes().toArray();
    return new Set(indexes.map((index) => String(index.name)));
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return new Set();
    throw error;
  }
}

/**
 * Keeps the indexes until `stop`, looking again every `everyMs`. A failure is logged once per
 * message and tried again: no right to create an index, duplicates in a unique one, a store out of
 * reach. Searches are right without indexes, only slower.
 */
export class IndexKeeper {
  readonly #db: Db;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  readonly #store: UsableStore;
  readonly #everyMs: number;
  #forPipelines: boolean;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  #lastFailure = '';

  /** @param loaded resolves when indexes for pipelines may be created; left out, they may at once */
  constructor(
    db: Db,
    log: Pick<Logger, 'info' | 'warn'>,
    everyMs = 10_000,
    store: UsableStore = THERE,
    loaded?: Promise<void>,
  ) {
    this.#db = db;
    this.#log = log;
    this.#store = store;
    this.#everyMs = everyMs;
    this.#forPipelines = loaded === undefined;
    void loaded?.then(() => this.#makeAll());
  }

  start(): void {
    this.#running = this.#round().finally(() => {
      if (this.#stopping.signal.aborted) return;
      this.#timer = setTimeout(() => this.start(), this.#everyMs);
      this.#timer.unref();
    });
  }

  /** Ends the rounds; a build that is under way goes on in the server. */
  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  /** When the round that is under way has ended; for tests. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** At once, when the round under way has ended. */
  async #makeAll(): Promise<void> {
    this.#forPipelines = true;
    await this.#running;
    if (this.#timer === undefined || this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    this.start();
  }

  async #round(): Promise<void> {
    try {
      await this.#store.whenUsable(this.#stopping.signal);
      if (!this.#store.usable) return;
      const created = await ensureIndexes(this.#db, { forPipelines: this.#forPipelines });
      if (Object.keys(created).length > 0) this.#log.info({ created }, 'database indexes created');
      this.#lastFailure = '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#stopping.signal.aborted || reason === this.#lastFailure) return;
      this.#lastFailure = reason;
      this.#log.warn({ reason }, 'database indexes could not be made; trying again');
    }
  }
}
