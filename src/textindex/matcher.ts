/**
 * From a query to the set of rows it holds for: a bitmap, or the word that it is all or none.
 *
 *     and ── or ─┬─ contains ─► values ─► rows ─┐
 *          │     └─ contains ─► values ─► rows ─┴► one bitmap
 *          └─ equals ─────────► values ─► rows ───► another, and the two are joined
 */
import type { Query, TableDefinition } from './api.ts';
import type { Column } from './column.ts';
import { columnNumber } from './definition.ts';
import type { Fold } from './fold.ts';
import type { Space } from './space.ts';

/** A borrowed bitmap, to be given back, or a set that needs none. */
export type Found = number | 'all' | 'none';

export class Matcher {
  readonly #space: Space;
  readonly #definition: TableDefinition;
  readonly #columns: readonly Column[];
  readonly #fold: Fold;

  constructor(space: Space, definition: TableDefinition, columns: readonly Column[], fold: Fold) {
    this.#space = space;
    this.#definition = definition;
    this.#columns = columns;
    this.#fold = fold;
  }

  find(query: Query): Found {
    switch (query.op) {
      case 'all':
        return 'all';
      case 'none':
        return 'none';
      case 'and':
        return this.#and(query.of);
      case 'or':
        return this.#or(query.of);
      default: {
        const bitmap = this.#space.borrow();
        this.#leaf(query, bitmap);
        return bitmap;
      }
    }
  }

  #and(parts: readonly Query[]): Found {
    let joined: Found = 'all';
    for (const part of parts) {
      const found = this.find(part);
      if (found === 'all') continue;
      if (found === 'none') {
        this.#giveBack(joined);
        return 'none';
      }
      if (typeof joined === 'number') {
        this.#space.kernel.and(joined, found, this.#space.bitmapBytes);
        this.#space.giveBack(found);
      } else joined = found;
    }
    return joined;
  }

  #or(parts: readonly Query[]): Found {
    const joined = this.#space.borrow();
    for (const part of parts) {
      if (part.op === 'contains' || part.op === 'equals') {
        this.#leaf(part, joined);
        continue;
      }
      const found = this.find(part);
      if (found === 'all') {
        this.#space.giveBack(joined);
        return 'all';
      }
      if (typeof found === 'number') {
        this.#space.kernel.or(joined, found, this.#space.bitmapBytes);
        this.#space.giveBack(found);
      }
    }
    return joined;
  }

  /** bitmap |= rows for which the condition holds. */
  #leaf(query: Extract<Query, { column: string }>, bitmap: number): void {
    const { column: name } = query;
    if (query.op === 'equals') {
      const number = columnNumber(this.#definition, name, { equals: true });
      this.#columns[number]!.equals(query.values, bitmap);
      return;
    }
    const { label } = query;
    const use = label === undefined ? { contains: true } : { label };
    const number = columnNumber(this.#definition, name, use);
    this.#columns[number]!.contains(this.#fold.fold(query.text), label, bitmap);
  }

  #giveBack(found: Found): void {
    if (typeof found === 'number') this.#space.giveBack(found);
  }
}
