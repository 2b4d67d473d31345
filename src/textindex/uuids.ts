/**
 * A column of mostly unique UUIDs: 16 bytes a row, no text, and lists to find a piece of one by.
 *
 *     window 0 1 2 3 4   │ 5      │ 6      │ 7      │ 8 … 16
 *     nibble 0 1 2 3 4   │ 8      │ 12     │ 16     │ 20 … 28     four nibbles from there on
 *
 * Four hexadecimal digits in a row stand in one of 17 windows. For each, a segment keeps its rows
 * sorted by the window's four nibbles (2 bytes a row) and where each of 2^14 buckets starts. A piece
 * with four digits in a row looks four rows up in each segment and window it may stand in, and
 * compares the 16 bytes under a mask. Shorter ones read bitmaps kept for each digit, each pair of
 * neighbours, and each digit before or after each hyphen, or combine the two.
 *
 * Every candidate is compared with the UUID that the row has now, so lists may be out of date: a
 * row that left stays in them, one that came is in the segment's `fresh` list, which is looked
 * through one by one until the segment is sorted anew (17 steps of 0.5 ms). Slots can be used again
 * at once. In lists a bucket holds 4 rows; 16 (a quarter of the starts) cost searches a third more.
 */
import { RECORD } from './kernel/plain.ts';
import { textPrefix } from './scalars.ts';
import type { Slot, Space } from './space.ts';
import { AFTER, BEFORE, DIGIT, PAIR, UuidSegment, WINDOWS } from './uuidSegment.ts';
import { type Alignment, alignments, GROUPS, readUuid } from './uuidText.ts';

const start = new Uint8Array(6);

