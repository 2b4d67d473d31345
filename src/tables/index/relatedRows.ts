/**
 * Texts that one resource's rows give to another's values: the names of shops by number, the
 * emails of customers by id.
 *
 *     shop 7 {number: "7d0a…", name: "Apollo"}
 *        ──► "7d0a…" is labelled "Apollo" in orders.shop and in invoices.shop
 *
 * A change of one shop touches one value of each table, however many orders belong to it.
 * Labelled tables may come and go; this state outlives them.
 *
 *     a new table            is owed every label       told before its rows come    prepare
 *     all rows forgotten     their labels are stale    told when they are back,     finish
 *                                                      those that are not come last
 *
 * Tables get their labels in slices, since a hundred thousand labels take seconds. Until then the
 * table, or the collection it relates to, is still loading and is not searched.
 */

import {
  type Cell,
  compareScalars,
  elements,
  keepFew,
  keepList,
  type RowId,
  type Scalar,
  type State,
  type Steps,
  scalarKey,
} from '../../textindex/index.ts';
import type { KeyType, RelatedField } from '../definition/definition.ts';
import { keyTypeOf, type RelationKey } from '../definition/relationKey.ts';
import type { GuardedTable } from './guardedTable.ts';

/** A key in a Map of keys of one type. */
const inMap = (key: RelationKey): MapKey => (typeof key === 'object' ? scalarKey(key) : key);
type MapKey = string | number | bigint;

/** A table that takes labels. */
export type LabelledTable = Pick<GuardedTable, 'ask'>;

/** A place that shows the texts: a label of a column. */
export interface LabelTarget {
  readonly table: LabelledTable;
  readonly column: string;
  readonly label: string;
}

interface RelatedRow {
  readonly id: RowId;
  readonly key: RelationKey;
  readonly texts: readonly string[];
  /** The text that a record shows, if the document has just one. */
  readonly shown: string | undefined;
}

/** Rows that a step enters in the maps. */
const ENTERED = 256;

export class RelatedRows {
  readonly #keyType: KeyType;
  /** Rows by the `scalarKey` of their id. */
  readonly #rows = new Map<string, RelatedRow>();
  /** Rows by relation key, the one with the least id first; more than one only in dirty data. */
  readonly #byKey = new Map<MapKey, RelatedRow[]>();
  #targets: readonly LabelTarget[] = [];
  /**
   * Keys of which new tables have not been told, neither at first nor by a change; all of them
   * until the first `prepare`. (An iterator that is not moved on keeps all that the Map ever held.)
   */
  readonly #owed = new WeakMap<LabelledTable, MapIterator<readonly RelatedRow[]> | 'all'>();
  /** Keys that had rows when all were forgotten, or have several, and whose labels may be others'. */
  readonly #stale = new Map<MapKey, RelationKey>();

  constructor(keyType: KeyType) {
    this.#keyType = keyType;
  }

