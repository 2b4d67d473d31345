/**
 * Conditions beside a search, grouped by column, since counts of a column ignore the conditions on
 * it.
 *
 *     the search's rows ─┬─ listed ──► each row is asked every condition
 *                        └─ many ────► & a bitmap for each column, made once
 */
import type { Query, RowCondition, Scalar } from '../api.ts';
import type { Column } from '../column.ts';
import type { ColumnUse } from '../definition.ts';
import { bitmapOf, listOf } from '../evaluate/hitSet.ts';
import type { RowTest } from '../evaluate/rowTest.ts';
import { Union } from '../evaluate/union.ts';
import type { BitmapHandle, Pointer, RowNumber } from '../storage/brands.ts';
import type { RowNumbers } from '../storage/rowNumbers.ts';
import type { Space } from '../storage/space.ts';
import { Range } from './range.ts';
import { RowSet } from './rowSet.ts';

/** The parts of the table that evaluate conditions. */
export interface Means {
  readonly space: Space;
  readonly numbers: RowNumbers;
  readonly rowTest: RowTest;
  /** The column of this name, which may be used so. */
  readonly columnOf: (name: string, use: ColumnUse) => Column;
  readonly rowOf: (id: Scalar) => RowNumber | undefined;
}

interface Condition {
  /** The rows that meet it, in their own bitmap. */
  rows(): BitmapHandle;
  /** Moves the matching rows, of n listed ones, to the list's front; returns how many. */
  keep(list: Pointer, n: number): number;
}

/** Conditions on one column. */
interface Group {
  /** Undefined for conditions on ids. */
  readonly column: string | undefined;
  readonly conditions: Condition[];
  /** Made when it is needed. */
  bitmap: BitmapHandle | undefined;
}

export class Conditions {
  readonly #means: Means;
  readonly #groups: Group[] = [];

  constructor(means: Means, conditions: readonly RowCondition[]) {
    this.#means = means;
    for (const one of conditions) {
      const column = one.op === 'ids' ? undefined : one.column;
      let group = this.#groups.find((known) => known.column === column);
      if (!group) {
        group = { column, conditions: [], bitmap: undefined };
        this.#groups.push(group);
      }
      group.conditions.push(conditionOf(means, one));
    }
  }

  /** Whether there is a condition on this column. */
  isOn(column: string): boolean {
    return this.#groups.some((group) => group.column === column);
  }

  /** The rows for which all conditions hold, except those on the column `but`. */
  narrow(rows: RowSet, but?: string): RowSet {
    const groups = this.#groupsBut(but);
    if (groups.length === 0 || rows.count === 0) return rows;
    return this.areAsked(rows, but) ? this.#ask(rows, groups) : this.#intersect(rows, groups);
  }

  /** Whether each row is tested, rather than bitmaps intersected. */
  areAsked(rows: RowSet, but?: string): boolean {
    const questions = this.#groupsBut(but).flatMap(({ conditions }) => conditions).length;
    return rows.isList || rows.count * questions <= this.#means.space.layout.probedRows;
  }

  #groupsBut(but: string | undefined): readonly Group[] {
    return this.#groups.filter(({ column }) => column === undefined || column !== but);
  }

  /** Gives its bitmaps back. */
  free(): void {
    for (const group of this.#groups) {
      if (group.bitmap !== undefined) this.#means.space.scratch.giveBack(group.bitmap);
      group.bitmap = undefined;
    }
  }

  #ask(rows: RowSet, groups: readonly Group[]): RowSet {
    const { space, numbers } = this.#means;
    const kept = space.scratch.take(rows.count * 4);
    const { list, count } = rows;
    space.memory.u8.copyWithin(kept, list, list + count * 4);
    let left = count;
    for (const { conditions } of groups) {
      for (const condition of conditions) {
        if (left > 0) left = condition.keep(kept, left);
      }
    }
    return new RowSet(space, numbers, listOf(kept, left));
  }

  #intersect(rows: RowSet, groups: readonly Group[]): RowSet {
    const { space, numbers } = this.#means;
    const { kernel, memory, bitmapBytes } = space;
    const bitmaps = groups.map((group) => this.#bitmapOf(group));
    const from = rows.isAll ? bitmaps.shift()! : rows.bitmap;
    const intersection = space.scratch.bitmap(false);
    memory.u8.copyWithin(intersection, from, from + bitmapBytes);
    for (const bitmap of bitmaps) kernel.and(intersection, bitmap, bitmapBytes);
    return new RowSet(space, numbers, bitmapOf(intersection));
  }

  #bitmapOf(group: Group): BitmapHandle {
    if (group.bitmap !== undefined) return group.bitmap;
    const { kernel, bitmapBytes } = this.#means.space;
    const [first, ...others] = group.conditions;
    group.bitmap = first!.rows();
    for (const other of others) {
      const bitmap = other.rows();
      kernel.and(group.bitmap, bitmap, bitmapBytes);
      this.#means.space.scratch.giveBack(bitmap);
    }
    return group.bitmap;
  }
}

