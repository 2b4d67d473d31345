/**
 * Counts the values that the rows of a group hold, such as the rows of a project.
 *
 *     project_id = p7, scope = project ──► user_email  17 ×240, 31 ×12    the text is looked for in these;
 *                                          status      4 ×250, 5 ×2       columns without it are not read
 *
 * Reading a row's value costs a cache miss. A free text is sought in nine columns, and most of them
 * have it in none of the group's values. The counts of a group follow from its rows alone; how long
 * they are kept depends on other searches: an LRU cache.
 *
 * A group's values are counted when it is first searched, and then follow each change of a row,
 * until there are too many of them. The least recently searched groups are forgotten: all groups
 * together may take a byte for each row of the table.
 */
import type { Column } from '../column.ts';
import { ARRAY, FIRST_VALUE } from '../dictionary/ordinals.ts';
import { type Conjunction, probesOf } from '../plan/physicalPlan.ts';
import { hasBit } from '../storage/bits.ts';
import type { Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import type { Memory } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { HeldGroup } from './heldGroup.ts';

/** A value of one column that all rows of a group have in common. */
interface Condition {
  readonly column: number;
  readonly ordinal: Ordinal;
}

/**
 * A group with more values is not counted: looking each of them up takes as long as reading the
 * rows.
 */
const MAX_VALUES = 4096;

export class HeldValues {
  readonly #space: Space;
  readonly #columns: readonly Column[];
  /** The searched columns, numbered from 0 here, by their number in the table. */
  readonly #searched: ReadonlyMap<number, number>;
  /** Groups by their conditions, the least recently searched one first. */
  readonly #groups = new Map<string, Group>();
  /** The same by the column and the value of their first condition. */
  readonly #byFirst = new Map<number, Map<Ordinal, Group[]>>();
  #values = 0;

  constructor(space: Space, columns: readonly Column[]) {
    this.#space = space;
    this.#columns = columns;
    const searched = columns.flatMap(({ dictionary }, n) => (dictionary?.searched ? [n] : []));
    this.#searched = new Map(searched.map((column, place) => [column, place]));
  }

  /**
   * The values held by the n rows of the list, which `among` has found; undefined if they are not
   * known.
   */
  of(among: Conjunction, list: Pointer, n: number): HeldGroup | undefined {
    if (n < this.#space.layout.heldRows) return undefined;
    const conditions = conditionsOf(among, this.#space.memory);
    if (!conditions) return undefined;
    const key = conditions.map(({ column, ordinal }) => `${column}=${ordinal}`).join();
    const group = this.#groups.get(key);
    if (group && (group.held || n < 2 * group.learnedRows)) {
      this.#groups.delete(key);
      this.#groups.set(key, group);
      return group.held;
    }
    if (group) this.#forget(group);
    const held = this.#learn(list, n);
    this.#keep({ key, conditions, held, learnedRows: n });
    this.#makeRoom();
    return held;
  }

  /** Counts a row's present values. */
  add(row: RowNumber): void {
    if (this.#groups.size > 0) this.#change(row, 1);
  }

  /** A row is about to hold something else, or nothing. */
  remove(row: RowNumber): void {
    if (this.#groups.size > 0) this.#change(row, -1);
  }

  get heapBytes(): number {
    return this.#values * 8 + this.#groups.size * 400;
  }

  /** `rows`: all rows of the table. */
  check(rows: readonly RowNumber[]): void {
    for (const { key, conditions, held } of this.#groups.values()) {
      if (!held) continue;
      const own = rows.filter((row) => this.#isIn(row, conditions));
      if (own.length !== held.rows) throw new Error(`held values: ${key} has other rows`);
      for (const column of this.#searched.keys()) {
        const counts = new Map<Ordinal, number>();
        for (const row of own) {
          for (const ordinal of this.#columns[column]!.dictionary!.ordinalsAt(row)) {
            counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
          }
        }
        const kept = [...held.valuesOf(column)];
        if (kept.length !== counts.size || kept.some(([of, n]) => counts.get(of) !== n)) {
          throw new Error(`held values: those of ${key} in column ${column} are others`);
        }
      }
    }
  }

  #change(row: RowNumber, by: 1 | -1): void {
    for (const [column, byValue] of this.#byFirst) {
      for (const first of this.#columns[column]!.dictionary!.ordinalsAt(row)) {
        for (const group of byValue.get(first) ?? []) {
          const { held, conditions } = group;
          if (!held || !this.#isIn(row, conditions)) continue;
          this.#count(held, row, by);
          if (held.size > MAX_VALUES) this.#forget(group);
        }
      }
    }
    this.#makeRoom();
  }

  #count(held: HeldGroup, row: RowNumber, by: 1 | -1): void {
    held.rows += by;
    const before = held.size;
    for (const column of this.#searched.keys()) {
      const { dictionary } = this.#columns[column]!;
      for (const ordinal of dictionary!.ordinalsAt(row)) held.count(column, ordinal, by);
    }
    this.#values += held.size - before;
  }

  #isIn(row: RowNumber, conditions: readonly Condition[]): boolean {
    return conditions.every(({ column, ordinal }) =>
      this.#columns[column]!.dictionary!.ordinalsAt(row).includes(ordinal),
    );
  }

  /** Counts the values of the n rows of a list; undefined when they are too many to be worth it. */
  #learn(list: Pointer, n: number): HeldGroup | undefined {
    const held = new HeldGroup(this.#searched, n);
    const most = Math.min(n, MAX_VALUES);
    for (const column of this.#searched.keys()) {
      const counts = this.#countsOf(column, list, n, most - held.size);
      if (!counts) return undefined;
      held.append(column, counts);
    }
    return held;
  }

  /** The values of a column that the n rows of a list hold, and by how many; undefined for more than `most`. */
  #countsOf(column: number, list: Pointer, n: number, most: number): number[] | undefined {
    const { kernel, memory, scratch, segmentBits } = this.#space;
    const { dictionary } = this.#columns[column]!;
    const { ordinalBytes, ordinals, arrays } = dictionary!;
    const each = scratch.take(n * 4);
    const present = scratch.takeZero(ordinalBytes);
    kernel.markOrdinals(list, n, ordinals.table, segmentBits, each, present);
    // All of them, and the two that stand for no value.
    const distinct = scratch.take(n * 4);
    const found = kernel.collect(present, ordinalBytes, 0, distinct, n);
    const counts = scratch.take(ordinalBytes * 32);
    const { u8, u32 } = memory;
    const ordinalAt = (i: number) => u32[(distinct >>> 2) + i]! as Ordinal;
    for (let i = 0; i < found; i++) u32[(counts >>> 2) + ordinalAt(i)] = 0;
    kernel.tally(each, n, counts);
    const inArrays = new Map<Ordinal, number>();
    for (let i = 0; hasBit(u8, present, ARRAY) && i < n && inArrays.size <= most; i++) {
      if (u32[(each >>> 2) + i] !== ARRAY) continue;
      const row = u32[(list >>> 2) + i]! as RowNumber;
      for (const ordinal of arrays.get(row)!) {
        inArrays.set(ordinal, (inArrays.get(ordinal) ?? 0) + 1);
      }
    }
    const values: number[] = [];
    for (let i = 0; i < found; i++) {
      const ordinal = ordinalAt(i);
      if (ordinal < FIRST_VALUE) continue;
      values.push(ordinal, u32[(counts >>> 2) + ordinal]! + (inArrays.get(ordinal) ?? 0));
      inArrays.delete(ordinal);
    }
    for (const [ordinal, rows] of inArrays) values.push(ordinal, rows);
    scratch.cut(each);
    return values.length > 2 * most ? undefined : values;
  }

  #keep(group: Group): void {
    const [first] = group.conditions;
    this.#groups.set(group.key, group);
    const byValue = this.#byFirst.get(first!.column) ?? new Map<Ordinal, Group[]>();
    this.#byFirst.set(first!.column, byValue);
    byValue.set(first!.ordinal, [...(byValue.get(first!.ordinal) ?? []), group]);
    this.#values += roomOf(group);
  }

  #makeRoom(): void {
    const { layout, bitmapBytes } = this.#space;
    // A value takes eight bytes: a byte for every row.
    const most = Math.max(layout.heldValues, bitmapBytes);
    for (const group of this.#groups.values()) {
      if (this.#values <= most) return;
      this.#forget(group);
    }
  }

  #forget(group: Group): void {
    const [first] = group.conditions;
    this.#groups.delete(group.key);
    const byValue = this.#byFirst.get(first!.column)!;
    const left = byValue.get(first!.ordinal)!.filter((other) => other !== group);
    if (left.length > 0) byValue.set(first!.ordinal, left);
    else byValue.delete(first!.ordinal);
    this.#values -= roomOf(group);
  }
}

/** Rows that were searched as a group. */
interface Group {
  readonly key: string;
  readonly conditions: readonly Condition[];
  /** Undefined if there are too many values. */
  readonly held: HeldGroup | undefined;
  /** Rows at the latest count; a group with too many values is counted again at twice as many. */
  readonly learnedRows: number;
}

/** A group that is not counted takes a little room too. */
const PER_GROUP = 32;
const roomOf = ({ held }: Group) => PER_GROUP + (held?.size ?? 0);

/** The conditions of rows that are found by one value in each of some columns. */
function conditionsOf(
  { source, residuals }: Conjunction,
  { u32 }: Memory,
): readonly Condition[] | undefined {
  const conditions: Condition[] = [];
  for (const { any } of [source, ...residuals]) {
    const [match] = any.matches;
    if (!match || probesOf(any) !== 1 || match.n !== 1) return undefined;
    if (match.pieces.length + match.infixes.length > 0) return undefined;
    conditions.push({ column: match.column, ordinal: u32[match.ordinals >>> 2]! as Ordinal });
  }
  return conditions.sort((a, b) => a.column - b.column);
}