export class Uuids {
  readonly #space: Space;
  readonly #segments: (UuidSegment | undefined)[] = [];
  /** One record a segment for the kernel. */
  #records = 0;
  #recordRoom = 0;
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
  }

  remove(slot: Slot): void {
    const segment = this.#segments[slot >>> this.#space.segmentBits]!;
    segment.remove(slot & this.#space.segmentMask);
    this.size--;
  }

  /** bitmap |= rows whose UUID contains the folded text; false when none can. */
  contains(text: string, bitmap: number): boolean {
    if (text.length === 0 || text === '-') {
      this.#orAll(bitmap, (segment) => segment.has);
      return this.size > 0;
    }
    const ways = this.size > 0 ? alignments(text) : [];
    if (ways.length === 0) return false;
    const digits = ways[0]!.runs.flatMap((run) => run.nibbles);
    if (ways[0]!.hyphens.length === 0 && digits.length <= 2) {
      const number = digits.length === 1 ? DIGIT + digits[0]! : PAIR + digits[0]! * 16 + digits[1]!;
      this.#orAll(bitmap, (segment) => segment.bitmaps + number * this.#space.segmentBytes);
      return true;
    }
    const patterns = this.#space.memory.alloc(ways.length * 32);
    for (const [i, way] of ways.entries()) {
      this.#writePattern(way, patterns + i * 32);
      this.#find(way, patterns + i * 32, bitmap);
    }
    this.#findFresh(patterns, ways.length, bitmap);
    this.#space.memory.free(patterns, ways.length * 32);
    return true;
  }

  /**
   * Lists the slots whose UUID contains the folded text, for answers with few rows: `list` has room
   * for `most` slots (u32); gives how many there are, or `many` when more than that. The order is
   * none, and a slot may be listed twice.
   */
  find(text: string, list: number, most: number): number | 'many' {
    const { kernel, bitmapBytes } = this.#space;
    const bitmap = this.#space.borrow();
    const some = this.contains(text, bitmap);
    const total = some ? kernel.count(bitmap, bitmapBytes) : 0;
    if (total > 0 && total <= most) kernel.collect(bitmap, bitmapBytes, 0, list, most);
    this.#space.giveBack(bitmap);
    return total <= most ? total : 'many';
  }

  /** Those of the slots whose UUID contains the folded text. */
  among(text: string, slots: readonly Slot[]): Slot[] {
    const bitmap = this.#space.borrow();
    const some = this.contains(text, bitmap);
    const { u8 } = this.#space.memory;
    const has = (slot: Slot) => ((u8[bitmap + (slot >>> 3)]! >>> (slot & 7)) & 1) === 1;
    const held = some ? slots.filter(has) : [];
    this.#space.giveBack(bitmap);
    return held;
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

  #orAll(bitmap: number, pick: (segment: UuidSegment) => number): void {
    const { kernel, segmentBytes } = this.#space;
    for (const [i, segment] of this.#segments.entries()) {
      if (segment) kernel.or(bitmap + i * segmentBytes, pick(segment), segmentBytes);
    }
  }

  /** The listed rows that fit one alignment. */
  #find(way: Alignment, pattern: number, bitmap: number): void {
    const run = way.runs.reduce((a, b) => (b.nibbles.length > a.nibbles.length ? b : a), {
      at: 0,
      nibbles: [] as readonly number[],
    });
    if (run.nibbles.length < 3) {
      this.#filter(way, pattern, bitmap);
      return;
    }
    const [window, offset] = windowOf(run.at);
    const known = run.nibbles.slice(0, 4 - offset);
    const low = known.reduce((key, nibble, i) => key + nibble * 16 ** (3 - offset - i), 0);
    const span = 16 ** (4 - offset - known.length);
    const { kernel, segmentBytes } = this.#space;
    for (let ahead = 0; ahead < 16 ** offset; ahead++) {
      const key = ahead * 16 ** (4 - offset) + low;
      kernel.uuidFind(
        this.#records,
        this.#segments.length,
        segmentBytes,
        window,
        key,
        key + span - 1,
        pattern,
        bitmap,
      );
    }
  }

  /** Rows that fit one alignment with no three digits in a row: its bitmaps, joined, then compared. */
  #filter(way: Alignment, pattern: number, bitmap: number): void {
    const { kernel, memory, segmentBytes } = this.#space;
    const numbers: number[] = [];
    for (const { nibbles } of way.runs) {
      if (nibbles.length === 2) numbers.push(PAIR + nibbles[0]! * 16 + nibbles[1]!);
    }
    for (const hyphen of way.hyphens) {
      const end = GROUPS[hyphen + 1]!;
      const before = way.runs.find((run) => run.at + run.nibbles.length === end);
      const after = way.runs.find((run) => run.at === end);
      if (before) numbers.push(BEFORE + hyphen * 16 + before.nibbles.at(-1)!);
      if (after) numbers.push(AFTER + hyphen * 16 + after.nibbles[0]!);
    }
    const exact = way.runs.every(({ nibbles }) => nibbles.length === 1);
    const both = memory.alloc(segmentBytes);
    for (const [i, segment] of this.#segments.entries()) {
      if (!segment) continue;
      const first = segment.bitmaps + numbers[0]! * segmentBytes;
      memory.u8.copyWithin(both, first, first + segmentBytes);
      for (const number of numbers.slice(1)) {
        kernel.and(both, segment.bitmaps + number * segmentBytes, segmentBytes);
      }
      const to = bitmap + i * segmentBytes;
      if (exact) kernel.or(to, both, segmentBytes);
      else kernel.uuidTestBits(segment.uuids, both, segmentBytes, pattern, to);
    }
    memory.free(both, segmentBytes);
  }

  #findFresh(patterns: number, count: number, bitmap: number): void {
    const { kernel, memory, segmentBytes } = this.#space;
    for (const [i, segment] of this.#segments.entries()) {
      if (!segment || segment.fresh.length === 0) continue;
      const list = this.#space.listOf(segment.fresh.length);
      memory.u32.set(segment.fresh, list >>> 2);
      const to = bitmap + i * segmentBytes;
      kernel.uuidTest(segment.uuids, segment.has, list, segment.fresh.length, patterns, count, to);
    }
  }

  /** Mask and value of the 16 bytes. */
  #writePattern(way: Alignment, at: number): void {
    const { u8 } = this.#space.memory;
    u8.fill(0, at, at + 32);
    for (const run of way.runs) {
      for (const [i, nibble] of run.nibbles.entries()) {
        const place = run.at + i;
        const shift = place & 1 ? 0 : 4;
        u8[at + (place >>> 1)]! |= 15 << shift;
        u8[at + 16 + (place >>> 1)]! |= nibble << shift;
      }
    }
  }

  #segmentOf(number: number): UuidSegment {
    while (this.#segments.length <= number) this.#segments.push(undefined);
    const known = this.#segments[number];
    if (known) return known;
    const segment = new UuidSegment(this.#space);
    this.#segments[number] = segment;
    this.#writeRecords();
    return segment;
  }

  /** Tells the kernel where each segment's arrays are. */
  #writeRecords(): void {
    const { memory } = this.#space;
    const bytes = this.#segments.length * RECORD.bytes;
    if (bytes > this.#recordRoom) {
      if (this.#recordRoom > 0) memory.free(this.#records, this.#recordRoom);
      this.#recordRoom = bytes * 2;
      this.#records = memory.alloc(this.#recordRoom);
    }
    memory.u8.fill(0, this.#records, this.#records + bytes);
    for (const [i, segment] of this.#segments.entries()) {
      segment?.writeRecord(this.#records + i * RECORD.bytes);
    }
  }

  check(): void {
    let rows = 0;
    for (const segment of this.#segments) rows += segment ? segment.check() : 0;
    if (rows !== this.size) throw new Error(`uuids: ${rows} rows, counted ${this.size}`);
  }
}

/** The window in which to look a run of three or more nibbles up, and how far into it the run starts. */
function windowOf(at: number): [window: number, offset: number] {
  let window = WINDOWS.length - 1;
  while (WINDOWS[window]! > at) window--;
  // A run of three at a group's end starts one nibble into the group's last window.
  return [window, at - WINDOWS[window]!];
}
