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
import { ARRAY } from '../dictionary/ordinals.ts';
import { addValues, ordinalsOf } from '../evaluate/dictionaryRows.ts';
import { Union } from '../evaluate/union.ts';
import type { Place } from '../order/block.ts';
import { compareBy } from '../order/keys.ts';
import type { Order } from '../order/order.ts';
import type { Ranks } from '../order/page.ts';
import { hitsBefore } from '../order/places.ts';
import { keysOfTies, type RowKey, RowOrder, scalarOf, scalarOfValue } from '../order/rowOrder.ts';
import { selectFew } from '../order/selectFew.ts';
import { selectIn } from '../order/selectPage.ts';
import { compareScalars } from '../scalars.ts';
import { setBit } from '../storage/bits.ts';
import { NULL_POINTER, type Ordinal, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { ArrayRows } from './arrayRows.ts';
import { countIn, type Taken } from './cut.ts';
import type { Means } from './means.ts';
import { fewItems, itemsAt } from './rankedItems.ts';
import type { RowSet } from './rowSet.ts';

/** Rows before and after a page in which ties at its ends are looked for first. */
const MARGIN = 64;

/** From a kept order, from the values at the page, or from all rows compared. */
export type OrderWay = 'by order' | 'by value' | 'by row';

/** Values, then rows with ids, at the page. */
interface Parts {
  /** Ordinals, and row numbers from `values` on. */
  readonly of: Uint32Array;
  readonly values: number;
  /** They never decrease along the order, and equal ones decide nothing. */
  readonly numbers: Float64Array;
  readonly weights: Uint32Array;
  /** Their places, to be put in order; and by place, the number of the group of equal parts in its run. */
  readonly order: Uint32Array;
  readonly groups: Uint32Array;
}

/** Groups that follow one another in the order, and the rows before them. */
interface Run {
  readonly from: number;
  to: number;
  groups: number;
  readonly before: number;
  count: number;
}

/** The rows of these ranks. Ties go by id, in the direction of the last key. */
export function selectOrdered(
  means: Means,
  rows: RowSet,
  keys: readonly RowKey[],
  ranks: Ranks,
): RowNumber[] {
  if (ranks.end <= ranks.first) return [];
  const [key] = keys as [RowKey];
  const way = wayOfOrder(means, rows, keys);
  if (way === 'by row') {
    return selectFew(new RowOrder(keys, means.ids), rows.listed(), ranks);
  }
  if (way === 'by value') return split(means, rows, keys as [RowKey, ...RowKey[]], ranks);
  const kept = keptOrder(means, key)!;
  const { hits, count } = rows;
  if (keys.length === 1) return selectIn(means.space, kept, key.descending, hits, count, ranks);
  return fromKeptOrder(means, kept, rows, keys as [RowKey, ...RowKey[]], ranks);
}

/** How a page of these rows is found. */
export function wayOfOrder(means: Means, rows: RowSet, keys: readonly RowKey[]): OrderWay {
  const [key] = keys as [RowKey];
  if (keptOrder(means, key) && !(rows.isList && keys.length > 1)) return 'by order';
  const isSplit = key.column?.dictionary && !rows.isList && rows.count > fewItems(means.space);
  return isSplit ? 'by value' : 'by row';
}

function split(
  means: Means,
  rows: RowSet,
  keys: readonly [RowKey, ...RowKey[]],
  ranks: Ranks,
): RowNumber[] {
  const { ids, space } = means;
  const few = fewItems(space);
  const [key] = keys;
  const { descending } = key;
  const arrays = new ArrayRows(space, rows, key);
  const ascending = descending
    ? { first: rows.count - ranks.end, end: rows.count - ranks.first }
    : ranks;
  const items = itemsAt(space, rows, arrays, key, ascending);
  const before = descending ? items.after : items.before;
  const count = rows.count - items.before - items.after;
  const parts = partsOf(space, items.groups, descending);
  if (parts.values === 0 && count <= few) {
    const inside = { first: ranks.first - before, end: ranks.end - before };
    return selectFew(new RowOrder(keys, ids), parts.of, inside, parts.numbers);
  }
  const found: RowNumber[][] = [];
  const ties = tiesBy(key, parts);
  for (const run of runsAt(ranks, parts, before, count, ties, few)) {
    const inside = within(ranks, { first: run.before, end: run.before + run.count });
    const { some, placesOf } = rowsOf(space, arrays, key.column!, parts, run);
    found.push(inRun(means, some, placesOf, run, keysOfTies(keys), inside));
    some.free();
  }
  return found.length === 1 ? found[0]! : found.flat();
}

/**
 * The rows of these ranks in a run. Many are put in the order of the other keys first, and then by
 * group, so that no two are compared.
 */
function inRun(
  means: Means,
  some: RowSet,
  placesOf: (rows: Uint32Array) => Float64Array,
  { groups, count }: Run,
  left: readonly RowKey[],
  inside: Ranks,
): RowNumber[] {
  if (groups === 1) return selectOrdered(means, some, left, inside);
  if (count <= fewItems(means.space)) {
    const all = some.listed();
    return selectFew(new RowOrder(left, means.ids), all, inside, placesOf(all));
  }
  const all = selectOrdered(means, some, left, { first: 0, end: count });
  const places = placesOf(new Uint32Array(all));
  const next = new Uint32Array(groups + 1);
  for (const place of places) next[place + 1]!++;
  for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!;
  const sorted = new Uint32Array(count);
  for (let i = 0; i < count; i++) sorted[next[places[i]!]!++] = all[i]!;
  return Array.from(sorted.subarray(inside.first, inside.end)) as RowNumber[];
}

function keptOrder({ byId }: Means, { column, descending, labelOf }: RowKey): Order | undefined {
  if (!column) return byId;
  const isKept = column.ascending && !labelOf && !column.holdsNothing;
  return isKept ? column.order(descending) : undefined;
}

/** The page in the order of the first key, with the ties there in the order of the others. */
function fromKeptOrder(
  means: Means,
  kept: Order,
  rows: RowSet,
  keys: readonly [RowKey, ...RowKey[]],
  ranks: Ranks,
): RowNumber[] {
  const { ids, space } = means;
  const { hits, count } = rows;
  const { descending } = keys[0];
  const order = new RowOrder(keys, ids);
  const first = Math.max(0, ranks.first - MARGIN);
  const end = Math.min(count, ranks.end + MARGIN);
  const near = selectIn(space, kept, descending, hits, count, { first, end });
  const found: RowNumber[] = [];
  for (let from = 0, to = 0; first + from < ranks.end; from = to) {
    while (to < near.length && order.areTied(near[from]!, near[to]!)) to++;
    if (first + to <= ranks.first) continue;
    const isWhole = (from > 0 || first === 0) && (to < near.length || end === count);
    const seen = { first: first + from, end: first + to };
    if (isWhole && to - from <= fewItems(space)) {
      const tied = Uint32Array.from(near.slice(from, to));
      for (const row of selectFew(order.ofTies!, tied, within(ranks, seen))) found.push(row);
      continue;
    }
    const places = placesOfTies(kept, near[from]!);
    const all = isWhole ? seen : ranksBetween(space, kept, descending, rows, places);
    const inside = within(ranks, all);
    const some = rows.between(kept, ...places);
    for (const row of selectOrdered(means, some, keysOfTies(keys), inside)) found.push(row);
    some.free();
  }
  return found;
}

/** The ranks of a page among those of some rows. */
const within = (page: Ranks, { first, end }: Ranks): Ranks => ({
  first: Math.max(0, page.first - first),
  end: Math.min(end, page.end) - first,
});

/** The places in a kept order between which are the rows that tie with this one. */
function placesOfTies(kept: Order, row: RowNumber): readonly [Place, Place] {
  const { keys } = kept;
  return [
    kept.placeOf((other) => compareBy(keys, other, row) < 0),
    kept.placeOf((other) => compareBy(keys, other, row) <= 0),
  ];
}

/** The ranks of the rows of a set that are between two places in a kept order, which may be read backwards. */
function ranksBetween(
  space: Space,
  kept: Order,
  descending: boolean,
  { hits, count }: RowSet,
  places: readonly [Place, Place],
): Ranks {
  const [first, end] = places.map((place) => hitsBefore(space, kept, hits, count, place)) as [
    number,
    number,
  ];
  return descending ? { first: count - end, end: count - first } : { first, end };
}

function partsOf({ memory }: Space, groups: Taken['groups'], descending: boolean): Parts {
  const { f64, u32 } = memory;
  const n = countIn(groups);
  const of = new Uint32Array(n);
  const numbers = new Float64Array(n);
  const weights = new Uint32Array(n).fill(1);
  let from = 0;
  for (const { list, numbers: own, weights: weighed, n: some } of groups) {
    of.set(u32.subarray(list >>> 2, (list >>> 2) + some), from);
    numbers.set(f64.subarray(own >>> 3, (own >>> 3) + some), from);
    if (weighed !== NULL_POINTER) {
      weights.set(u32.subarray(weighed >>> 2, (weighed >>> 2) + some), from);
    }
    from += some;
  }
  if (descending) for (let i = 0; i < n; i++) numbers[i] = -numbers[i]!;
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  return { of, values: groups[0]!.n, numbers, weights, order, groups: new Uint32Array(n) };
}

/**
 * The rows of a run, and the places of their groups. The rows of a value may hold it in an array, and
 * stand elsewhere.
 */
function rowsOf(
  space: Space,
  arrays: ArrayRows,
  column: Column,
  parts: Parts,
  run: Run,
): { some: RowSet; placesOf: (rows: Uint32Array) => Float64Array } {
  const { kernel, memory, scratch, bitmapBytes } = space;
  const dictionary = column.dictionary!;
  const few = fewItems(space);
  // A list for all rows takes megabytes, and a page looks up few of them.
  const isFew = (run.groups === 1 || run.count <= few) && arrays.rows.length <= few;
  const placesFor = (n: number): Record<number, number> => (isFew ? {} : new Uint32Array(n));
  // One more than the place of the group: by ordinal, and by row where that does not tell.
  const ofValues = placesFor(dictionary.values.length);
  const ofRows = placesFor(bitmapBytes * 8);
  const ordinals: number[] = [];
  const withIds: number[] = [];
  for (const i of parts.order.subarray(run.from, run.to)) {
    const part = parts.of[i]!;
    const place = parts.groups[i]! + 1;
    if (i >= parts.values) {
      withIds.push(part);
      ofRows[part] = place;
      continue;
    }
    if (part !== ARRAY && !ofValues[part]) ordinals.push(part);
    ofValues[part] = place;
  }
  const union = new Union(space);
  const list = scratch.take(ordinals.length * 4);
  memory.u32.set(ordinals, list >>> 2);
  if (ordinals.length > 0) addValues(dictionary, union, list, ordinals.length);
  const bitmap = union.finish();
  kernel.and(bitmap, arrays.plain.bitmap, bitmapBytes);
  const { u8 } = memory;
  for (const row of withIds) setBit(u8, bitmap, row);
  for (let i = 0; i < arrays.rows.length; i++) {
    const place = ofValues[arrays.ordinals[i]!];
    if (!place) continue;
    setBit(u8, bitmap, arrays.rows[i]!);
    ofRows[arrays.rows[i]!] = place;
  }
  const some = arrays.plain.of(bitmap);
  const placesOf = (rows: Uint32Array) => {
    const mark = scratch.take(rows.length * 4);
    memory.u32.set(rows, mark >>> 2);
    const own = ordinalsOf(dictionary, mark, rows.length) >>> 2;
    const { u32 } = memory;
    const places = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      places[i] = (ofRows[rows[i]!] || ofValues[u32[own + i]!]!) - 1;
    }
    scratch.cut(mark);
    return places;
  };
  return { some, placesOf };
}

