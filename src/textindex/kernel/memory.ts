/**
 * One growing memory that the index's big arrays live in and both kernels work on.
 *
 *     0 ─ unused ─ 1024 ─ block │ block │ … │ top ─ reserved ─► grows by a sixteenth at a time
 *
 * A WebAssembly.Memory grows in place: no copy, however large it is. Its old buffer is detached
 * then, so the views are fields to be read anew after anything that may allocate, never kept.
 * Freed blocks wait in a list of their size; sizes are few (powers of two and fixed chunks).
 */

const PAGE = 65536;
/** Room past the top, so that a kernel may read a vector over the end of the last block. */
const SLACK = 1024;
const LIMIT_PAGES = 65536;

export class Memory {
  readonly wasm: WebAssembly.Memory;
  u8!: Uint8Array;
  u16!: Uint16Array;
  u32!: Uint32Array;
  f64!: Float64Array;
  #top = 1024;
  readonly #free = new Map<number, number[]>();

  constructor() {
    this.wasm = new WebAssembly.Memory({ initial: 4, maximum: LIMIT_PAGES });
    this.#look();
  }

  /** Bytes reserved, used or not. */
  get bytes(): number {
    return this.u8.length;
  }

  /** A block of at least `bytes` bytes, its content undefined; aligned to 16. */
  alloc(bytes: number): number {
    const size = (bytes + 15) & ~15;
    const freed = this.#free.get(size)?.pop();
    if (freed !== undefined) return freed;
    const block = this.#top;
    this.#top += size;
    if (this.#top + SLACK > this.u8.length) this.#grow();
    return block;
  }

  /** A block of zeros. */
  allocZero(bytes: number): number {
    const block = this.alloc(bytes);
    this.u8.fill(0, block, block + bytes);
    return block;
  }

  /** Gives a block back; `bytes` is what it was asked for with. */
  free(block: number, bytes: number): void {
    const size = (bytes + 15) & ~15;
    const list = this.#free.get(size);
    if (list) list.push(block);
    else this.#free.set(size, [block]);
  }

  #grow(): void {
    const have = this.u8.length / PAGE;
    const need = Math.ceil((this.#top + SLACK) / PAGE);
    const roomy = Math.min(LIMIT_PAGES, Math.max(need, have + Math.ceil(have / 16)));
    this.wasm.grow(roomy - have);
    this.#look();
  }

  #look(): void {
    const { buffer } = this.wasm;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

/** A growing array of u32 in a memory; doubles when full. */
export class Vector {
  readonly #memory: Memory;
  #ptr: number;
  #capacity: number;
  length = 0;

  constructor(memory: Memory, capacity = 16) {
    this.#memory = memory;
    this.#capacity = capacity;
    this.#ptr = memory.alloc(capacity * 4);
  }

  /** Where it starts now: moves when it grows. */
  get ptr(): number {
    return this.#ptr;
  }

  get capacity(): number {
    return this.#capacity;
  }

  at(i: number): number {
    return this.#memory.u32[(this.#ptr >>> 2) + i]!;
  }

  set(i: number, value: number): void {
    this.#memory.u32[(this.#ptr >>> 2) + i] = value;
  }

  push(value: number): void {
    if (this.length === this.#capacity) this.reserve(this.length + 1);
    this.set(this.length++, value);
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
  toArray(): number[] {
    const at = this.#ptr >>> 2;
    return Array.from(this.#memory.u32.subarray(at, at + this.length));
  }
}
