/**
 * The rows of a search that meet conditions, grouped by column, since counts of a column ignore the
 * conditions on it.
 *
 *     the search's rows ─┬─ listed ──► each row is asked every condition
 *                        └─ many ────► & a bitmap for each column, made once
 */
import type { Query, RowCondition, Scalar } from '../api.ts';
import { columnOfCondition } from '../definition.ts';
import { bitmapOf, listOf } from '../evaluate/hitSet.ts';
import { splitByQuery } from '../evaluate/rowTest.ts';
import { Union } from '../evaluate/union.ts';
import { copiedRows } from '../storage/bitmap.ts';
import { type BitmapHandle, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Means } from './means.ts';
import { Range } from './range.ts';
import { RowSet } from './rowSet.ts';
import { splitRows } from './splitRows.ts';

interface Condition {
  /** The rows that meet it, in their own bitmap. */
  rows(): BitmapHandle;
  /** Partitions the first n rows of a list, as `splitRows` does. */
  split(list: Pointer, n: number, matched: Pointer): number;
}

/** Conditions on one column. */
interface Group {
  /** Undefined for conditions that all counts heed. */
  readonly column: string | undefined;
  readonly conditions: Condition[];
  /** How many look-ups they take for a row. */
  questions: number;
  /** The rows that meet them; undefined until it is needed. */
  bitmap: BitmapHandle | undefined;
}

export class Conditions {
  readonly #means: Means;
  readonly #base: RowSet;
  readonly #groups: Group[] = [];
  #all: RowSet | undefined;
  /** The rows that were narrowed last for counts of a column. */
  #beside: { readonly column: string; readonly rows: RowSet } | undefined;

  /** `base`: the search's rows, which stay the caller's. */
  constructor(means: Means, base: RowSet, conditions: readonly RowCondition[]) {
    this.#means = means;
    this.#base = base;
    for (const one of conditions) {
      const column = columnOfCondition(one);
      let group = this.#groups.find((known) => known.column === column);
      if (!group) {
        group = { column, conditions: [], questions: 0, bitmap: undefined };
        this.#groups.push(group);
      }
      group.conditions.push(conditionOf(means, one));
      group.questions += questionsOf(one);
    }
  }

  /** The rows that meet all conditions. */
  get all(): RowSet {
    this.#all ??= this.#narrow(this.#groups);
    return this.#all;
  }

  /** The rows that meet the conditions on other columns, until those of another one are asked for. */
  beside(column: string): RowSet {
    const others = this.#groups.filter((group) => group.column !== column);
    if (others.length === this.#groups.length) return this.all;
    if (this.#beside?.column === column) return this.#beside.rows;
    this.#giveBack(this.#beside?.rows);
    const rows = this.#narrow(others);
    this.#beside = { column, rows };
    return rows;
  }

  /** Whether each row is tested, rather than bitmaps intersected. */
  get areAsked(): boolean {
    return this.#asks(this.#groups);
  }

  /** Gives its bitmaps back. */
  free(): void {
    this.#giveBack(this.#all);
    this.#giveBack(this.#beside?.rows);
    for (const group of this.#groups) {
      if (group.bitmap !== undefined) this.#means.space.scratch.giveBack(group.bitmap);
      group.bitmap = undefined;
    }
  }

  #giveBack(rows: RowSet | undefined): void {
    if (rows !== this.#base) rows?.free();
  }

  #narrow(groups: readonly Group[]): RowSet {
    if (groups.length === 0 || this.#base.count === 0) return this.#base;
    return this.#asks(groups) ? this.#ask(groups) : this.#intersect(groups);
  }

  #asks(groups: readonly Group[]): boolean {
    const { isList, count } = this.#base;
    const { space } = this.#means;
    const questions = groups.reduce((sum, group) => sum + group.questions, 0);
    return isList || count * questions <= space.few(space.layout.probedRows);
  }

  #ask(groups: readonly Group[]): RowSet {
    const { space, numbers } = this.#means;
    const { list, count } = this.#base;
    let kept = space.scratch.take(count * 4);
    let other = space.scratch.take(count * 4);
    space.memory.u8.copyWithin(kept, list, list + count * 4);
    let left = count;
    for (const condition of groups.flatMap(({ conditions }) => conditions)) {
      if (left === 0) break;
      left = condition.split(kept, left, other);
      [kept, other] = [other, kept];
    }
    return new RowSet(space, numbers, listOf(kept, left));
  }

