/**
 * One segment's UUIDs: the 16 bytes of each row, bitmaps for what is frequent, and the sorted lists.
 *
 *     bitmaps  16 digits │ 256 pairs │ 4 × 16 before a hyphen │ 4 × 16 after one      50 bytes a row
 *     lists    17 windows × rows (u16), starts 17 × 2^14 (u16)                        43 bytes a row
 *
 * Sorting makes new lists beside those in force, a window a step, and changes over at the end.
 */
import { RECORD } from './kernel/plain.ts';
import type { Space } from './space.ts';
import { writeUuid } from './uuidText.ts';

/** The nibble at which each window starts: the windows of four that lie inside one group. */
export const WINDOWS = [0, 1, 2, 3, 4, 8, 12, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28] as const;

/** Where each kind of bitmap starts, by number. */
export const DIGIT = 0;
export const PAIR = DIGIT + 16;
export const BEFORE = PAIR + 256;
export const AFTER = BEFORE + 4 * 16;
const BITMAPS = AFTER + 4 * 16;

/** Bucket starts are 16-bit numbers, so row 65,535 of a segment is never listed and stays fresh. */
const MOST_LISTED = 65535;
const MOST_BITS = 14;

interface Lists {
  readonly lists: number;
  readonly starts: number;
  readonly rows: number;
  readonly bits: number;
  listed: number;
}

interface Sorting extends Lists {
  /** How many of the fresh rows it will cover, the rows there were then, and the next window. */
  readonly covers: number;
  readonly has: number;
  window: number;
}

