/**
 * A column of mostly unique UUIDs or ObjectIds: 16 bytes a row, no text, and lists to find a piece of
 * one by.
 *
 *     row ──► segment ──► row: 16 bytes            Uuids: by row, in order, kept sorted
 *     piece ──► windows ──► rows of all segments     ids/search.ts
 *
 * Three consecutive digits stand in one of 10 windows (ids/windows.ts). For each, a segment keeps its
 * rows sorted by the window's nibbles (ids/segment.ts). Lists may be out of date. A row that left is no longer `sound` in them. A row
 * that came is in the segment's `fresh` list until the segment is sorted again (10 steps of 0.5
 * ms). A row number can be used again at once.
 */

import type { Scalar } from '../api.ts';
import { UUIDS } from '../kernel/abi.ts';
import { prefixKey, textPrefix } from '../scalars.ts';
import type { StoredRows } from '../storage/bitmap.ts';
import { hasBit } from '../storage/bits.ts';
import { type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { keepList, keepOptional, type State, type Steps } from '../storage/state.ts';
import { type IdFormat, UUID } from './format.ts';
import { type UuidRows, UuidSearch } from './search.ts';
import { UuidSegment } from './segment.ts';

const start = new Uint8Array(6);
/** Numbers of a struct. */
const EACH = UUIDS.bytes / 4;
/** The id that is being put, or compared. */
const parsed = new Uint8Array(16);

export class Uuids implements UuidRows {
  readonly search: UuidSearch;
  readonly segments: (UuidSegment | undefined)[] = [];
  readonly format: IdFormat;
  readonly counts: Uint32Array;
  size = 0;
  readonly #space: Space;
  /** One struct a segment for the kernel: addresses and sizes. */
  readonly #structs: Vector;

  constructor(space: Space, format = UUID) {
    this.#space = space;
    this.format = format;
    this.counts = new Uint32Array(format.bytes * 2 * 16);
    this.#structs = new Vector(space.memory);
    this.search = new UuidSearch(space, this);
  }

  has(row: RowNumber): boolean {
    const segment = this.segments[row >>> this.#space.segmentBits];
    if (!segment) return false;
    return hasBit(this.#space.memory.u8, segment.has, row & this.#space.segmentMask);
  }

  /** The id of a row that has one. */
  idAt(row: RowNumber): Scalar {
    return this.format.read(this.#space.memory.u8, this.#at(row));
  }

  /** Whether the value is an id as the column keeps them. */
  isId(value: Scalar): boolean {
    return this.format.parse(value, parsed);
  }

  /** Whether the id of a row that has one is this value. */
  same(row: RowNumber, value: unknown): boolean {
    if (!this.format.parse(value, parsed)) return false;
    const { u8 } = this.#space.memory;
    const at = this.#at(row);
    for (let i = 0; i < this.format.bytes; i++) if (u8[at + i] !== parsed[i]) return false;
    return true;
  }

  /** The `prefixKey` of a row's id; of a UUID, that of its first six digits as text. */
  prefixAt(row: RowNumber): number {
    if (this.format !== UUID) return prefixKey(this.idAt(row));
    const { u8 } = this.#space.memory;
    const at = this.#at(row);
    for (let i = 0; i < 6; i++) {
      const byte = u8[at + (i >>> 1)]!;
      const nibble = i & 1 ? byte & 15 : byte >>> 4;
      start[i] = nibble < 10 ? 48 + nibble : 87 + nibble;
    }
    return textPrefix(start);
  }

  /** The bytes of the id of a row that has one. */
  bytesAt(row: RowNumber): Uint8Array {
    const at = this.#at(row);
    return this.#space.memory.u8.slice(at, at + this.format.bytes);
  }

  /** The rows that have an id. */
  get rows(): StoredRows {
    return { chunks: this.segments.map((segment) => segment?.has) };
  }

  /** Where the 16 bytes of a row's UUID are. */
  #at(row: RowNumber): Pointer {
    const segment = this.segments[row >>> this.#space.segmentBits]!;
    return segment.at(row & this.#space.segmentMask);
  }

  compare(a: RowNumber, b: RowNumber): number {
    const { u8 } = this.#space.memory;
    const x = this.#at(a);
    const y = this.#at(b);
    for (let i = 0; i < this.format.bytes; i++) {
      const order = u8[x + i]! - u8[y + i]!;
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Puts a canonical UUID into a row that has none; false, and nothing is done, for any other value. */
  add(row: RowNumber, value: unknown): boolean {
    if (!this.format.parse(value, parsed)) return false;
    const segment = this.#segmentOf(row >>> this.#space.segmentBits);
    segment.add(row & this.#space.segmentMask, parsed);
    this.size++;
    return true;
  }

  remove(row: RowNumber): void {
    const number = row >>> this.#space.segmentBits;
    const segment = this.segments[number]!;
    segment.remove(row & this.#space.segmentMask);
    if (number * EACH < this.#structs.length) {
      segment.writeStruct(plus(this.#structs.ptr, number * UUIDS.bytes));
    }
    this.size--;
  }

  /**
   * Does a step of sorting, if enough rows came since the last time; false when no segment needs
   * it.
   */
  step(): boolean {
    const sorting = this.segments.find((segment) => segment?.sorting) ?? this.#freshest();
    if (!sorting) return false;
    if (sorting.unsortedBytes > 0) this.#makeRoom();
    if (sorting.sortNext()) this.#writeStructs();
    return true;
  }

  /**
   * Room for the lists of all segments that were never sorted: after a load these are all segments.
   */
  #makeRoom(): void {
    const { memory } = this.#space;
    memory.makeRoom(this.segments.reduce((sum, one) => sum + (one?.unsortedBytes ?? 0), 0));
  }

  /** The segment with the most fresh rows, when all segments together have many. */
  #freshest(): UuidSegment | undefined {
    let total = 0;
    let most: UuidSegment | undefined;
    for (const segment of this.segments) {
      if (!segment) continue;
      total += segment.unsorted;
      if (!most || segment.unsorted > most.unsorted) most = segment;
    }
    return total >= this.#space.layout.freshRows && most && most.unsorted > 0 ? most : undefined;
  }

  /** A segment that may have no UUID yet. */
  #segmentOf(number: number): UuidSegment {
    while (this.segments.length <= number) this.segments.push(undefined);
    const known = this.segments[number];
    if (known) return known;
    const segment = this.#newSegment();
    segment.open();
    this.segments[number] = segment;
    this.#writeStructs();
    return segment;
  }

  #newSegment(): UuidSegment {
    return new UuidSegment(this.#space, this.format, this.counts);
  }

  *keep(state: State): Steps {
    this.size = state.number(this.size);
    state.array(this.counts);
    this.#structs.keep(state);
    yield* keepList(state, this.segments, (segment) =>
      keepOptional(state, segment, () => this.#newSegment()),
    );
    for (const segment of this.segments) if (segment) yield* segment.keep(state);
  }

  forKernel(): Pointer {
    if (this.#structs.length < this.#space.segments * EACH) this.#writeStructs();
    return this.#structs.ptr;
  }

  /** Gives the kernel the addresses of each segment's arrays; a segment without UUIDs has zeros. */
  #writeStructs(): void {
    const { memory, segments, zeros } = this.#space;
    const count = Math.max(segments, this.segments.length);
    this.#structs.reserve(count * EACH);
    this.#structs.length = count * EACH;
    this.#structs.fill(0);
    for (let i = 0; i < count; i++) {
      const at = plus(this.#structs.ptr, i * UUIDS.bytes);
      if (this.segments[i]) this.segments[i]!.writeStruct(at);
      else memory.u32[(at + UUIDS.has) >>> 2] = zeros;
    }
  }

  check(): void {
    const counts = this.counts.slice();
    this.counts.fill(0);
    let rows = 0;
    for (const segment of this.segments) rows += segment ? segment.check() : 0;
    if (rows !== this.size) throw new Error(`uuids: ${rows} rows, counted ${this.size}`);
    if (counts.some((count, i) => this.counts[i] !== count)) {
      throw new Error('uuids: the counts of nibbles do not follow from the UUIDs');
    }
  }
}
