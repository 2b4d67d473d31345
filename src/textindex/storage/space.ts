/**
 * Shared by all parts of one index: its memory, its kernel, its layout, its folding, and temporary memory.
 *
 *     row:     0 … 65,535 │ 65,536 … 131,071 │ …        row numbers, dense integers
 *     segment:      0      │        1         │ …        storage grows by one of these
 *
 * Everything kept by row is kept in one chunk a segment, so growth never copies. A bitmap that a
 * search works in is contiguous over all segments: segment s of it starts at `s * segmentBytes`.
 */
import { type Fold, standardFold } from '../caseFold.ts';
import type { Kernel, MakeKernel } from '../kernel/abi.ts';
import { createKernel } from '../kernel/load.ts';
import type { Pointer } from './brands.ts';
import { LIMIT_PAGES, Memory } from './memory.ts';
import { Scratch } from './scratch.ts';
import type { State } from './state.ts';

/**
 * Sizes that tests make small so that edges are met. `fewHits` among kept orders, `listedRows` and
 * `probedRows` are those of a table of a million rows: they grow with a larger one (`Space.few`).
 */
export interface Layout {
  /** log2 of the rows in a segment; 7 to 16. */
  readonly segmentBits: number;
  /** Rows in a full block of a sort order. */
  readonly blockRows: number;
  /** A value with more rows than this, and than a share of all, keeps them as a bitmap. */
  readonly denseRows: number;
  /** UUIDs that came since a segment was last sorted, before it is sorted again; texts, likewise. */
  readonly freshRows: number;
  /** From this many rows on, frequent pieces of text get their own bitmaps. */
  readonly precomputeRows: number;
  /** Most hits among which a page is selected; of more it is read from an order. */
  readonly fewHits: number;
  /** An answer of up to this many rows is found as a list, a larger one as a bitmap. */
  readonly listedRows: number;
  /**
   * Rows are probed one by one when that takes up to this many look-ups. Most look-ups miss the
   * cache, 20 ns each, where a pass over a bitmap of a million rows takes 10 µs.
   */
  readonly probedRows: number;
  /**
   * Most rows within `PageRequest.within` that are tested one by one, without reading any others.
   */
  readonly visibleRows: number;
  /** Bytes of texts of a column from which on these have frequent infixes. */
  readonly infixTextBytes: number;
  /** Bytes from which on they have signatures, and more infixes. */
  readonly largeTextBytes: number;
  /** log2 of the bytes of a block of texts that is signed as one. */
  readonly textBlockBits: number;
  /** Blocks that are walked in the time in which the rank index finds a page. */
  readonly walkedBlocks: number;
  /** Blocks of rests, each of 256 KiB; past that the oldest goes. A place of 32 bits names a byte of so many. */
  readonly restBlocks: number;
  /** Pages of 64 KiB that the memory may grow to; past that a change throws `CapacityExceeded`. */
  readonly memoryPages: number;
}

/** Thresholds that grow with the table are those of so many rows. */
const MILLION = 2 ** 20;

export const DEFAULT_LAYOUT: Layout = {
  segmentBits: 16,
  blockRows: 2048,
  denseRows: 1024,
  freshRows: 4096,
  precomputeRows: 20_000,
  fewHits: 512,
  listedRows: 2048,
  probedRows: 2048,
  visibleRows: 32_768,
  infixTextBytes: 4_096,
  largeTextBytes: 524_288,
  textBlockBits: 9,
  walkedBlocks: 24,
  restBlocks: 16_384,
  memoryPages: LIMIT_PAGES,
};

/** Bits of the smallest segments: a table that outgrows them a hundredfold is a little slower. */
const MIN_BITS = 12;
/** The growth that a table has room for within its first segment. */
const HEADROOM = 1.5;

/** A segment takes its room whole, so a small table has smaller ones. */
export function layoutFor(expectedRows: number | undefined): Layout {
  if (!expectedRows) return DEFAULT_LAYOUT;
  const bits = Math.ceil(Math.log2(expectedRows * HEADROOM));
  const { segmentBits } = DEFAULT_LAYOUT;
  return { ...DEFAULT_LAYOUT, segmentBits: Math.min(Math.max(bits, MIN_BITS), segmentBits) };
}

/** The rows that a table has room for when so many have come: segments take their room whole. */
export function roomFor(rows: number): number {
  const segmentRows = 2 ** layoutFor(rows).segmentBits;
  return Math.ceil(rows / segmentRows) * segmentRows;
}

export class Space {
  readonly memory: Memory;
  /** Temporary memory of the operation under way. */
  readonly scratch: Scratch;
  readonly kernel: Kernel;
  /** Tells which letters are the same. */
  readonly fold: Fold;
  readonly layout: Layout;
  readonly segmentBits: number;
  readonly segmentRows: number;
  readonly segmentMask: number;
  readonly segmentBytes: number;
  #segments = 0;
  /** A bitmap chunk that is all zeros; it is never written to. */
  zeros: Pointer;

  constructor(layout: Layout, kernel: MakeKernel = createKernel, fold = standardFold()) {
    this.memory = new Memory(layout.memoryPages);
    this.scratch = new Scratch(this.memory);
    this.kernel = kernel(this.memory);
    this.fold = fold;
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

  /**
   * A threshold of rows that are looked at one by one, for a table of this size; `rows` is that of a million.
   * A pass over a bitmap takes longer in a larger table.
   */
  few(rows: number): number {
    return rows * Math.max(1, (this.#segments * this.segmentRows) / MILLION);
  }

  /** Bytes of a bitmap over all rows. */
  get bitmapBytes(): number {
    return this.#segments * this.segmentBytes;
  }

  /** Its segments. Temporary memory is not kept. */
  keep(state: State): void {
    this.#segments = state.number(this.#segments);
    this.zeros = state.number(this.zeros);
    if (state.reading) this.scratch.resizeBitmaps(this.bitmapBytes);
  }

  /** Makes room for one more segment. No bitmap may be lent. */
  addSegment(): void {
    this.#segments++;
    this.scratch.resizeBitmaps(this.bitmapBytes);
  }
}
