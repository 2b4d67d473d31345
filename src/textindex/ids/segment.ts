/**
 * One segment's UUIDs: the 16 bytes of each row, bitmaps for frequent pieces, and the sorted lists.
 *
 *     bitmaps  16 digits │ 256 pairs │ 16 before a hyphen │ 16 after one           38 bytes a row
 *     lists    10 windows × rows (u16), marks (a byte), starts 4,096 (u16)         31 bytes a row
 *
 * Sorting makes new lists beside those in force, a window a step, and changes over at the end. A
 * row is `sound` in lists as long as its UUID is the one that was sorted. All windows then list it
 * where it belongs, and a search need not compare a listed row with its UUID.
 */

import { invariant } from '../../errors.ts';
import { BUCKETS, UUIDS } from '../kernel/abi.ts';
import { clearBit, hasBit, setBit } from '../storage/bits.ts';
import { NULL_POINTER, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepNumbers, keepOptional, type State, type Steps } from '../storage/state.ts';
import type { IdFormat } from './format.ts';

/** Where each kind of bitmap starts, by number. */
export const DIGIT = 0;
export const PAIR = DIGIT + 16;
export const BEFORE = PAIR + 256;
export const AFTER = BEFORE + 16;
const bitmapsOf = ({ hyphensAt }: IdFormat) => (hyphensAt.length > 0 ? AFTER + 16 : BEFORE);

/** Bucket starts are 16-bit numbers, so row 65,535 of a segment is never listed and stays fresh. */
const MAX_LISTED = 65535;
const startsBytes = ({ windows }: IdFormat) => windows.length * BUCKETS * 2;

interface Lists {
  readonly lists: Pointer;
  readonly marks: Pointer;
  readonly starts: Pointer;
  readonly sound: Pointer;
  /** Rows of the segment that they reach to, and how many are listed. */
  readonly rows: number;
  listed: number;
  /** Whether every row listed is sound. */
  areAllSound: boolean;
}

const NO_LISTS: Lists = {
  lists: NULL_POINTER,
  marks: NULL_POINTER,
  starts: NULL_POINTER,
  sound: NULL_POINTER,
  rows: 0,
  listed: 0,
  areAllSound: true,
};

interface Sorting extends Lists {
  /** The number of fresh rows it will cover, the rows at its beginning, and the next window. */
  readonly covers: number;
  readonly has: Pointer;
  window: number;
}

export class UuidSegment {
  uuids = NULL_POINTER;
  bitmaps = NULL_POINTER;
  has = NULL_POINTER;
  /** Rows put since the lists in force were sorted; may name a row twice. */
  fresh: number[] = [];
  sorting: Sorting | undefined;
  #inForce: Lists | undefined;
  readonly #space: Space;
  readonly #counts: Uint32Array;
  readonly #format: IdFormat;

  /** `counts` cover all segments: at `place * 16 + nibble`, how many rows have the nibble there. */
  constructor(space: Space, format: IdFormat, counts: Uint32Array) {
    this.#space = space;
    this.#format = format;
    this.#counts = counts;
  }