function conditionOf(means: Means, condition: RowCondition): Condition {
  const { space, numbers, columnOf } = means;
  if (condition.op === 'range') {
    return new Range(space, numbers, columnOf(condition.column, { range: true }), condition);
  }
  if (condition.op === 'ids') return new OfIds(means, condition.ids);
  const values = new OfValues(means, condition.column, condition.values);
  return condition.op === 'in' ? values : new WithoutValues(means, values);
}

class OfValues implements Condition {
  readonly #means: Means;
  readonly #column: Column;
  readonly #query: Extract<Query, { op: 'equals' }>;

  constructor(means: Means, column: string, values: readonly Scalar[]) {
    this.#means = means;
    this.#column = means.columnOf(column, { equals: true });
    this.#query = { op: 'equals', column, values };
  }

  rows(): BitmapHandle {
    const { space, numbers } = this.#means;
    const match = this.#column.lookup!.equalTo(this.#query.values);
    if (match === 'none') return space.scratch.bitmap();
    if (match === 'all') return everything(space, numbers);
    const union = new Union(space);
    this.#column.rows!.addTo(union, match);
    return union.finish();
  }

  keep(list: Pointer, n: number): number {
    const { space } = this.#means;
    const matched = space.scratch.take(n * 4);
    const kept = this.split(list, n, matched);
    space.memory.u8.copyWithin(list, matched, matched + kept * 4);
    return kept;
  }

  /** The same as the evaluator's: the others stay at the list's front. */
  split(list: Pointer, n: number, matched: Pointer): number {
    return this.#means.rowTest.split(this.#query, list, n, matched);
  }
}

class WithoutValues implements Condition {
  readonly #means: Means;
  readonly #values: OfValues;

  constructor(means: Means, values: OfValues) {
    this.#means = means;
    this.#values = values;
  }

  rows(): BitmapHandle {
    const { space, numbers } = this.#means;
    const without = this.#values.rows();
    const all = everything(space, numbers);
    space.kernel.andNot(all, without, space.bitmapBytes);
    space.scratch.giveBack(without);
    return all;
  }

  keep(list: Pointer, n: number): number {
    return n - this.#values.split(list, n, this.#means.space.scratch.take(n * 4));
  }
}

class OfIds implements Condition {
  readonly #means: Means;
  readonly #rows: ReadonlySet<RowNumber>;

  constructor(means: Means, ids: readonly Scalar[]) {
    this.#means = means;
    const rows = ids.map((id) => means.rowOf(id)).filter((row) => row !== undefined);
    this.#rows = new Set(rows);
  }

  rows(): BitmapHandle {
    const { space } = this.#means;
    const list = space.scratch.take(this.#rows.size * 4);
    space.memory.u32.set([...this.#rows], list >>> 2);
    const bitmap = space.scratch.bitmap();
    space.kernel.setBits(bitmap, list, this.#rows.size);
    return bitmap;
  }

  keep(list: Pointer, n: number): number {
    const { u32 } = this.#means.space.memory;
    let to = list >>> 2;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      if (this.#rows.has(u32[i]! as RowNumber)) u32[to++] = u32[i]!;
    }
    return to - (list >>> 2);
  }
}

function everything(space: Space, numbers: RowNumbers): BitmapHandle {
  const bitmap = space.scratch.bitmap(false);
  numbers.live.copyTo(bitmap);
  return bitmap;
}