export class UuidSegment {
  readonly uuids: number;
  readonly bitmaps: number;
  readonly has: number;
  /** Rows put since the lists in force were sorted; may name a row twice. */
  fresh: number[] = [];
  sorting: Sorting | undefined;
  #inForce: Lists | undefined;
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
    const { memory, segmentRows, segmentBytes } = space;
    this.uuids = memory.allocZero(segmentRows * 16);
    this.bitmaps = memory.allocZero(BITMAPS * segmentBytes);
    this.has = memory.allocZero(segmentBytes);
  }

  /** Fresh rows that sorting would list. */
  get unsorted(): number {
    return this.fresh.length - (this.fresh[0] === MOST_LISTED ? 1 : 0);
  }

  add(row: number, uuid: string): void {
    const { u8 } = this.#space.memory;
    writeUuid(uuid, u8, this.uuids + row * 16);
    u8[this.has + (row >>> 3)]! |= 1 << (row & 7);
    this.#mark(row, true);
    this.fresh.push(row);
  }

  remove(row: number): void {
    this.#space.memory.u8[this.has + (row >>> 3)]! &= ~(1 << (row & 7));
    this.#mark(row, false);
  }

  /** Fills in the kernel's record of this segment. */
  writeRecord(at: number): void {
    const { u32 } = this.#space.memory;
    const put = (field: number, value: number) => {
      u32[(at + field) >>> 2] = value;
    };
    put(RECORD.uuids, this.uuids);
    put(RECORD.has, this.has);
    if (!this.#inForce) return;
    put(RECORD.lists, this.#inForce.lists);
    put(RECORD.starts, this.#inForce.starts);
    put(RECORD.listed, this.#inForce.listed);
    put(RECORD.bits, this.#inForce.bits);
    put(RECORD.rows, this.#inForce.rows);
  }

  /** Sorts one more window; true when that was the last and the new lists are in force. */
  sortNext(): boolean {
    this.sorting ??= this.#begin();
    const { sorting } = this;
    const { has, rows, bits, window } = sorting;
    sorting.listed = this.#space.kernel.uuidSort(
      this.uuids,
      has,
      rows,
      WINDOWS[window]!,
      sorting.starts + window * 2 * 2 ** bits,
      bits,
      sorting.lists + window * 2 * rows,
    );
    sorting.window++;
    if (sorting.window < WINDOWS.length) return false;
    this.#changeOver(sorting);
    return true;
  }

  #begin(): Sorting {
    const { memory, segmentBytes, segmentRows } = this.#space;
    const has = memory.alloc(segmentBytes);
    memory.u8.copyWithin(has, this.has, this.has + segmentBytes);
    let rows = Math.min(segmentRows, MOST_LISTED);
    while (rows > 1 && ((memory.u8[has + ((rows - 1) >>> 3)]! >>> ((rows - 1) & 7)) & 1) === 0)
      rows--;
    const bits = Math.min(MOST_BITS, Math.max(4, Math.ceil(Math.log2(rows)) - 2));
    const lists = memory.alloc(WINDOWS.length * 2 * rows);
    const starts = memory.alloc(WINDOWS.length * 2 * 2 ** bits);
    return { covers: this.fresh.length, has, rows, bits, lists, starts, listed: 0, window: 0 };
  }

  #changeOver(sorting: Sorting): void {
    const { memory, segmentBytes } = this.#space;
    memory.free(sorting.has, segmentBytes);
    if (this.#inForce) this.#free(this.#inForce);
    this.#inForce = sorting;
    this.sorting = undefined;
    const covered = this.fresh.slice(0, sorting.covers);
    const newer = this.fresh.slice(sorting.covers).filter((row) => row !== MOST_LISTED);
    const stays = covered.includes(MOST_LISTED) || this.fresh.includes(MOST_LISTED);
    this.fresh = stays ? [MOST_LISTED, ...newer] : newer;
  }

  #free({ lists, starts, rows, bits }: Lists): void {
    this.#space.memory.free(lists, WINDOWS.length * 2 * rows);
    this.#space.memory.free(starts, WINDOWS.length * 2 * 2 ** bits);
  }

  /** Enters a row in the bitmaps its UUID belongs to, or takes it from them. */
  #mark(row: number, on: boolean): void {
    const { u8 } = this.#space.memory;
    const bytes = this.#space.segmentBytes;
    const at = this.bitmaps + (row >>> 3);
    const bit = 1 << (row & 7);
    const keep = on ? 255 : 255 & ~bit;
    const set = on ? bit : 0;
    const put = (number: number) => {
      const place = at + number * bytes;
      u8[place] = (u8[place]! & keep) | set;
    };
    const uuid = this.uuids + row * 16;
    let before = -1;
    for (let i = 0; i < 32; i++) {
      const byte = u8[uuid + (i >>> 1)]!;
      const nibble = i & 1 ? byte & 15 : byte >>> 4;
      put(DIGIT + nibble);
      const hyphen = i === 8 ? 0 : i === 12 ? 1 : i === 16 ? 2 : i === 20 ? 3 : -1;
      if (hyphen >= 0) {
        put(BEFORE + hyphen * 16 + before);
        put(AFTER + hyphen * 16 + nibble);
      } else if (before >= 0) put(PAIR + before * 16 + nibble);
      before = nibble;
    }
  }

  /** Gives how many rows have a UUID. */
  check(): number {
    const { memory, segmentBytes, segmentRows, kernel } = this.#space;
    const before = memory.u8.slice(this.bitmaps, this.bitmaps + BITMAPS * segmentBytes);
    memory.u8.fill(0, this.bitmaps, this.bitmaps + BITMAPS * segmentBytes);
    const listed = new Set(this.fresh);
    const lists = this.#inForce;
    if (lists) {
      for (const row of memory.u16.subarray(
        lists.lists >>> 1,
        (lists.lists >>> 1) + lists.listed,
      )) {
        listed.add(row);
      }
    }
    for (let row = 0; row < segmentRows; row++) {
      if (((memory.u8[this.has + (row >>> 3)]! >>> (row & 7)) & 1) === 0) continue;
      this.#mark(row, true);
      if (!listed.has(row)) throw new Error(`uuids: row ${row} is in no list`);
    }
    if (before.some((byte, i) => memory.u8[this.bitmaps + i] !== byte)) {
      throw new Error('uuids: the bitmaps do not follow from the UUIDs');
    }
    return kernel.count(this.has, segmentBytes);
  }
}
