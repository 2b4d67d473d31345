/**
 * Finds a piece of a UUID: its possible places, and for each place a window to look it up in.
 *
 *     13f-a ──► digits 1 3 f a at nibbles 5, 9, 13, 17 ──► scans ──► kernel: rows of all segments
 *                less those no row has there               (ids/windows.ts)
 *
 * Pieces of one or two characters have a bitmap, which the search reads instead. A nibble that no
 * row has at a place rules the place out (the 4 of version 4, say); one that all rows have there
 * says nothing. Rows that came since their segment was sorted are compared one by one.
 */
import { Union } from '../evaluate/union.ts';
import { LOOKUP, PATTERNS, PLACES_BYTES, SCAN } from '../kernel/abi.ts';
import type { StoredRows } from '../storage/bitmap.ts';
import { NULL_POINTER, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { IdFormat } from './format.ts';
import { mayStandIn, pieceOf } from './piece.ts';
import { AFTER, BEFORE, DIGIT, PAIR, type UuidSegment } from './segment.ts';
import { chooseScans, type KnownNibbles } from './windows.ts';

/** The parts of a column's UUIDs that a search reads. */
export interface UuidRows {
  readonly size: number;
  readonly segments: readonly (UuidSegment | undefined)[];
  readonly format: IdFormat;
  /** How many rows have a nibble at a place: at `place * 16 + nibble`. */
  readonly counts: Uint32Array;
  /** The kernel's UUIDS, one for every segment of the space. */
  forKernel(): Pointer;
}

/** A search does not begin to list when it expects this many times as many rows as fit the list. */
const HOPELESS = 4;

/** Most comparisons for which testing listed rows is quicker than finding all. */
const COMPARED = 8192;

/** Where rows that are found go: to a bitmap, or, if that is 0, to a list. */
interface Target {
  readonly bitmap: Pointer;
  readonly list: Pointer;
  readonly most: number;
}

export class UuidSearch {
  readonly #space: Space;
  readonly #rows: UuidRows;

  constructor(space: Space, rows: UuidRows) {
    this.#space = space;
    this.#rows = rows;
  }

  /** union |= rows whose UUID contains the folded text. */
  addTo(union: Union, text: string): void {
    const { size, format } = this.#rows;
    if (size === 0 || !mayStandIn(format, text)) return;
    const number = frequent(text);
    if (number !== undefined) {
      union.add(this.#stored((segment) => segment.bitmapOf(number)));
      return;
    }
    const ways = this.#waysOf(text);
    if (ways.some(({ bits }) => bits === 0)) union.add(this.#stored(({ has }) => has));
    else if (ways.length > 0) {
      this.#find(ways, { bitmap: union.open, list: NULL_POINTER, most: 0 });
    }
  }

  /**
   * Lists the rows whose UUID contains the folded text, for answers with few rows: `list` has room
   * for `most` rows (u32). Returns how many it listed, or `many` when there are more, or so many
   * more are likely that it did not look. In no order; a row may be listed twice.
   */
  find(text: string, list: Pointer, most: number): number | 'many' {
    const ways = this.#waysOf(text);
    if (sumOf(ways) * this.#rows.size > most * HOPELESS) return 'many';
    const n = ways.length > 0 ? this.#find(ways, { bitmap: NULL_POINTER, list, most }) : 0;
    return n > most ? 'many' : n;
  }

  /** About how many rows have the folded text in their UUID, at most about as many. */
  estimate(text: string): number {
    return Math.min(1, sumOf(this.#waysOf(text))) * this.#rows.size;
  }

  /**
   * Partitions n listed rows: those whose UUID contains the folded text go to `matched`, which has
   * room for all, the others to the list's front. Returns how many match.
   */
  split(text: string, list: Pointer, n: number, matched: Pointer): number {
    const ways = this.#waysOf(text);
    if (ways.length === 0) return 0;
    if (n * ways.length <= COMPARED) {
      return this.#split(this.#writePatterns(ways), list, n, matched);
    }
    const union = new Union(this.#space);
    this.addTo(union, text);
    return union.split(list, n, matched);
  }

  /**
   * The same as `split`, but compares each row with the text at each place where it may stand. So
   * other rows' contents change neither the answer nor the time.
   */
  splitEach(text: string, list: Pointer, n: number, matched: Pointer): number {
    const ways = everyWay(this.#rows.format, text);
    if (ways.length === 0 || n === 0) return 0;
    return this.#split(this.#writePatterns(ways), list, n, matched);
  }

  /** The places at which some row may have the piece: there all its nibbles occur. */
  #waysOf(text: string): readonly KnownNibbles[] {
    const { digits, at } = pieceOf(this.#rows.format, text);
    const ways: KnownNibbles[] = [];
    for (const first of at) {
      const way = this.#wayAt(first, digits);
      if (way) ways.push(way);
    }
    return ways;
  }

  /**
   * The nibbles that the piece has at a place; undefined when no row has one of its digits there.
   */
  #wayAt(first: number, digits: readonly number[]): KnownNibbles | undefined {
    let bits = 0;
    const shares: number[] = [];
    for (let i = 0; i < digits.length; i++) {
      const place = first + i;
      const count = this.#rows.counts[place * 16 + digits[i]!]!;
      if (count === 0) return undefined;
      if (count < this.#rows.size) bits |= 1 << place;
      shares.push(count / this.#rows.size);
    }
    return { first, digits, bits, shares };
  }

  #stored(pick: (segment: UuidSegment) => Pointer): StoredRows {
    return { chunks: this.#rows.segments.map((segment) => segment && pick(segment)) };
  }

  /** Rows that fit any of the ways; returns how many were listed, more than `most` if too many. */
  #find(ways: readonly KnownNibbles[], target: Target): number {
    const { kernel, segmentBits } = this.#space;
    const patterns = this.#writePatterns(ways);
    const lookup = this.#writeLookup(this.#scansFor(ways, patterns), target);
    const { length: segments } = this.#rows.segments;
    const n = kernel.uuidFind(this.#rows.forKernel(), segments, segmentBits, lookup);
    return n > target.most ? n : n + this.#findFresh(patterns, target, n);
  }

  /** The kernel's scans, one after the other. */
  #scansFor(ways: readonly KnownNibbles[], patterns: Pointer): number[] {
    const { length: segments } = this.#rows.segments;
    const scans: number[] = [];
    for (const [i, way] of ways.entries()) {
      const { size, format } = this.#rows;
      const chosen = chooseScans(format.windows, way, size, segments);
      const { window, lows, span, mark, mask, unknown } = chosen;
      const isExact = unknown === 0;
      const pattern = isExact ? NULL_POINTER : plus(patterns, PATTERNS.first + i * PATTERNS.each);
      const pair = isExact ? 0 : this.#pairIn(way, unknown);
      for (const low of lows) scans.push(window, low, low + span - 1, mark, mask, pattern, pair);
    }
    return scans;
  }

  /** Where a segment's bitmaps have a pair of the digits, one of them at an unknown place; 0 for none. */
  #pairIn({ first, digits }: KnownNibbles, unknown: number): number {
    const { hyphensAt } = this.#rows.format;
    for (let i = 0; i + 1 < digits.length; i++) {
      const isKnown = ((unknown >>> (first + i)) & 3) === 0;
      if (isKnown || hyphensAt.includes((first + i + 1) / 2)) continue;
      return (PAIR + digits[i]! * 16 + digits[i + 1]!) * this.#space.segmentBytes;
    }
    return 0;
  }

  #writeLookup(scans: readonly number[], { bitmap, list, most }: Target): Pointer {
    const { memory, scratch } = this.#space;
    const at = scratch.take(LOOKUP.bytes);
    const places = scratch.take(PLACES_BYTES);
    const numbers = scratch.take(scans.length * 4);
    memory.u32.set(scans, numbers >>> 2);
    memory.u32[(at + LOOKUP.scans) >>> 2] = numbers;
    memory.u32[(at + LOOKUP.count) >>> 2] = (scans.length * 4) / SCAN.bytes;
    memory.u32[(at + LOOKUP.places) >>> 2] = places;
    memory.u32[(at + LOOKUP.bitmap) >>> 2] = bitmap;
    memory.u32[(at + LOOKUP.list) >>> 2] = list;
    memory.u32[(at + LOOKUP.most) >>> 2] = most;
    return at;
  }

  /** Looks through rows that are not sorted yet; `before` are listed already. */
  #findFresh(patterns: Pointer, { bitmap, list, most }: Target, before: number): number {
    const { kernel, memory, scratch, segmentRows } = this.#space;
    const { segments } = this.#rows;
    const n = segments.reduce((sum, segment) => sum + (segment?.fresh.length ?? 0), 0);
    const fresh = scratch.take(n * 4);
    let at = fresh >>> 2;
    for (let i = 0; i < segments.length; i++) {
      for (const offset of segments[i]?.fresh ?? []) memory.u32[at++] = i * segmentRows + offset;
    }
    const matched = scratch.take(n * 4);
    const found = this.#split(patterns, fresh, n, matched);
    if (bitmap !== NULL_POINTER) kernel.setBits(bitmap, matched, found);
    else if (before + found <= most) {
      memory.u8.copyWithin(plus(list, before * 4), matched, matched + found * 4);
    }
    return found;
  }

  /**
   * Partitions n listed rows: rows that fit any of the patterns go to `matched`; returns how many.
   */
  #split(patterns: Pointer, list: Pointer, n: number, matched: Pointer): number {
    const { kernel, segmentBits } = this.#space;
    return kernel.uuidSplit(this.#rows.forKernel(), segmentBits, list, n, patterns, matched);
  }

  /** Mask and value of the 16 bytes for each of the ways. */
  #writePatterns(ways: readonly KnownNibbles[]): Pointer {
    const { memory, scratch } = this.#space;
    const patterns = scratch.takeZero(PATTERNS.first + ways.length * PATTERNS.each);
    memory.u32[patterns >>> 2] = ways.length;
    const { u8 } = memory;
    for (const [i, { bits, first, digits }] of ways.entries()) {
      const at = patterns + PATTERNS.first + i * PATTERNS.each;
      for (let left = bits; left !== 0; left &= left - 1) {
        const place = 31 - Math.clz32(left & -left);
        const shift = place & 1 ? 0 : 4;
        u8[at + (place >>> 1)]! |= 15 << shift;
        u8[at + 16 + (place >>> 1)]! |= digits[place - first]! << shift;
      }
    }
    return patterns;
  }
}

/** The text at each possible place in a UUID. */
function everyWay(format: IdFormat, text: string): KnownNibbles[] {
  const { digits, at } = pieceOf(format, text);
  return at.map((first) => {
    const bits = digits.reduce((all, _, i) => all | (1 << (first + i)), 0);
    return { first, digits, bits, shares: [] };
  });
}

const HAS_BITMAP = /^([0-9a-f]{1,2}|-[0-9a-f]|[0-9a-f]-)$/;

/** The number of the bitmap that answers for a piece of one or two characters. */
function frequent(text: string): number | undefined {
  if (!HAS_BITMAP.test(text)) return undefined;
  const [first, second] = text;
  if (first === '-') return AFTER + Number.parseInt(second!, 16);
  if (second === '-') return BEFORE + Number.parseInt(first!, 16);
  return (second === undefined ? DIGIT : PAIR) + Number.parseInt(text, 16);
}

/** The estimated share of rows that fit one of the ways, or a greater number. */
function sumOf(ways: readonly KnownNibbles[]): number {
  let sum = 0;
  for (const { shares } of ways) sum += shares.reduce((product, share) => product * share, 1);
  return sum;
}
