/**
 * A double for each row, in as few bytes as those of its segment need.
 *
 *     4 bytes    a code: (base + code) / 1      the milliseconds of 49 days
 *                    or (base + code) / 1,000   prices, and seconds with milliseconds
 *     5 bytes    and the codes' highest bytes after them: 34 years
 *     8 bytes    the doubles
 *
 * The code 0 stands for -Infinity, and minus zero is zero. A number without a code gives its segment another
 * form, four times at most. That takes some 2 ms for 65,536 rows.
 */
import { NUMBERS } from '../kernel/abi.ts';
import type { Pointer, RowNumber } from './brands.ts';
import { Vector } from './memory.ts';
import type { Space } from './space.ts';
import type { State } from './state.ts';

interface Form {
  readonly width: 4 | 5 | 8;
  readonly divisor: 1 | 1_000;
  /** Codes below that of the number for which the form is taken. */
  readonly below: number;
}

/** In the order in which a segment may take them; most rows that come later have greater dates. */
const FORMS: readonly Form[] = [
  { width: 4, divisor: 1, below: 2 ** 30 },
  { width: 5, divisor: 1, below: 2 ** 39 },
  { width: 4, divisor: 1_000, below: 2 ** 30 },
  { width: 5, divisor: 1_000, below: 2 ** 39 },
];
const DOUBLES: Form = { width: 8, divisor: 1, below: 0 };

/** Its code is 0, as is that of a row that was never set. */
const NONE = Number.NEGATIVE_INFINITY;
const NO_NUMBERS = new Float64Array();

/** Numbers of a record in the table. */
const EACH = NUMBERS.bytes / 4;

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
    const { u8, u32, f64 } = memory;
    const record = (this.#table.ptr >>> 2) + (row >>> segmentBits) * EACH;
    const [chunk, width] = [u32[record]!, u32[record + 1]!];
    const offset = row & segmentMask;
    if (width === 8) return f64[(chunk >>> 3) + offset]!;
    let code = u32[(chunk >>> 2) + offset]!;
    if (width === 5) code += u8[chunk + segmentRows * 4 + offset]! * 2 ** 32;
    const base = (record >>> 1) + 1;
    return code === 0 ? NONE : (f64[base]! + code) / f64[base + 1]!;
  }

  /** Writes the numbers of all the rows: so many cache misses overlap that it takes a fraction of the time. */
  read(rows: Uint32Array, numbers: Float64Array): void {
    const { kernel, memory, scratch, segmentBits } = this.#space;
    const n = rows.length;
    const list = scratch.take(n * 4);
    const out = scratch.take(n * 8);
    memory.u32.set(rows, list >>> 2);
    kernel.doublesOf(list, n, this.table, segmentBits, out);
    numbers.set(memory.f64.subarray(out >>> 3, (out >>> 3) + n));
    scratch.cut(list);
  }

  keep(state: State): void {
    this.#table.keep(state);
  }

  set(row: RowNumber, number: number): void {
    const { memory, segmentBits, segmentMask, segmentRows } = this.#space;
    const segment = row >>> segmentBits;
    while (this.#table.length <= segment * EACH) this.#open(this.#table.length / EACH, FORMS[0]!);
    const record = (this.#table.ptr >>> 2) + segment * EACH;
    const chunk = memory.u32[record]!;
    const width = memory.u32[record + 1]!;
    const offset = row & segmentMask;
    if (width === 8) {
      memory.f64[(chunk >>> 3) + offset] = number + 0;
      return;
    }
    let code = 0;
    if (number !== NONE) {
      const base = memory.f64[(record >>> 1) + 1]!;
      const divisor = memory.f64[(record >>> 1) + 2]!;
      code = codeOf(number, width, divisor, base);
      if (code === 0) {
        this.#makeCodeFor(segment, number);
        this.set(row, number);
        return;
      }
    }
    memory.u32[(chunk >>> 2) + offset] = code;
    if (width === 5) memory.u8[chunk + segmentRows * 4 + offset] = code / 2 ** 32;
  }

  /** The first number of a segment decides the base; another one without a code changes the form. */
  #makeCodeFor(segment: number, number: number): void {
    const { f64, u32 } = this.#space.memory;
    const record = this.table + segment * NUMBERS.bytes;
    const divisor = f64[(record + NUMBERS.divisor) >>> 3];
    const width = u32[(record + NUMBERS.width) >>> 2];
    const at = FORMS.findIndex((form) => form.width === width && form.divisor === divisor);
    const base = (record + NUMBERS.base) >>> 3;
    if (Number.isNaN(f64[base]) && holdsAll(number, NO_NUMBERS, FORMS[at]!)) {
      f64[base] = baseFor(number, FORMS[at]!);
    } else this.#change(segment, at, number);
  }

  /** Gives a segment the next form with a code for each of its numbers and for this one. */
  #change(segment: number, before: number, number: number): void {
    const { memory, segmentRows } = this.#space;
    const first = segment * segmentRows;
    const held = new Float64Array(segmentRows);
    for (let i = 0; i < segmentRows; i++) held[i] = this.at((first + i) as RowNumber);
    const form = FORMS.slice(before + 1).find((one) => holdsAll(number, held, one)) ?? DOUBLES;
    memory.free(this.#table.at(segment * EACH) as Pointer, segmentRows * FORMS[before]!.width);
    this.#open(segment, form, baseFor(number, form));
    for (let i = 0; i < segmentRows; i++) {
      if (held[i] !== NONE) this.set((first + i) as RowNumber, held[i]!);
    }
  }

  /** Gives a segment an empty chunk. */
  #open(segment: number, { width, divisor }: Form, base = Number.NaN): void {
    const { memory, segmentRows } = this.#space;
    const chunk = memory.allocZero(segmentRows * width);
    const at = segment * EACH;
    while (this.#table.length < at + EACH) this.#table.push(0);
    this.#table.set(at, chunk);
    this.#table.set(at + 1, width);
    const record = this.table + segment * NUMBERS.bytes;
    memory.f64[(record + NUMBERS.base) >>> 3] = base;
    memory.f64[(record + NUMBERS.divisor) >>> 3] = divisor;
    if (width === 8) memory.f64.fill(NONE, chunk / 8, chunk / 8 + segmentRows);
  }
}

/** The base with which this number's code is as far from the least as the form wants. */
const baseFor = (number: number, { divisor, below }: Form) => Math.round(number * divisor) - below;

/** Whether a form with the base for `number` has codes for it and for the others. */
function holdsAll(number: number, others: Float64Array, form: Form): boolean {
  const { width, divisor } = form;
  const base = baseFor(number, form);
  if (codeOf(number, width, divisor, base) === 0) return false;
  for (const one of others) {
    if (one !== NONE && codeOf(one, width, divisor, base) === 0) return false;
  }
  return true;
}

/** The code of a number, 0 if it has none. */
function codeOf(number: number, width: number, divisor: number, base: number): number {
  const code = Math.round(number * divisor) - base;
  const fits = code > 0 && code < (width === 4 ? 2 ** 32 : 2 ** 40);
  return fits && (base + code) / divisor === number ? code : 0;
}
