/**
 * All rows of a search at one moment, some at a time and as the reader takes them.
 *
 *     ids at F, in order   the index: a list of numbers │ the pipeline: a cursor
 *          └─► some of them ─► documents as of F, as bytes, with what they are joined to ─► rows
 *              some of them ─► … read while the ones before are taken
 *
 * A collection that is dropped or renamed meanwhile reads as empty, at F too. So what the names stand
 * for is compared: from before F was known until the last row was read. Whatever stands in the way of
 * all rows of F is thrown, however many were given before.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { AppError } from '../errors.ts';
import type { Caller, Hold } from '../guard/quota.ts';
import { Members } from '../mongo/bson/members.ts';
import { laterOf } from '../mongo/clusterTime.ts';
import { areSame, collectionUuids, type StoodFor } from '../mongo/collectionUuids.ts';
import { Deadline } from '../mongo/deadline.ts';
import { isOvertaken } from '../mongo/faults.ts';
import { SnapshotRead } from '../mongo/snapshotRead.ts';
import type { Resources } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import type { Resource } from '../resources/definition.ts';
import type { JoinedRow, Presenter, StoredDocument } from '../resources/record.ts';
import { collectionsRead } from './collectionsRead.ts';
import type { FoundIds } from './indexExecutor.ts';
import type { CountedIds, PipelineExecutor } from './pipelineExecutor.ts';
import { queryValue } from './queryValue.ts';
import { inOrder, readRows } from './readRows.ts';
import { RelatedDocuments } from './relatedDocuments.ts';
import type { Answer, Search } from './search.ts';

export interface AllRowsSettings {
  readonly db: Db;
  readonly resources: Resources;
  readonly search: Pick<Search, 'notBefore' | 'noteShown'>;
  readonly index?:
    | {
        ids(
          plan: Plan,
          notBefore: Timestamp | undefined,
          deadline: Deadline,
        ): Promise<FoundIds | undefined>;
      }
    | undefined;
  readonly pipeline: Pick<PipelineExecutor, 'ids'>;
  /** `QUERY_TIMEOUT_MS`: what each read may take. */
  readonly timeoutMs: number;
}

/** On whose account it is. */
export interface RowTaker {
  readonly caller: Caller;
  /** Takes bytes of memory, until it is released or the request ends. */
  hold(bytes: number): Hold;
}

export interface AllRows {
  readonly route: Answer['route'];
  readonly asOf: Timestamp;
  readonly total: number;
  /** In the order of the plan; throws when they are not all of them. */
  readonly rows: AsyncGenerator<readonly ExportedRow[], void, void>;
  /** The caller takes no more. */
  end(): void;
}

/** A row to be written: its document as bytes, and of its values those that were asked for. */
export interface ExportedRow extends JoinedRow {
  /** Left out where the store itself had to join the row; then all values are there. */
  readonly bytes?: Uint8Array;
}

/** Rows of one read at most, and while nothing is known of their size. */
const MOST_ROWS = 250;
const FIRST_ROWS = 25;
/** What a read is to bring, bytes: fewer rows are read at once where they are large. */
const READ_BYTES = 2 ** 20;
/** Reads under way at once: the store works while records are made. */
const AHEAD = 3;

/** Moments that are tried while collections come and go. */
const MAX_ATTEMPTS = 4;

/** For documents that rows are joined to, bytes. */
const JOINED_BYTES = 4 * 2 ** 20;

const ID_BYTES = 8;
/** Ids that are taken from the list at once. */
const IDS_AT_ONCE = 1_000;

/** What reads under way, and documents that rows are joined to, take as a rule. */
const READING_BYTES = JOINED_BYTES + AHEAD * READ_BYTES;

type Found = CountedIds & { readonly route: Answer['route'] };

export class AllRowsReader {
  readonly #settings: AllRowsSettings;

  constructor(settings: AllRowsSettings) {
    this.#settings = settings;
  }