  /** Replaces the places that show the texts; new places still need all labels. */
  showIn(targets: readonly LabelTarget[]): void {
    const before = new Set(this.#targets.map(({ table }) => table));
    this.#targets = targets;
    for (const { table } of targets) if (!before.has(table)) this.#owed.set(table, 'all');
  }

  /**
   * Tells a table its outstanding labels, until this time on `performance.now()`.
   *
   * @returns whether there is more
   */
  prepare(table: LabelledTable, until: number): boolean {
    let owed = this.#owed.get(table);
    if (!owed) return false;
    if (owed === 'all') {
      owed = this.#byKey.values();
      this.#owed.set(table, owed);
    }
    const targets = this.#targets.filter((target) => target.table === table);
    for (let next = owed.next(); !next.done; next = owed.next()) {
      for (const target of targets) this.#show(target, next.value[0]!.key);
      if (performance.now() >= until) return true;
    }
    this.#owed.delete(table);
    return false;
  }

  /** The same for stale labels, in all tables. */
  finish(until: number): boolean {
    for (const key of this.#stale.values()) {
      this.#tell(key);
      if (performance.now() >= until) return this.#stale.size > 0;
    }
    return false;
  }

  /**
   * A row is there with this key and these texts; null when it is gone. The label of a key with several
   * rows is told by `finish`, once for all of them: each time it takes as long as there are rows.
   */
  set(id: RowId, row: { key: Cell; texts: Cell } | null): void {
    const mapKey = scalarKey(id);
    const before = this.#rows.get(mapKey);
    if (before) this.#take(mapKey, before);
    const after = row && this.#related(id, row);
    if (after) this.#add(mapKey, after);
    const keys = [before, after].flatMap((one) => (one ? [one.key] : []));
    if (before && after && inMap(before.key) === inMap(after.key)) keys.pop();
    for (const key of keys) {
      if (this.#byKey.get(inMap(key))?.[1]) this.#stale.set(inMap(key), key);
      else this.#tell(key);
    }
  }

  /**
   * The text that a record shows for this key; if several rows have the key, the one with the least
   * id counts.
   */
  shown(key: RelationKey): string | undefined {
    return this.#byKey.get(inMap(key))?.[0]?.shown;
  }

  /** The texts of all rows with this key: its label. */
  texts(key: Scalar): readonly string[] {
    const rows = this.#byKey.get(inMap(key as RelationKey)) ?? [];
    return [...new Set(rows.flatMap(({ texts }) => texts))];
  }

  /** Whether a row has this key. */
  has(key: RelationKey): boolean {
    return this.#byKey.has(inMap(key));
  }

  /** A restored table has its labels already. */
  hasTold(table: LabelledTable): void {
    this.#owed.delete(table);
  }

  /** Its rows, for a checkpoint; see `State`. */
  *keep(state: State): Steps {
    const rows = [...this.#rows.values()];
    yield* keepList(state, rows, (row) => ({
      id: state.scalar(row?.id)!,
      key: state.scalar(row?.key) as RelationKey,
      texts: keepFew(state, row?.texts ?? [], (text) => state.text(text)),
      shown: state.scalar(row?.shown) as string | undefined,
    }));
    if (!state.reading) return;
    for (const [i, row] of rows.entries()) {
      this.#add(scalarKey(row.id), row);
      if (i % ENTERED === 0) yield;
    }
  }

  /** Forgets every row before the collection is loaded again. */
  clear(): void {
    for (const [key, [first]] of this.#byKey) this.#stale.set(key, first!.key);
    this.#rows.clear();
    this.#byKey.clear();
  }

  /** A key of another type, or several of them, is dirty data and relates to nothing. */
  #related(id: RowId, { key, texts }: { key: Cell; texts: Cell }): RelatedRow | undefined {
    if (Array.isArray(key) || keyTypeOf(key as Scalar) !== this.#keyType) return undefined;
    const strings = elements(texts).filter((text): text is string => typeof text === 'string');
    const shown = typeof texts === 'string' ? texts : undefined;
    return { id, key: key as RelationKey, texts: strings, shown };
  }

  #add(mapKey: string, row: RelatedRow): void {
    this.#rows.set(mapKey, row);
    const key = inMap(row.key);
    const same = this.#byKey.get(key);
    if (same) leastFirst(same, same.push(row) - 1);
    else this.#byKey.set(key, [row]);
  }

  #take(mapKey: string, row: RelatedRow): void {
    this.#rows.delete(mapKey);
    const key = inMap(row.key);
    const same = this.#byKey.get(key)!;
    if (same.length === 1) {
      this.#byKey.delete(key);
      return;
    }
    const at = same.indexOf(row);
    same[at] = same.at(-1)!;
    same.pop();
    // Else the first one stays: ids of many rows are compared once, not for each row that changes.
    if (at === 0) for (const other of same.keys()) leastFirst(same, other);
  }

  #tell(key: RelationKey): void {
    this.#stale.delete(inMap(key));
    for (const target of this.#targets) this.#show(target, key);
  }

  #show({ table, column, label }: LabelTarget, key: RelationKey): void {
    table.ask('relate', column, key, label, this.texts(key));
  }
}

/** Puts the row at this place first, if it has the least id of both. */
function leastFirst(rows: RelatedRow[], at: number): void {
  const [first] = rows;
  if (compareScalars(rows[at]!.id, first!.id) >= 0) return;
  rows[0] = rows[at]!;
  rows[at] = first!;
}

/** Equal for fields that relate to the same texts. */
export const relationName = ({ to, key, text, keyType }: RelatedField): string =>
  `${to} ${key} ${text} ${keyType}`;
