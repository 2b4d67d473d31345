/**
 * Items with numbers that are made, or looked up, while a cut reads them.
 *
 *     counted values    of a dictionary, each weighs as many rows as hold it
 *     values of rows    of few rows: a value comes as often as rows hold it
 *     ids of rows       UUIDs or ObjectIds
 *
 * Where too many items that are left have one number, they are numbered again: by the bytes after the
 * beginning that they share.
 */
import type { Dictionary } from '../dictionary/dictionary.ts';
import { beginningOf, writtenBeginning } from '../dictionary/valueNumbers.ts';
import type { Uuids } from '../ids/column.ts';
import { CUT } from '../kernel/rankAbi.ts';
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import { drawn } from '../storage/drawn.ts';
import type { Space } from '../storage/space.ts';
import { cutInPlace, type Items, type Source } from './cut.ts';
import type { RowSet } from './rowSet.ts';

/** Items whose shared beginning is looked for. */
const SAMPLED = 64;
/** Rows whose ordinals are looked up at a time. */
const CHUNK = 2048;

/** Values with the counts of rows that hold them. */
export class CountedValues implements Source {
  readonly weighed = true;
  readonly n: number;
  readonly #space: Space;
  readonly #numbers: Pointer;
  readonly #counts: Pointer;

  /** `numbers` and `counts` by ordinal; ordinals are below n. */
  constructor(space: Space, n: number, numbers: Pointer, counts: Pointer) {
    this.#space = space;
    this.n = n;
    this.#numbers = numbers;
    this.#counts = counts;
  }

  take(cut: Pointer): void {
    this.#space.kernel.countedBetween(cut, this.n, this.#counts, this.#numbers);
  }

  sample(cut: Pointer, most: number): void {
    const { kernel, memory, scratch } = this.#space;
    const ordinals = drawn(this.n, most);
    const list = scratch.take(ordinals.length * 4);
    memory.u32.set(ordinals, list >>> 2);
    kernel.valuesBetween(cut, list, ordinals.length, this.#counts, this.#numbers);
  }
}

/** The values of few rows: no other value is looked at. */
export class ValuesOfRows implements Source {
  readonly weighed = false;
  readonly #space: Space;
  readonly #dictionary: Dictionary;
  readonly #numbers: Pointer;
  readonly #rows: RowSet;

  constructor(space: Space, dictionary: Dictionary, numbers: Pointer, rows: RowSet) {
    this.#space = space;
    this.#dictionary = dictionary;
    this.#numbers = numbers;
    this.#rows = rows;
    rows.settle();
  }

  get n(): number {
    return this.#rows.count;
  }

  take(cut: Pointer): void {
    const ordinals = this.#space.scratch.take(CHUNK * 4);
    this.#rows.eachOf(CHUNK, (list, n) => this.#takeListed(cut, list, n, ordinals));
  }

  sample(cut: Pointer, most: number): void {
    const { list, n } = this.#rows.sample(most);
    this.#takeListed(cut, list, n, this.#space.scratch.take(n * 4));
  }

  /** Rows, of which some may have no value here. */
  #takeListed(cut: Pointer, list: Pointer, n: number, ordinals: Pointer): void {
    const { kernel, segmentBits } = this.#space;
    kernel.ordinalsOf(list, n, this.#dictionary.ordinals.table, segmentBits, ordinals);
    kernel.valuesBetween(cut, ordinals, n, NULL_POINTER, this.#numbers);
  }
}

/** Rows that all have an id. */
export class IdsOfRows implements Source {
  readonly weighed = false;
  readonly #space: Space;
  readonly #ids: Uuids;
  readonly #rows: RowSet;
  readonly #isMixed: boolean;

  /** `isMixed`: they are numbered as among values. */
  constructor(space: Space, ids: Uuids, rows: RowSet, isMixed: boolean) {
    this.#space = space;
    this.#ids = ids;
    this.#rows = rows;
    rows.settle();
    this.#isMixed = isMixed;
  }

  get n(): number {
    return this.#rows.count;
  }

  take(cut: Pointer): void {
    const { kernel, segmentBits, bitmapBytes } = this.#space;
    this.#prepare(cut);
    if (!this.#isMixed) kernel.idsOfBetween(cut, segmentBits, this.#rows.bitmap, bitmapBytes);
    else this.#rows.each((list, n) => kernel.idsBetween(cut, segmentBits, list, n));
  }

  sample(cut: Pointer, most: number): void {
    const { list, n } = this.#rows.sample(most);
    this.#prepare(cut);
    this.#space.kernel.idsBetween(cut, this.#space.segmentBits, list, n);
  }

  #prepare(cut: Pointer): void {
    const segments = this.#ids.forKernel();
    // That may have moved the view.
    const { u32 } = this.#space.memory;
    u32[(cut + CUT.segments) >>> 2] = segments;
    u32[(cut + CUT.mixed) >>> 2] = Number(this.#isMixed);
  }
}

/** Numbers values by what follows their beginning; returns its bytes. */
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
  const cut = cutInPlace(space, items);
  const segments = ids.forKernel();
  const { u32 } = space.memory;
  u32[(cut + CUT.segments) >>> 2] = segments;
  u32[(cut + CUT.beginning) >>> 2] = at;
  space.kernel.idsBetween(cut, space.segmentBits, items.list, items.n);
  return beginning.length;
}

const sampleOf = ({ memory }: Space, { list, n }: Items): number[] =>
  drawn(n, SAMPLED).map((i) => memory.u32[(list >>> 2) + i]!);
