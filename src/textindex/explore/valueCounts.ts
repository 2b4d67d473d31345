/**
 * Counts by value: how many rows of a set hold each value of a dictionary.
 *
 *     all rows     what the dictionary knows of each value
 *     few values   for each, the rows that its bitmap, or its list, shares with the set
 *     few rows     each row's ordinal, tallied
 *     most rows    what the dictionary knows, less the rows that are not in the set
 *
 * The estimated reads of each way decide among the last three. A set of any size that was found as
 * a list is tallied, so that no other row is read.
 */
import type { FacetRequest, Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import { ARRAY, FIRST_VALUE, NO_VALUE } from '../dictionary/ordinals.ts';
import type { OrdinalCounts } from '../partitions/partition.ts';
import { setBit } from '../storage/bits.ts';
import { type Pointer, plus } from '../storage/brands.ts';
import type { RowSet } from './rowSet.ts';

/** Nanoseconds, measured at 1M rows: a row's ordinal tallied; a row of a list; a byte of a bitmap. */
const TALLIED = 3;
const LISTED = 1.5;
const COMPARED = 0.06;
/** The most that a row's ordinal takes in a larger table: fewer rows share a line of the cache. */
const MOST_TALLIED = 6;
/** A row with an array, whose list is looked up. */
const WITH_ARRAY = 60;

/**
 * The ways of counting: from the dictionary, from values' rows, row by row, or from the rows
 * outside the set.
 */
export type Way = 'known' | 'by value' | 'by row' | 'by the rest';

/** How many rows of each set hold each of the values. */
export function countsOf(
  dictionary: Dictionary,
  values: readonly Scalar[],
  sets: Iterable<RowSet>,
): number[][] {
  const ordinals = values.map((value) => dictionary.ordinalOf(value));
  const table = tableFor(dictionary);
  return Array.from(sets, (rows) => {
    const from = countedIn(dictionary, rows, table) >>> 2;
    // Counting may have moved the view.
    const { u32 } = dictionary.space.memory;
    return ordinals.map((ordinal) => (ordinal === undefined ? 0 : u32[from + ordinal]!));
  });
}

/** Counts of the rows, and of the baseline; of the values that a facet is about, where `having` says which. */
export function countsIn(
  dictionary: Dictionary,
  rows: RowSet,
  having?: FacetRequest['having'],
  baseline?: RowSet,
): OrdinalCounts {
  const counts = countedIn(dictionary, rows);
  // Both sets are the same where all conditions are on this column.
  const before = baseline === rows ? counts : baseline && countedIn(dictionary, baseline);
  const wanted = having && ordinalsHaving(dictionary, having, counts, rows.isList, before);
  const { u32 } = dictionary.space.memory;
  const read = (table: Pointer): Uint32Array => {
    const all = u32.subarray(table >>> 2, (table >>> 2) + dictionary.values.length);
    if (!wanted) return all;
    const some = new Uint32Array(all.length);
    for (const ordinal of wanted) some[ordinal] = all[ordinal]!;
    return some;
  };
  return { counts: read(counts), baselines: before && read(before) };
}

/** A table of counts by ordinal, in scratch memory or the dictionary's own; not to be changed. */
export function countedIn(dictionary: Dictionary, rows: RowSet, table?: Pointer): Pointer {
  const way = wayOfCounts(dictionary, rows);
  if (way === 'known') return dictionary.postings.lens.ptr;
  const counts = table ?? tableFor(dictionary);
  dictionary.space.memory.u8.fill(0, counts, counts + dictionary.values.length * 4);
  if (way === 'by value') intersect(dictionary, rows, counts);
  else if (way === 'by row') tally(dictionary, rows, counts);
  else subtract(dictionary, rows, counts);
  return counts;
}

/** Scratch memory for a count of each value, its content undefined. */
function tableFor({ space, values }: Dictionary): Pointer {
  return space.scratch.take(values.length * 4);
}

/** How the rows are counted: the way that is expected to read the least. */
export function wayOfCounts(dictionary: Dictionary, rows: RowSet): Way {
  if (rows.isAll) return 'known';
  if (rows.count === 0 || rows.isList) return 'by row';
  const { postings, arrays, size, space } = dictionary;
  const { bitmapBytes } = space;
  let listed = size;
  for (const ordinal of postings.dense.keys()) listed -= postings.countOf(ordinal);
  const byValue = postings.dense.size * bitmapBytes * COMPARED + Math.max(0, listed) * LISTED;
  const tallied = Math.min(space.few(TALLIED), MOST_TALLIED);
  const byRow = rows.count * tallied + arrays.size * WITH_ARRAY;
  const byOthers = rows.missing * tallied + arrays.size * WITH_ARRAY + bitmapBytes * COMPARED;
  if (byValue <= Math.min(byRow, byOthers)) return 'by value';
  return byRow <= byOthers ? 'by row' : 'by the rest';
}

/** Counts all rows and subtracts those that are not in the set. */
function subtract(dictionary: Dictionary, rows: RowSet, counts: Pointer): void {
  tally(dictionary, rows.others, counts);
  const { u32 } = dictionary.space.memory;
  const from = counts >>> 2;
  const all = dictionary.postings.lens.ptr >>> 2;
  for (let i = 0; i < dictionary.values.length; i++) {
    u32[from + i] = u32[all + i]! - u32[from + i]!;
  }
}

/** Looks each row's ordinal up. */
function tally(dictionary: Dictionary, rows: RowSet, counts: Pointer): void {
  const { ordinals, arrays, space } = dictionary;
  const { kernel, memory, segmentBits } = space;
  const { table } = ordinals;
  rows.each((list, n) => kernel.tallyOrdinals(list, n, table, segmentBits, counts));
  const { u32 } = memory;
  const at = counts >>> 2;
  const withArrays = u32[at + ARRAY]!;
  u32[at + ARRAY] = 0;
  u32[at + NO_VALUE] = 0;
  if (withArrays === 0) return;
  for (const row of rows.among(arrays)) {
    for (const ordinal of arrays.get(row)!) u32[at + ordinal]!++;
  }
}

/** Compares the rows of each value with the set, segment by segment, so that the set's bits stay in the cache. */
function intersect(dictionary: Dictionary, rows: RowSet, counts: Pointer): void {
  const { postings, space, values } = dictionary;
  const { kernel, memory, scratch, segments, segmentBytes } = space;
  const { bitmap } = rows;
  const dense = [...postings.dense];
  for (let segment = 0; segment < segments; segment++) {
    const bits = plus(bitmap, segment * segmentBytes);
    for (const [ordinal, { chunks }] of dense) {
      const chunk = chunks[segment];
      if (!chunk) continue;
      memory.u32[(counts >>> 2) + ordinal]! += kernel.countAnd(bits, chunk, segmentBytes);
    }
  }
  const lists = scratch.take(values.length * 4);
  let n = 0;
  for (let ordinal = FIRST_VALUE; ordinal < values.length; ordinal++) {
    if (postings.dense.has(ordinal) || postings.countOf(ordinal) === 0) continue;
    memory.u32[(lists >>> 2) + n++] = ordinal;
  }
  kernel.countLists(bitmap, lists, n, postings.ptrs.ptr, postings.lens.ptr, counts);
  scratch.cut(lists);
}

/**
 * The ordinals that a facet is narrowed to. If the set was found as a list, only the
 * values that its rows hold are compared with the text.
 */
function ordinalsHaving(
  dictionary: Dictionary,
  { text, label, values = [] }: NonNullable<FacetRequest['having']>,
  counts: Pointer,
  ofRowsAlone: boolean,
  before?: Pointer,
): Uint32Array {
  const { space } = dictionary;
  const { scratch, kernel, memory } = space;
  const wanted = scratch.takeZero(dictionary.ordinalBytes);
  const needle = new Needle(space, space.fold.fold(text));
  const looked = [dictionary.texts!];
  if (label !== undefined) looked.push(dictionary.textsIn(label));
  for (const texts of looked) {
    texts.extendTo(dictionary.values.length);
    if (!ofRowsAlone) {
      const list = scratch.take(texts.entries * 4);
      kernel.setBits(wanted, list, texts.find(needle, list));
      continue;
    }
    const present = scratch.take(dictionary.values.length * 4);
    let n = 0;
    for (let ordinal = FIRST_VALUE; ordinal < dictionary.values.length; ordinal++) {
      const held = [counts, before ?? counts].some(
        (table) => memory.u32[(table >>> 2) + ordinal]! > 0,
      );
      if (held) memory.u32[(present >>> 2) + n++] = ordinal;
    }
    texts.markContaining(needle, present, n, wanted);
  }
  for (const value of values) {
    const ordinal = dictionary.ordinalOf(value);
    if (ordinal !== undefined) setBit(memory.u8, wanted, ordinal);
  }
  const room = dictionary.values.length;
  const list = scratch.take(room * 4);
  const n = kernel.collect(wanted, dictionary.ordinalBytes, 0, list, room);
  return memory.u32.subarray(list >>> 2, (list >>> 2) + n);
}
