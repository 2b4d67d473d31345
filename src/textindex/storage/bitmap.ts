/**
 * A stored set of rows: one chunk of bits a segment, none where the segment has no member.
 *
 *     chunks:  [ptr, 0, ptr]      members only in segments 0 and 2
 */
import { clearBit, hasBit, setBit } from './bits.ts';
import { type BitmapHandle, NULL_POINTER, type Pointer, plus, type RowNumber } from './brands.ts';
import type { Space } from './space.ts';
import { keepNumbers, type State, type Steps } from './state.ts';

/**
 * A stored set as a union reads it: a pointer to each segment's bits, 0 or nothing if the segment
 * has no member.
 */
export interface StoredRows {
  readonly chunks: readonly (Pointer | undefined)[];
}

export class Bitmap implements StoredRows {
  readonly #space: Space;
  readonly chunks: Pointer[] = [];

  constructor(space: Space) {
    this.#space = space;
  }

  has(row: RowNumber): boolean {
    const chunk = this.chunks[row >>> this.#space.segmentBits];
    if (!chunk) return false;
    return hasBit(this.#space.memory.u8, chunk, row & this.#space.segmentMask);
  }

  add(row: RowNumber): void {
    const segment = row >>> this.#space.segmentBits;
    const chunk = this.chunks[segment] || this.#addChunk(segment);
    setBit(this.#space.memory.u8, chunk, row & this.#space.segmentMask);
  }

  delete(row: RowNumber): void {
    const chunk = this.chunks[row >>> this.#space.segmentBits];
    if (chunk) clearBit(this.#space.memory.u8, chunk, row & this.#space.segmentMask);
  }

  /** this |= other */
  addAll({ chunks }: Bitmap): void {
    const { kernel, segmentBytes } = this.#space;
    for (const [segment, chunk] of chunks.entries()) {
      if (chunk) kernel.or(this.chunks[segment] || this.#addChunk(segment), chunk, segmentBytes);
    }
  }

  /** this &= ~other */
  deleteAll({ chunks }: Bitmap): void {
    const { kernel, segmentBytes } = this.#space;
    for (const [segment, chunk] of chunks.entries()) {
      const own = this.chunks[segment];
      if (chunk && own) kernel.andNot(own, chunk, segmentBytes);
    }
  }

  /** this = bitmap, over all segments. */
  copyFrom(bitmap: BitmapHandle): void {
    const { memory, kernel, segmentBytes, segments } = this.#space;
    for (let segment = 0; segment < segments; segment++) {
      const from = plus(bitmap, segment * segmentBytes);
      if (!this.chunks[segment] && kernel.count(from, segmentBytes) === 0) continue;
      const chunk = this.chunks[segment] || this.#addChunk(segment);
      memory.u8.copyWithin(chunk, from, from + segmentBytes);
    }
  }

  /** Lists its rows in ascending order, `most` at most; returns how many. */
  listTo(out: Pointer, most: number): number {
    const { kernel, segmentBytes, segmentRows } = this.#space;
    let n = 0;
    for (const [segment, chunk] of this.chunks.entries()) {
      if (!chunk) continue;
      const base = segment * segmentRows;
      n += kernel.collect(chunk, segmentBytes, base, plus(out, n * 4), most - n);
    }
    return n;
  }

  /** Lists those of its `count` rows that are not in `seen` yet, and sets their bits; returns how many. */
  listNew(count: number, seen: BitmapHandle, out: Pointer): number {
    const { kernel, scratch } = this.#space;
    const listed = scratch.take(count * 4);
    return kernel.addNew(seen, listed, this.listTo(listed, count), out);
  }

  count(): number {
    const { kernel, segmentBytes } = this.#space;
    return this.chunks.reduce(
      (sum, chunk) => sum + (chunk ? kernel.count(chunk, segmentBytes) : 0),
      0,
    );
  }

  /** Takes the memory that it needs when all segments have members. */
  reserve(): void {
    for (let segment = 0; segment < this.#space.segments; segment++) {
      if (!this.chunks[segment]) this.#addChunk(segment);
    }
  }

  /** Gives its memory back; it is empty then. */
  free(): void {
    for (const chunk of this.chunks) {
      if (chunk) this.#space.memory.free(chunk, this.#space.segmentBytes);
    }
    this.chunks.length = 0;
  }

  keep(state: State): Steps {
    return keepNumbers(state, this.chunks);
  }

  #addChunk(segment: number): Pointer {
    while (this.chunks.length <= segment) this.chunks.push(NULL_POINTER);
    const chunk = this.#space.memory.allocZero(this.#space.segmentBytes);
    this.chunks[segment] = chunk;
    return chunk;
  }
}

/** A bitmap of stored rows over all segments, in scratch memory. */
export function copiedRows(
  { memory, scratch, segmentBytes, segments }: Space,
  { chunks }: StoredRows,
): BitmapHandle {
  const bitmap = scratch.bitmap(false);
  for (let segment = 0; segment < segments; segment++) {
    const to = plus(bitmap, segment * segmentBytes);
    const chunk = chunks[segment];
    if (chunk) memory.u8.copyWithin(to, chunk, chunk + segmentBytes);
    else memory.u8.fill(0, to, to + segmentBytes);
  }
  return bitmap;
}
