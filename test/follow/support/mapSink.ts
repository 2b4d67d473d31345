/**
 * The plainest sink there is: a Map a collection. It keeps what it showed after each advance, so that
 * a test can compare every state that searches could have seen.
 */
import type { Timestamp } from 'mongodb';
import type { Advance, Sink } from '../../../src/follow/sink.ts';
import { type Row, type RowId, scalarKey } from '../../../src/textindex/index.ts';

export type Table = Map<unknown, Row>;

/** All live tables as they stood right after an advance. */
export interface Shown {
  readonly at: Timestamp;
  readonly tables: ReadonlyMap<string, ReadonlyMap<unknown, Row>>;
}

export class MapSink implements Sink {
  readonly tables = new Map<string, Table>();
  readonly live = new Set<string>();
  readonly shown: Shown[] = [];
  /** Keep a copy after each advance. */
  keep = true;
  /** Rows a table may hold. */
  limit = Number.POSITIVE_INFINITY;
  advances = 0;
  changes = 0;
  longestStepMs = 0;

  /** Slices that a table needs before its rows, and after them. */
  slices = 2;
  readonly #toPrepare = new Map<string, number>();
  readonly #toFinish = new Map<string, number>();

  /** Ids that are outdated when a restored table has caught up. */
  readonly old: RowId[] = [];

  outdated(collection: string, _at?: Timestamp): readonly RowId[] {
    if (this.live.has(collection)) throw new Error(`${collection} is live, not loading`);
    return this.old;
  }

  pause(collection: string): void {
    this.live.delete(collection);
  }

  begin(collection: string): void {
    this.live.delete(collection);
    this.tables.set(collection, new Map());
    this.#toPrepare.set(collection, this.slices);
    this.#toFinish.set(collection, this.slices);
  }

  prepare(collection: string): boolean {
    return countDown(this.#toPrepare, collection);
  }

  finish(collection: string): boolean {
    if (this.#toPrepare.get(collection) !== 0) throw new Error(`${collection} is not prepared`);
    return countDown(this.#toFinish, collection);
  }

  load(collection: string, rows: readonly Row[], gone: readonly RowId[]): void {
    if (this.live.has(collection)) throw new Error(`${collection} is live, not loading`);
    if (this.#toPrepare.get(collection) !== 0) throw new Error(`${collection} is not prepared`);
    const table = this.#table(collection);
    for (const row of rows) table.set(scalarKey(row.id), row);
    for (const id of gone) table.delete(scalarKey(id));
  }

  apply({ at, changed, goingLive }: Advance): void {
    const last = this.shown.at(-1);
    if (last?.at.greaterThan(at)) throw new Error(`moved back from ${last.at} to ${at}`);
    for (const name of goingLive) {
      if (this.#toFinish.get(name) !== 0) throw new Error(`${name} is not finished`);
      this.live.add(name);
    }
    for (const { collection, changes } of changed) {
      if (!this.live.has(collection)) throw new Error(`${collection} advances but is not live`);
      const table = this.#table(collection);
      for (const { id, row } of changes) {
        if (row) table.set(scalarKey(id), row);
        else table.delete(scalarKey(id));
        this.changes++;
      }
    }
    this.advances++;
    if (this.keep) this.shown.push({ at, tables: this.copy() });
  }

  forget(collection: string): void {
    this.live.delete(collection);
    this.tables.delete(collection);
  }

  refusal(collection: string): string | null {
    return (this.tables.get(collection)?.size ?? 0) > this.limit ? 'the table is full' : null;
  }

  copy(): Map<string, Table> {
    return new Map([...this.live].map((name) => [name, new Map(this.#table(name))]));
  }

  #table(collection: string): Table {
    const table = this.tables.get(collection);
    if (!table) throw new Error(`${collection} has no table`);
    return table;
  }
}

/** Whether one more call is needed. */
function countDown(left: Map<string, number>, collection: string): boolean {
  const next = Math.max(0, left.get(collection)! - 1);
  left.set(collection, next);
  return next > 0;
}
