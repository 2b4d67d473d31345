/**
 * What one resource's rows say about another's values: the names of projects by identifier, the
 * emails of users by id.
 *
 *     project 7 {identifier: "7d0a…", name: "Apollo"}
 *        ──► "7d0a…" is labelled "Apollo" in tasks.project_id and in schedules.project_id
 *
 * A change of one project touches one value of each table, however many tasks belong to it. The
 * tables that are told may come and go; this state outlives them, so that a table loaded later
 * gets every label at once.
 */
import type { Cell, TextTable } from '../textindex/api.ts';
import { elements } from '../textindex/scalars.ts';

/** Integers past 2^53 are bigints. */
export type RelationKey = string | number | bigint;

/** A place where the texts show: a label of a column. */
export interface LabelTarget {
  readonly table: TextTable;
  readonly column: string;
  readonly label: string;
}

interface RelatedRow {
  readonly key: RelationKey;
  readonly texts: readonly string[];
}

export class RelatedRows {
  readonly #keyType: 'string' | 'number';
  /** By the row's id, as a Map key. */
  readonly #rows = new Map<unknown, RelatedRow>();
  /** Rows by relation key; more than one only in dirty data. */
  readonly #byKey = new Map<RelationKey, RelatedRow[]>();
  #targets: readonly LabelTarget[] = [];

  constructor(keyType: 'string' | 'number') {
    this.#keyType = keyType;
  }

  /** Replaces the places where the texts show, and tells the new ones everything. */
  showIn(targets: readonly LabelTarget[]): void {
    const before = new Set(this.#targets.map(({ table }) => table));
    this.#targets = targets;
    const fresh = targets.filter(({ table }) => !before.has(table));
    for (const key of this.#byKey.keys()) {
      for (const target of fresh) this.#show(target, key);
    }
  }

  /**
   * A row is there with this key and these texts; null when it is gone. Gives the keys whose rows
   * are others than before: what was joined by them is out of date.
   */
  set(mapKey: unknown, row: { key: Cell; texts: Cell } | null): RelationKey[] {
    const before = this.#rows.get(mapKey);
    if (before) this.#take(mapKey, before);
    const after = row && this.#related(row);
    if (after) this.#add(mapKey, after);
    const keys = new Set([before, after].flatMap((one) => (one ? [one.key] : [])));
    for (const key of keys) this.#tell(key);
    return [...keys];
  }

  /** Whether a row with this key is there. */
  has(key: RelationKey): boolean {
    return this.#byKey.has(key);
  }

  /** Forgets every row, as when the collection is loaded anew; gives the keys that had rows. */
  clear(): RelationKey[] {
    const keys = [...this.#byKey.keys()];
    this.#rows.clear();
    this.#byKey.clear();
    for (const key of keys) this.#tell(key);
    return keys;
  }

  /** A key of another type, or several of them, is dirty data and relates to nothing. */
  #related({ key, texts }: { key: Cell; texts: Cell }): RelatedRow | undefined {
    const type = typeof key === 'bigint' ? 'number' : typeof key;
    if (type !== this.#keyType) return undefined;
    const strings = elements(texts).filter((text): text is string => typeof text === 'string');
    return { key: key as RelationKey, texts: strings };
  }

  #add(mapKey: unknown, row: RelatedRow): void {
    this.#rows.set(mapKey, row);
    this.#byKey.set(row.key, [...(this.#byKey.get(row.key) ?? []), row]);
  }

  #take(mapKey: unknown, row: RelatedRow): void {
    this.#rows.delete(mapKey);
    const rest = this.#byKey.get(row.key)!.filter((other) => other !== row);
    if (rest.length > 0) this.#byKey.set(row.key, rest);
    else this.#byKey.delete(row.key);
  }

  #tell(key: RelationKey): void {
    for (const target of this.#targets) this.#show(target, key);
  }

  #show({ table, column, label }: LabelTarget, key: RelationKey): void {
    const rows = this.#byKey.get(key) ?? [];
    table.relate(column, key, label, [...new Set(rows.flatMap(({ texts }) => texts))]);
  }
}
