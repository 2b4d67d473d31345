/**
 * A row before or after a change, as watched searches test it: each part is made once for all of
 * them.
 *
 *     cells ──► values ─┬─► keys    equal for equal values
 *                       └─► texts   folded
 */
import {
  type Cell,
  elements,
  isObjectId,
  type RowId,
  type Scalar,
  scalarKey,
  textOfId,
} from '../../textindex/index.ts';

export type FoldText = (text: string) => string;

export class ChangedRow {
  readonly id: RowId;
  readonly #cells: readonly (Cell | undefined)[];
  readonly #fold: FoldText;
  readonly #keys: (readonly string[] | undefined)[] = [];
  readonly #texts: (readonly string[] | undefined)[] = [];

  /** @param cells by the number of the column; undefined for a column without any use */
  constructor(id: RowId, cells: readonly (Cell | undefined)[], fold: FoldText) {
    this.id = id;
    this.#cells = cells;
    this.#fold = fold;
  }

  /** The keys of a column's values: see `scalarKey`. */
  keys(column: number): readonly string[] {
    this.#keys[column] ??= this.#values(column).map(scalarKey);
    return this.#keys[column];
  }

  /** A column's texts, folded; ObjectIds have theirs even where no search looks into them. */
  texts(column: number): readonly string[] {
    this.#texts[column] ??= this.#values(column).flatMap((value) =>
      typeof value === 'string' || isObjectId(value) ? [this.#fold(textOfId(value))] : [],
    );
    return this.#texts[column];
  }

  #values(column: number): readonly Scalar[] {
    const cell = this.#cells[column];
    return cell === undefined ? [] : elements(cell);
  }
}

/** A row that changes: without `before` it comes, without `after` it goes. */
export interface RowChange {
  readonly before: ChangedRow | undefined;
  readonly after: ChangedRow | undefined;
}
