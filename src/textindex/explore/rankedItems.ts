/**
 * The values of a set of rows as items with a number each, which `cut` narrows to a page.
 *
 *     values    of the dictionary, each weighs as many rows as hold it
 *     unique    rows with a UUID
 *     arrays    rows with an array
 */
import type { Scalar } from '../api.ts';
import { type RowKey, scalarOf } from '../order/rowOrder.ts';
import { EMPTY_ARRAY, isNothing, prefixKey } from '../scalars.ts';
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Items } from './cut.ts';
import type { RowSet } from './rowSet.ts';
import type { ValueCounts } from './valueCounts.ts';

/** Values and rows, each once. */
export interface Ranked {
  readonly values: Items;
  readonly unique: Items;
  readonly arrays: Items;
}

const NONE: Items = { list: NULL_POINTER, numbers: NULL_POINTER, weights: NULL_POINTER, n: 0 };

export class RankedItems {
  readonly #space: Space;
  readonly #counts: ValueCounts;

  constructor(space: Space, counts: ValueCounts) {
    this.#space = space;
    this.#counts = counts;
  }

  /** `apart`: the rows of the set that have an array. */
  of(rows: RowSet, apart: readonly RowNumber[], key: RowKey): Ranked {
    const plain = rows.without(apart);
    const values = this.#values(plain, key);
    const unique = this.#unique(plain, key);
    if (plain !== rows) plain.free();
    return { values, unique, arrays: this.#rows(apart, key) };
  }

  #values(rows: RowSet, key: RowKey): Items {
    const { memory, scratch } = this.#space;
    const { list, weights, n } = this.#counts.counted(key.column!.dictionary!, rows);
    const numbers = scratch.take(n * 8);
    const { u32, f64 } = memory;
    for (let i = 0; i < n; i++) {
      const ordinal = u32[(list >>> 2) + i]! as Ordinal;
      f64[(numbers >>> 3) + i] = numberOf(key, ordinal);
    }
    return { list, numbers, weights, n };
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

/** The `prefixKey` of that scalar; a text need not be made for it. */
function numberOf(key: RowKey, ordinal: Ordinal): number {
  const { values } = key.column!.dictionary!;
  if (!key.labelOf && values.isText(ordinal)) return values.prefixOf(ordinal);
  return prefixKey(scalarOfValue(key, ordinal));
}
