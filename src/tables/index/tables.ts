/**
 * The tables that follow the store: one for each resource, with the labels that relate them.
 *
 *     follower ──► begin, load ──► rows, labels          while loading: not searched
 *              ──► apply (one synchronous step) ──► rows, labels
 *
 * An advance takes every table from one cluster time to the next before anything else runs, so a
 * search sees all of it or nothing. Maintenance that tables put off (merging, sorting) runs in
 * slices between requests.
 */
import type { Timestamp } from 'mongodb';
import type { Advance, Change, Sink } from '../../follow/sink.ts';
import { loop, PIECE_MS } from '../../loop.ts';
import {
  CapacityExceeded,
  type Row,
  type RowId,
  type State,
  type Steps,
  type TableDefinition,
  type TableImage,
  type TextTable,
} from '../../textindex/index.ts';
import type { Resources } from '../definition/definition.ts';
import { type TableLayout, tableLayout } from '../definition/tableDefinition.ts';
import type { ReadRow } from '../rows/reading.ts';
import { OddDocuments } from '../rows/rests/oddDocuments.ts';
import { restLayout } from '../rows/rests/restLayout.ts';
import { GuardedTable, type TableFailure } from './guardedTable.ts';
import { leavingRows, olderRows } from './leavingRows.ts';
import { type Relation, Relations } from './relations.ts';
import type { ResourceTable } from './resourceTable.ts';
import { boundRests, restBytesOf } from './restBytes.ts';
import { type FailureCounts, TableFailures } from './tableFailures.ts';

export interface TablesOptions {
  readonly resources: Resources;
  /** `expectedRows`: an estimate; left out when unknown. */
  readonly createTable: (definition: TableDefinition, expectedRows?: number) => TextTable;
  /** `SEARCH_MAX_BYTES`: the most that one table may reserve. */
  readonly maxBytes: number;
  /** `ROWS_MEMORY_BYTES`: the most that the rests of all tables may take together; 0 for none. */
  readonly maxRestBytes: number;
  /**
   * A table broke and answers nothing more. The caller loads it again after so many milliseconds,
   * or gives it up if `refusal` has a reason. Called when all that is under way has ended.
   */
  readonly onBroken: (broken: BrokenTable, backoffMs: number) => void;
  /** Told of every change, in the step that makes it. */
  readonly changes?: ChangeListener | undefined;
}

/** Learns which rows change. */
export interface ChangeListener {
  /** Rows are about to change: `table` shows them as they were. */
  changing(change: TableChange): void;
  /** All of a resource's rows may be others than before. */
  renewed(name: string): void;
}

export interface TableChange {
  /** The resource's. */
  readonly name: string;
  readonly changes: readonly Change[];
  readonly tables: Pick<Tables, 'of'>;
}

export interface BrokenTable extends TableFailure {
  readonly collection: string;
  readonly definition: TableDefinition;
}

/** A table that stands still, for a checkpoint. */
export interface StillTable {
  readonly name: string;
  readonly rows: number;
  /** One for each of its partitions. */
  readonly images: readonly TableImage[];
}

export class Tables implements Sink {
  readonly #options: TablesOptions;
  readonly #tables = new Map<string, ResourceTable>();
  /** The rows that give texts to values of others; of the frontier, as the tables are. */
  readonly relations: Relations;
  readonly #failures = new TableFailures();

  /** Forgotten tables whose labels are not removed from other tables yet. */
  readonly #forgotten = new Set<ResourceTable>();
  #isMaintained = false;
  /** Maintenance is put off, since nothing may change tables. */
  #standsStill = false;
  #isClosed = false;

