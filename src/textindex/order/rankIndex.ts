/**
 * The rank index of an order: finds the page in the middle of half a million hits without walking there.
 *
 *     order    [ block ][ block ][ block ][ block ] …       a range is a few blocks in a row
 *     range        0        0        1        2             48 at first, of 64 there can be
 *     planes   the six bits of each row's range, a bitmap each, by row number
 *
 * To find the hit of rank r, count the hits whose highest range bit is 0. If r is among them keep
 * those; else subtract their number from r and keep the others. Continue with the next bit. At most
 * six passes over the hits find the range in which the page starts, and the rank there. They take
 * 60 µs for a million rows at worst, in any order and with any hits. (The idea is that of the
 * wavelet tree, Grossi and others 2003.) Rows that came together mostly rank together. So a search
 * reads neither planes that have one bit for all rows of a segment, nor segments without hits left.
 * Cache misses take most of a search's time. The alternative, a histogram of hits by block, takes
 * 0.25 ms and two bytes a row instead of 0.75.
 *
 * The rows between two ranks are those of the ranges between them, and few more. So a condition on a
 * range of values reads the planes too (places.ts).
 */
import { invariant } from '../../errors.ts';
import {
  type BitmapHandle,
  NULL_POINTER,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepNumbers, type State, type Steps } from '../storage/state.ts';
import type { Block, RowBlocks } from './block.ts';
import { firstNot } from './firstNot.ts';

const BITS = 6;
const LAST = 2 ** BITS - 1;
/** Ranges in use after numbering; the others are for rows that come at the end. */
const USED = 48;
/** Blocks that one step of numbering takes. */
const STRIDE = 2;

/** Masks of a segment: the range bits that none of its rows has, and those that all have. */
interface Uniform {
  readonly none: number;
  readonly all: number;
}

/** A segment without planes. */
const ALL_IN_FIRST: Uniform = { none: 2 ** BITS - 1, all: 0 };
const UNKNOWN: Uniform = { none: 0, all: 0 };

/** The hits of one segment that are left while a page is located. */
interface Part {
  readonly segment: number;
  /** Where they are: among all hits until some are left out, then at their own place. */
  from: Pointer;
  readonly at: Pointer;
  count: number;
  /** The number of these hits without the plane at hand. */
  without: number;
}

/** A range's first and last block and its number of hits; the rank of one of these. */
export interface Located {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly rank: number;
}

export class RankIndex {
  readonly #space: Space;
  readonly #order: RowBlocks;
  /** For each segment its BITS planes, one after the other. */
  readonly #planes: Pointer[] = [];
  /**
   * Uniform bits by segment; undefined when a row of it has moved to another range since they were
   * computed.
   */
  readonly #uniform: (Uniform | undefined)[] = [];
  /** Rows that a range should have, by the last numbering. */
  #target = 0;
  #numberedFor = 0;
  #numbering: { edition: number; before: number } | undefined;
  #edition = 0;

  constructor(space: Space, order: RowBlocks) {
    this.#space = space;
    this.#order = order;
  }

  /** Whether it can be used now. */
  get ready(): boolean {
    return this.#target > 0 && !this.#numbering;
  }

