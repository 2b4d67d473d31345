/** Reads the contents of rows, to be shown or compared. */
import type { RowId, Scalar, ShownRow, TableDefinition } from './api.ts';
import type { Column } from './column.ts';
import { columnNumber } from './definition.ts';
import type { Pages } from './explore/pages.ts';
import type { Rests } from './rests/rests.ts';
import type { RowNumber } from './storage/brands.ts';

export class RowReader {
  readonly #definition: TableDefinition;
  readonly #columns: readonly Column[];
  readonly #pages: Pages;
  readonly #rests: Rests;
  readonly #byName = new Map<string, Column>();
  /** Columns by the array of names asked for together. */
  readonly #shown = new WeakMap<readonly string[], readonly Column[]>();

  constructor(definition: TableDefinition, columns: readonly Column[], pages: Pages, rests: Rests) {
    this.#definition = definition;
    this.#columns = columns;
    this.#pages = pages;
    this.#rests = rests;
  }

  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined {
    const row = this.#pages.rowOf(id);
    if (row === undefined) return undefined;
    return columns.map((name) =>
      this.#columns[columnNumber(this.#definition, name)]!.valuesAt(row),
    );
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    const row = this.#pages.rowOf(id);
    const rest = row === undefined ? undefined : this.#rests.at(row);
    if (row === undefined || rest === undefined) return undefined;
    return { values: this.#valuesAt(row, columns), rest };
  }

  shownValues(id: RowId, columns: readonly string[]): readonly Scalar[] | undefined {
    const row = this.#pages.rowOf(id);
    return row === undefined || !this.#rests.has(row) ? undefined : this.#valuesAt(row, columns);
  }

  columnNamed(name: string): Column {
    const known = this.#byName.get(name);
    if (known) return known;
    const column = this.#columns[columnNumber(this.#definition, name)]!;
    this.#byName.set(name, column);
    return column;
  }

  #valuesAt(row: RowNumber, columns: readonly string[]): readonly Scalar[] {
    const values: Scalar[] = [];
    for (const column of this.#columnsNamed(columns)) values.push(column.shown(row));
    return values;
  }

  #columnsNamed(names: readonly string[]): readonly Column[] {
    const known = this.#shown.get(names);
    if (known) return known;
    const columns = names.map((name) => this.columnNamed(name));
    this.#shown.set(names, columns);
    return columns;
  }
}