  constructor(options: TablesOptions) {
    this.#options = options;
    for (const resource of Object.values(options.resources)) {
      const layout = tableLayout(resource, options.resources);
      const table = this.#emptyTable(resource.name, layout);
      const rest = options.maxRestBytes > 0 ? restLayout(resource, layout) : undefined;
      this.#tables.set(resource.name, {
        ...{ resource, layout, rest, table },
        odd: new OddDocuments(options.maxRestBytes),
        ...{ version: 0, since: undefined, loading: true },
      });
    }
    this.relations = new Relations(this.#tables);
  }

  get names(): readonly string[] {
    return [...this.#tables.keys()];
  }

  of(name: string): Readonly<ResourceTable> {
    return this.#of(name);
  }

  /** How often tables have broken. */
  get failures(): FailureCounts {
    return this.#failures.counts;
  }

  /** Bytes that the tables reserve. */
  get bytes(): number {
    let bytes = 0;
    for (const { table, odd } of this.#tables.values()) bytes += table.bytes + odd.bytes;
    return bytes;
  }

  /** Bytes of these that are rests of rows. */
  get restBytes(): number {
    return restBytesOf(this.#tables.values());
  }

  begin(name: string): void {
    const entry = this.#of(name);
    entry.loading = true;
    this.#forgotten.delete(entry);
    for (const { rows } of this.relations.to(entry)) rows.clear();
    this.#renew(entry);
  }

  prepare(name: string, budgetMs: number, expectedRows?: number): boolean {
    const entry = this.#of(name);
    entry.table.create(expectedRows);
    return this.#prepare(entry, performance.now() + budgetMs);
  }

  finish(name: string, budgetMs: number): boolean {
    const entry = this.#of(name);
    return entry.table.ask('sort', budgetMs) || this.#finish(entry, performance.now() + budgetMs);
  }

  load(name: string, rows: readonly Row[], gone: readonly RowId[]): void {
    const entry = this.#of(name);
    const relations = this.relations.to(entry);
    entry.table.create();
    for (const row of rows) this.#put(entry, relations, row.id, row);
    for (const id of gone) this.#put(entry, relations, id, null);
    this.#boundRests();
  }

  pause(name: string): void {
    this.#of(name).loading = true;
  }

  outdated(name: string, at: Timestamp): readonly RowId[] {
    const { resource, table } = this.#of(name);
    return resource.window ? olderRows(table, resource.window, at) : [];
  }

  apply({ at, changed, goingLive }: Advance): void {
    for (const { collection, changes } of changed) this.#change(collection, changes);
    for (const name of goingLive) this.#goLive(this.#of(name));
    const left = leavingRows(this.#tables.values(), at);
    for (const { collection, changes } of left) this.#change(collection, changes);
    this.#boundRests();
    if (changed.length > 0 || goingLive.length > 0 || left.length > 0) void this.#maintain();
  }

  forget(name: string): void {
    this.begin(name);
    this.#forgotten.add(this.#of(name));
    void this.#maintain();
  }

  refusal(name: string): string | null {
    const { failure, bytes: all, restBytes } = this.#of(name).table;
    const { maxBytes } = this.#options;
    const bytes = all - restBytes;
    if (failure?.error instanceof CapacityExceeded) return failure.error.message;
    if (bytes <= maxBytes) return null;
    return `its table takes ${bytes} bytes, and SEARCH_MAX_BYTES allows ${maxBytes}`;
  }

  /** From here on the table is live: it gets the labels now that the load did not reach. */
  #goLive(entry: ResourceTable): void {
    entry.loading = false;
    this.#options.changes?.renewed(entry.resource.name);
    entry.table.create();
    this.#prepare(entry, Number.POSITIVE_INFINITY);
    this.#finish(entry, Number.POSITIVE_INFINITY);
  }

  /** Tells the table outstanding labels; returns whether there are more. */
  #prepare({ table }: ResourceTable, until: number): boolean {
    for (const { rows } of this.relations) if (rows.prepare(table, until)) return true;
    return false;
  }

  /** Takes away labels that rows of the collection's former table have left in others, and tells those of many rows. */
  #finish(entry: ResourceTable, until: number): boolean {
    return this.relations.to(entry).some(({ rows }) => rows.finish(until));
  }

  /** Replaces the table by an empty one, which still needs its labels. */
  #renew(entry: ResourceTable): void {
    entry.version++;
    entry.since = undefined;
    entry.table = this.#emptyTable(entry.resource.name, entry.layout);
    entry.odd = new OddDocuments(this.#options.maxRestBytes);
    this.relations.show();
  }

  /** The place of a table that is made when its load begins. */
  #emptyTable(name: string, { definition }: TableLayout): GuardedTable {
    return new GuardedTable({
      definition,
      create: this.#options.createTable,
      onFailure: (failure) => this.#broke({ ...failure, collection: name, definition }),
    });
  }

  /**
   * Says so when the step that is under way has ended: others may not find a new table in it. A table that
   * was replaced meanwhile counts as well, and the load of the new one begins again.
   */
  #broke(broken: BrokenTable): void {
    queueMicrotask(() => {
      const full = broken.error instanceof CapacityExceeded;
      const backoffMs = full ? 0 : this.#failures.add(broken.collection, broken.operation);
      this.#options.onBroken(broken, backoffMs);
    });
  }

  #change(name: string, changes: readonly Change[]): void {
    const entry = this.#of(name);
    const relations = this.relations.to(entry);
    entry.table.create();
    this.#options.changes?.changing({ name, changes, tables: this });
    for (const { id, row } of changes) this.#put(entry, relations, id, row);
    this.#finish(entry, Number.POSITIVE_INFINITY);
  }

  #put(entry: ResourceTable, relations: readonly Relation[], id: RowId, row: ReadRow | null): void {
    entry.version++;
    entry.odd.set(id, row?.odd);
    if (row) entry.table.ask('put', row);
    else entry.table.ask('remove', id);
    for (const { key, text, rows } of relations) {
      rows.set(id, row && { key: row.cells[key]!, texts: row.cells[text]! });
    }
  }

  #boundRests(): void {
    const { maxRestBytes } = this.#options;
    if (this.restBytes > maxRestBytes) boundRests(this.#tables.values(), maxRestBytes);
  }

  async #maintain(): Promise<void> {
    if (this.#isMaintained) return;
    this.#isMaintained = true;
    do await loop.turn('maintenance');
    while (!this.#isClosed && !this.#standsStill && this.#maintainTables());
    this.#isMaintained = false;
  }

  /** A piece of the tables' maintenance; false when nothing is left to do. */
  #maintainTables(): boolean {
    const until = performance.now() + PIECE_MS;
    let more = false;
    for (const entry of this.#forgotten) {
      if (this.#finish(entry, until)) return true;
      this.#forgotten.delete(entry);
    }
    for (const { table, loading } of this.#tables.values()) {
      if (loading) continue;
      const left = until - performance.now();
      if (left <= 0) return true;
      more = table.ask('maintain', left) || more;
    }
    return more;
  }

  /** Another number after each change of any table. */
  get version(): number {
    let version = 0;
    for (const entry of this.#tables.values()) version += entry.version;
    return version;
  }

  /** Whether maintenance is under way. */
  get isMaintained(): boolean {
    return this.#isMaintained;
  }

  /**
   * Finishes the maintenance and calls `work` with images of these tables, while the follower holds
   * all changes.
   */
  async standStill<T>(
    names: Iterable<string>,
    work: (tables: readonly StillTable[]) => Promise<T>,
  ): Promise<T> {
    const held: StillTable[] = [];
    this.#standsStill = true;
    try {
      while (this.#maintainTables()) await loop.turn('maintenance');
      for (const name of names) {
        const { table } = this.#of(name);
        const images = table.ask('images');
        if (!images) throw new Error(`the table ${name} cannot be kept`);
        held.push({ name, rows: table.size, images });
      }
      return await work(held);
    } finally {
      for (const image of held.flatMap(({ images }) => images)) image.close();
      this.#standsStill = false;
      void this.#maintain();
    }
  }

  /** A checkpoint has these beside a table: odd documents, and the rows that others relate to. */
  *keepBeside(name: string, state: State): Steps {
    const entry = this.#of(name);
    yield* entry.odd.keep(state);
    for (const { rows } of this.relations.to(entry)) yield* rows.keep(state);
  }

  /** Has a restored table, whose labels and other state were restored too. */
  take(name: string, restored: TextTable): void {
    const { table } = this.#of(name);
    table.take(restored);
    for (const { rows } of this.relations) rows.hasTold(table);
  }

  /** Ends the maintenance. */
  close(): void {
    this.#isClosed = true;
  }

  /** Walks every invariant of every table; see `TextTable.check`. */
  check(): void {
    for (const { table, odd } of this.#tables.values()) {
      table.check();
      if (!table.failure) odd.check((id) => table.has(id) === true);
    }
  }

  #of(name: string): ResourceTable {
    const entry = this.#tables.get(name);
    if (!entry) throw new Error(`the table ${name} is not followed`);
    return entry;
  }
}