  /**
   * The rows of a plan, whatever page it asks for.
   *
   * @param shown what is to be shown of them
   * @param deadline until the first row can be read
   */
  async open(
    plan: Plan,
    shown: readonly Presenter[],
    deadline: Deadline,
    taker: RowTaker,
  ): Promise<AllRows> {
    const life = new Deadline(Number.POSITIVE_INFINITY);
    taker.hold(READING_BYTES);
    for (let attempt = 1; ; attempt++) {
      try {
        const { found, before } = await this.#find(plan, deadline, taker, life);
        this.#settings.search.noteShown(found.asOf);
        const { route, asOf, total } = found;
        const reader = new MomentReader(this.#settings, plan.resource, shown, asOf);
        const rows = this.#rows(reader, found, before, life);
        const end = () => {
          life.stop('client');
          found.end();
        };
        return { route, asOf, total, rows, end };
      } catch (error) {
        if (!isOvertaken(error) || attempt >= MAX_ATTEMPTS) throw error;
        await deadline.pause(2 ** attempt);
      }
    }
  }

  /** The ids, and what the names of the collections have stood for since before their moment. */
  async #find(plan: Plan, deadline: Deadline, taker: RowTaker, life: Deadline) {
    const { search } = this.#settings;
    const before = await this.#collections(plan.resource, deadline);
    const notBefore = before.by ? laterOf(search.notBefore, before.by) : search.notBefore;
    const found =
      (await this.#byIndex(plan, notBefore, deadline, taker)) ??
      (await this.#byPipeline(plan, notBefore, deadline, taker, life));
    return { found, before };
  }

  async #byIndex(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    taker: RowTaker,
  ): Promise<Found | undefined> {
    const found = await this.#settings.index?.ids(plan, notBefore, deadline);
    if (!found) return undefined;
    const { asOf } = found;
    const ids = compact(found.ids);
    const hold = taker.hold(ids.length * ID_BYTES);
    const list = async function* () {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        yield Array.from(ids.slice(from, from + IDS_AT_ONCE), queryValue);
      }
    };
    return { route: 'index', asOf, total: ids.length, ids: list(), end: hold.release };
  }

  async #byPipeline(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    { caller }: RowTaker,
    life: Deadline,
  ): Promise<Found> {
    const { pipeline, timeoutMs } = this.#settings;
    const found = await pipeline.ids(plan, notBefore, deadline, { caller, life, timeoutMs });
    return { ...found, route: 'pipeline' };
  }

  async *#rows(
    reader: MomentReader,
    { ids, end, route }: Found,
    before: StoodFor,
    life: Deadline,
  ): AsyncGenerator<readonly ExportedRow[], void, void> {
    const read = (some: readonly unknown[]): Reading => {
      const rows = this.#within(life, (deadline) => reader.rows(some, deadline));
      rows.catch(() => {}); // those that were ahead of one that failed
      return { ids: some, rows };
    };
    const underWay: Reading[] = [];
    const parts = inParts(ids, () => reader.rowsAtOnce);
    try {
      for (;;) {
        // Before the next part is cut: how large it may be is known from these.
        if (underWay.length === AHEAD) yield* taken(underWay.shift()!, read, route);
        const { done, value: some } = await parts.next();
        if (done) break;
        underWay.push(read(some));
      }
      while (underWay.length > 0) yield* taken(underWay.shift()!, read, route);
      const now = await this.#within(life, (time) => this.#collections(reader.resource, time));
      if (!areSame(before, now)) throw gone();
    } finally {
      life.stop('client');
      end();
      await parts.return();
    }
  }

  #collections(resource: Resource, deadline: Deadline) {
    const { db, resources } = this.#settings;
    return collectionUuids(db, collectionsRead(resource, resources), deadline);
  }

  async #within<T>(life: Deadline, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = life.within(this.#settings.timeoutMs);
    try {
      return await work(deadline);
    } finally {
      deadline.close();
    }
  }
}

interface Reading {
  readonly ids: readonly unknown[];
  /** Undefined when they are more than a reply holds. */
  readonly rows: Promise<readonly (ExportedRow | undefined)[] | undefined>;
}

/** The rows that were read; where one reply did not hold them, in two halves, one after the other. */
async function* taken(
  { ids, rows }: Reading,
  read: (ids: readonly unknown[]) => Reading,
  route: Answer['route'],
): AsyncGenerator<readonly ExportedRow[], void, void> {
  const found = await rows;
  if (found) {
    const there = found.filter((row): row is ExportedRow => row !== undefined);
    // The index has only ids that can be asked for; the store has others, which no page shows.
    if (there.length < found.length && route === 'index') throw gone();
    yield there;
    return;
  }
  const half = ids.length >> 1;
  yield* taken(read(ids.slice(0, half)), read, route);
  yield* taken(read(ids.slice(half)), read, route);
}