  /** Takes the memory for its rows. */
  open(): void {
    const { memory, segmentRows, segmentBytes } = this.#space;
    const { bytes } = this.#format;
    // The kernel reads 16 bytes of every id.
    this.uuids = memory.allocZero(segmentRows * bytes + 16 - bytes);
    this.bitmaps = memory.allocZero(bitmapsOf(this.#format) * segmentBytes);
    this.has = memory.allocZero(segmentBytes);
  }

  /** Sorting must have ended. */
  *keep(state: State): Steps {
    invariant(!this.sorting, 'a segment is sorted');
    this.uuids = state.number(this.uuids);
    this.bitmaps = state.number(this.bitmaps);
    this.has = state.number(this.has);
    yield* keepNumbers(state, this.fresh);
    const lists = keepOptional(state, this.#inForce, () => NO_LISTS);
    this.#inForce = lists && {
      lists: state.number(lists.lists),
      marks: state.number(lists.marks),
      starts: state.number(lists.starts),
      sound: state.number(lists.sound),
      rows: state.number(lists.rows),
      listed: state.number(lists.listed),
      areAllSound: state.number(lists.areAllSound ? 1 : 0) === 1,
    };
  }

  /** Fresh rows that sorting would list. */
  get unsorted(): number {
    return this.fresh.length - (this.fresh[0] === MAX_LISTED ? 1 : 0);
  }

  /** Where a row's bytes are. */
  at(offset: number): Pointer {
    return plus(this.uuids, offset * this.#format.bytes);
  }

  add(offset: number, uuid: Uint8Array): void {
    const { u8 } = this.#space.memory;
    const at = this.at(offset);
    for (let i = 0; i < this.#format.bytes; i++) u8[at + i] = uuid[i]!;
    setBit(u8, this.has, offset);
    this.#mark(offset, true);
    this.fresh.push(offset);
  }

  remove(offset: number): void {
    const { u8 } = this.#space.memory;
    clearBit(u8, this.has, offset);
    this.#mark(offset, false);
    for (const lists of [this.#inForce, this.sorting]) {
      if (!lists) continue;
      clearBit(u8, lists.sound, offset);
      lists.areAllSound = false;
    }
  }

  /** Bytes that its first lists will take; 0 once it has lists. */
  get unsortedBytes(): number {
    if (this.#inForce || this.sorting) return 0;
    const { segmentRows, segmentBytes } = this.#space;
    const rows = Math.min(segmentRows, MAX_LISTED);
    const { length: windows } = this.#format.windows;
    return windows * 3 * rows + startsBytes(this.#format) + 2 * segmentBytes;
  }

  /** The bits of a kind of bitmap. */
  bitmapOf(number: number): Pointer {
    return plus(this.bitmaps, number * this.#space.segmentBytes);
  }

  /** Gives the kernel the addresses. */
  writeStruct(at: Pointer): void {
    this.#write(at, this.has, this.#inForce);
  }

  /** Sorts one more window; true when that was the last and the new lists are in force. */
  sortNext(): boolean {
    this.sorting ??= this.#begin();
    const { sorting } = this;
    const { scratch, kernel } = this.#space;
    const { windows } = this.#format;
    const { at } = windows[sorting.window]!;
    const struct = scratch.take(UUIDS.bytes);
    this.#write(struct, sorting.has, sorting);
    sorting.listed = kernel.uuidSort(struct, sorting.window, at);
    sorting.window++;
    if (sorting.window < windows.length) return false;
    this.#changeOver(sorting);
    return true;
  }

  #write(at: Pointer, has: Pointer, lists: Lists | undefined): void {
    const { u32 } = this.#space.memory;
    u32[(at + UUIDS.uuids) >>> 2] = this.uuids;
    u32[(at + UUIDS.has) >>> 2] = has;
    u32[(at + UUIDS.stride) >>> 2] = this.#format.bytes;
    u32[(at + UUIDS.bitmaps) >>> 2] = this.bitmaps;
    if (!lists) return;
    // Most segments have not changed since they were sorted, and a look at each row's bit takes an eighth of the time.
    u32[(at + UUIDS.sound) >>> 2] = lists.areAllSound ? NULL_POINTER : lists.sound;
    u32[(at + UUIDS.lists) >>> 2] = lists.lists;
    u32[(at + UUIDS.marks) >>> 2] = lists.marks;
    u32[(at + UUIDS.starts) >>> 2] = lists.starts;
    u32[(at + UUIDS.listed) >>> 2] = lists.listed;
    u32[(at + UUIDS.rows) >>> 2] = lists.rows;
  }

  #begin(): Sorting {
    const { memory, segmentRows } = this.#space;
    const { length: windows } = this.#format.windows;
    const has = this.#copyOfHas();
    let rows = Math.min(segmentRows, MAX_LISTED);
    while (rows > 1 && !hasBit(memory.u8, has, rows - 1)) rows--;
    return {
      covers: this.fresh.length,
      has,
      sound: this.#copyOfHas(),
      rows,
      lists: memory.alloc(windows * 2 * rows),
      marks: memory.alloc(windows * rows),
      starts: memory.alloc(startsBytes(this.#format)),
      listed: 0,
      areAllSound: true,
      window: 0,
    };
  }

  #copyOfHas(): Pointer {
    const { memory, segmentBytes } = this.#space;
    const copy = memory.alloc(segmentBytes);
    memory.u8.copyWithin(copy, this.has, this.has + segmentBytes);
    return copy;
  }

  #changeOver(sorting: Sorting): void {
    const { memory, segmentBytes } = this.#space;
    memory.free(sorting.has, segmentBytes);
    if (this.#inForce) this.#free(this.#inForce);
    this.#inForce = sorting;
    this.sorting = undefined;
    const newer = this.fresh.slice(sorting.covers).filter((offset) => offset !== MAX_LISTED);
    this.fresh = this.fresh.includes(MAX_LISTED) ? [MAX_LISTED, ...newer] : newer;
  }

  #free({ lists, marks, starts, sound, rows }: Lists): void {
    const { memory, segmentBytes } = this.#space;
    const { length: windows } = this.#format.windows;
    memory.free(lists, windows * 2 * rows);
    memory.free(marks, windows * rows);
    memory.free(starts, startsBytes(this.#format));
    memory.free(sound, segmentBytes);
  }

  /** Enters a row in the bitmaps its UUID belongs to and in the counts, or takes it from them. */
  #mark(offset: number, on: boolean): void {
    const { u8 } = this.#space.memory;
    const bytes = this.#space.segmentBytes;
    const at = this.bitmaps + (offset >>> 3);
    const bit = 1 << (offset & 7);
    const keep = on ? 255 : 255 & ~bit;
    const set = on ? bit : 0;
    const one = on ? 1 : -1;
    const put = (number: number) => {
      const place = at + number * bytes;
      u8[place] = (u8[place]! & keep) | set;
    };
    const uuid = this.at(offset);
    const { bytes: length, hyphensAt } = this.#format;
    let before = -1;
    // Two digits a byte; hyphens stand between bytes.
    for (let i = 0, hyphens = 0; i < length; i++) {
      const byte = u8[uuid + i]!;
      const high = byte >>> 4;
      const low = byte & 15;
      this.#counts[i * 32 + high]! += one;
      this.#counts[i * 32 + 16 + low]! += one;
      put(DIGIT + high);
      put(DIGIT + low);
      put(PAIR + byte);
      if (i === hyphensAt[hyphens]) {
        hyphens++;
        put(BEFORE + before);
        put(AFTER + high);
      } else if (before >= 0) put(PAIR + before * 16 + high);
      before = low;
    }
  }

  /** Returns how many rows have a UUID; counts their nibbles once more. */
  check(): number {
    const { memory, segmentBytes, segmentRows, kernel } = this.#space;
    const end = this.bitmaps + bitmapsOf(this.#format) * segmentBytes;
    const before = memory.u8.slice(this.bitmaps, end);
    memory.u8.fill(0, this.bitmaps, end);
    const fresh = new Set(this.fresh);
    const sound = this.#checkLists();
    for (let offset = 0; offset < segmentRows; offset++) {
      if (!hasBit(memory.u8, this.has, offset)) continue;
      this.#mark(offset, true);
      if (!fresh.has(offset) && !sound.has(offset))
        throw new Error(`uuids: offset ${offset} is in no list`);
    }
    const wrong = (byte: number, i: number) => memory.u8[this.bitmaps + i] !== byte;
    if (before.some(wrong)) throw new Error('uuids: the bitmaps do not follow from the UUIDs');
    memory.u8.set(before, this.bitmaps);
    return kernel.count(this.has, segmentBytes);
  }

  /** Checks the place of each sound row in the lists; returns these rows. */
  #checkLists(): Set<number> {
    const sound = new Set<number>();
    const lists = this.#inForce;
    if (!lists) return sound;
    const { u8 } = this.#space.memory;
    for (let offset = 0; offset < lists.rows; offset++)
      if (hasBit(u8, lists.sound, offset)) sound.add(offset);
    for (const [number, window] of this.#format.windows.entries()) {
      const left = new Set(sound);
      for (const { offset, key } of this.#listed(lists, number)) {
        if (!left.delete(offset)) continue;
        const nibbles = window.nibbles.map((place) => this.#nibble(offset, place));
        const wanted = nibbles.reduce((sum, nibble) => sum * 16 + nibble);
        if (key !== wanted) throw new Error(`uuids: offset ${offset} stands under ${key}`);
      }
      if (left.size > 0) throw new Error(`uuids: ${left.size} rows are not in window ${number}`);
    }
    return sound;
  }

  /** A window's rows with their keys, bucket and mark. */
  *#listed(lists: Lists, window: number): Generator<{ offset: number; key: number }> {
    const { u8, u16 } = this.#space.memory;
    const starts = (lists.starts >>> 1) + window * BUCKETS;
    const list = (lists.lists >>> 1) + window * lists.rows;
    const marks = lists.marks + window * lists.rows;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const end = bucket + 1 < BUCKETS ? u16[starts + bucket + 1]! : lists.listed;
      for (let at = u16[starts + bucket]!; at < end; at++) {
        yield { offset: u16[list + at]!, key: bucket * 256 + u8[marks + at]! };
      }
    }
  }

  #nibble(offset: number, place: number): number {
    const byte = this.#space.memory.u8[this.at(offset) + (place >>> 1)]!;
    return place & 1 ? byte & 15 : byte >>> 4;
  }
}
