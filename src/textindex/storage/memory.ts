/**
 * One growing memory that the index's big arrays live in and the kernel works on.
 *
 *     0 ─ for the kernel ─ 1024 ─ blocks of 2^k bytes, each at a multiple of its size ─ top ─ reserved ─►
 *
 * A WebAssembly.Memory grows in place: no copy, however large it is. Its old buffer is detached
 * then. So the views are fields: read them again after anything that may allocate, and never keep
 * them.
 *
 * Blocks follow the buddy system (Knowlton, 1965): a freed block is merged with its other half when
 * that is free too. Ten thousand posting lists that double together leave nothing behind; plain
 * free lists by size keep as much garbage as data. A block of another size is a power of two with
 * its tail given back, and once freed it is found again although its tail is in use.
 */
import { invariant } from '../../errors.ts';
import type { Pointer } from './brands.ts';
import { keepNumbers, type State, type Steps } from './state.ts';

/** Bytes of a page of WebAssembly. */
export const PAGE = 65536;
/** Room past the top, so that a kernel may read a vector over the end of the last block. */
const SLACK = 1024;
/** Pages that a memory can have: addresses are 32 bits wide. */
export const LIMIT_PAGES = 65536;
const FIRST_PAGES = 4;
const SMALLEST = 4;
/** From this size on a search for the remainders of other blocks is worth it, bytes. */
const LARGE = 65_536;
const BRIMFUL = 7 / 8;
/** Letters of a text that are written one by one. */
const SHORT = 64;

/**
 * The table's memory is full, or the system has none left. The change is half done: nothing may use
 * the table any more.
 */
export class CapacityExceeded extends Error {
  override readonly name = 'CapacityExceeded';
}

interface Held {
  readonly top: number;
  readonly free: readonly number[][];
  readonly givenBack: (readonly [block: Pointer, bytes: number])[];
}

export class Memory {
  /** The memory that the kernel works on. */
  readonly wasm: WebAssembly.Memory;
  readonly #limit: number;
  u8!: Uint8Array;
  u16!: Uint16Array;
  u32!: Uint32Array;
  f64!: Float64Array;
  /** For texts. */
  buffer!: Buffer;
  #top = 1024;
  /** Bytes in blocks that are in use, and before them. */
  #used = this.#top;
  /** The size of the largest block that there ever was. */
  #largest = 2 ** SMALLEST;
  /** Free blocks of 2^k bytes, by k. */
  readonly #free: Set<number>[] = Array.from({ length: 33 }, () => new Set());
  /** Since `hold`: the state then, and the blocks given back since. */
  #held: Held | undefined;

  /** @param limitPages pages of 64 KiB that it may grow to */
  constructor(limitPages = LIMIT_PAGES) {
    this.#limit = limitPages;
    const limits = { initial: FIRST_PAGES, maximum: limitPages };
    this.wasm = new WebAssembly.Memory(limits);
    this.#look();
  }

  /** Bytes reserved, used or not. */
  get bytes(): number {
    return this.u8.length;
  }

  get used(): number {
    return this.#used;
  }

  /** The share in use of all that it may grow to; 1 when its largest array could not grow. */
  get fill(): number {
    return this.#mayDouble ? this.used / (this.#limit * PAGE) : 1;
  }

  /** Whether so much is in use that no memory is left for structures that only make searches quicker. */
  get isBrimful(): boolean {
    return this.used >= this.#limit * PAGE * BRIMFUL;
  }

