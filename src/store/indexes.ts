/**
 * Database indexes, as data, and their keeper.
 *
 *     start ──► indexes for rights, paths and changes ──► first load has ended ──► those for pipelines
 *
 * A build takes processor time of the store. Indexes that pipelines alone use wait for the end of
 * the first load: of ten million documents it took 282 s beside all builds, and 179 s without any.
 * The keeper recreates the indexes of a dropped collection within seconds.
 */

import type { CreateIndexesOptions, Db, Document, IndexSpecification } from 'mongodb';
import type { Logger } from '../logger.ts';
import { BY_BYTES } from './commands.ts';
import { wordsOf } from './faults.ts';
import type { StoreWatch } from './storeWatch.ts';

export interface DatabaseIndex {
  readonly key: IndexSpecification & Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** The documents in it; all where it is left out. */
  readonly where?: Document;
  /** Pipelines alone use it; the service needs all others beside the index in memory, too. */
  readonly forPipelines?: true;
  /** Made once the collection is there: its name may be wrong, and its owner may want to make it. */
  readonly onceThere?: true;
  /** A value leads to few documents. */
  readonly selective?: true;
  /** Documents of another program. It is not made where the collection has one: their writers may need another. */
  readonly others?: Document;
}

/** The indexes of each collection, by its name. */
export type DatabaseIndexes = Readonly<Record<string, readonly DatabaseIndex[]>>;

/** Nothing is built in a store that is not usable, such as a standalone server. */
type UsableStore = Pick<StoreWatch, 'usable' | 'whenUsable'>;
const THERE: UsableStore = { usable: true, whenUsable: async () => {} };

const FOREIGN = 'another program has documents there: let the service use another collection';

/** The indexes of a collection could not be made, or not looked up. */
class NotMade extends Error {
  readonly collection: string;

  constructor(collection: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.collection = collection;
  }
}

/**
 * Creates missing indexes and returns their names, by collection.
 *
 * @param forPipelines whether to create also the indexes that only pipelines use
 * @throws NotMade the first failure, once everything that can be made has been made.
 */
export async function ensureIndexes(
  db: Db,
  indexes: DatabaseIndexes,
  { forPipelines = true } = {},
): Promise<Record<string, string[]>> {
  const created: Record<string, string[]> = {};
  const failures: NotMade[] = [];
  for (const [collection, definitions] of Object.entries(indexes)) {
    const missing = await missingOf(db, collection, definitions).catch((error) => {
      failures.push(new NotMade(collection, error));
    });
    for (const definition of missing ?? []) {
      if (definition.forPipelines && !forPipelines) continue;
      try {
        const name = await make(db, collection, definition);
        created[collection] = [...(created[collection] ?? []), name];
      } catch (error) {
        failures.push(new NotMade(collection, error));
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  return created;
}

/** @throws Error if the collection has documents of another program */
async function missingOf(
  db: Db,
  collection: string,
  definitions: readonly DatabaseIndex[],
): Promise<readonly DatabaseIndex[]> {
  const existing = await existingNames(db, collection);
  const missing = definitions.filter((definition) =>
    existing ? !existing.has(nameOf(definition)) : !definition.onceThere,
  );
  const others = missing.find((definition) => definition.others)?.others;
  if (others && (await db.collection(collection).findOne(others))) throw new Error(FOREIGN);
  return missing;
}

/** @returns its name */
async function make(db: Db, collection: string, definition: DatabaseIndex): Promise<string> {
  const { key, unique, where, forPipelines } = definition;
  const options: CreateIndexesOptions = { name: nameOf(definition) };
  if (unique) options.unique = true;
  if (where) options.partialFilterExpression = where;
  // Pipelines compare so, also where the collection has a collation.
  if (forPipelines) options.collation = BY_BYTES;
  return await db.collection(collection).createIndex(key, options);
}

/** The name of the database index whose order begins with this path; undefined if there is none. */
export function indexOn(indexes: readonly DatabaseIndex[], path: string): string | undefined {
  const found = indexes.find(({ key }) => firstOf(key) === path);
  return found && nameOf(found);
}

/** Whether the value of a path leads to few documents, by a database index. */
export const isSelective = (indexes: readonly DatabaseIndex[], path: string): boolean =>
  indexes.some(({ key, selective }) => selective === true && firstOf(key) === path);

const firstOf = (key: DatabaseIndex['key']) => Object.keys(key)[0];

const nameOf = ({ key }: DatabaseIndex): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');

/** Undefined where there is no collection. */
async function existingNames(db: Db, collection: string): Promise<Set<string> | undefined> {
  try {
    const indexes = await db.collection(collection).listIndexes().toArray();
    return new Set(indexes.map((index) => String(index.name)));
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return undefined;
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
  readonly #indexes: DatabaseIndexes;
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
    indexes: DatabaseIndexes,
    log: Pick<Logger, 'info' | 'warn'>,
    everyMs: number,
    store: UsableStore = THERE,
    loaded?: Promise<void>,
  ) {
    this.#db = db;
    this.#indexes = indexes;
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
      const created = await ensureIndexes(this.#db, this.#indexes, {
        forPipelines: this.#forPipelines,
      });
      if (Object.keys(created).length > 0) this.#log.info({ created }, 'database indexes created');
      this.#lastFailure = '';
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof NotMade)) throw error;
      const { collection } = error;
      // A quoted command would differ each time.
      const reason = wordsOf(error);
      const failure = `${collection}: ${reason}`;
      if (failure === this.#lastFailure) return;
      this.#lastFailure = failure;
      this.#log.warn({ collection, reason }, 'database indexes could not be made; trying again');
    }
  }
}