const gone = () =>
  new AppError('StoreUnavailable', 'A collection was dropped or renamed while it was read.');

/** Numbers, which most ids are, take a third of what a list of values does. */
function compact(ids: FoundIds['ids']): FoundIds['ids'] | Float64Array {
  return ids.every((id) => typeof id === 'number') ? Float64Array.from(ids as number[]) : ids;
}

async function* inParts(
  replies: AsyncIterable<readonly unknown[]>,
  size: () => number,
): AsyncGenerator<readonly unknown[], void, void> {
  for await (const ids of replies) {
    for (let from = 0, n = 0; from < ids.length; from += n) {
      n = size();
      yield ids.slice(from, from + n);
    }
  }
}

/** Reads rows of one moment; what they are joined to is remembered, since it stays the same. */
class MomentReader {
  readonly resource: Resource;
  /** How many rows bring about `READ_BYTES`, by those that were read last. */
  rowsAtOnce = FIRST_ROWS;
  readonly #settings: AllRowsSettings;
  readonly #at: Timestamp;
  readonly #related: RelatedDocuments;
  /** What is made a value of each document: its id, what it is joined by, and what presenters look at. */
  readonly #members: Members;
  readonly #all: readonly number[];
  readonly #projection: Document;

  constructor(
    settings: AllRowsSettings,
    resource: Resource,
    shown: readonly Presenter[],
    at: Timestamp,
  ) {
    this.resource = resource;
    this.#settings = settings;
    this.#at = at;
    const { resources } = settings;
    // What is missing is missing: whether a collection went away is looked at in the end.
    const options = { resources, maxBytes: JOINED_BYTES, isThere: () => false };
    this.#related = new RelatedDocuments(options);
    const joined = resource.joins.map(({ through }) => through.split('.', 1)[0]!);
    const valued = shown.flatMap(({ plain, reads }) => (plain ? [] : reads));
    this.#members = new Members([...new Set(['_id', ...joined, ...valued])]);
    this.#all = this.#members.names.map((_, place) => place);
    const read = [...this.#members.names, ...shown.flatMap(({ reads }) => reads)];
    this.#projection = Object.fromEntries(read.map((name) => [name, 1]));
  }

  /** One row for each id; undefined when they are more than a reply holds. */
  async rows(
    ids: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly (ExportedRow | undefined)[] | undefined> {
    const { db, resources } = this.#settings;
    const read = new SnapshotRead(db, { at: this.#at, deadline });
    const { collection } = this.resource;
    const found = await read.findSomeRaw(collection, {
      filter: { _id: { $in: ids } },
      projection: this.#projection,
    });
    this.#learn(found);
    if (found.length < ids.length && ids.length > 1) return undefined;
    const documents = found.map((bytes) => this.#valuesOf(bytes));
    const joined = await this.#related.join(this.resource, documents, read, NOTHING);
    const rows: ExportedRow[] = joined.flatMap((row, i) => {
      return row ? [{ ...row, bytes: found[i]! }] : [];
    });
    if (rows.length < found.length) {
      const left = documents.filter((_, i) => !joined[i]).map(({ _id }): unknown => _id);
      const lefts = await readRows(read, this.resource, resources, left);
      rows.push(...lefts.filter((row) => row !== undefined));
    }
    return inOrder(rows, ids);
  }

  #valuesOf(bytes: Uint8Array): StoredDocument {
    this.#members.read(bytes);
    return this.#members.decode(bytes, this.#all);
  }

  #learn(found: readonly Uint8Array[]): void {
    const bytes = found.reduce((sum, { length }) => sum + length, 0);
    if (bytes === 0) return;
    const rows = Math.floor((READ_BYTES * found.length) / bytes);
    this.rowsAtOnce = Math.max(1, Math.min(MOST_ROWS, rows));
  }
}

/** Nothing changes at one moment. */
const NOTHING = { has: () => false };