  /** Whether its largest block could be moved to one of twice the size, as growing arrays are. */
  get #mayDouble(): boolean {
    const k = 33 - Math.clz32(this.#largest - 1);
    if (k > 31) return false;
    const size = 2 ** k;
    const end = Math.ceil(this.#top / size) * size + size + SLACK;
    return end <= this.#limit * PAGE || this.#free.some((blocks, i) => i >= k && blocks.size > 0);
  }

  /**
   * A block of at least `bytes` bytes, its content undefined; aligned to 16.
   *
   * @throws CapacityExceeded when there is no room for it; nothing has changed then.
   */
  alloc(bytes: number): Pointer {
    // It also guards against sizes past 32 bits, which would wrap to smaller ones.
    if (bytes > this.#limit * PAGE) throw this.#full(bytes);
    const size = rounded(bytes);
    if (size > this.#largest) this.#largest = size;
    const k = 32 - Math.clz32(size - 1);
    let block = size >= LARGE && size < 2 ** k ? this.#takeRange(size, k) : undefined;
    if (block === undefined) {
      block = this.#take(k);
      this.#giveRange(block + size, block + 2 ** k);
    }
    this.#used += size;
    return block as Pointer;
  }

  /**
   * A block of zeros. Memory never used before is zero already, and is touched only as it fills.
   */
  allocZero(bytes: number): Pointer {
    const used = this.#top;
    const block = this.alloc(bytes);
    if (block < used) this.u8.fill(0, block, block + bytes);
    return block;
  }

  /** Gives a block back; `bytes` is the size it was allocated with. */
  free(block: Pointer, bytes: number): void {
    if (this.#held) {
      this.#held.givenBack.push([block, bytes]);
      return;
    }
    this.#used -= rounded(bytes);
    this.#giveRange(block, block + rounded(bytes));
  }

  /** Until `letGo`, blocks in use now are used for nothing else: they are about to be copied. */
  hold(): void {
    invariant(!this.#held, 'a memory is held once');
    this.#held = { top: this.#top, free: this.#free.map((blocks) => [...blocks]), givenBack: [] };
  }

  letGo(): void {
    const { givenBack = [] } = this.#held ?? {};
    this.#held = undefined;
    for (const [block, bytes] of givenBack) this.free(block, bytes);
  }

  /**
   * Finds a free range for `size` bytes across several free blocks, beginning with a block of 2^(k
   * - 1). Such ranges appear when a block of this size is given back while others hold its former
   * tail.
   */
  #takeRange(size: number, k: number): number | undefined {
    for (const from of this.#free[k - 1]!) {
      const blocks = this.#freeBlocks(from, from + size);
      if (!blocks) continue;
      let end = from;
      for (const [block, larger] of blocks) {
        this.#free[larger]!.delete(block);
        end = block + 2 ** larger;
      }
      this.#giveRange(from + size, end);
      return from;
    }
    return undefined;
  }

  /** The free blocks that a range lies in; undefined when a part of it is in use. */
  #freeBlocks(from: number, to: number): [block: number, k: number][] | undefined {
    const blocks: [number, number][] = [];
    let at = from;
    while (at < to) {
      const k = this.#free.findIndex((free) => free.has(at));
      if (k < 0) return undefined;
      blocks.push([at, k]);
      at += 2 ** k;
    }
    return blocks;
  }

  /** A block of 2^k bytes: a free one, half of a larger free one, or a new one at the top. */
  #take(k: number): number {
    for (let larger = k; larger < this.#free.length; larger++) {
      // Mostly none is free, and going through thirty empty sets takes longer than all the rest.
      if (this.#free[larger]!.size === 0) continue;
      for (const block of this.#free[larger]!) {
        this.#free[larger]!.delete(block);
        for (let half = larger - 1; half >= k; half--) this.#free[half]!.add(block + 2 ** half);
        return block;
      }
    }
    const size = 2 ** k;
    const block = Math.ceil(this.#top / size) * size;
    const gap = this.#top;
    this.#growTo(block + size + SLACK);
    this.#top = block + size;
    this.#giveRange(gap, block);
    return block;
  }

  /** Frees a range as the largest aligned blocks in it. */
  #giveRange(from: number, to: number): void {
    let at = from;
    while (at < to) {
      let k = SMALLEST;
      while (at % 2 ** (k + 1) === 0 && at + 2 ** (k + 1) <= to) k++;
      this.#give(at, k);
      at += 2 ** k;
    }
  }

  #give(block: number, k: number): void {
    let at = block;
    let size = k;
    for (;;) {
      const step = 2 ** size;
      const buddy = at % (step * 2) === 0 ? at + step : at - step;
      if (!this.#free[size]!.delete(buddy)) break;
      at = Math.min(at, buddy);
      size++;
    }
    this.#free[size]!.add(at);
  }

  /**
   * Grows to this many bytes in all, in one step, if that is possible. V8 counts the whole memory
   * again whenever it grows, and collects garbage by that count. Growing by a 64th takes some fifty
   * collections on the way to 200 MB, which block the event loop.
   */
  reserve(bytes: number): void {
    const pages = Math.min(this.#limit, Math.floor(bytes / PAGE));
    if (pages > this.u8.length / PAGE) this.#resize(pages);
  }

  /** So many more bytes are about to be taken, in blocks: it grows once for all of them. */
  makeRoom(bytes: number): void {
    this.reserve(this.used + bytes);
  }

  /** The blocks in use, as of `hold`; their bytes are `image`. */
  *keep(state: State): Steps {
    this.#largest = state.number(this.#largest);
    const top = state.number(this.#held?.top);
    if (state.reading) {
      this.reserve(top + SLACK);
      this.#growTo(top + SLACK);
      this.#top = top;
      this.#used = top;
    }
    for (const [k, blocks] of this.#free.entries()) {
      const free = this.#held?.free[k] ?? [];
      yield* keepNumbers(state, free);
      if (!state.reading) continue;
      blocks.clear();
      for (const block of free) blocks.add(block);
      this.#used -= blocks.size * 2 ** k;
    }
  }

  /**
   * Writes a text as UTF-8, a lone surrogate as U+FFFD, where it has room, and returns how many bytes. Short
   * ASCII is written letter by letter: in a fifth of the time of one call.
   */
  write(at: number, text: string): number {
    const { length } = text;
    const { u8, buffer } = this;
    // With the most bytes that it may take: without, Node writes none once 2 GB of memory follow.
    const most = Math.min(length * 3, u8.length - at);
    if (length > SHORT) return buffer.write(text, at, most, 'utf8');
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return buffer.write(text, at, most, 'utf8');
      u8[at + i] = code;
    }
    return length;
  }

  /** All bytes that may be in use, when it was held or now. */
  get image(): Uint8Array {
    return this.u8.subarray(0, this.#held?.top ?? this.#top);
  }

  /** Grows to at least this many bytes, with some room to spare. */
  #growTo(bytes: number): void {
    if (bytes <= this.u8.length) return;
    const have = this.u8.length / PAGE;
    const need = Math.ceil(bytes / PAGE);
    if (need > this.#limit) throw this.#full(bytes);
    const roomy = Math.min(this.#limit, Math.max(need, have + Math.ceil(have / 64)));
    if (this.#resize(roomy) || this.#resize(need)) return;
    throw new CapacityExceeded(`the system has no memory left for a table of ${bytes} bytes`);
  }

  /** Whether the system had this many pages for it. */
  #resize(pages: number): boolean {
    try {
      this.wasm.grow(pages - this.u8.length / PAGE);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#look();
    return true;
  }

  #full(bytes: number): CapacityExceeded {
    return new CapacityExceeded(
      `a table holds ${this.#limit * PAGE} bytes at most, and ${bytes} are needed`,
    );
  }

  #look(): void {
    const { buffer } = this.wasm;
    const { byteLength: bytes } = buffer;
    this.u8 = new Uint8Array(buffer, 0, bytes);
    this.u16 = new Uint16Array(buffer, 0, bytes / 2);
    this.u32 = new Uint32Array(buffer, 0, bytes / 4);
    this.f64 = new Float64Array(buffer, 0, bytes / 8);
    this.buffer = Buffer.from(buffer, 0, bytes);
  }
}

/**
 * The size of a block for so many bytes. A large block leaves no small remainder: small blocks
 * would settle there, and the place would never be free as a whole again.
 */
function rounded(bytes: number): number {
  const step = bytes < LARGE ? 16 : 2 ** (27 - Math.clz32(bytes - 1));
  return Math.max(16, Math.ceil(bytes / step) * step);
}

/** A growing array of u32 in a memory; doubles when full. */
export class Vector<One extends number = number> {
  readonly #memory: Memory;
  #ptr: Pointer;
  #capacity = 16;
  length = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#ptr = memory.alloc(this.#capacity * 4);
  }

  /** Where it starts now: moves when it grows. */
  get ptr(): Pointer {
    return this.#ptr;
  }

  at(i: number): One {
    return this.#memory.u32[(this.#ptr >>> 2) + i]! as One;
  }

  set(i: number, value: One): void {
    this.#memory.u32[(this.#ptr >>> 2) + i] = value;
  }

  push(value: One): void {
    if (this.length === this.#capacity) this.reserve(this.length + 1);
    this.set(this.length++, value);
  }

  pop(): One | undefined {
    return this.length === 0 ? undefined : this.at(--this.length);
  }

  fill(value: One): void {
    this.#memory.u32.fill(value, this.#ptr >>> 2, (this.#ptr >>> 2) + this.length);
  }

  /** Where its values are. */
  keep(state: State): void {
    this.#ptr = state.number(this.#ptr);
    this.#capacity = state.number(this.#capacity);
    this.length = state.number(this.length);
  }

  /** Makes room for `count` values in all. */
  reserve(count: number): void {
    if (count <= this.#capacity) return;
    let capacity = this.#capacity;
    while (capacity < count) capacity *= 2;
    const moved = this.#memory.alloc(capacity * 4);
    this.#memory.u8.copyWithin(moved, this.#ptr, this.#ptr + this.length * 4);
    this.#memory.free(this.#ptr, this.#capacity * 4);
    this.#ptr = moved;
    this.#capacity = capacity;
  }

  /** The values, copied out. */
  toArray(): One[] {
    const at = this.#ptr >>> 2;
    return Array.from(this.#memory.u32.subarray(at, at + this.length)) as One[];
  }
}