/** The order of parts with one number by a key, in its direction. */
function tiesBy(key: RowKey, { of, values: n }: Parts): (i: number, j: number) => number {
  const { column, descending, labelOf } = key;
  const { values } = column!.dictionary!;
  const isText = (i: number) =>
    i < n && of[i] !== ARRAY && !labelOf && values.isText(of[i] as Ordinal);
  const scalarOfPart = (i: number) =>
    i < n
      ? scalarOfValue(key, of[i] as Ordinal)
      : scalarOf(column!, of[i] as RowNumber, descending, labelOf);
  const ascending = (i: number, j: number) => {
    if (i < n && j < n && of[i] === of[j]) return 0;
    if (isText(i) && isText(j)) return values.compare(of[i] as Ordinal, of[j] as Ordinal);
    return compareScalars(scalarOfPart(i), scalarOfPart(j));
  };
  return descending ? (i, j) => ascending(j, i) : ascending;
}

/**
 * The parts at these ranks, in order: a group of many rows that the page ends in by itself, the others
 * together. Three-way quicksort (Bentley and McIlroy 1993) of the items at the ranks alone.
 */
function runsAt(
  { first, end }: Ranks,
  { numbers, weights, order, groups }: Parts,
  allBefore: number,
  total: number,
  decide: (i: number, j: number) => number,
  few: number,
): Run[] {
  const runs: Run[] = [];
  let isOpen = false;
  const add = (from: number, to: number, before: number, count: number) => {
    const isShared = count <= few || (before >= first && before + count <= end);
    if (!(isShared && isOpen)) runs.push({ from, to, groups: 0, before, count: 0 });
    isOpen = isShared;
    const run = runs.at(-1)!;
    for (let at = from; at < to; at++) groups[order[at]!] = run.groups;
    run.to = to;
    run.groups++;
    run.count += count;
  };
  const visit = (from: number, to: number, before: number, count: number): void => {
    if (from === to || before >= end || before + count <= first) return;
    const pivot = order[from + Math.floor(Math.random() * (to - from))]!;
    const number = numbers[pivot]!;
    let [same, more, ofLess, ofSame] = [from, to, 0, 0];
    for (let at = from; at < more; ) {
      const one = order[at]!;
      const by = numbers[one]! - number || decide(one, pivot);
      if (by > 0) {
        order[at] = order[--more]!;
        order[more] = one;
        continue;
      }
      if (by < 0) {
        order[at] = order[same]!;
        order[same++] = one;
        ofLess += weights[one]!;
      } else ofSame += weights[one]!;
      at++;
    }
    visit(from, same, before, ofLess);
    const isAt = before + ofLess < end && before + ofLess + ofSame > first;
    if (isAt) add(same, more, before + ofLess, ofSame);
    visit(more, to, before + ofLess + ofSame, count - ofLess - ofSame);
  };
  visit(0, order.length, allBefore, total);
  return runs;
}
