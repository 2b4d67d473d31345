/**
 * Memory that one search works in: taken from the front, never given back piece by piece, and all of
 * it free again when the next search, or step of upkeep, starts.
 *
 *     [ needle │ ordinals found │ their bits │ rows │ …  free ]
 *
 * Taking some costs a few instructions, where a block of the memory costs up to a microsecond.
 */
import { NULL_POINTER, type Pointer, plus } from './brands.ts';
import type { Memory } from './memory.ts';

const SMALLEST = 64 * 1024;

/** Up to a multiple of 16. No bit operations: those of JavaScript turn 2 GiB negative. */
const rounded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

interface Chunk {
  readonly ptr: Pointer;
  readonly bytes: number;
}

export class Scratch {
  readonly #memory: Memory;
  /** The last one is being used; there are others only while a search needs more than ever before. */
  #chunks: Chunk[] = [];
  #at = NULL_POINTER;
  #end = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Room for `bytes` bytes, aligned to 16, its content undefined. Good until `reset`. */
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

  /** Gives the tail of what was taken last back: all from `end` on. */
  cut(end: Pointer): void {
    this.#at = rounded(end) as Pointer;
  }

  /** Frees all that was taken. */
  reset(): void {
    if (this.#chunks.length > 1) this.#keepLast();
    const chunk = this.#chunks[0];
    if (chunk) this.#at = chunk.ptr;
  }

  #addChunk(size: number): void {
    const before = this.#chunks.at(-1)?.bytes ?? SMALLEST / 2;
    const bytes = 2 ** Math.ceil(Math.log2(Math.max(size, before * 2)));
    const ptr = this.#memory.alloc(bytes);
    this.#chunks.push({ ptr, bytes });
    this.#at = ptr;
    this.#end = ptr + bytes;
  }

  #keepLast(): void {
    const last = this.#chunks.pop()!;
    for (const { ptr, bytes } of this.#chunks) this.#memory.free(ptr, bytes);
    this.#chunks = [last];
  }
}
