/**
 * The values of a set of rows as items with a number each, which `cut` narrows to a page.
 *
 *     values    of the dictionary, each weighs as many rows as hold it
 *     unique    rows with a UUID
 *     arrays    rows with an array
 *
 * A number is the first six bytes of a text. Where the texts share a beginning it is the six bytes
 * after that; where too many texts have one number, they share a longer one, and are numbered again.
 * So are ids: those made within hours of one another may begin with the same time.
 */
import type { Scalar } from '../api.ts';
import type { Ranks } from '../order/page.ts';
import { type RowKey, scalarOf } from '../order/rowOrder.ts';
import { EMPTY_ARRAY, isNothing, keyAfter, prefixKey, sharedBeginning } from '../scalars.ts';
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { cut, type Items } from './cut.ts';
import type { RowSet } from './rowSet.ts';
import type { ValueCounts } from './valueCounts.ts';

/** Values and rows, each once. */
export interface Ranked {
  readonly values: Items;
  readonly unique: Items;
  readonly arrays: Items;
}

/** The items at some ranks, which are `count` rows, and the rows in items before and after them. */
export interface RankedAt extends Ranked {
  readonly count: number;
  readonly before: number;
  readonly after: number;
}

/** Texts whose shared beginning is looked for. */
const SAMPLED = 64;

const countOf = (groups: readonly Items[]) => groups.reduce((sum, { n }) => sum + n, 0);

const NONE: Items = { list: NULL_POINTER, numbers: NULL_POINTER, weights: NULL_POINTER, n: 0 };

export class RankedItems {
  readonly #space: Space;
  readonly #counts: ValueCounts;

  constructor(space: Space, counts: ValueCounts) {
    this.#space = space;
    this.#counts = counts;
  }

  /** Items that are compared rather than cut down once more. */
  get few(): number {
    return this.#space.layout.fewHits * 4;
  }

  /**
   * The items that may be at these ranks in ascending order, and the rows in those taken away before
   * and after. `apart`: the rows of the set that have an array.
   */
  at(rows: RowSet, apart: readonly RowNumber[], key: RowKey, ranks: Ranks): RankedAt {
    const items = this.#of(rows, apart, key);
    const groups = [items.values, items.unique, items.arrays];
    let before = 0;
    let left = rows.count;
    for (let shared = 0; ; ) {
      const n = countOf(groups);
      const within = { first: ranks.first - before, end: ranks.end - before };
      const taken = cut(this.#space, groups, left, within, this.few);
      before += taken.before;
      left -= taken.before + taken.after;
      if (countOf(groups) <= this.few) break;
      // Their first bytes are the same: the ones after what they share tell them apart.
      const longer = this.#renumber(items, key);
      if (longer === undefined || (longer <= shared && countOf(groups) * 2 > n)) break;
      shared = longer;
    }
    return { ...items, count: left, before, after: rows.count - before - left };
  }

  /** Numbers items by what follows their shared beginning; how long that is, if all are of one kind. */
  #renumber({ values, unique, arrays }: Ranked, key: RowKey): number | undefined {
    if (unique.n + arrays.n === 0) {
      const shared = this.#sharedBy(values, key);
      this.#numberValues(values, key, shared);
      return shared.length;
    }
    if (values.n + arrays.n > 0 || key.labelOf) return undefined;
    return key.column!.uuids!.numberAfterShared(unique.list, unique.n, unique.numbers);
  }

  #of(rows: RowSet, apart: readonly RowNumber[], key: RowKey): Ranked {
    const plain = rows.without(apart);
    const { list, weights, n } = this.#counts.counted(key.column!.dictionary!, plain);
    const values = { list, numbers: this.#space.scratch.take(n * 8), weights, n };
    const unique = this.#unique(plain, key);
    if (plain !== rows) plain.free();
    const arrays = this.#rows(apart, key);
    const isAlone = unique.n + arrays.n === 0;
    this.#numberValues(values, key, isAlone ? this.#sharedBy(values, key) : '');
    return { values, unique, arrays };
  }

  /** Numbers of values, of texts by what follows this beginning. */
  #numberValues({ list, numbers, n }: Items, key: RowKey, beginning: string): void {
    const { u32, f64 } = this.#space.memory;
    const [to, from] = [numbers >>> 3, list >>> 2];
    if (!key.labelOf) {
      key.column!.dictionary!.values.keysAfter(Buffer.from(beginning), list, n, numbers);
    }
    for (let i = 0; i < n; i++) {
      if (!key.labelOf && !Number.isNaN(f64[to + i]!)) continue;
      f64[to + i] = keyAfter(beginning, scalarOfValue(key, u32[from + i]! as Ordinal));
    }
  }

  /** The beginning that all texts of a sample share. */
  #sharedBy({ list, n }: Items, key: RowKey): string {
    const { u32 } = this.#space.memory;
    let shared: string | undefined;
    for (let i = 0; i < SAMPLED; i++) {
      const at = Math.floor((i * n) / SAMPLED);
      const scalar = n === 0 ? null : scalarOfValue(key, u32[(list >>> 2) + at]! as Ordinal);
      if (typeof scalar !== 'string') continue;
      shared = shared === undefined ? scalar : sharedBeginning(shared, scalar);
      if (shared === '') break;
    }
    return shared ?? '';
  }

  /** Rows whose value is kept as bytes. */
  #unique(rows: RowSet, key: RowKey): Items {
    const { uuids } = key.column!;
    if (!uuids || uuids.size === 0) return { ...NONE };
    const { kernel, scratch, bitmapBytes } = this.#space;
    const bitmap = scratch.bitmap(false);
    uuids.copyTo(bitmap);
    if (!rows.isAll) kernel.and(bitmap, rows.bitmap, bitmapBytes);
    const list = scratch.take(Math.min(uuids.size, rows.count) * 4);
    const n = kernel.collect(bitmap, bitmapBytes, 0, list, Math.min(uuids.size, rows.count));
    scratch.giveBack(bitmap);
    const numbers = scratch.take(n * 8);
    if (key.labelOf) this.#number(list, n, key, numbers);
    else uuids.prefixesOf(list, n, numbers);
    return { list, numbers, weights: NULL_POINTER, n };
  }

  #rows(rows: readonly RowNumber[], key: RowKey): Items {
    if (rows.length === 0) return { ...NONE };
    const { memory, scratch } = this.#space;
    const list = scratch.take(rows.length * 4);
    memory.u32.set(rows, list >>> 2);
    const numbers = scratch.take(rows.length * 8);
    this.#number(list, rows.length, key, numbers);
    return { list, numbers, weights: NULL_POINTER, n: rows.length };
  }

  #number(list: Pointer, n: number, { column, descending, labelOf }: RowKey, numbers: Pointer) {
    const { u32, f64 } = this.#space.memory;
    for (let i = 0; i < n; i++) {
      const row = u32[(list >>> 2) + i]! as RowNumber;
      f64[(numbers >>> 3) + i] = prefixKey(scalarOf(column!, row, descending, labelOf));
    }
  }
}

/** The scalar that rows with a value are ordered by, where it is all that they hold. */
export function scalarOfValue({ column, labelOf }: RowKey, ordinal: Ordinal): Scalar {
  const value = column!.dictionary!.values.at(ordinal)!;
  if (labelOf) return labelOf(value);
  return isNothing(value) ? EMPTY_ARRAY : value;
}
