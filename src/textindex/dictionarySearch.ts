/**
 * From values to rows: joins the rows of the values that a search found.
 */
import type { Dictionary } from './dictionary.ts';
import type { Space } from './space.ts';

export class DictionarySearch {
  readonly #space: Space;
  readonly #dictionary: Dictionary;

  constructor(space: Space, dictionary: Dictionary) {
    this.#space = space;
    this.#dictionary = dictionary;
  }

  /** bitmap |= rows of the n codes in the list. */
  join(list: number, n: number, bitmap: number): void {
    if (n === 0) return;
    const { kernel, memory } = this.#space;
    const { postings } = this.#dictionary;
    kernel.setLists(bitmap, list, n, postings.ptrs.ptr, postings.lens.ptr);
    if (postings.heavy.size === 0) return;
    const found = new Set(memory.u32.subarray(list >>> 2, (list >>> 2) + n));
    for (const [code, rows] of postings.heavy) if (found.has(code)) rows.orInto(bitmap);
  }
}
