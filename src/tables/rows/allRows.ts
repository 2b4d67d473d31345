/**
 * All rows of a search at one moment, some at a time and as the reader takes them.
 *
 *     ids at F, in order   the index: a list of numbers │ the pipeline: a cursor
 *          └─► some of them ─► documents as of F, as bytes, with what they are joined to ─► rows
 *              some of them ─► … read while the ones before are taken
 *
 * A collection that is dropped or renamed meanwhile reads as empty, at F too. So it compares the
 * collections behind the names: from before F was known until after the last row was read. If it
 * cannot give all rows of F it throws, however many it has given before.
 */
import type { Db, Timestamp } from 'mongodb';
import { queryValue } from '../../store/bson/storeValue.ts';
import { laterOf } from '../../store/clusterTime.ts';
import { areSame, isThere, type StoodFor } from '../../store/collectionUuids.ts';
import { Deadline } from '../../store/deadline.ts';
import { isOvertaken } from '../../store/faults.ts';
import type { RowId } from '../../textindex/index.ts';
import { collectionsBehind } from '../definition/collectionsRead.ts';
import type { Resources } from '../definition/definition.ts';
import type { Presenter } from '../definition/record.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { stillWithin } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import type { Caller, Hold } from '../search/quota.ts';
import type { Answer, Search } from '../search/search.ts';
import type { CountedIds } from './allIds.ts';
import {
  gone,
  inPieces,
  isLarge,
  type LargeRow,
  type LargeRowTaker,
  READ_BYTES,
} from './largeRows.ts';
import { JOINED_BYTES, MomentReader, type Step, type StoredRow } from './momentReader.ts';

export interface AllRowsSettings {
  readonly db: Db;
  readonly resources: Resources;
  readonly search: Pick<Search, 'firstOf' | 'notBeforeOf'>;
  readonly index?: Pick<SearchIndex, 'ids'> | undefined;
  readonly pipeline: {
    ids(
      plan: Plan,
      notBefore: Timestamp | undefined,
      deadline: Deadline,
      options: { caller: Caller; life: Deadline; timeoutMs: number },
    ): Promise<CountedIds>;
  };
  /** `QUERY_TIMEOUT_MS`: the time limit of each read. */
  readonly timeoutMs: number;
}

/** On whose account rows are read. */
export interface RowTaker extends LargeRowTaker {
  readonly caller: Caller;
  /** Takes bytes of memory, until it is released or the request ends. */
  hold(bytes: number): Hold;
  readonly step: Step;
}

export interface AllRows {
  readonly route: Answer['route'];
  readonly asOf: Timestamp;
  readonly total: number;
  /** In the order of the plan; throws when some are missing. */
  readonly rows: AsyncGenerator<readonly StoredRow[], void, void>;
  /** The caller takes no more. */
  end(): void;
}

/** The most rows of one read, and rows of the first, whose size is unknown. */
const MAX_ROWS = 250;
const FIRST_ROWS = 25;
/**
 * Reads under way at once: the store works while records are made. With three, more rows would live through two
 * collections of young garbage, and stay as old garbage (docs/internals/export.md).
 */
const AHEAD = 2;

/** Moments that are tried while collections come and go. */
const MAX_ATTEMPTS = 4;

const ID_BYTES = 8;
/** Ids that are taken from the list at once. */
const IDS_AT_ONCE = 1_000;

/** The usual memory of reads under way and of documents that rows are joined to. */
const READING_BYTES = JOINED_BYTES + AHEAD * READ_BYTES;

type Found = CountedIds & { readonly route: Answer['route'] };

export class AllRowsReader {
  readonly #settings: AllRowsSettings;

  constructor(settings: AllRowsSettings) {
    this.#settings = settings;
  }

