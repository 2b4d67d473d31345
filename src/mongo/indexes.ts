/**
 * The database indexes, as data, and their keeper.
 *
 * The keeper works in the background: a build on a large collection delays nothing, and an index
 * that vanished with a dropped collection is there again within seconds.
 */
import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';
import type { Logger } from '../logger.ts';
import type { StoreWatch } from './storeWatch.ts';

interface IndexDefinition {
  readonly key: IndexSpecification & Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** The filters and sorts that use it. */
  readonly serves: string;
}

export const DATABASE_INDEXES: Readonly<Record<string, readonly IndexDefinition[]>> = {
  users: [
    { key: { email: 1, _id: 1 }, serves: 'exact email, sort by email' },
    { key: { tc_creation: 1, _id: 1 }, serves: 'sort' },
    { key: { tc_update: 1, _id: 1 }, serves: 'sort' },
  ],
  projects: [
    // Without the `_id` in it, joins that want the lowest one may walk the collection by `_id`.
    { key: { identifier: 1, _id: 1 }, serves: 'project_id, permission, join of names' },
    { key: { 'members.user_id': 1, _id: 1 }, serves: "a user's own projects, member filter" },
    { key: { tc_creation: 1, _id: 1 }, serves: 'sort' },
    { key: { tc_update: 1, _id: 1 }, serves: 'sort' },
  ],
  schedules: [
    { key: { project_id: 1, _id: 1 }, serves: 'project searches, sort' },
    { key: { date_last_run_at: 1, _id: 1 }, serves: 'sort' },
    { key: { total_run_count: 1, _id: 1 }, serves: 'sort' },
    { key: { enabled: 1, _id: 1 }, serves: 'filter and sort' },
  ],
  tasks: [
    { key: { task_id: 1, _id: 1 }, serves: 'task_id, task paths' },
    { key: { project_id: 1, _id: 1 }, serves: 'project searches, default sort' },
    { key: { date_queued: 1, _id: 1 }, serves: 'sort' },
    { key: { date_started: 1, _id: 1 }, serves: 'sort' },
    { key: { date_done: 1, _id: 1 }, serves: 'sort' },
    // Not with `scope`: the store would refuse a document in which both were arrays.
    { key: { status: 1, _id: 1 }, serves: 'clean-up of running tasks' },
  ],
  task_logs: [{ key: { task_id: 1, seq: 1 }, unique: true, serves: "a task's log in order" }],
  audit: [
    { key: { at: 1, _id: 1 }, serves: 'sort' },
    { key: { actor: 1, _id: 1 }, serves: 'what a user did' },
    { key: { target_id: 1, _id: 1 }, serves: 'what happened to a task or schedule' },
  ],
};

/** Nothing is built in a store that is not usable, such as a standalone server. */
type UsableStore = Pick<StoreWatch, 'usable' | 'whenUsable'>;
const THERE: UsableStore = { usable: true, whenUsable: async () => {} };

/**
 * Creates what is missing and returns the names of what it created, by collection.
 *
 * @throws the first failure, once everything that can be made has been made.
 */
export async function ensureIndexes(db: Db): Promise<Record<string, string[]>> {
  const created: Record<string, string[]> = {};
  const failures: unknown[] = [];
  for (const [collection, definitions] of Object.entries(DATABASE_INDEXES)) {
    const existing = await existingNames(db, collection);
    for (const definition of definitions) {
      const name = nameOf(definition);
      if (existing.has(name)) continue;
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

/** The name of the database index whose order begins with this path; undefined where there is none. */
export function indexOn(collection: string, path: string): string | undefined {
  const found = DATABASE_INDEXES[collection]?.find(({ key }) => Object.keys(key)[0] === path);
  return found && nameOf(found);
}

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
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  #lastFailure = '';

  constructor(
    db: Db,
    log: Pick<Logger, 'info' | 'warn'>,
    everyMs = 10_000,
    store: UsableStore = THERE,
  ) {
    this.#db = db;
    this.#log = log;
    this.#store = store;
    this.#everyMs = everyMs;
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

  async #round(): Promise<void> {
    try {
      await this.#store.whenUsable(this.#stopping.signal);
      if (!this.#store.usable) return;
      const created = await ensureIndexes(this.#db);
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
