/**
 * A column of mostly unique UUIDs: 16 bytes a row, no text, and lists to find a piece of one by.
 *
 *     piece ──► where it may stand ──► a window for each (uuidWindows.ts) ──► rows of 16 segments
 *     13f-a     1 3 f │ a, 4 places    bucket 3fa, mark 1                     none is compared
 *
 * Four digits in a row, and up to two on either side of a hyphen, stand in one of 21 windows. For
 * each, a segment keeps its rows sorted by the window's nibbles. Longer pieces look one of their
 * windows up, that with the fewest rows by the counts of each nibble at each place, and compare the
 * 16 bytes under a mask; where a nibble is that of no row the piece cannot stand, and one that all
 * rows have there tells nothing. Shorter ones read bitmaps kept for each digit, each pair of
 * neighbours, and each digit before or after a hyphen.
 *
 * Lists may be out of date: a row that left is no longer `sound` in them, one that came is in the
 * segment's `fresh` list, which is looked through one by one until the segment is sorted anew (21
 * steps of 0.5 ms). Slots can be used again at once.
 */
import { LOOK, PLACES_BYTES, RECORD } from './kernel/plainUuids.ts';
import { textPrefix } from './scalars.ts';
import type { Slot, Space } from './space.ts';
import { AFTER, BEFORE, DIGIT, PAIR, UuidSegment } from './uuidSegment.ts';
import { pieceOf, readUuid, sameUuid } from './uuidText.ts';
import { type Known, lookup } from './uuidWindows.ts';

/** A piece can stand at 36 places at most; mask and value for each. */
const PATTERN_BYTES = 32;
const PATTERNS_BYTES = 36 * PATTERN_BYTES;

/** Listing is given up when this many times as many rows are to be expected as may be listed. */
const HOPELESS = 4;

/** Up to so many comparisons, asking listed rows is quicker than finding all. */
const COMPARED = 8192;

/** What holds for every UUID. */
const ANYWHERE: Known = { first: 0, digits: [], bits: 0, shares: [] };

/** Where rows that are found go: to a bitmap, or, if that is 0, to a list. */
interface Target {
  readonly bitmap: number;
  readonly list: number;
  readonly most: number;
}

const start = new Uint8Array(6);

export class Uuids {
  readonly #space: Space;
  readonly #segments: (UuidSegment | undefined)[] = [];
  /** One record a segment for the kernel. */
  #records = 0;
  #recordRoom = 0;
  #recorded = 0;
  /** How many rows have a nibble at a place: at `place * 16 + nibble`. */
  readonly #counts = new Uint32Array(32 * 16);
  /** What searches write for the kernel: patterns, places, looks, fresh slots. */
  #work = 0;
  #workRoom = 0;
  /** The text asked for last, until a row changes: a search asks several things about one text. */
  #asked: { readonly text: string; readonly ways: readonly Known[] } | undefined;
  size = 0;

  constructor(space: Space) {
    this.#space = space;
  }

