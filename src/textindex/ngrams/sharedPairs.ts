/**
 * Pairs of hexadecimal digits that are searched in UUIDs and in texts: one bitmap covers both.
 *
 *     q = '4f' ──► UUID ~ 4f  or  project ~ 4f  or  email ~ 4f  or  …     a bitmap, and the rows of a tenth of the projects
 *              └─► the bitmap of 4f: rows whose UUID has it, or one of whose values
 *
 * A column of UUIDs has a bitmap for each pair (uuid/segment.ts). If the column is only searched
 * together with texts, these bitmaps can cover the texts as well. That takes a bit for each pair
 * with each value (ngramMasks.ts). Labels are left out: a value's texts never change, but its
 * labels do, and take all of its rows with them.
 */
import type { StoredRows } from '../storage/bitmap.ts';
import { clearBit, hasBit, setBit } from '../storage/bits.ts';
import { type BitmapHandle, type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Uuids } from '../uuid/column.ts';
import { PAIR, type UuidSegment } from '../uuid/segment.ts';
import type { NgramRows } from './ngramBitmap.ts';

/** The number of pairs of digits. */
export const PAIRS = 256;

/** Two digits. */
export const textOfPair = (pair: number): string => pair.toString(16).padStart(2, '0');

/** The rows of one pair: bits in the segments of UUIDs. */
export class PairRows implements NgramRows {
  readonly #space: Space;
  readonly #uuids: Uuids;
  readonly #pair: number;

  constructor(space: Space, uuids: Uuids, pair: number) {
    this.#space = space;
    this.#uuids = uuids;
    this.#pair = pair;
  }

  get chunks(): StoredRows['chunks'] {
    return this.#uuids.search.storedUnder(PAIR + this.#pair).chunks;
  }

  has(row: RowNumber): boolean {
    const { memory, segmentMask } = this.#space;
    const chunk = this.#segmentOf(row)?.bitmapOf(PAIR + this.#pair);
    return chunk !== undefined && hasBit(memory.u8, chunk, row & segmentMask);
  }

  /** A text of the row has the pair. */
  add(row: RowNumber): void {
    const { memory, segmentMask } = this.#space;
    setBit(memory.u8, this.#chunk(row), row & segmentMask);
  }

  /** No text of the row has it any more. */
  delete(row: RowNumber): void {
    const { memory, segmentMask } = this.#space;
    const chunk = this.#segmentOf(row)?.bitmapOf(PAIR + this.#pair);
    if (chunk && !this.inUuid(row)) clearBit(memory.u8, chunk, row & segmentMask);
  }

  /** Whether the row's UUID has the pair. */
  inUuid(row: RowNumber): boolean {
    return this.#segmentOf(row)?.hasPair(row & this.#space.segmentMask, this.#pair) ?? false;
  }

  /** From now on the pair is shared, with the rows of a bitmap, whose texts have it. */
  share(texts: BitmapHandle): void {
    const { kernel, segments, segmentBytes, segmentRows } = this.#space;
    for (let segment = 0; segment < segments; segment++) {
      const from = plus(texts, segment * segmentBytes);
      if (kernel.count(from, segmentBytes) === 0) continue;
      kernel.or(this.#chunk((segment * segmentRows) as RowNumber), from, segmentBytes);
    }
    this.#uuids.sharedPairs = this.#pair + 1;
  }

  #segmentOf(row: RowNumber): UuidSegment | undefined {
    return this.#uuids.segments[row >>> this.#space.segmentBits];
  }

  #chunk(row: RowNumber): Pointer {
    const segment = this.#uuids.segmentOf(row >>> this.#space.segmentBits);
    return segment.bitmapOf(PAIR + this.#pair);
  }
}
