/**
 * The distinct texts of a column, or of one of its labels, searched as one run of bytes.
 *
 *     heap     a n n @ x . o r g 255 b o b @ x . o r g 255 255 … (padding)
 *     starts   0 ─┘                  10 ─┘
 *     ordinals 17                    4               which value each entry belongs to
 *
 * Texts are folded UTF-8, in which the byte 255 never occurs, so a needle never reaches over an
 * entry's end. One pass finds all entries that contain it: 10,000 emails (250 kB) in 20 µs with
 * SIMD. That is less than walking any list of n-grams takes, and there is no list to keep. A search
 * reads nothing if two neighbouring bytes of the needle never stood together. A search of ten
 * columns that finds nothing then takes 4 µs instead of 43. A heap of half a megabyte or more has
 * signatures, which name the parts to read.
 */

import { SOUGHT, TEXTS } from '../kernel/abi.ts';
import { firstNot } from '../order/firstNot.ts';
import { hasBit, setBit } from '../storage/bits.ts';
import { NULL_POINTER, type Ordinal, type Pointer } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { keepOptional, type State } from '../storage/state.ts';
import type { Needle } from './needle.ts';
import { Signatures } from './signatures.ts';

const END = 255;
const PADDING = 512;
const NEVER = Number.POSITIVE_INFINITY;
const decoder = new TextDecoder();
const DEAD = 0xffffffff as Ordinal;

export class Texts {
  readonly #space: Space;
  #heap: Pointer;
  #room: number;
  #length = 0;
  #dead = 0;
  /** No text is longer, bytes. */
  #longest = 0;
  readonly #starts: Vector;
  readonly #ordinals: Vector<Ordinal>;
  /** For each ordinal its newest entry + 1, and for each entry the next older + 1 of its ordinal. */
  readonly #newest: Vector;
  readonly #older: Vector;
  /** How often each byte occurs, and which pairs of neighbours ever did. */
  readonly #bytes = new Uint32Array(256);
  readonly #pairs = new Uint8Array(8192);
  #signatures: Signatures | undefined;
  /** Another number whenever entries get other numbers. */
  epoch = 0;
  /** Told of each value whose texts are set. */
  onSet: ((ordinal: Ordinal, texts: readonly string[]) => void) | undefined;

