/**
 * The values of rows that hold arrays: for each such row its list of ordinals, each once.
 *
 *     places    0 │ ptr │ 0 │ …      by row, 4 bytes; 0 for a row without an array
 *                    ▼
 *     a block    n │ ordinal × n     in the table's memory
 *
 * A list takes a fifth of the memory of a JavaScript array in a Map, and no garbage collection visits
 * a million of them.
 */
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepNumbers, type State, type Steps } from '../storage/state.ts';

export class ElementLists {
  /** Rows with an array. */
  size = 0;
  readonly #space: Space;
  /** The places of each segment's rows; none for a segment without an array. */
  readonly #chunks: Pointer[] = [];

  constructor(space: Space) {
    this.#space = space;
  }

  has(row: RowNumber): boolean {
    return this.placeOf(row) !== NULL_POINTER;
  }

  /** The place of a row's list: how many ordinals, then these; 0 if it has none. */
  placeOf(row: RowNumber): Pointer {
    const { memory, segmentBits, segmentMask } = this.#space;
    const chunk = this.#chunks[row >>> segmentBits];
    if (!chunk) return NULL_POINTER;
    return memory.u32[(chunk >>> 2) + (row & segmentMask)]! as Pointer;
  }

  get(row: RowNumber): readonly Ordinal[] | undefined {
    const place = this.placeOf(row) >>> 2;
    if (place === 0) return undefined;
    const { u32 } = this.#space.memory;
    const ordinals: Ordinal[] = [];
    for (let i = place + 1, end = place + 1 + u32[place]!; i < end; i++) {
      ordinals.push(u32[i]! as Ordinal);
    }
    return ordinals;
  }

  /** For a row that has no list. */
  set(row: RowNumber, ordinals: readonly Ordinal[]): void {
    const { memory, segmentBits, segmentMask, segmentRows } = this.#space;
    const segment = row >>> segmentBits;
    while (this.#chunks.length <= segment) this.#chunks.push(NULL_POINTER);
    this.#chunks[segment] ||= memory.allocZero(segmentRows * 4);
    const block = memory.alloc(bytesFor(ordinals.length));
    const { u32 } = memory;
    u32[block >>> 2] = ordinals.length;
    for (let i = 0; i < ordinals.length; i++) u32[(block >>> 2) + 1 + i] = ordinals[i]!;
    u32[(this.#chunks[segment]! >>> 2) + (row & segmentMask)] = block;
    this.size++;
  }

  delete(row: RowNumber): void {
    const block = this.placeOf(row);
    if (block === NULL_POINTER) return;
    const { memory, segmentBits, segmentMask } = this.#space;
    memory.free(block, bytesFor(memory.u32[block >>> 2]!));
    memory.u32[(this.#chunks[row >>> segmentBits]! >>> 2) + (row & segmentMask)] = 0;
    this.size--;
  }

  /** The rows that have one, by number. */
  keys(): readonly RowNumber[] {
    const rows: RowNumber[] = [];
    this.each((row) => rows.push(row));
    return rows;
  }

  /** Tells each of these rows with the place of its list; memory must not grow meanwhile. */
  each(tell: (row: RowNumber, place: Pointer) => void): void {
    const { memory, segmentRows } = this.#space;
    const { u32 } = memory;
    for (const [segment, chunk] of this.#chunks.entries()) {
      for (let i = 0; chunk && i < segmentRows; i++) {
        const place = u32[(chunk >>> 2) + i]!;
        if (place !== 0) tell((segment * segmentRows + i) as RowNumber, place as Pointer);
      }
    }
  }

  *keep(state: State): Steps {
    this.size = state.number(this.size);
    yield* keepNumbers(state, this.#chunks);
  }
}

const bytesFor = (elements: number): number => (elements + 1) * 4;
