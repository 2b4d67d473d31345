/**
 * From a query to the set of rows it holds for: a bitmap, or the word that it is all or none.
 *
 *     and ── or ─┬─ contains ─► values ─► rows ─┐
 *          │     └─ contains ─► values ─► rows ─┴► one bitmap
 *          └─ equals ─────────► values ─► rows ───► another, and the two are joined
 */
import type { Query, TableDefinition } from './api.ts';
import type { Column, Held, Look } from './column.ts';
import { columnNumber } from './definition.ts';
import type { Fold } from './fold.ts';
import type { Space } from './space.ts';

/** A part of an `or`: what it costs, roughly, and how to join its rows to a bitmap. */
interface Step {
  readonly cost: number;
  readonly run: (bitmap: number) => Held;
}

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
      default:
        return this.#or(query.op === 'or' ? query.of : [query]);
    }
  }

  /**
   * Narrow equalities first, what must be searched for next, and last the equalities that most rows
   * fulfil: those only take rows away from the set found by then.
   */
  #and(parts: readonly Query[]): Found {
    let joined: Found = 'all';
    for (const part of this.#inOrder(parts)) {
      if (part.op === 'equals' && typeof joined === 'number') {
        this.#columnOf(part).keepEqual(part.values, joined);
        continue;
      }
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

  #inOrder(parts: readonly Query[]): readonly Query[] {
    const searched = this.#space.bitmapBytes * 4;
    const rows = parts.map((part) =>
      part.op === 'equals' ? this.#columnOf(part).rowsEqual(part.values) : searched,
    );
    return parts
      .map((_, i) => i)
      .sort((a, b) => rows[a]! - rows[b]!)
      .map((i) => parts[i]!);
  }

  /** The cheapest first: when it holds for all rows, the dear ones need not be looked at. */
  #or(parts: readonly Query[]): Found {
    const joined = this.#space.borrow();
    const steps = this.#steps(parts);
    let some = false;
    for (const step of steps) {
      const held = step.run(joined);
      if (held === 'all') {
        this.#space.giveBack(joined);
        return 'all';
      }
      if (held === 'some') some = true;
    }
    if (some) return joined;
    this.#space.giveBack(joined);
    return 'none';
  }

  /** The parts of an `or`; those that look for texts of one column are one step. */
  #steps(parts: readonly Query[]): Step[] {
    const steps: Step[] = [];
    const looks = new Map<Column, Look[]>();
    for (const part of parts) {
      if (part.op !== 'contains') {
        const cost = part.op === 'equals' ? 0 : Number.MAX_VALUE;
        steps.push({ cost, run: (bitmap) => this.#orInto(part, bitmap) });
        continue;
      }
      const column = this.#columnOf(part);
      const look = { text: this.#fold.fold(part.text), label: part.label };
      const known = looks.get(column);
      if (known) known.push(look);
      else looks.set(column, [look]);
    }
    for (const [column, wanted] of looks) {
      steps.push({ cost: column.cost(wanted), run: (bitmap) => column.contains(wanted, bitmap) });
    }
    return steps.length > 1 ? steps.sort((a, b) => a.cost - b.cost) : steps;
  }

  /** bitmap |= rows for which the query holds, and how many that is known to be. */
  #orInto(query: Exclude<Query, { op: 'contains' }>, bitmap: number): Held {
    if (query.op === 'equals') return this.#columnOf(query).equals(query.values, bitmap);
    const found = this.find(query);
    if (typeof found !== 'number') return found;
    this.#space.kernel.or(bitmap, found, this.#space.bitmapBytes);
    this.#space.giveBack(found);
    return 'some';
  }

  #columnOf(query: Leaf): Column {
    const { column: name } = query;
    const label = query.op === 'contains' ? query.label : undefined;
    const use = label === undefined ? { [query.op]: true } : { label };
    return this.#columns[columnNumber(this.#definition, name, use)]!;
  }

  #giveBack(found: Found): void {
    if (typeof found === 'number') this.#space.giveBack(found);
  }
}
