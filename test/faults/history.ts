/**
 * The history of every document: what was stored at each cluster time, from the change stream.
 *
 *     change stream, majority only ──► events in order ──► the state at any time T
 *
 * Rolled-back writes are in no change stream, so they are in no state. The stream is read when the
 * store is well, from where it was read to last; no fault can touch it. Neither the service's reads
 * nor the server's snapshots have a part in it, so that moments before a drop are known as well.
 */
import {
  type ChangeStreamDocument,
  type Db,
  type Document,
  type MongoClient,
  MongoError,
  type ObjectId,
  type Timestamp,
} from 'mongodb';
import { until } from '../support/until.ts';

export interface HistoryEvent {
  readonly at: Timestamp;
  readonly collection: string;
  readonly change:
    | { readonly kind: 'put'; readonly key: string; readonly document: Document }
    | {
        readonly kind: 'set';
        readonly key: string;
        readonly set: Document;
        readonly unset: readonly string[];
      }
    | { readonly kind: 'gone'; readonly key: string }
    | { readonly kind: 'dropped' }
    | { readonly kind: 'renamed'; readonly to: string };
}

/** A member that no answer shows, for large documents: the stream cannot carry them whole. */
export const PAD = 'pad';

/** Writes to it tell how far the stream has been read; nobody looks at its documents. */
export const MARKS = 'marks';

const MAX_MS = 60_000;

export class History {
  readonly events: HistoryEvent[] = [];
  readonly #client: MongoClient;
  readonly #db: Db;
  #from: Timestamp | undefined;
  #token: unknown;

  constructor(client: MongoClient, dbName: string) {
    this.#client = client;
    this.#db = client.db(dbName);
  }

  /** From here on; call it before anything is stored. */
  async begin(): Promise<void> {
    const { operationTime } = await this.#client.db('admin').command({ ping: 1 });
    this.#from = operationTime;
  }

  /** Reads on to now; returns a time up to which everything is known. */
  async read(): Promise<Timestamp> {
    const mark = await until(() => this.#mark().catch(notYet), 'no mark', MAX_MS);
    return await until(() => this.#readTo(mark).catch(notYet), 'no history', MAX_MS);
  }

  /** Its time is one that the majority has. */
  async #mark(): Promise<ObjectId> {
    const writeConcern = { w: 'majority' as const, wtimeoutMS: 5_000 };
    const { insertedId } = await this.#db.collection(MARKS).insertOne({}, { writeConcern });
    return insertedId;
  }

  async #readTo(mark: ObjectId): Promise<Timestamp> {
    const begin = this.#token ? { resumeAfter: this.#token } : { startAtOperationTime: this.#from };
    const stages = [{ $unset: `fullDocument.${PAD}` }];
    const options = { ...begin, bsonRegExp: true, maxAwaitTimeMS: 50 };
    const stream = this.#db.watch(stages, options as object);
    try {
      for (;;) {
        const event = await stream.tryNext();
        if (!event) continue;
        this.#token = event._id;
        const known = eventOf(event);
        if (known && known.collection !== MARKS) this.events.push(known);
        if (known?.collection === MARKS && isPut(known, mark)) return known.at;
      }
    } finally {
      await stream.close();
    }
  }
}

const isPut = ({ change }: HistoryEvent, id: unknown): boolean =>
  change.kind === 'put' && change.key === keyOf(id);

/** An error of MongoDB says that the store is not well yet; any other error ends the wait. */
function notYet(error: unknown): false {
  if (error instanceof MongoError) return false;
  throw error;
}

/** Ids of one value in several number types are one id. */
export const keyOf = (id: unknown): string => `${typeof id === 'object' ? '' : typeof id}${id}`;

function eventOf(event: ChangeStreamDocument): HistoryEvent | undefined {
  const at = event.clusterTime!;
  switch (event.operationType) {
    case 'insert':
    case 'replace': {
      const document = event.fullDocument;
      const key = keyOf(event.documentKey._id);
      return { at, collection: event.ns.coll, change: { kind: 'put', key, document } };
    }
    case 'update': {
      const { updatedFields: set = {}, removedFields: unset = [] } = event.updateDescription;
      const names = [...Object.keys(set), ...unset];
      if (names.some((name) => name.includes('.'))) throw new Error(`changed inside: ${names}`);
      const key = keyOf(event.documentKey._id);
      return { at, collection: event.ns.coll, change: { kind: 'set', key, set, unset } };
    }
    case 'delete':
      return {
        at,
        collection: event.ns.coll,
        change: { kind: 'gone', key: keyOf(event.documentKey._id) },
      };
    case 'drop':
      return { at, collection: event.ns.coll, change: { kind: 'dropped' } };
    case 'rename':
      return { at, collection: event.ns.coll, change: { kind: 'renamed', to: event.to.coll } };
    default:
      return undefined;
  }
}

/** The documents of one time; the time can be moved on. */
export class State {
  readonly #events: readonly HistoryEvent[];
  readonly #collections: Map<string, Map<string, Document>>;
  /** The next event. */
  #next: number;

  constructor(events: readonly HistoryEvent[], from?: State) {
    this.#events = events;
    this.#next = from ? from.#next : 0;
    const before = from ? [...from.#collections] : [];
    this.#collections = new Map(before.map(([name, documents]) => [name, new Map(documents)]));
  }

  copy(): State {
    return new State(this.#events, this);
  }

  documents(collection: string): Document[] {
    return [...(this.#collections.get(collection)?.values() ?? [])];
  }

  /** Whether it changed on its way to `time`. */
  moveTo(time: Timestamp): boolean {
    const before = this.#next;
    for (; this.#next < this.#events.length; this.#next++) {
      const event = this.#events[this.#next]!;
      if (event.at.greaterThan(time)) break;
      this.#apply(event);
    }
    return this.#next > before;
  }

  #apply({ collection, change }: HistoryEvent): void {
    const documents = this.#of(collection);
    switch (change.kind) {
      case 'put':
        documents.set(change.key, change.document);
        break;
      case 'set': {
        const next = { ...documents.get(change.key), ...change.set };
        for (const name of change.unset) delete next[name];
        documents.set(change.key, next);
        break;
      }
      case 'gone':
        documents.delete(change.key);
        break;
      case 'dropped':
        this.#collections.delete(collection);
        break;
      case 'renamed':
        this.#collections.set(change.to, documents);
        this.#collections.delete(collection);
    }
  }

  #of(collection: string): Map<string, Document> {
    let documents = this.#collections.get(collection);
    if (!documents) {
      documents = new Map();
      this.#collections.set(collection, documents);
    }
    return documents;
  }
}
