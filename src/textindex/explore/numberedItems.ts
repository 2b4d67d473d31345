/**
 * Items and their numbers.
 *
 *     counted values    of a dictionary, each weighs as many rows as hold it │ read by the cut
 *     ids of many rows  UUIDs or ObjectIds                                   │
 *     values of rows    of few rows: a value comes as often as rows hold it  │ read before it
 *     ids of rows                                                            │
 *
 * Where too many items that are left have one number, they are numbered again: by the bytes after the
 * beginning that they share.
 */
import type { Dictionary } from '../dictionary/dictionary.ts';
import { ARRAY } from '../dictionary/ordinals.ts';
import { beginningOf, writtenBeginning } from '../dictionary/valueNumbers.ts';
import type { Uuids } from '../ids/column.ts';
import { MIXED } from '../kernel/rankAbi.ts';
import { hasBit } from '../storage/bits.ts';
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import { drawn } from '../storage/drawn.ts';
import type { Space } from '../storage/space.ts';
import type { ArrayRows } from './arrayRows.ts';
import type { Items, Source } from './cut.ts';
import type { RowSet } from './rowSet.ts';

/** Items whose shared beginning is looked for. */
const SAMPLED = 64;

/** Many rows that all have an id: these are compared without being listed. */
export function idsOfRows(space: Space, ids: Uuids, rows: RowSet): Source {
  const { kernel, memory, scratch, segmentBits, bitmapBytes } = space;
  const { bitmap, count } = rows;
  return {
    n: count,
    weighed: false,
    take: (cut) => kernel.idsBetween(cut, ids.forKernel(), segmentBits, bitmap, bitmapBytes),
    sample(most, tell) {
      const room = bitmapBytes * 8;
      const places = drawn(room, Math.ceil((most * room) / count)) as RowNumber[];
      const drawnRows = places.filter((row) => hasBit(memory.u8, bitmap, row));
      const mark = scratch.take(drawnRows.length * 4);
      memory.u32.set(drawnRows, mark >>> 2);
      const { numbers } = numberedIds(space, ids, mark, drawnRows.length, false);
      for (let i = 0; i < drawnRows.length; i++) tell(memory.f64[(numbers >>> 3) + i]!, 1);
      scratch.cut(mark);
    },
  };
}

/** The values of few rows, as often as rows are ordered by them: no other value is read. */
export function valuesOfRows(
  { kernel, memory, scratch, segmentBits }: Space,
  { ordinals }: Dictionary,
  numbersByOrdinal: Pointer,
  rows: RowSet,
  arrays: ArrayRows,
): Items {
  const n = rows.count;
  const list = scratch.take(n * 4);
  const numbers = scratch.take(n * 8);
  kernel.ordinalsOf(rows.list, n, ordinals.table, segmentBits, list);
  // Both lists have the rows by number.
  for (let i = list >>> 2, at = 0; at < arrays.rows.length; i++) {
    if (memory.u32[i] === ARRAY) memory.u32[i] = arrays.ordinals[at++]!;
  }
  kernel.numbersOf(list, n, numbersByOrdinal, numbers);
  return { list, numbers, weights: NULL_POINTER, n };
}

/** Listed rows by their ids. `isMixed`: these are numbered as among values. */
export function numberedIds(
  { kernel, scratch, segmentBits }: Space,
  ids: Uuids,
  list: Pointer,
  n: number,
  isMixed: boolean,
): Items {
  const numbers = scratch.take(n * 8);
  const begun = isMixed ? MIXED : NULL_POINTER;
  kernel.idNumbers(ids.forKernel(), segmentBits, list, n, begun, numbers);
  return { list, numbers, weights: NULL_POINTER, n };
}

/** Numbers values by the bytes after the beginning they share; returns its length. */
export function renumberValues(space: Space, { values }: Dictionary, items: Items): number {
  const { list, numbers, n } = items;
  const beginning = Buffer.from(beginningOf(values, sampleOf(space, items) as Ordinal[]));
  const at = writtenBeginning(space, beginning);
  space.kernel.numberValues(values.places, list, 0, n, at, numbers);
  return beginning.length;
}

/** The same for rows by their ids. */
export function renumberIds(space: Space, ids: Uuids, items: Items): number {
  const [first, ...others] = sampleOf(space, items).map((row) => ids.bytesAt(row as RowNumber));
  const beginning = others.reduce((shared, other) => {
    const end = shared.findIndex((byte, i) => byte !== other[i]);
    return end < 0 ? shared : shared.subarray(0, end);
  }, first!);
  const at = writtenBeginning(space, beginning);
  const { list, n, numbers } = items;
  space.kernel.idNumbers(ids.forKernel(), space.segmentBits, list, n, at, numbers);
  return beginning.length;
}

const sampleOf = ({ memory }: Space, { list, n }: Items): number[] =>
  drawn(n, SAMPLED).map((i) => memory.u32[(list >>> 2) + i]!);
