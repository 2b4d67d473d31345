/**
 * Reads the cells that a page shows for some rows ahead, column by column.
 *
 *     row by row         a column of a row │ another column │ …    each waits for memory by itself
 *     column by column   a column of 16 rows │ another one │ …     the processor waits for many at once
 *
 * The rows of a page lie anywhere, so nearly all of a row's memory is outside the processor's
 * cache. The ordinals of all columns are read before any value is made of them, so that the reads
 * overlap.
 */
import type { ShownCells, ShownRow, StoredRest } from './api.ts';
import type { Column } from './column.ts';
import type { Rests } from './rests/rests.ts';
import { type Pointer, plus, type RowNumber } from './storage/brands.ts';
import type { Space } from './storage/space.ts';

/** Rows that are read together. A processor waits for about as many places of memory at once. */
const AHEAD = 16;

export class RowsAhead {
  readonly #space: Space;
  readonly #rests: Rests;
  #columns: readonly Column[] | undefined;
  #from = 0;
  #cells: readonly ShownCells[] = [];
  #found: readonly (StoredRest | undefined)[] = [];

  constructor(space: Space, rests: Rests) {
    this.#space = space;
    this.#rests = rests;
  }

  /** Rows have changed, or the page is another one. */
  forget(): void {
    this.#columns = undefined;
  }

  /** The row at a place of the page with these rows; undefined if the table cannot show it. */
  shown(
    rows: readonly RowNumber[],
    place: number,
    columns: readonly Column[],
  ): ShownRow | undefined {
    if (
      this.#columns !== columns ||
      place < this.#from ||
      place >= this.#from + this.#found.length
    ) {
      this.#look(rows.slice(place, place + AHEAD), columns);
      this.#from = place;
    }
    const rest = this.#found[place - this.#from];
    if (!rest) return undefined;
    const { values, ordinals } = this.#cells[place - this.#from]!;
    return { values, ordinals, rest };
  }

  #look(rows: readonly RowNumber[], columns: readonly Column[]): void {
    const count = columns.length;
    const cells = rows.map(() => ({ values: new Array(count), ordinals: new Array(count) }));
    const ordinals = this.#ordinalsOf(rows, columns);
    for (let place = 0; place < count; place++) {
      columns[place]!.showRows(rows, plus(ordinals, place * rows.length * 4), cells, place);
    }
    this.#space.scratch.cut(ordinals);
    this.#found = rows.map((row) => this.#rests.at(row));
    this.#cells = cells;
    this.#columns = columns;
  }

  /** The cells of all these rows, column by column. */
  #ordinalsOf(rows: readonly RowNumber[], columns: readonly Column[]): Pointer {
    const { memory, scratch } = this.#space;
    const bytes = rows.length * 4;
    const ordinals = scratch.take(columns.length * bytes);
    const list = scratch.take(bytes);
    for (let i = 0; i < rows.length; i++) memory.u32[(list >>> 2) + i] = rows[i]!;
    for (let place = 0; place < columns.length; place++) {
      columns[place]!.readOrdinals(list, rows.length, plus(ordinals, place * bytes));
    }
    return ordinals;
  }
}
