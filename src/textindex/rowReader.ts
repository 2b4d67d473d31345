/** Reads the contents of rows, to be shown or compared. */
import type { RowId, Scalar, ShownRow } from './api.ts';
import type { ColumnOf } from './column.ts';
import type { Pages } from './explore/pages.ts';
import type { Rests } from './rests/rests.ts';

export class RowReader {
  readonly #columnOf: ColumnOf;
  readonly #pages: Pages;
  readonly #rests: Rests;

  constructor(columnOf: ColumnOf, pages: Pages, rests: Rests) {
    this.#columnOf = columnOf;
    this.#pages = pages;
    this.#rests = rests;
  }

  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined {
    const row = this.#pages.rowOf(id);
    if (row === undefined) return undefined;
    return columns.map((name) => this.#columnOf(name).valuesAt(row));
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    const row = this.#pages.rowOf(id);
    const rest = row === undefined ? undefined : this.#rests.at(row);
    if (row === undefined || rest === undefined) return undefined;
    return { values: columns.map((name) => this.#columnOf(name).shown(row)), rest };
  }
}