  /** The range in which the hit of this rank is, and the rank there. */
  locate(hits: BitmapHandle, rank: number): Located {
    let remaining = rank;
    const { range, count } = this.#descend(hits, (without) => {
      if (remaining < without) return 0;
      remaining -= without;
      return 1;
    });
    const [first, last] = [this.#firstBlock(range), this.#firstBlock(range + 1) - 1];
    invariant(last >= first, `a row is in range ${range}, which a block has`);
    return { first, last, count, rank: remaining };
  }

  /** The first block of a range, or of the next one that has blocks: their numbers never fall. */
  #firstBlock(range: number): number {
    const { blocks } = this.#order;
    return firstNot(blocks.length, (i) => blocks[i]!.range < range);
  }

  /** How many hits rank before a range. */
  before(hits: BitmapHandle, range: number): number {
    let before = 0;
    this.#descend(hits, (without, bit) => {
      if (((range >>> bit) & 1) === 0) return 0;
      before += without;
      return 1;
    });
    return before;
  }

  /** bitmap &= the rows that rank in the ranges from `low` up to and with `high`. */
  keepIn(bitmap: BitmapHandle, low: number, high: number): void {
    const { kernel, memory, segments, segmentBytes } = this.#space;
    for (let segment = 0; segment < segments; segment++) {
      const { none, all } = this.#uniformOf(segment);
      const [least, greatest] = [all, LAST & ~none];
      const to = plus(bitmap, segment * segmentBytes);
      if (greatest < low || least > high) memory.u8.fill(0, to, to + segmentBytes);
      else if (least < low || greatest > high) {
        // No plane is read above the highest one in which rows of the segment differ.
        const planes = 32 - Math.clz32(least ^ greatest);
        const base = (least >>> planes) << planes;
        const highest = Math.min(high - base, 2 ** planes - 1);
        const lowest = Math.max(low - base, 0);
        kernel.between(to, this.#plane(segment, 0), planes, lowest, highest, segmentBytes);
      }
    }
  }

  /**
   * Narrows the hits to those of one range, bit by bit, by the number of hits without the bit at hand.
   *
   * @returns the range, and how many hits it has
   */
  #descend(
    hits: BitmapHandle,
    choose: (without: number, bit: number) => 0 | 1,
  ): { range: number; count: number } {
    const { kernel, scratch, segments, segmentBytes } = this.#space;
    const left = scratch.bitmap(false);
    let parts: Part[] = [];
    for (let segment = 0; segment < segments; segment++) {
      const from = plus(hits, segment * segmentBytes);
      const count = kernel.count(from, segmentBytes);
      const at = plus(left, segment * segmentBytes);
      if (count === 0) continue;
      parts.push({ segment, from, at, count, without: 0 });
    }
    let range = 0;
    for (let bit = BITS - 1; bit >= 0; bit--) {
      let without = 0;
      for (const part of parts) {
        part.without = this.#without(part, bit);
        without += part.without;
      }
      const chosen = choose(without, bit);
      range |= chosen << bit;
      parts = parts.filter((part) => this.#narrow(part, bit, chosen));
    }
    scratch.giveBack(left);
    return { range, count: parts.reduce((sum, part) => sum + part.count, 0) };
  }

  /** How many of the hits that are left of a segment are not in the plane of a bit. */
  #without({ segment, from, count }: Part, bit: number): number {
    const { kernel, segmentBytes } = this.#space;
    const { none, all } = this.#uniformOf(segment);
    if (((none >>> bit) & 1) === 1) return count;
    if (((all >>> bit) & 1) === 1) return 0;
    return count - kernel.countAnd(from, this.#plane(segment, bit), segmentBytes);
  }

  /** Leaves the hits of a segment that are in the plane of a bit, or are not; false when none are left. */
  #narrow(part: Part, bit: number, chosen: 0 | 1): boolean {
    const kept = chosen === 1 ? part.count - part.without : part.without;
    // After the last bit nobody reads them.
    if (kept < part.count && kept > 0 && bit > 0) {
      const { kernel, memory, segmentBytes } = this.#space;
      const { from, at } = part;
      if (from !== at) memory.u8.copyWithin(at, from, from + segmentBytes);
      part.from = at;
      const plane = this.#plane(part.segment, bit);
      if (chosen === 1) kernel.and(at, plane, segmentBytes);
      else kernel.andNot(at, plane, segmentBytes);
    }
    part.count = kept;
    return kept > 0;
  }

  /** Does a step of maintenance; false when all is as it should be. */
  step(): boolean {
    if (!this.#numbering && !this.#begin()) return this.#findUniform();
    const { edition } = this.#numbering!;
    const blocks = this.#order.blocks;
    let at = blocks.findIndex((block) => block.edition !== edition);
    for (let i = 0; i < STRIDE && at >= 0 && at < blocks.length; i++, at++) {
      const block = blocks[at]!;
      const range = Math.min(USED - 1, Math.floor(this.#numbering!.before / this.#target));
      this.#numbering!.before += block.count;
      block.edition = edition;
      // A block may have been split off one that was numbered higher.
      this.#renumber(block, Math.max(range, blocks[at - 1]?.range ?? 0));
    }
    if (at < 0 || at >= blocks.length) this.#numbering = undefined;
    return true;
  }

  #begin(): boolean {
    const { size, blocks } = this.#order;
    if (blocks.length < USED) return false;
    const fits = size < this.#numberedFor * 1.5 && size > this.#numberedFor / 4;
    if (this.#target > 0 && fits && this.#extend()) return false;
    this.#target = Math.ceil(size / USED);
    this.#numberedFor = size;
    this.#numbering = { edition: ++this.#edition, before: 0 };
    return true;
  }

  /** Splits the last range when it has grown to twice its size; false when no number is left. */
  #extend(): boolean {
    const { blocks } = this.#order;
    const last = blocks.at(-1)!.range;
    let from = blocks.length;
    let rows = 0;
    while (from > 0 && blocks[from - 1]!.range === last) rows += blocks[--from]!.count;
    if (rows < this.#target * 2) return true;
    if (last === LAST) return rows < this.#target * 4;
    for (let i = (from + blocks.length) >>> 1; i < blocks.length; i++) {
      this.#renumber(blocks[i]!, last + 1);
    }
    return true;
  }

  #renumber(block: Block, range: number): void {
    if (block.range === range) return;
    block.range = range;
    for (let i = 0; i < block.count; i++) {
      this.mark(this.#space.memory.u32[(block.ptr >>> 2) + i]! as RowNumber, range);
    }
  }

  /**
   * Reads the planes of one segment whose rows have moved to other ranges; false when there is
   * none.
   */
  #findUniform(): boolean {
    const { kernel, segmentBytes, segmentRows } = this.#space;
    const segment = this.#planes.findIndex((planes, i) => planes && !this.#uniform[i]);
    if (segment < 0) return false;
    let [none, all] = [0, 0];
    for (let bit = 0; bit < BITS; bit++) {
      const count = kernel.count(this.#plane(segment, bit), segmentBytes);
      if (count === 0) none |= 1 << bit;
      if (count === segmentRows) all |= 1 << bit;
    }
    this.#uniform[segment] = { none, all };
    return true;
  }

  #uniformOf(segment: number): Uniform {
    return this.#planes[segment] ? (this.#uniform[segment] ?? UNKNOWN) : ALL_IN_FIRST;
  }

  #plane(segment: number, bit: number): Pointer {
    const planes = this.#planes[segment];
    return planes ? plus(planes, bit * this.#space.segmentBytes) : this.#space.zeros;
  }

  /** Notes a row with a new range: it came, or its block was merged into one of another range. */
  mark(row: RowNumber, range: number): void {
    const { memory, segmentBits, segmentMask, segmentBytes } = this.#space;
    const segment = row >>> segmentBits;
    while (this.#planes.length <= segment) this.#planes.push(NULL_POINTER);
    if (!this.#planes[segment]) {
      if (range === 0) return;
      this.#planes[segment] = memory.allocZero(BITS * segmentBytes);
    }
    this.#uniform[segment] = undefined;
    const { u8 } = memory;
    const offset = row & segmentMask;
    let at = this.#planes[segment]! + (offset >>> 3);
    for (let bit = 0; bit < BITS; bit++, at += segmentBytes) {
      const mask = 1 << (offset & 7);
      u8[at] = (u8[at]! & ~mask) | (((range >>> bit) & 1) << (offset & 7));
    }
  }

  /** The numbering of blocks, which must have ended. Maintenance finds uniform bits again. */
  *keep(state: State): Steps {
    invariant(!this.#numbering, 'blocks are numbered');
    this.#target = state.number(this.#target);
    this.#numberedFor = state.number(this.#numberedFor);
    this.#edition = state.number(this.#edition);
    yield* keepNumbers(state, this.#planes);
  }

  check(): void {
    this.#checkUniform();
    let before = 0;
    for (const block of this.#order.blocks) {
      if (this.ready && block.range < before) throw new Error('rank index: numbers fall');
      before = block.range;
      for (let i = 0; i < block.count; i++) {
        const row = this.#space.memory.u32[(block.ptr >>> 2) + i]! as RowNumber;
        if (this.#rangeOf(row) !== block.range)
          throw new Error(`rank index: row ${row} is in the wrong range`);
      }
    }
  }

  #checkUniform(): void {
    const { kernel, segmentBytes, segmentRows } = this.#space;
    for (const [segment, uniform] of this.#uniform.entries()) {
      for (let bit = 0; uniform && bit < BITS; bit++) {
        const count = kernel.count(this.#plane(segment, bit), segmentBytes);
        const wrongly = (mask: number, wanted: number) =>
          ((mask >>> bit) & 1) === 1 && count !== wanted;
        if (wrongly(uniform.none, 0) || wrongly(uniform.all, segmentRows))
          throw new Error(`rank index: plane ${bit} of segment ${segment} is not uniform`);
      }
    }
  }

  #rangeOf(row: RowNumber): number {
    const offset = row & this.#space.segmentMask;
    let range = 0;
    for (let bit = 0; bit < BITS; bit++) {
      const at = this.#plane(row >>> this.#space.segmentBits, bit) + (offset >>> 3);
      range |= ((this.#space.memory.u8[at]! >>> (offset & 7)) & 1) << bit;
    }
    return range;
  }
}
