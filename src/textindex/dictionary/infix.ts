/** The rows of a class of infixes: of substrings that occur in the same texts (infixes.ts). */
import { Bitmap } from '../storage/bitmap.ts';
import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { ValueRows } from './postings.ts';

export class Infix {
  /** The longest of them. */
  readonly text: string;
  readonly rows: Bitmap;
  #count: number | undefined;

  constructor(space: Space, text: string) {
    this.text = text;
    this.rows = new Bitmap(space);
  }

  /** The number of its rows. Changes keep it up to date, so that no search goes over the bitmap for it. */
  get count(): number {
    this.#count ??= this.rows.count();
    return this.#count;
  }

  add(row: RowNumber): void {
    if (this.rows.has(row)) return;
    this.rows.add(row);
    if (this.#count !== undefined) this.#count++;
  }

  delete(row: RowNumber): void {
    if (!this.rows.has(row)) return;
    this.rows.delete(row);
    if (this.#count !== undefined) this.#count--;
  }

  /** All rows of a value come, of which there may be hundreds of thousands. */
  addAll(rows: ValueRows): void {
    if (rows instanceof Bitmap) this.rows.addAll(rows);
    else for (const row of rows) this.rows.add(row);
    this.#count = undefined;
  }

  deleteAll(rows: ValueRows): void {
    if (rows instanceof Bitmap) this.rows.deleteAll(rows);
    else for (const row of rows) this.rows.delete(row);
    this.#count = undefined;
  }
}
