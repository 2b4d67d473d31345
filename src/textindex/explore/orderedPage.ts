/**
 * The page of an order that is not kept. It is found in one of three ways.
 *
 *     few rows       the rows are compared
 *     kept order     the rows at the page and their ties are compared
 *     many           the first key's values split the rows
 *
 * Only the values at the page matter for a split. Where there are many, as of UUIDs, their first
 * bytes tell which these are; see cut.ts.
 *
 *     status asc, id      CANCELLED 12,000 │ FAILURE 80,000 │ SUCCESS 900,000
 *     page 2,000          │◄──── before the page ────►│  ▲ its rows, in the order of the other keys
 *
 * Counts by value say where the page lies, so a value with half of the rows costs no comparison of
 * them. A set of any size that was found as a list is compared: no other row is read.
 */
import type { Column } from '../column.ts';
import { Union } from '../evaluate/union.ts';
import type { Order } from '../order/order.ts';
import type { Ranks } from '../order/page.ts';
import { keysOfTies, type RowKey, RowOrder, scalarOf } from '../order/rowOrder.ts';
import { selectFew } from '../order/selectFew.ts';
import { selectIn } from '../order/selectPage.ts';
import { compareScalars } from '../scalars.ts';
import { setBit } from '../storage/bits.ts';
import { NULL_POINTER, type Ordinal, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { countIn, type Items } from './cut.ts';
import type { Means } from './means.ts';
import { type RankedAt, RankedItems, scalarOfValue } from './rankedItems.ts';
import type { RowSet } from './rowSet.ts';

/** Rows before and after a page in which a tie at its ends is looked for first. */
const MARGIN = 64;

/** From a kept order, from the values at the page, or from all rows compared. */
export type OrderWay = 'by order' | 'by value' | 'by row';

/** Rows with one scalar of the first key: a value of the dictionary, or a row with an array. */
interface Part {
  /** It never decreases along the order, and equal ones decide nothing. */
  readonly number: number;
  readonly count: number;
  readonly ordinal?: Ordinal;
  readonly row?: RowNumber;
}

/** Parts that follow one another, and the rows before them. */
interface Run {
  readonly parts: Part[];
  readonly before: number;
  count: number;
}

export class OrderedPages {
  readonly #space: Space;
  readonly #means: Means;
  readonly #items: RankedItems;

  constructor(means: Means) {
    this.#space = means.space;
    this.#means = means;
    this.#items = new RankedItems(means.space, means.counts);
  }

  /** The rows of these ranks. Ties go by id, in the direction of the last key. */
  select(rows: RowSet, keys: readonly RowKey[], ranks: Ranks): RowNumber[] {
    if (ranks.end <= ranks.first) return [];
    const [key] = keys as [RowKey];
    const way = this.wayOf(rows, keys);
    if (way === 'by row') return this.#compared(rows, keys, ranks);
    if (way === 'by value') return this.#split(rows, keys as [RowKey, ...RowKey[]], ranks);
    const kept = this.#keptOrder(key)!;
    const { hits, count } = rows;
    if (keys.length === 1) return selectIn(this.#space, kept, key.descending, hits, count, ranks);
    return this.#aroundPage(kept, rows, keys as [RowKey, ...RowKey[]], ranks);
  }

  /** How a page of these rows is found. */
  wayOf(rows: RowSet, keys: readonly RowKey[]): OrderWay {
    const [key] = keys as [RowKey];
    if (this.#keptOrder(key) && !(rows.isList && keys.length > 1)) return 'by order';
    const isSplit = key.column?.dictionary && !rows.isList && rows.count > this.#items.few;
    return isSplit ? 'by value' : 'by row';
  }

  #split(rows: RowSet, keys: readonly [RowKey, ...RowKey[]], ranks: Ranks): RowNumber[] {
    const [{ column, descending }] = keys;
    const left = keysOfTies(keys);
    const apart = rows.among(column!.dictionary!.arrays);
    const ascending = descending
      ? { first: rows.count - ranks.end, end: rows.count - ranks.first }
      : ranks;
    const items = this.#items.at(rows, apart, keys[0], ascending);
    const before = descending ? items.after : items.before;
    if (items.values.n === 0 && items.count <= this.#items.few) {
      const { rows: near, numbers } = this.#rowsIn([items.ids, items.arrays]);
      const inside = { first: ranks.first - before, end: ranks.end - before };
      const order = new RowOrder(keys, this.#means.ids);
      if (descending) for (let i = 0; i < numbers.length; i++) numbers[i] = -numbers[i]!;
      return selectFew(order, near, inside, numbers);
    }
    const found: RowNumber[] = [];
    for (const run of runsAt(
      ranks,
      this.#partsOf(items),
      before,
      partsBy(keys[0]),
      this.#items.few,
    )) {
      const some = this.#rowsOf(rows, apart, column!, run.parts);
      const inside = {
        first: Math.max(0, ranks.first - run.before),
        end: Math.min(run.count, ranks.end - run.before),
      };
      const isOne = run.count > this.#items.few;
      const page = isOne ? this.select(some, left, inside) : this.#compared(some, keys, inside);
      for (const row of page) found.push(row);
      some.free();
    }
    return found;
  }

  #keptOrder({ column, descending, labelOf }: RowKey): Order | undefined {
    if (!column) return this.#means.byId;
    const isKept = column.ascending && !labelOf && !column.holdsNothing;
    return isKept ? column.order(descending) : undefined;
  }

  /** The page among the rows around it in the order of the first key, up to rows without a tie. */
  #aroundPage(
    kept: Order,
    rows: RowSet,
    keys: readonly [RowKey, ...RowKey[]],
    ranks: Ranks,
  ): RowNumber[] {
    const order = new RowOrder(keys, this.#means.ids);
    for (let margin = MARGIN; ; margin *= 8) {
      const first = Math.max(0, ranks.first - margin);
      const end = Math.min(rows.count, ranks.end + margin);
      const { hits, count } = rows;
      const near = selectIn(this.#space, kept, keys[0].descending, hits, count, { first, end });
      const page = { first: ranks.first - first, end: ranks.end - first };
      const isCut = (at: number, of: number) => order.areTied(near[at]!, near[of]!);
      const isWhole =
        (first === 0 || !isCut(0, page.first)) &&
        (end === rows.count || !isCut(near.length - 1, page.end - 1));
      if (isWhole) return this.#byTies(rows, near, order, keysOfTies(keys), page);
    }
  }

  /** The page of rows that are in order by the first key: ties are put in the order of the others. */
  #byTies(
    rows: RowSet,
    near: readonly RowNumber[],
    order: RowOrder,
    left: readonly RowKey[],
    page: Ranks,
  ): RowNumber[] {
    const found: RowNumber[] = [];
    for (let from = 0, to = 0; from < page.end; from = to) {
      while (to < near.length && order.areTied(near[from]!, near[to]!)) to++;
      if (to <= page.first) continue;
      const inside = { first: Math.max(0, page.first - from), end: Math.min(to, page.end) - from };
      const tied = Uint32Array.from(near.slice(from, to));
      if (tied.length <= this.#items.few) {
        for (const row of selectFew(order.ofTies!, tied, inside)) found.push(row);
        continue;
      }
      const { kernel, memory, scratch } = this.#space;
      const list = scratch.take(tied.length * 4);
      memory.u32.set(tied, list >>> 2);
      const bitmap = scratch.bitmap();
      kernel.setBits(bitmap, list, tied.length);
      const some = rows.of(bitmap);
      for (const row of this.select(some, left, inside)) found.push(row);
      some.free();
    }
    return found;
  }

  #compared(rows: RowSet, keys: readonly RowKey[], ranks: Ranks): RowNumber[] {
    const { list, count } = rows;
    const all = this.#space.memory.u32.slice(list >>> 2, (list >>> 2) + count);
    return selectFew(new RowOrder(keys, this.#means.ids), all, ranks);
  }

  #partsOf({ values, ids, arrays }: RankedAt): Part[] {
    const { f64, u32 } = this.#space.memory;
    const parts = new Map<Ordinal, { number: number; count: number; ordinal: Ordinal }>();
    for (let i = 0; i < values.n; i++) {
      const ordinal = u32[(values.list >>> 2) + i]! as Ordinal;
      const count = values.weights === NULL_POINTER ? 1 : u32[(values.weights >>> 2) + i]!;
      const known = parts.get(ordinal);
      if (known) known.count += count;
      else parts.set(ordinal, { number: f64[(values.numbers >>> 3) + i]!, count, ordinal });
    }
    const { rows, numbers } = this.#rowsIn([ids, arrays]);
    const ofRows = Array.from(rows as Iterable<RowNumber>, (row, i) => {
      return { number: numbers[i]!, count: 1, row };
    });
    return [...parts.values(), ...ofRows];
  }

  #rowsIn(groups: readonly Items[]) {
    const { f64, u32 } = this.#space.memory;
    const rows = new Uint32Array(countIn(groups));
    const numbers = new Float64Array(rows.length);
    let from = 0;
    for (const { list, numbers: own, n } of groups) {
      rows.set(u32.subarray(list >>> 2, (list >>> 2) + n), from);
      numbers.set(f64.subarray(own >>> 3, (own >>> 3) + n), from);
      from += n;
    }
    return { rows, numbers };
  }

  /** The rows of some parts. The rows of a value may hold it in an array, and stand elsewhere. */
  #rowsOf(
    rows: RowSet,
    apart: readonly RowNumber[],
    column: Column,
    parts: readonly Part[],
  ): RowSet {
    const { kernel, memory, scratch, bitmapBytes } = this.#space;
    const ordinals = parts.flatMap(({ ordinal }) => ordinal ?? []);
    const union = new Union(this.#space);
    const list = scratch.take((ordinals.length + apart.length) * 4);
    memory.u32.set(ordinals, list >>> 2);
    if (ordinals.length > 0) column.rows!.values.addTo(union, list, ordinals.length);
    const bitmap = union.finish();
    kernel.and(bitmap, rows.bitmap, bitmapBytes);
    memory.u32.set(apart, list >>> 2);
    kernel.clearBits(bitmap, list, apart.length);
    for (const { row } of parts) if (row !== undefined) setBit(memory.u8, bitmap, row);
    return rows.of(bitmap);
  }
}

/** The order of parts by a key, in its direction. */
function partsBy(key: RowKey): (a: Part, b: Part) => number {
  const { column, descending, labelOf } = key;
  const { values } = column!.dictionary!;
  const isText = ({ ordinal }: Part) => ordinal !== undefined && !labelOf && values.isText(ordinal);
  const scalarIn = ({ row, ordinal }: Part) =>
    row === undefined ? scalarOfValue(key, ordinal!) : scalarOf(column!, row, descending, labelOf);
  const ascending = (a: Part, b: Part) => {
    if (a.number !== b.number) return a.number - b.number;
    const areTexts = isText(a) && isText(b);
    return areTexts
      ? values.compare(a.ordinal!, b.ordinal!)
      : compareScalars(scalarIn(a), scalarIn(b));
  };
  return descending ? (a, b) => ascending(b, a) : ascending;
}

/**
 * The parts at these ranks, in order: a part of many rows by itself, the others together, as long as
 * they have few rows. Three-way quicksort (Bentley and McIlroy 1993) of the items at the ranks
 * alone.
 */
function runsAt(
  { first, end }: Ranks,
  all: readonly Part[],
  allBefore: number,
  compare: (a: Part, b: Part) => number,
  few: number,
): Run[] {
  const runs: Run[] = [];
  const sum = (parts: readonly Part[]) => parts.reduce((total, { count }) => total + count, 0);
  const add = (parts: readonly Part[], before: number, count: number) => {
    const last = runs.at(-1);
    if (!last || last.count + count > few) {
      runs.push({ parts: [...parts], before, count });
    } else {
      for (const part of parts) last.parts.push(part);
      last.count += count;
    }
  };
  const visit = (parts: readonly Part[], before: number, count: number): void => {
    if (parts.length === 0 || before >= end || before + count <= first) return;
    const pivot = parts[Math.floor(Math.random() * parts.length)]!;
    const [less, same, more]: [Part[], Part[], Part[]] = [[], [], []];
    for (const part of parts) {
      const order = compare(part, pivot);
      (order === 0 ? same : order < 0 ? less : more).push(part);
    }
    const [ofLess, ofSame] = [sum(less), sum(same)];
    visit(less, before, ofLess);
    const isAt = before + ofLess < end && before + ofLess + ofSame > first;
    if (isAt) add(same, before + ofLess, ofSame);
    visit(more, before + ofLess + ofSame, count - ofLess - ofSame);
  };
  visit(all, allBefore, sum(all));
  return runs;
}
