/**
 * What all parts of one index share: its memory, its kernel, how it is laid out, and bitmaps to
 * work in.
 *
 *     row:     0 … 65,535 │ 65,536 … 131,071 │ …        a row's place, a dense integer
 *     segment:      0      │        1         │ …        storage grows by one of these
 *
 * Everything kept by row is kept in one chunk a segment, so growth never copies. A bitmap that a
 * search works in is contiguous over all segments: segment s of it starts at `s * segmentBytes`.
 */
import type { Kernel, MakeKernel } from '../kernel/abi.ts';
import { createKernel } from '../kernel/load.ts';
import { type BitmapHandle, NULL_POINTER, type Pointer } from './brands.ts';
import { LIMIT_PAGES, Memory } from './memory.ts';
import { Scratch } from './scratch.ts';

/** Sizes that tests make small so that edges are met. */
export interface Layout {
  /** log2 of the rows in a segment; 7 to 16. */
  readonly segmentBits: number;
  /** RowNumbers in a full block of a sort order. */
  readonly blockRows: number;
  /** A value with more rows than this, and than a share of all, keeps them as a bitmap. */
  readonly denseRows: number;
  /** UUIDs that came since a segment was last sorted, before it is sorted again. */
  readonly freshRows: number;
  /** Rows from which on frequent pieces of text get bitmaps of their own. */
  readonly precomputeRows: number;
  /** Up to so many hits a page is cut by selecting among them. */
  readonly fewHits: number;
  /** An answer of up to so many rows is found as a list, a larger one as a bitmap. */
  readonly listedRows: number;
  /**
   * Rows are each asked whether a condition holds when that takes up to so many look-ups: most miss
   * the cache, 20 ns each, where going over a bitmap of a million rows takes 10 µs.
   */
  readonly askedRows: number;
  /** Up to so many rows, those within `PageRequest.within` are asked, and no others. */
  readonly visibleRows: number;
  /** Blocks that are walked in the time in which the rank index finds a page. */
  readonly walkedBlocks: number;
  /** Pages of 64 KiB that the memory may grow to; past that a change throws `CapacityExceeded`. */
  readonly memoryPages: number;
}

export const DEFAULT_LAYOUT: Layout = {
  segmentBits: 16,
  blockRows: 2048,
  denseRows: 1024,
  freshRows: 4096,
  precomputeRows: 20_000,
  fewHits: 512,
  listedRows: 2048,
  askedRows: 2048,
  visibleRows: 32_768,
  walkedBlocks: 24,
  memoryPages: LIMIT_PAGES,
};

/** Bits of the smallest segments: a table that outgrows them a hundredfold is a little slower. */
const LEAST_BITS = 12;
/** What a table may grow by within its first segment. */
const HEADROOM = 1.5;

/** A segment takes its room whole, so a small table has smaller ones. */
export function layoutFor(expectedRows: number | undefined): Layout {
  if (!expectedRows) return DEFAULT_LAYOUT;
  const bits = Math.ceil(Math.log2(expectedRows * HEADROOM));
  const { segmentBits } = DEFAULT_LAYOUT;
  return { ...DEFAULT_LAYOUT, segmentBits: Math.min(Math.max(bits, LEAST_BITS), segmentBits) };
}

export class Space {
  readonly memory: Memory;
  /** What the search that is under way works in. */
  readonly scratch: Scratch;
  readonly kernel: Kernel;
  readonly layout: Layout;
  readonly segmentBits: number;
  readonly segmentRows: number;
  readonly segmentMask: number;
  readonly segmentBytes: number;
  #segments = 0;
  readonly #idle: BitmapHandle[] = [];
  /** Idle ones that are all zeros. */
  readonly #clean: BitmapHandle[] = [];
  #list = NULL_POINTER;
  #listRoom = 0;
  /** A bitmap chunk that is all zeros; nobody writes to it. */
  readonly zeros: Pointer;

  constructor(layout: Layout, kernel: MakeKernel = createKernel) {
    this.memory = new Memory(layout.memoryPages);
    this.scratch = new Scratch(this.memory);
    this.kernel = kernel(this.memory);
    this.layout = layout;
    this.segmentBits = layout.segmentBits;
    this.segmentRows = 2 ** layout.segmentBits;
    this.segmentMask = this.segmentRows - 1;
    this.segmentBytes = this.segmentRows / 8;
    this.zeros = this.memory.allocZero(this.segmentBytes);
  }

  get segments(): number {
    return this.#segments;
  }

  /** Bytes of a bitmap over all rows. */
  get bitmapBytes(): number {
    return this.#segments * this.segmentBytes;
  }

  /** Makes room for one more segment. No borrowed bitmap may be out. */
  addSegment(): void {
    for (const bitmaps of [this.#idle, this.#clean]) {
      for (const bitmap of bitmaps) this.memory.free(bitmap, this.bitmapBytes);
      bitmaps.length = 0;
    }
    this.#segments++;
  }

  /** Lends a contiguous bitmap of all rows, cleared unless told otherwise. */
  borrow(cleared = true): BitmapHandle {
    const clean = cleared || this.#idle.length === 0 ? this.#clean.pop() : undefined;
    if (clean !== undefined) return clean;
    const bitmap = this.#idle.pop() ?? (this.memory.alloc(this.bitmapBytes) as BitmapHandle);
    if (cleared) this.memory.u8.fill(0, bitmap, bitmap + this.bitmapBytes);
    return bitmap;
  }

  /** Takes a bitmap back; `clean` says that it is all zeros again. */
  giveBack(bitmap: BitmapHandle, clean = false): void {
    (clean ? this.#clean : this.#idle).push(bitmap);
  }

  /** A list to write up to n numbers to. The next call may give the same one. */
  listOf(n: number): Pointer {
    if (n > this.#listRoom) {
      if (this.#listRoom > 0) this.memory.free(this.#list, this.#listRoom * 4);
      this.#listRoom = Math.max(1024, 2 ** Math.ceil(Math.log2(n)));
      this.#list = this.memory.alloc(this.#listRoom * 4);
    }
    return this.#list;
  }
}
