/**
 * Temporary memory: all that one operation (a search, a change, a step of maintenance) works in. It is taken
 * from the front, and all of it is free again when the next operation begins, by `reset`.
 *
 *     arena     [ needle │ ordinals found │ their bits │ rows │ …  free ]
 *     bitmaps   [ lent ] [ idle ] [ clean ]          each over all rows
 *
 * Taking from it costs a few instructions, where a block of the memory costs up to a microsecond.
 * Bitmaps are lent beside the arena. One that is given back early is still in the processor's cache
 * when it is lent again. One that is all zeros need not be cleared, which takes 10 µs for a million
 * rows.
 */
import { type BitmapHandle, NULL_POINTER, type Pointer, plus } from './brands.ts';
import type { Memory } from './memory.ts';

const SMALLEST = 64 * 1024;

/** Up to a multiple of 16. No bit operations: JavaScript's turn 2 GiB negative. */
const rounded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

interface Chunk {
  readonly ptr: Pointer;
  readonly bytes: number;
}

export class Scratch {
  readonly #memory: Memory;
  /**
   * The last one is in use; there are others only while an operation needs more than any before.
   */
  #chunks: Chunk[] = [];
  #start = NULL_POINTER;
  #at = NULL_POINTER;
  #end = NULL_POINTER;
  #bitmapBytes = 0;
  /** All bitmaps; the ones not lent; of these, the ones that are all zeros. */
  readonly #bitmaps: BitmapHandle[] = [];
  #idle: BitmapHandle[] = [];
  readonly #clean: BitmapHandle[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Room for `bytes` bytes, aligned to 16, its content undefined. */
  take(bytes: number): Pointer {
    const size = rounded(bytes);
    if (this.#at + size > this.#end) this.#addChunk(size);
    const at = this.#at;
    this.#at = plus(at, size);
    return at;
  }

  takeZero(bytes: number): Pointer {
    const at = this.take(bytes);
    this.#memory.u8.fill(0, at, at + bytes);
    return at;
  }

  /** Gives back everything from `end` on, which lies in the latest block taken, or at its start. */
  cut(end: Pointer): void {
    if (end >= this.#start && end <= this.#at) this.#at = rounded(end) as Pointer;
  }

  /** The result of some work, whose temporary memory is free again then. */
  during<T>(work: () => T): T {
    const mark = this.take(0);
    const result = work();
    this.cut(mark);
    return result;
  }

  /** A contiguous bitmap over all rows, cleared unless told otherwise. */
  bitmap(cleared = true): BitmapHandle {
    const clean = cleared || this.#idle.length === 0 ? this.#clean.pop() : undefined;
    if (clean !== undefined) return clean;
    const bitmap = this.#idle.pop() ?? this.#newBitmap();
    if (cleared) this.#memory.u8.fill(0, bitmap, bitmap + this.#bitmapBytes);
    return bitmap;
  }

  /** Takes a bitmap back before the operation ends; `clean` says that it is all zeros again. */
  giveBack(bitmap: BitmapHandle, clean = false): void {
    (clean ? this.#clean : this.#idle).push(bitmap);
  }

  /** An operation begins: frees all that the one before has taken. */
  reset(): void {
    if (this.#chunks.length > 1) this.#keepLast();
    this.#at = this.#start;
    if (this.#idle.length + this.#clean.length < this.#bitmaps.length) {
      this.#idle = this.#bitmaps.filter((bitmap) => !this.#clean.includes(bitmap));
    }
  }

  /** Bitmaps have another size from now on. None may be lent. */
  resizeBitmaps(bytes: number): void {
    for (const bitmap of this.#bitmaps) this.#memory.free(bitmap, this.#bitmapBytes);
    this.#bitmaps.length = 0;
    this.#idle.length = 0;
    this.#clean.length = 0;
    this.#bitmapBytes = bytes;
  }

  /** No operation is under way: gives all its memory back. */
  release(): void {
    this.resizeBitmaps(this.#bitmapBytes);
    for (const { ptr, bytes } of this.#chunks) this.#memory.free(ptr, bytes);
    this.#chunks = [];
    this.#start = NULL_POINTER;
    this.#at = NULL_POINTER;
    this.#end = NULL_POINTER;
  }

  #newBitmap(): BitmapHandle {
    const bitmap = this.#memory.alloc(this.#bitmapBytes) as BitmapHandle;
    this.#bitmaps.push(bitmap);
    return bitmap;
  }

  #addChunk(size: number): void {
    const before = this.#chunks.at(-1)?.bytes ?? SMALLEST / 2;
    const bytes = 2 ** Math.ceil(Math.log2(Math.max(size, before * 2)));
    const ptr = this.#memory.alloc(bytes);
    this.#chunks.push({ ptr, bytes });
    this.#start = ptr;
    this.#at = ptr;
    this.#end = plus(ptr, bytes);
  }

  #keepLast(): void {
    const last = this.#chunks.pop()!;
    for (const { ptr, bytes } of this.#chunks) this.#memory.free(ptr, bytes);
    this.#chunks = [last];
  }
}
