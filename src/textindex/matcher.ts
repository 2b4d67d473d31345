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

type Leaf = Extract<Query, { column: string }>;

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
        if (!this.#leaf(query, bitmap)) return bitmap;
        this.#space.giveBack(bitmap);
        return 'all';
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
    // The cheapest first: when it holds for all rows, the dear ones need not be looked at.
    const cheapFirst = parts.toSorted((a, b) => this.#cost(a) - this.#cost(b));
    for (const part of cheapFirst) {
      if (part.op === 'contains' || part.op === 'equals') {
        if (!this.#leaf(part, joined)) continue;
        this.#space.giveBack(joined);
        return 'all';
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

  /** bitmap |= rows for which the condition holds; true when these are known to be all. */
  #leaf(query: Leaf, bitmap: number): boolean {
    const column = this.#columnOf(query);
    if (query.op === 'contains') {
      return column.contains(this.#fold.fold(query.text), query.label, bitmap);
    }
    column.equals(query.values, bitmap);
    return false;
  }

  #columnOf(query: Leaf): Column {
    const { column: name } = query;
    const label = query.op === 'contains' ? query.label : undefined;
    const use = label === undefined ? { [query.op]: true } : { label };
    return this.#columns[columnNumber(this.#definition, name, use)]!;
  }

  #cost(query: Query): number {
    if (query.op === 'contains') return this.#columnOf(query).cost(query.label);
    return query.op === 'and' || query.op === 'or' ? Number.MAX_VALUE : 0;
  }

  #giveBack(found: Found): void {
    if (typeof found === 'number') this.#space.giveBack(found);
  }
}
