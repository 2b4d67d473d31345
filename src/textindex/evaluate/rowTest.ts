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
import type { Column, ColumnOf } from '../column.ts';
import { type Leaf, useOf } from '../definition.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import type { Uuids } from '../ids/column.ts';
import { mayStandIn } from '../ids/piece.ts';
import { textOfId } from '../objectId.ts';
import { setBit } from '../storage/bits.ts';
import { type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';

export class RowTest {
  readonly #space: Space;
  readonly #columnOf: ColumnOf;

  constructor(space: Space, columnOf: ColumnOf) {
    this.#space = space;
    this.#columnOf = columnOf;
  }

  /**
   * Partitions the first n rows of a list: matching rows go to `matched`, which has room for all,
   * the others to the front of the list. Returns the number of matches.
   */
  split(query: Query, list: Pointer, n: number, matched: Pointer): number {
    switch (query.op) {
      case 'all':
        return this.#copy(list, n, matched);
      case 'none':
        return 0;
      case 'or': {
        let found = 0;
        for (const part of query.of) {
          found += this.split(part, list, n - found, plus(matched, found * 4));
        }
        return found;
      }
      case 'and':
        return this.#splitByAll(query.of, list, n, matched);
      default:
        return this.#splitByLeaf(query, list, n, matched);
    }
  }

  #splitByAll(parts: readonly Query[], list: Pointer, n: number, matched: Pointer): number {
    this.#copy(list, n, matched);
    const passed = this.#space.scratch.take(n * 4);
    let found = n;
    for (const part of parts) {
      const left = this.split(part, matched, found, passed);
      this.#copy(matched, found - left, plus(list, (n - found) * 4));
      this.#copy(passed, left, matched);
      found = left;
    }
    return found;
  }

  #splitByLeaf(leaf: Leaf, list: Pointer, n: number, matched: Pointer): number {
    const column = this.#columnOf(leaf.column, useOf(leaf));
    const { dictionary, rows, uuids } = column;
    const members = this.#space.scratch.takeZero(dictionary!.ordinalBytes);
    let read: Pointer | undefined;
    if (leaf.op === 'equals') this.#markEqual(leaf.values, dictionary!, members);
    else read = this.#markContaining(leaf, column, list, n, members);
    let found = rows!.values.split(members, list, n, matched, read);
    if (!uuids || (leaf.op === 'contains' && leaf.label !== undefined)) return found;
    for (const piece of this.#piecesOf(leaf, uuids)) {
      found += uuids.search.splitEach(piece, list, n - found, plus(matched, found * 4));
    }
    return found;
  }

  #markEqual(values: readonly Scalar[], dictionary: Dictionary, members: Pointer): void {
    for (const value of values) {
      const ordinal = dictionary.ordinalOf(value);
      if (ordinal !== undefined) setBit(this.#space.memory.u8, members, ordinal);
    }
  }

  /**
   * Sets the bits of the values that these rows hold and that contain the text. Returns the ordinals of the
   * rows without arrays: each took a line of the cache.
   */
  #markContaining(
    { label, text }: Extract<Leaf, { op: 'contains' }>,
    { dictionary: of, rows }: Column,
    list: Pointer,
    n: number,
    members: Pointer,
  ): Pointer {
    const { kernel, scratch } = this.#space;
    const dictionary = of!;
    const { ordinalBytes, values } = dictionary;
    const present = scratch.takeZero(ordinalBytes);
    const plain = n - rows!.values.arraysLast(list, n);
    const ordinals = rows!.values.ordinalsOf(list, plain);
    kernel.setRepeated(present, ordinals, plain);
    this.#markArrays(dictionary.arrays, plus(list, plain * 4), n - plain, present);
    const distinct = scratch.take(values.length * 4);
    const count = kernel.collect(present, ordinalBytes, 0, distinct, values.length);
    const texts = dictionary.textsIn(label);
    texts.extendTo(values.length);
    const needle = new Needle(this.#space, this.#space.fold.fold(text));
    texts.markContaining(needle, distinct, count, members);
    return ordinals;
  }

  #markArrays(arrays: Dictionary['arrays'], list: Pointer, n: number, members: Pointer): void {
    const { u8, u32 } = this.#space.memory;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      for (const ordinal of arrays.get(u32[i]! as RowNumber)!) setBit(u8, members, ordinal);
    }
  }

  /** UUIDs or substrings of them: the row's UUID must contain one. */
  #piecesOf(leaf: Leaf, uuids: Uuids): readonly string[] {
    if (leaf.op === 'equals') return leaf.values.filter((one) => uuids.isId(one)).map(textOfId);
    const text = this.#space.fold.fold(leaf.text);
    return mayStandIn(uuids.format, text) ? [text] : [];
  }

  #copy(from: Pointer, n: number, to: Pointer): number {
    this.#space.memory.u8.copyWithin(to, from, from + n * 4);
    return n;
  }
}
