/**
 * Tests a query on listed rows, and reads nothing but their values.
 *
 *     rows of a shop ──► the values they hold ──► is the text in the value? ──► rows
 *
 * A search over a whole column takes longer when any row has the text, so its time would reveal the
 * contents of other callers' rows. Here each value of a listed row is read once, and no other value
 * at all.
 */
import type { Query, Scalar } from '../api.ts';
import type { ColumnOf } from '../column.ts';
import { type Leaf, useOf } from '../definition.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import type { Uuids } from '../ids/column.ts';
import { mayStandIn } from '../ids/piece.ts';
import { textOfId } from '../objectId.ts';
import { setBit } from '../storage/bits.ts';
import { type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { arraysLast, ordinalsOf, splitByValues } from './dictionaryRows.ts';

/** The part of a table that a test reads. */
export interface Tested {
  readonly space: Space;
  readonly columnOf: ColumnOf;
}

/**
 * Partitions the first n rows of a list: matching rows go to `matched`, which has room for all,
 * the others to the front of the list. Returns the number of matches.
 */
export function splitByQuery(
  tested: Tested,
  query: Query,
  list: Pointer,
  n: number,
  matched: Pointer,
): number {
  switch (query.op) {
    case 'all':
      copy(tested.space, list, n, matched);
      return n;
    case 'none':
      return 0;
    case 'or': {
      let found = 0;
      for (const part of query.of) {
        found += splitByQuery(tested, part, list, n - found, plus(matched, found * 4));
      }
      return found;
    }
    case 'and':
      return splitByAll(tested, query.of, list, n, matched);
    default:
      return splitByLeaf(tested, query, list, n, matched);
  }
}

function splitByAll(
  tested: Tested,
  parts: readonly Query[],
  list: Pointer,
  n: number,
  matched: Pointer,
): number {
  const { space } = tested;
  copy(space, list, n, matched);
  const passed = space.scratch.take(n * 4);
  let found = n;
  for (const part of parts) {
    const left = splitByQuery(tested, part, matched, found, passed);
    copy(space, matched, found - left, plus(list, (n - found) * 4));
    copy(space, passed, left, matched);
    found = left;
  }
  return found;
}

function splitByLeaf(
  { space, columnOf }: Tested,
  leaf: Leaf,
  list: Pointer,
  n: number,
  matched: Pointer,
): number {
  const { dictionary: of, uuids } = columnOf(leaf.column, useOf(leaf));
  const dictionary = of!;
  const members = space.scratch.takeZero(dictionary.ordinalBytes);
  let read: Pointer | undefined;
  if (leaf.op === 'equals') markEqual(dictionary, leaf.values, members);
  else read = markContaining(dictionary, leaf, list, n, members);
  let found = splitByValues(dictionary, members, list, n, matched, read);
  for (const piece of uuids ? piecesOf(space, leaf, uuids) : []) {
    found += uuids!.search.splitEach(piece, list, n - found, plus(matched, found * 4));
  }
  return found;
}

function markEqual(dictionary: Dictionary, values: readonly Scalar[], members: Pointer): void {
  const { memory } = dictionary.space;
  for (const value of values) {
    const ordinal = dictionary.ordinalOf(value);
    if (ordinal !== undefined) setBit(memory.u8, members, ordinal);
  }
}

/**
 * Sets the bits of the values that these rows hold and that contain the text. Returns the ordinals of the
 * rows without arrays: each took a line of the cache.
 */
function markContaining(
  dictionary: Dictionary,
  { label, text }: Extract<Leaf, { op: 'contains' }>,
  list: Pointer,
  n: number,
  members: Pointer,
): Pointer {
  const { ordinalBytes, space, values } = dictionary;
  const { kernel, scratch } = space;
  const present = scratch.takeZero(ordinalBytes);
  const plain = n - arraysLast(dictionary, list, n);
  const ordinals = ordinalsOf(dictionary, list, plain);
  kernel.setRepeated(present, ordinals, plain);
  markArrays(dictionary, plus(list, plain * 4), n - plain, present);
  const distinct = scratch.take(values.length * 4);
  const count = kernel.collect(present, ordinalBytes, 0, distinct, values.length);
  const texts = dictionary.textsIn(label);
  texts.extendTo(values.length);
  const needle = new Needle(space, space.fold.fold(text));
  texts.markContaining(needle, distinct, count, members);
  return ordinals;
}

function markArrays(dictionary: Dictionary, list: Pointer, n: number, members: Pointer): void {
  const { arrays, space } = dictionary;
  const { u8, u32 } = space.memory;
  for (let i = list >>> 2, end = i + n; i < end; i++) {
    for (const ordinal of arrays.get(u32[i]! as RowNumber)!) setBit(u8, members, ordinal);
  }
}

/** UUIDs or substrings of them: the row's UUID must contain one. */
function piecesOf({ fold }: Space, leaf: Leaf, uuids: Uuids): readonly string[] {
  if (leaf.op === 'equals') return leaf.values.filter((one) => uuids.isId(one)).map(textOfId);
  const text = fold.fold(leaf.text);
  return mayStandIn(uuids.format, text) ? [text] : [];
}

function copy({ memory }: Space, from: Pointer, n: number, to: Pointer): void {
  memory.u8.copyWithin(to, from, from + n * 4);
}