  constructor(space: Space) {
    this.#space = space;
    this.#room = 4096;
    this.#heap = space.memory.alloc(this.#room);
    this.#starts = new Vector(space.memory);
    this.#ordinals = new Vector(space.memory);
    this.#newest = new Vector(space.memory);
    this.#older = new Vector(space.memory);
    space.memory.u8.fill(END, this.#heap, this.#heap + this.#room);
  }

  /** Gives a value these folded texts in place of the ones it had. */
  set(ordinal: Ordinal, texts: readonly string[]): void {
    this.extendTo(ordinal + 1);
    for (let entry = this.#newest.at(ordinal); entry !== 0; entry = this.#older.at(entry - 1)) {
      this.#kill(entry - 1);
    }
    this.#newest.set(ordinal, 0);
    if (this.#dead > 256 && this.#dead * 2 > this.#ordinals.length) this.#compact();
    for (const text of texts) this.#write(ordinal, text);
    this.onSet?.(ordinal, texts);
  }

  /**
   * Writes to the list the ordinals of all entries from `from` on that contain the needle, and
   * returns how many. A value with several texts may be named several times. The list needs room
   * for `entries`.
   */
  find(needle: Needle, list: Pointer, from = 0): number {
    const { length } = needle;
    if (length === 0) return this.#listAll(list, from);
    if (length > this.#longest || !this.#mayContain(needle)) return 0;
    const { kernel } = this.#space;
    const texts = this.#forKernel();
    const sought = this.#sought(needle, from);
    const signatures = length > 1 ? this.#signatures?.forKernel(needle) : undefined;
    return kernel.find(texts, signatures ?? NULL_POINTER, sought, list);
  }

  /**
   * Sets the bit of each of the n ordinals whose value has a text that contains the needle. It
   * reads no other value's texts.
   */
  markContaining(needle: Needle, ordinals: Pointer, n: number, members: Pointer): void {
    const { at, length } = needle;
    this.#space.kernel.markContaining(ordinals, n, this.#forKernel(), at, length, members);
  }

  /** Makes this many ordinals valid; a value without a text contains no needle. */
  extendTo(ordinals: number): void {
    while (this.#newest.length < ordinals) this.#newest.push(0);
  }

  /** Entries, deleted ones included. */
  get entries(): number {
    return this.#ordinals.length;
  }

  /** Bytes of all texts, deleted ones included until they are moved over. */
  get bytes(): number {
    return this.#length;
  }

  /** Whether reading all of the text would take long. */
  get large(): boolean {
    return this.#length >= this.#space.layout.largeTextBytes;
  }

  /** Signs some more of them; false when there is nothing to sign. */
  step(): boolean {
    if (!this.large) return false;
    this.#signatures ??= new Signatures(this.#space);
    return this.#signatures.step(this.#forKernel(), this.#length);
  }

  /** The entry after the entries that start in the next so many bytes of the heap, one at least. */
  entryAfter(from: number, bytes: number): number {
    const next = from + 1;
    const limit = this.#starts.at(from) + bytes;
    const entries = this.#ordinals.length - next;
    return next + firstNot(entries, (i) => this.#starts.at(next + i) < limit);
  }

  /** The ordinal whose text an entry is; undefined for a deleted one. */
  ordinalAt(entry: number): Ordinal | undefined {
    const ordinal = this.#ordinals.at(entry);
    return ordinal === DEAD ? undefined : ordinal;
  }

  /** The text of an entry, `bytes` of it at most; none of a deleted entry. */
  textAt(entry: number, bytes: number): string {
    if (this.#ordinals.at(entry) === DEAD) return '';
    return decoder.decode(this.#textOf(entry).subarray(0, bytes));
  }

  /** The texts of a value. */
  textsOf(ordinal: Ordinal): string[] {
    return this.entriesOf(ordinal).map((entry) => decoder.decode(this.#textOf(entry)));
  }

  /** Whether a value has a text. */
  has(ordinal: Ordinal): boolean {
    return ordinal < this.#newest.length && this.#newest.at(ordinal) !== 0;
  }

  /** The entries of a value, the newest first. */
  entriesOf(ordinal: Ordinal): number[] {
    const entries: number[] = [];
    const newest = ordinal < this.#newest.length ? this.#newest.at(ordinal) : 0;
    for (let entry = newest; entry !== 0; entry = this.#older.at(entry - 1)) {
      entries.push(entry - 1);
    }
    return entries;
  }

  /** Walks the entries from `from` to `to` down a trie, as the kernel's `walkTrie`. */
  walk(from: number, to: number, trie: Pointer, out: Pointer): number {
    return this.#space.kernel.walkTrie(this.#forKernel(), from, to, trie, out);
  }

  /** Each entry's ordinal and bytes, in order; for statistics and checks. */
  *all(): Generator<readonly [ordinal: Ordinal, text: Uint8Array]> {
    for (let entry = 0; entry < this.#ordinals.length; entry++) {
      const ordinal = this.#ordinals.at(entry);
      if (ordinal !== DEAD) yield [ordinal, this.#textOf(entry)];
    }
  }

  keep(state: State): void {
    this.#heap = state.number(this.#heap);
    this.#room = state.number(this.#room);
    this.#length = state.number(this.#length);
    this.#dead = state.number(this.#dead);
    this.#longest = state.number(this.#longest);
    this.epoch = state.number(this.epoch);
    for (const vector of [this.#starts, this.#ordinals, this.#newest, this.#older]) {
      vector.keep(state);
    }
    state.array(this.#bytes);
    state.array(this.#pairs);
    this.#signatures = keepOptional(state, this.#signatures, () => new Signatures(this.#space));
    this.#signatures?.keep(state);
  }

  check(): void {
    let live = 0;
    for (const [ordinal, text] of this.all()) {
      live++;
      this.#signatures?.check(text.byteOffset - this.#heap, text);
      let entry = this.#newest.at(ordinal);
      while (entry !== 0 && this.#ordinals.at(entry - 1) === ordinal)
        entry = this.#older.at(entry - 1);
      if (entry !== 0) throw new Error(`texts: ordinal ${ordinal} chained to a foreign entry`);
    }
    if (live + this.#dead !== this.#ordinals.length)
      throw new Error('texts: dead entries miscounted');
    const tail = this.#space.memory.u8.subarray(this.#heap + this.#length, this.#heap + this.#room);
    if (tail.length < PADDING || tail.some((byte) => byte !== END)) {
      throw new Error('texts: the padding is not there');
    }
  }

  /** Gives the kernel the present addresses. */
  #forKernel(): Pointer {
    const struct = this.#space.scratch.take(TEXTS.bytes);
    const { u32 } = this.#space.memory;
    u32[(struct + TEXTS.heap) >>> 2] = this.#heap;
    u32[(struct + TEXTS.length) >>> 2] = this.#length;
    u32[(struct + TEXTS.starts) >>> 2] = this.#starts.ptr;
    u32[(struct + TEXTS.entries) >>> 2] = this.#ordinals.length;
    u32[(struct + TEXTS.ordinals) >>> 2] = this.#ordinals.ptr;
    u32[(struct + TEXTS.newest) >>> 2] = this.#newest.ptr;
    u32[(struct + TEXTS.older) >>> 2] = this.#older.ptr;
    return struct;
  }

  #listAll(list: Pointer, from: number): number {
    const { u32 } = this.#space.memory;
    let n = 0;
    for (let entry = from; entry < this.#ordinals.length; entry++) {
      const ordinal = this.#ordinals.at(entry);
      if (ordinal !== DEAD) u32[(list >>> 2) + n++] = ordinal;
    }
    return n;
  }

  #mayContain({ at, length }: Needle): boolean {
    const { u8 } = this.#space.memory;
    if (this.#bytes[u8[at]!] === 0) return false;
    for (let i = at + 1; i < at + length; i++) {
      const pair = u8[i - 1]! * 256 + u8[i]!;
      if (!hasBit(this.#pairs, 0, pair)) return false;
    }
    return true;
  }

  /** The kernel's struct for the needle. */
  #sought(needle: Needle, from: number): Pointer {
    const [rarest, rarer, rare] = this.#rarest(needle);
    const struct = this.#space.scratch.take(SOUGHT.bytes);
    const { u32 } = this.#space.memory;
    u32[(struct + SOUGHT.needle) >>> 2] = needle.at;
    u32[(struct + SOUGHT.length) >>> 2] = needle.length;
    u32[(struct + SOUGHT.rare) >>> 2] = rarest;
    u32[(struct + SOUGHT.rarer) >>> 2] = rarer;
    u32[(struct + SOUGHT.third) >>> 2] = rare;
    u32[(struct + SOUGHT.from) >>> 2] = from;
    return struct;
  }

  /** Offsets of the three bytes of the needle that occur least; of a shorter needle some twice. */
  #rarest({ at, length }: Needle): readonly [number, number, number] {
    const { u8 } = this.#space.memory;
    const count = (i: number) => this.#bytes[u8[at + i]!]!;
    let [one, two, three] = [0, 0, 0];
    let [ofOne, ofTwo, ofThree] = [count(0), NEVER, NEVER];
    for (let i = 1; i < length; i++) {
      const own = count(i);
      if (own < ofOne) {
        [three, ofThree, two, ofTwo, one, ofOne] = [two, ofTwo, one, ofOne, i, own];
      } else if (own < ofTwo) [three, ofThree, two, ofTwo] = [two, ofTwo, i, own];
      else if (own < ofThree) [three, ofThree] = [i, own];
    }
    return [one, two, three];
  }

  /** Appends an entry. The kernel compares a needle of any entry's length past the end. */
  #write(ordinal: Ordinal, text: string): void {
    const length = Buffer.byteLength(text);
    this.#longest = Math.max(this.#longest, length);
    this.#reserve(this.#length + length + 1 + this.#longest + PADDING);
    this.#wrote(ordinal, this.#space.memory.write(this.#heap + this.#length, text));
  }

  /** Makes an entry of the bytes at the heap's end. */
  #wrote(ordinal: Ordinal, length: number): void {
    const { u8 } = this.#space.memory;
    const from = this.#heap + this.#length;
    for (let i = from; i < from + length; i++) {
      this.#bytes[u8[i]!]!++;
      if (i > from) setBit(this.#pairs, 0, u8[i - 1]! * 256 + u8[i]!);
    }
    this.#link(ordinal, this.#length);
    this.#length += length + 1;
  }

  #link(ordinal: Ordinal, start: number): void {
    this.extendTo(ordinal + 1);
    this.#starts.push(start);
    this.#ordinals.push(ordinal);
    this.#older.push(this.#newest.at(ordinal));
    this.#newest.set(ordinal, this.#ordinals.length);
  }

  #kill(entry: number): void {
    const text = this.#textOf(entry);
    for (const byte of text) this.#bytes[byte]!--;
    text.fill(END);
    this.#ordinals.set(entry, DEAD);
    this.#dead++;
  }

  #textOf(entry: number): Uint8Array {
    const [start, end] = this.#boundsOf(entry);
    return this.#space.memory.u8.subarray(this.#heap + start, this.#heap + end);
  }

  /** Where an entry starts and ends in the heap. */
  #boundsOf(entry: number): [start: number, end: number] {
    const end = entry + 1 < this.#starts.length ? this.#starts.at(entry + 1) : this.#length;
    return [this.#starts.at(entry), end - 1];
  }

  /** Moves the live entries together. */
  #compact(): void {
    const { u8 } = this.#space.memory;
    const [starts, ordinals] = [this.#starts.toArray(), this.#ordinals.toArray()];
    const end = this.#length;
    this.#newest.fill(0);
    this.#starts.length = 0;
    this.#ordinals.length = 0;
    this.#older.length = 0;
    this.#length = 0;
    this.#dead = 0;
    this.epoch++;
    this.#bytes.fill(0);
    this.#pairs.fill(0);
    this.#signatures?.reset();
    for (const [entry, ordinal] of ordinals.entries()) {
      if (ordinal === DEAD) continue;
      const [from, after] = [starts[entry]!, starts[entry + 1] ?? end];
      u8.copyWithin(this.#heap + this.#length, this.#heap + from, this.#heap + after);
      this.#wrote(ordinal, after - from - 1);
    }
    u8.fill(END, this.#heap + this.#length, this.#heap + end);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#room) return;
    const { memory } = this.#space;
    const room = 2 ** Math.ceil(Math.log2(bytes));
    const heap = memory.alloc(room);
    memory.u8.copyWithin(heap, this.#heap, this.#heap + this.#length);
    memory.u8.fill(END, heap + this.#length, heap + room);
    memory.free(this.#heap, this.#room);
    this.#heap = heap;
    this.#room = room;
  }
}
