/**
 * A double for each row, in as few bytes as those of its segment need.
 *
 *     4 bytes    a code: base + code        whole numbers close together, as the milliseconds of 49 days
 *     5 bytes    and the codes' highest bytes after them: 34 years
 *     8 bytes    the doubles
 *
 * The code 0 stands for -Infinity. A number without a code makes its segment wider, twice at most. That
 * takes a millisecond for 65,536 rows.
 */
import { NUMBERS } from '../kernel/abi.ts';
import type { Pointer, RowNumber } from './brands.ts';
import { Vector } from './memory.ts';
import type { Space } from './space.ts';
import type { State } from './state.ts';

type Width = 4 | 5 | 8;

/** Numbers of a record in the table. */
const EACH = NUMBERS.bytes / 4;
/** From a segment's base to its first number: a quarter of the codes, since later rows mostly have more. */
const EARLIER = 2 ** 30;
/** From the base to the number that needs five bytes. */
const HALF = 2 ** 39;

export class RowDoubles {
  readonly #space: Space;
  /** For the kernel: a record for each segment. */
  readonly #table: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.#table = new Vector(space.memory);
  }

  /** NUMBERS of abi.ts, for each segment. */
  get table(): Pointer {
    return this.#table.ptr;
  }

  /** The number of a row that was set. */
  at(row: RowNumber): number {
    const { memory, segmentBits, segmentMask, segmentRows } = this.#space;
    const { u32 } = memory;
    const record = (this.#table.ptr >>> 2) + (row >>> segmentBits) * EACH;
    const chunk = u32[record]!;
    const offset = row & segmentMask;
    const width = u32[record + 1];
    if (width === 8) return memory.f64[(chunk >>> 3) + offset]!;
    let code = u32[(chunk >>> 2) + offset]!;
    if (width === 5) code += memory.u8[chunk + segmentRows * 4 + offset]! * 2 ** 32;
    return code === 0 ? Number.NEGATIVE_INFINITY : memory.f64[(record >>> 1) + 1]! + code;
  }

  /** Writes the numbers of all the rows. */
  read(rows: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < rows.length; i++) numbers[i] = this.at(rows[i]! as RowNumber);
  }

  keep(state: State): void {
    this.#table.keep(state);
  }

  set(row: RowNumber, number: number): void {
    const { memory, segmentBits, segmentMask, segmentRows } = this.#space;
    const segment = row >>> segmentBits;
    while (this.#table.length <= segment * EACH) this.#open(this.#table.length / EACH, 4);
    const record = (this.#table.ptr >>> 2) + segment * EACH;
    const chunk = memory.u32[record]!;
    const width = memory.u32[record + 1]! as Width;
    const offset = row & segmentMask;
    if (width === 8) {
      memory.f64[(chunk >>> 3) + offset] = number;
      return;
    }
    let code = 0;
    if (number !== Number.NEGATIVE_INFINITY) {
      const base = memory.f64[(record >>> 1) + 1]!;
      code = number - base;
      const fits = Number.isInteger(code) && code > 0 && code < 2 ** (width * 8);
      if (!(fits && Object.is(base + code, number))) {
        this.#makeRoomFor(segment, width, number);
        this.set(row, number);
        return;
      }
    }
    memory.u32[(chunk >>> 2) + offset] = code;
    if (width === 5) memory.u8[chunk + segmentRows * 4 + offset] = code / 2 ** 32;
  }

  /** The first number of a segment decides the base; another one without a code takes more bytes. */
  #makeRoomFor(segment: number, width: 4 | 5, number: number): void {
    const { memory } = this.#space;
    const base = (this.#table.ptr + segment * NUMBERS.bytes + NUMBERS.base) >>> 3;
    if (Number.isNaN(memory.f64[base]) && Number.isSafeInteger(number)) {
      memory.f64[base] = number - EARLIER;
    } else this.#widen(segment, width, number);
  }

  #widen(segment: number, width: 4 | 5, number: number): void {
    const { memory, segmentRows } = this.#space;
    const first = segment * segmentRows;
    const numbers = Float64Array.from({ length: segmentRows }, (_, i) =>
      this.at((first + i) as RowNumber),
    );
    memory.free(this.#table.at(segment * EACH) as Pointer, segmentRows * width);
    this.#open(segment, width === 4 && Number.isSafeInteger(number) ? 5 : 8, number - HALF);
    for (let i = 0; i < segmentRows; i++) this.set((first + i) as RowNumber, numbers[i]!);
  }

  /** Gives a segment an empty chunk. */
  #open(segment: number, width: Width, base = Number.NaN): void {
    const { memory, segmentRows } = this.#space;
    const chunk = memory.allocZero(segmentRows * width);
    const at = segment * EACH;
    while (this.#table.length < at + EACH) this.#table.push(0);
    this.#table.set(at, chunk);
    this.#table.set(at + 1, width);
    memory.f64[(this.table + segment * NUMBERS.bytes + NUMBERS.base) >>> 3] = base;
  }
}