  #intersect(groups: readonly Group[]): RowSet {
    const { space, numbers } = this.#means;
    const { kernel, memory, scratch, bitmapBytes } = space;
    const range = this.#soleRange;
    if (range && this.#base.isAll) return new RowSet(space, numbers, bitmapOf(range.rows()));
    const bitmaps = range ? [] : groups.map((group) => this.#bitmapOf(group));
    const [from, ...others] = this.#base.isAll ? bitmaps : [this.#base.bitmap, ...bitmaps];
    const intersection = scratch.bitmap(false);
    memory.u8.copyWithin(intersection, from!, from! + bitmapBytes);
    for (const bitmap of others) kernel.and(intersection, bitmap, bitmapBytes);
    range?.keepIn(intersection);
    return new RowSet(space, numbers, bitmapOf(intersection));
  }

  /** A range that is all there is: no other counts ask for its rows again. */
  get #soleRange(): Range | undefined {
    const [range, ...others] = this.#groups.flatMap(({ conditions }) => conditions);
    return range instanceof Range && others.length === 0 ? range : undefined;
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

/** The rows with each of a column's values, among some. The next request gives a set back. */
export function* rowsOfEach(
  means: Means,
  rows: RowSet,
  column: string,
  values: readonly Scalar[],
): Generator<RowSet, void> {
  for (const value of values) {
    const having = new Conditions(means, rows, [{ op: 'in', column, values: [value] }]);
    yield having.all;
    having.free();
  }
}

function conditionOf(means: Means, condition: RowCondition): Condition {
  switch (condition.op) {
    case 'ids':
      return ofIds(means, condition.ids);
    case 'range':
    case 'nothing': {
      const ranged = means.rangedOf(condition.column);
      return new Range(means.space, means.numbers, ranged, condition);
    }
    case 'in':
      return ofQuery(means, { ...condition, op: 'equals' });
    case 'matches':
      return ofQuery(means, condition.query);
    case 'not':
      return not(means, conditionOf(means, condition.of));
    case 'any': {
      const parts = condition.of.map((part) => conditionOf(means, part));
      return anyOf(means.space, parts);
    }
  }
}

/** The look-ups that a condition takes for a row, at most. */
function questionsOf(condition: RowCondition): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  const leaves = (query: Query): number =>
    query.op === 'and' || query.op === 'or' ? sum(query.of.map(leaves)) : 1;
  if (condition.op === 'not') return questionsOf(condition.of);
  if (condition.op === 'any') return sum(condition.of.map(questionsOf));
  return 'query' in condition ? leaves(condition.query) : 1;
}

function ofQuery(means: Means, query: Query): Condition {
  const { space, numbers, find } = means;
  return {
    rows: () => new RowSet(space, numbers, find(query)).bitmap,
    split: (list, n, matched) => splitByQuery(means, query, list, n, matched),
  };
}

function not({ space, numbers }: Means, condition: Condition): Condition {
  return {
    rows() {
      const without = condition.rows();
      const all = copiedRows(space, numbers.live);
      space.kernel.andNot(all, without, space.bitmapBytes);
      space.scratch.giveBack(without);
      return all;
    },
    split(list, n, matched) {
      const { memory, scratch } = space;
      const held = scratch.take(n * 4);
      const found = condition.split(list, n, held);
      memory.u8.copyWithin(matched, list, list + (n - found) * 4);
      memory.u8.copyWithin(list, held, held + found * 4);
      return n - found;
    },
  };
}

function anyOf(space: Space, parts: readonly Condition[]): Condition {
  return {
    rows() {
      const union = new Union(space);
      for (const part of parts) union.addScratch(part.rows());
      return union.finish();
    },
    split(list, n, matched) {
      let found = 0;
      for (const part of parts) found += part.split(list, n - found, plus(matched, found * 4));
      return found;
    },
  };
}

function ofIds({ space, ids, byId }: Means, sought: readonly Scalar[]): Condition {
  const found = sought.map((id) => ids.find(byId, id)).filter((row) => row !== undefined);
  const rows = new Set(found);
  return {
    rows() {
      const list = space.scratch.take(rows.size * 4);
      space.memory.u32.set([...rows], list >>> 2);
      const bitmap = space.scratch.bitmap();
      space.kernel.setBits(bitmap, list, rows.size);
      return bitmap;
    },
    split: (list, n, matched) =>
      splitRows(space.memory.u32, list, n, matched, (row) => rows.has(row)),
  };
}