  has(slot: Slot): boolean {
    const segment = this.#segments[slot >>> this.#space.segmentBits];
    if (!segment) return false;
    const row = slot & this.#space.segmentMask;
    return ((this.#space.memory.u8[segment.has + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
  }

  /** The UUID of a slot that has one. */
  textAt(slot: Slot): string {
    return readUuid(this.#space.memory.u8, this.#at(slot));
  }

  /** Whether the UUID of a slot that has one is this canonical one. */
  same(slot: Slot, uuid: string): boolean {
    return sameUuid(uuid, this.#space.memory.u8, this.#at(slot));
  }

  /** The `prefixKey` of a slot's UUID: that of its first six digits as text. */
  prefixAt(slot: Slot): number {
    const { u8 } = this.#space.memory;
    const at = this.#at(slot);
    for (let i = 0; i < 6; i++) {
      const byte = u8[at + (i >>> 1)]!;
      const nibble = i & 1 ? byte & 15 : byte >>> 4;
      start[i] = nibble < 10 ? 48 + nibble : 87 + nibble;
    }
    return textPrefix(start);
  }

  /** Where the 16 bytes of a slot's UUID are. */
  #at(slot: Slot): number {
    const segment = this.#segments[slot >>> this.#space.segmentBits]!;
    return segment.uuids + (slot & this.#space.segmentMask) * 16;
  }

  compare(a: Slot, b: Slot): number {
    const { u8 } = this.#space.memory;
    const x = this.#at(a);
    const y = this.#at(b);
    for (let i = 0; i < 16; i++) {
      const order = u8[x + i]! - u8[y + i]!;
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Puts a canonical UUID into a slot that has none. */
  add(slot: Slot, uuid: string): void {
    const segment = this.#segmentOf(slot >>> this.#space.segmentBits);
    segment.add(slot & this.#space.segmentMask, uuid);
    this.size++;
    this.#asked = undefined;
  }

  remove(slot: Slot): void {
    const segment = this.#segments[slot >>> this.#space.segmentBits]!;
    segment.remove(slot & this.#space.segmentMask);
    this.size--;
    this.#asked = undefined;
  }

  /** bitmap |= rows whose UUID contains the folded text; false when none can. */
  contains(text: string, bitmap: number): boolean {
    if (text.length === 0 || text === '-') {
      this.#orAll(bitmap, (segment) => segment.has);
      return this.size > 0;
    }
    const ways = this.#waysOf(text);
    if (ways.length === 0) return false;
    const number = frequent(text);
    if (number !== undefined) {
      this.#orAll(bitmap, (segment) => segment.bitmaps + number * this.#space.segmentBytes);
    } else if (ways.some(({ bits }) => bits === 0)) {
      this.#orAll(bitmap, (segment) => segment.has);
    } else this.#find(ways, { bitmap, list: 0, most: 0 });
    return true;
  }

  /**
   * Lists the slots whose UUID contains the folded text, for answers with few rows: `list` has room
   * for `most` slots (u32); gives how many it listed, or `many` when there are more, or when so many
   * more are to be expected that looking was not worth it. In no order; a slot may be listed twice.
   */
  find(text: string, list: number, most: number): number | 'many' {
    if (text.length === 0 || text === '-') return this.size > 0 ? 'many' : 0;
    const ways = this.#waysOf(text);
    if (sumOf(ways) * this.size > most * HOPELESS) return 'many';
    const n = ways.length > 0 ? this.#find(ways, { bitmap: 0, list, most }) : 0;
    return n > most ? 'many' : n;
  }

  /** About how many rows have the folded text in their UUID, at most about as many. */
  expected(text: string): number {
    if (text.length === 0 || text === '-') return this.size;
    return Math.min(1, sumOf(this.#waysOf(text))) * this.size;
  }

  /**
   * Moves those of n listed slots whose UUID contains the folded text to `held`, which has room for
   * all, and the others to the list's front; gives how many are held.
   */
  split(text: string, list: number, n: number, held: number): number {
    const { kernel } = this.#space;
    const ways = text.length === 0 || text === '-' ? [ANYWHERE] : this.#waysOf(text);
    if (ways.length === 0) return 0;
    if (n * ways.length <= COMPARED) return this.#split(ways, list, n, held);
    const bitmap = this.#space.borrow();
    this.contains(text, bitmap);
    const found = kernel.splitBits(list, n, bitmap, held);
    this.#space.giveBack(bitmap);
    return found;
  }

  /** The places at which some row may have the piece: there all its nibbles occur. */
  #waysOf(text: string): readonly Known[] {
    if (this.#asked?.text !== text) this.#asked = { text, ways: this.#lookForWays(text) };
    return this.#asked.ways;
  }

  #lookForWays(text: string): Known[] {
    const { digits, at } = pieceOf(text);
    const ways: Known[] = [];
    for (const first of at) {
      const way = this.#wayAt(first, digits);
      if (way) ways.push(way);
    }
    return ways;
  }

  /** What the piece says at a place; undefined when one of its digits is no row's there. */
  #wayAt(first: number, digits: readonly number[]): Known | undefined {
    let bits = 0;
    const shares: number[] = [];
    for (let i = 0; i < digits.length; i++) {
      const place = first + i;
      const count = this.#counts[place * 16 + digits[i]!]!;
      if (count === 0) return undefined;
      if (count < this.size) bits |= 1 << place;
      shares.push(count / this.size);
    }
    return { first, digits, bits, shares };
  }

  #orAll(bitmap: number, pick: (segment: UuidSegment) => number): void {
    const { kernel, segmentBytes } = this.#space;
    for (const [i, segment] of this.#segments.entries()) {
      if (segment) kernel.or(bitmap + i * segmentBytes, pick(segment), segmentBytes);
    }
  }

  /** Rows that fit any of the ways; gives how many were listed, more than `most` if too many. */
  #find(ways: readonly Known[], target: Target): number {
    const { kernel, segmentBits } = this.#space;
    const [looks, count] = this.#writeLooks(ways);
    this.#writePatterns(ways);
    const n = kernel.uuidFind(
      this.#records,
      this.#segments.length,
      segmentBits,
      looks,
      count,
      this.#work + PATTERNS_BYTES,
      target.bitmap,
      target.list,
      target.most,
    );
    return n > target.most ? n : n + this.#findFresh(ways, target, n);
  }

  /** Tells the kernel what to look up: gives where, and how many. */
  #writeLooks(ways: readonly Known[]): [looks: number, count: number] {
    const numbers: number[] = [];
    for (const [i, way] of ways.entries()) {
      const { window, lows, span, mark, exact } = lookup(way, this.size, this.#segments.length);
      for (const low of lows) numbers.push(window, low, low + span - 1, mark, exact ? -1 : i);
    }
    const looks = this.#rest(numbers.length * 4);
    const { u32 } = this.#space.memory;
    for (let i = 0; i < numbers.length; i += LOOK.bytes / 4) {
      const pattern = i + LOOK.pattern / 4;
      numbers[pattern] = numbers[pattern]! < 0 ? 0 : this.#work + numbers[pattern]! * PATTERN_BYTES;
    }
    u32.set(numbers, looks >>> 2);
    return [looks, (numbers.length * 4) / LOOK.bytes];
  }

  /** Looks through rows that are not sorted yet; `before` are listed already. */
  #findFresh(ways: readonly Known[], { bitmap, list, most }: Target, before: number): number {
    const { kernel, memory, segmentBits } = this.#space;
    const fresh = this.#segments.reduce((sum, segment) => sum + (segment?.fresh.length ?? 0), 0);
    if (fresh === 0) return 0;
    const slots = this.#rest(fresh * 8);
    const fit = slots + fresh * 4;
    let to = slots >>> 2;
    for (const [i, segment] of this.#segments.entries()) {
      for (const row of segment?.fresh ?? []) memory.u32[to++] = i * 2 ** segmentBits + row;
    }
    const n = this.#split(ways, slots, fresh, fit);
    if (bitmap !== 0) kernel.setBits(bitmap, fit, n);
    else if (before + n <= most) memory.u8.copyWithin(list + before * 4, fit, fit + n * 4);
    return n;
  }

  /** Moves those of n listed slots that fit any of the ways to `held`; gives how many. */
  #split(ways: readonly Known[], list: number, n: number, held: number): number {
    const { kernel, segmentBits } = this.#space;
    if (this.#recorded < this.#space.segments) this.#writeRecords();
    this.#rest(0);
    this.#writePatterns(ways);
    const patterns = this.#work;
    return kernel.uuidSplit(this.#records, segmentBits, list, n, patterns, ways.length, held);
  }

  /** Mask and value of the 16 bytes for each of the ways, at the start of the working memory. */
  #writePatterns(ways: readonly Known[]): void {
    const { u8 } = this.#space.memory;
    u8.fill(0, this.#work, this.#work + ways.length * PATTERN_BYTES);
    for (const [i, { bits, first, digits }] of ways.entries()) {
      const at = this.#work + i * PATTERN_BYTES;
      for (let left = bits; left !== 0; left &= left - 1) {
        const place = 31 - Math.clz32(left & -left);
        const shift = place & 1 ? 0 : 4;
        u8[at + (place >>> 1)]! |= 15 << shift;
        u8[at + 16 + (place >>> 1)]! |= digits[place - first]! << shift;
      }
    }
  }

  /** Working memory past the patterns and the places: so many bytes, until the next call. */
  #rest(bytes: number): number {
    const before = PATTERNS_BYTES + PLACES_BYTES;
    if (before + bytes > this.#workRoom) {
      const { memory } = this.#space;
      if (this.#workRoom > 0) memory.free(this.#work, this.#workRoom);
      this.#workRoom = 2 ** Math.ceil(Math.log2(before + bytes));
      this.#work = memory.alloc(this.#workRoom);
    }
    return this.#work + before;
  }

  /** Does a step of sorting where enough rows came since the last time; false when nowhere. */
  step(): boolean {
    const sorting = this.#segments.find((segment) => segment?.sorting) ?? this.#freshest();
    if (!sorting) return false;
    if (sorting.sortNext()) this.#writeRecords();
    return true;
  }

  /** The segment with the most fresh rows, when there are many in all. */
  #freshest(): UuidSegment | undefined {
    let total = 0;
    let most: UuidSegment | undefined;
    for (const segment of this.#segments) {
      if (!segment) continue;
      total += segment.unsorted;
      if (!most || segment.unsorted > most.unsorted) most = segment;
    }
    return total >= this.#space.layout.freshRows && most && most.unsorted > 0 ? most : undefined;
  }

  #segmentOf(number: number): UuidSegment {
    while (this.#segments.length <= number) this.#segments.push(undefined);
    const known = this.#segments[number];
    if (known) return known;
    const segment = new UuidSegment(this.#space, this.#counts);
    this.#segments[number] = segment;
    this.#writeRecords();
    return segment;
  }

  /** Tells the kernel where each segment's arrays are; those of a segment with no UUID are zeros. */
  #writeRecords(): void {
    const { memory, segments, zeros } = this.#space;
    this.#recorded = Math.max(segments, this.#segments.length);
    const bytes = this.#recorded * RECORD.bytes;
    if (bytes > this.#recordRoom) {
      if (this.#recordRoom > 0) memory.free(this.#records, this.#recordRoom);
      this.#recordRoom = bytes * 2;
      this.#records = memory.alloc(this.#recordRoom);
    }
    memory.u8.fill(0, this.#records, this.#records + bytes);
    for (let i = 0; i < this.#recorded; i++) {
      const at = this.#records + i * RECORD.bytes;
      if (this.#segments[i]) this.#segments[i]!.writeRecord(at);
      else memory.u32[(at + RECORD.has) >>> 2] = zeros;
    }
  }

  check(): void {
    const counts = this.#counts.slice();
    this.#counts.fill(0);
    let rows = 0;
    for (const segment of this.#segments) rows += segment ? segment.check() : 0;
    if (rows !== this.size) throw new Error(`uuids: ${rows} rows, counted ${this.size}`);
    if (counts.some((count, i) => this.#counts[i] !== count)) {
      throw new Error('uuids: the counts of nibbles do not follow from the UUIDs');
    }
  }
}

/** The number of the bitmap that answers for a piece of one or two characters. */
function frequent(text: string): number | undefined {
  if (text.length > 2) return undefined;
  const [first, second] = text;
  if (first === '-') return AFTER + Number.parseInt(second!, 16);
  if (second === '-') return BEFORE + Number.parseInt(first!, 16);
  return (second === undefined ? DIGIT : PAIR) + Number.parseInt(text, 16);
}

/** About what share of the rows fits one of the ways, or a greater number. */
function sumOf(ways: readonly Known[]): number {
  let sum = 0;
  for (const { shares } of ways) sum += shares.reduce((product, share) => product * share, 1);
  return sum;
}
