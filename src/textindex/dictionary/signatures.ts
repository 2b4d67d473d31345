/**
 * Signatures of the texts of a large column: which part of the heap can hold a needle at all.
 *
 *     heap       │ 512 B  │ 512 B  │ …       blocks of entries, by where they start
 *     bigram     │   1    │   0    │
 *     trigram    │   0    │   1    │         4,096 buckets of n-grams, one bit a block
 *     4-gram     │   1    │   0    │
 *
 * A search reads only blocks with all 4-grams and trigrams of the needle, or its one bigram. It finds three or
 * four digits in 100,000 emails in 0.01 ms, where reading all of them takes 0.2. It costs a byte a
 * byte of text. Blocks twice as large cost half of that, but nearly each one holds nearly every
 * trigram of digits.
 *
 * kernel/structs/signatures.ts tells the buckets of an n-gram. A third of the blocks of order numbers hold a given trigram, and
 * one in thirty a 4-gram, which has one bucket. A bigram or trigram has two. The 500 most frequent ones fill a
 * quarter of all buckets, and a rare one whose only bucket was one of these would tell nothing. Lists of entries
 * by trigram would be exact for the same memory, but must be merged as texts come.
 *
 * The kernel fetches up to 128 blocks before it reads them, so that their waits for the memory overlap. A search for
 * three or four digits of a million order numbers takes 0.72 times as long.
 *
 * A step of maintenance signs 64 to 512 full blocks, and a search reads all texts after them: 32 kB at
 * most. A chunk has the signatures of 512 blocks. A removed text leaves its bits: its block is read in vain.
 */
import {
  SIGNATURE_BLOCKS,
  SIGNATURE_BUCKET_BITS,
  SIGNATURE_CHUNK_BYTES,
  SIGNATURES,
} from '../kernel/abi.ts';
import { hasBit } from '../storage/bits.ts';
import type { Pointer } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import type { State } from '../storage/state.ts';
import type { Needle } from './needle.ts';

/** Blocks are signed so many at a time, or a multiple. */
const BLOCKS = 64;
/** The most n-grams of one length that a search asks for; a longer needle is sampled along its length. */
const MAX_ASKED = 8;
/** The longest n-grams in signatures, bytes. */
const LONGEST = 4;
/** Takes the place of a bigram's third byte. */
const NO_BYTE = 255;
const BUCKETS = 2 ** SIGNATURE_BUCKET_BITS;

export class Signatures {
  readonly #space: Space;
  readonly #chunks: Vector<Pointer>;
  /** The first entry of each block, and the first that is in none. */
  readonly #firsts: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.#chunks = new Vector(space.memory);
    this.#firsts = new Vector(space.memory);
    this.#firsts.push(0);
  }

  /** Blocks with a signature; the last one's last entry may reach beyond it. */
  get #signed(): number {
    return this.#firsts.length - 1;
  }

  /**
   * Signs the next blocks of a heap of this many bytes, once they are full and enough; `texts` is the kernel's
   * struct.
   */
  step(texts: Pointer, length: number): boolean {
    const { kernel, memory, layout } = this.#space;
    const { textBlockBits: bits } = layout;
    const first = this.#signed;
    const full = Math.floor(length / 2 ** bits) - first;
    const count = Math.min(full - (full % BLOCKS), SIGNATURE_BLOCKS - (first % SIGNATURE_BLOCKS));
    if (count <= 0) return false;
    // Room first: where there is none, nothing has changed.
    this.#firsts.reserve(first + count + 1);
    if (first % SIGNATURE_BLOCKS === 0) this.#chunks.push(memory.allocZero(SIGNATURE_CHUNK_BYTES));
    const chunk = this.#chunks.at(this.#chunks.length - 1);
    kernel.buildSignatures(texts, chunk, first, count, bits, this.#firsts.ptr);
    this.#firsts.length = first + count + 1;
    return true;
  }

  /** The kernel's struct for a needle of two bytes at least. */
  forKernel(needle: Needle): Pointer {
    const { memory, scratch } = this.#space;
    const buckets = this.#bucketsOf(needle);
    const list = scratch.take(buckets.length * 4);
    const struct = scratch.take(SIGNATURES.bytes);
    const { u32 } = memory;
    u32.set(buckets, list >>> 2);
    u32[(struct + SIGNATURES.chunks) >>> 2] = this.#chunks.ptr;
    u32[(struct + SIGNATURES.signed) >>> 2] = this.#signed;
    u32[(struct + SIGNATURES.firsts) >>> 2] = this.#firsts.ptr;
    u32[(struct + SIGNATURES.buckets) >>> 2] = list;
    u32[(struct + SIGNATURES.asked) >>> 2] = buckets.length;
    u32[(struct + SIGNATURES.blockBits) >>> 2] = this.#space.layout.textBlockBits;
    return struct;
  }

  /** The longest n-grams come first: the fewest blocks have them. */
  #bucketsOf({ at, length }: Needle): number[] {
    const { u8 } = this.#space.memory;
    const buckets: number[] = [];
    for (let n = Math.min(length, LONGEST); n >= Math.min(length, LONGEST - 1); n--) {
      const ngrams = length - n + 1;
      const asked = Math.min(ngrams, MAX_ASKED);
      for (let i = 0; i < asked; i++) {
        addBuckets(buckets, u8, at + Math.floor((i * ngrams) / asked), n);
      }
    }
    return buckets;
  }

  keep(state: State): void {
    this.#chunks.keep(state);
    this.#firsts.keep(state);
  }

  /** Forgets all: the entries have other numbers now. */
  reset(): void {
    for (const chunk of this.#chunks.toArray()) {
      this.#space.memory.free(chunk, SIGNATURE_CHUNK_BYTES);
    }
    this.#chunks.length = 0;
    this.#firsts.length = 1;
  }

  /** Throws if an entry that starts there in the heap is not signed as it should be. */
  check(start: number, text: Uint8Array): void {
    const { u8 } = this.#space.memory;
    const block = start >>> this.#space.layout.textBlockBits;
    if (block >= this.#signed) return;
    const chunk = this.#chunks.at(Math.floor(block / SIGNATURE_BLOCKS));
    for (let i = 0; i + 1 < text.length; i++) {
      for (let n = 2; n <= LONGEST && i + n <= text.length; n++) {
        for (const bucket of addBuckets([], text, i, n)) {
          if (hasBit(u8, chunk, bucket * SIGNATURE_BLOCKS + (block % SIGNATURE_BLOCKS))) continue;
          throw new Error(`texts: block ${block} lacks a bit`);
        }
      }
    }
  }
}

/** Adds the buckets of the bigram, trigram or 4-gram at `at`, as the kernel's `sign` does. */
function addBuckets(to: number[], text: Uint8Array, at: number, n: number): number[] {
  const third = n === 2 ? NO_BYTE : text[at + 2]!;
  const last = n === LONGEST ? text[at + 3]! << 24 : 0;
  const hash = Math.imul(text[at]! | (text[at + 1]! << 8) | (third << 16) | last, 0x9e3779b1) >>> 0;
  to.push(hash >>> (32 - SIGNATURE_BUCKET_BITS));
  if (n < LONGEST) to.push((hash >>> 8) & (BUCKETS - 1));
  return to;
}