  /**
   * All rows of a plan, beyond its page.
   *
   * @param shown the presenters of the members to show
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
        const { route, asOf, total } = found;
        const { resource, within } = plan;
        if (total > 0 && !isThere(before, resource.collection)) {
          // Its collection came after the look, and may be gone again with its rows.
          found.end();
          if (attempt < MAX_ATTEMPTS) continue;
          throw gone();
        }
        // The index only has ids that a query can name.
        const visible = route === 'index' ? {} : stillWithin(resource, within);
        const reader = new MomentReader(this.#settings, { resource, shown, at: asOf, visible });
        const rows = this.#rows(reader, found, before, { life, taker });
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

  /** The ids, and the collections behind the names since before their moment. */
  async #find(plan: Plan, deadline: Deadline, taker: RowTaker, life: Deadline) {
    const { search, pipeline, timeoutMs } = this.#settings;
    const before = await collectionsBehind(this.#settings, plan.resource, deadline);
    const wanted = search.notBeforeOf(deadline);
    const notBefore = before.by ? laterOf(wanted, before.by) : wanted;
    const { caller } = taker;
    const found: Found = await search.firstOf(
      await this.#byIndex(plan, notBefore, deadline, taker),
      () => pipeline.ids(plan, notBefore, deadline, { caller, life, timeoutMs }),
    );
    return { found, before };
  }

  async #byIndex(
    plan: Plan,
    notBefore: Timestamp | undefined,
    deadline: Deadline,
    taker: RowTaker,
  ): Promise<CountedIds | undefined> {
    const found = await this.#settings.index?.ids(plan, notBefore, deadline);
    if (!found) return undefined;
    const { asOf, ids } = found;
    const hold = taker.hold(ids.length * ID_BYTES);
    const list = async function* () {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        yield Array.from<RowId, unknown>(ids.slice(from, from + IDS_AT_ONCE), queryValue);
      }
    };
    return { asOf, total: ids.length, ids: list(), end: hold.release };
  }

  async *#rows(
    reader: MomentReader,
    { ids, end, route }: Found,
    before: StoodFor,
    { life, taker }: { readonly life: Deadline; readonly taker: RowTaker },
  ): AsyncGenerator<readonly StoredRow[], void, void> {
    const { timeoutMs } = this.#settings;
    const size = new PartSize();
    const read = async (some: readonly unknown[]) => {
      const rows = await life.during(timeoutMs, (deadline) =>
        reader.rows(some, deadline, taker.step),
      );
      const there = rows.filter((row) => row !== undefined);
      // The index only has ids that a query can name; the store has others, which no page shows.
      if (there.length < rows.length && route === 'index') throw gone();
      size.learn(there);
      return there;
    };
    const large = async (some: readonly unknown[]) => {
      const rows = await life.during(timeoutMs, (deadline) => reader.whole(some, deadline));
      if (!rows.every((row) => row !== undefined)) throw gone();
      return rows;
    };
    const underWay: Promise<readonly (StoredRow | LargeRow)[]>[] = [];
    const taken = async function* () {
      yield* inPieces(await underWay.shift()!, large, taker);
    };
    const parts = inParts(ids, size);
    try {
      for (;;) {
        // Taken before the next part is cut: their sizes bound the size of that part.
        if (underWay.length === AHEAD) yield* taken();
        const { done, value: some } = await parts.next();
        if (done) break;
        const rows = read(some);
        rows.catch(() => {}); // nobody awaits the later reads once one fails
        underWay.push(rows);
      }
      while (underWay.length > 0) yield* taken();
      const now = await life.during(timeoutMs, (time) =>
        collectionsBehind(this.#settings, reader.resource, time),
      );
      if (!areSame(before, now)) throw gone();
    } finally {
      life.stop('client');
      end();
      await parts.return();
    }
  }
}

async function* inParts(
  replies: AsyncIterable<readonly unknown[]>,
  size: PartSize,
): AsyncGenerator<readonly unknown[], void, void> {
  for await (const ids of replies) {
    for (let from = 0, n = 0; from < ids.length; from += n) {
      n = size.rows;
      yield ids.slice(from, from + n);
    }
  }
}

/** The number of small rows that take about `READ_BYTES`, by the size of the latest ones. */
class PartSize {
  rows = FIRST_ROWS;

  learn(found: readonly (StoredRow | LargeRow)[]): void {
    const small = found.filter((row): row is StoredRow => !isLarge(row));
    if (small.length === 0) return;
    const bytes = small.reduce((sum, row) => sum + row.bytes.length, 0);
    const rows = Math.floor((READ_BYTES * small.length) / bytes);
    this.rows = Math.max(1, Math.min(MAX_ROWS, rows));
  }
}
