/** A double for each row, 8 bytes: one chunk a segment. */
import type { Pointer, RowNumber } from './brands.ts';
import { Vector } from './memory.ts';
import type { Space } from './space.ts';
import { keepNumbers, type State, type Steps } from './state.ts';

export class RowDoubles {
  readonly #space: Space;
  readonly #chunks: Pointer[] = [];
  /** The same for the kernel. */
  readonly #table: Vector<Pointer>;

  constructor(space: Space) {
    this.#space = space;
    this.#table = new Vector(space.memory);
  }

  /** Where each segment's chunk is, for the kernel's `bucketsOf`. */
  get table(): Pointer {
    return this.#table.ptr;
  }

  /** The number of a row that was set. */
  at(row: RowNumber): number {
    const chunk = this.#chunks[row >>> this.#space.segmentBits]!;
    return this.#space.memory.f64[(chunk >>> 3) + (row & this.#space.segmentMask)]!;
  }

  /** Writes the numbers of all the rows. */
  read(rows: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < rows.length; i++) numbers[i] = this.at(rows[i]! as RowNumber);
  }

  keep(state: State): Steps {
    this.#table.keep(state);
    return keepNumbers(state, this.#chunks);
  }

  set(row: RowNumber, number: number): void {
    const segment = row >>> this.#space.segmentBits;
    while (this.#chunks.length <= segment) {
      this.#chunks.push(this.#space.memory.alloc(this.#space.segmentRows * 8));
      this.#table.push(this.#chunks.at(-1)!);
    }
    const at = (this.#chunks[segment]! >>> 3) + (row & this.#space.segmentMask);
    this.#space.memory.f64[at] = number;
  }
}
