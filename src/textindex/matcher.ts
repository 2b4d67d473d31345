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
import { Needle } from './needle.ts';
import type { Slot, Space } from './space.ts';

/** A part of an `or`: what it costs, roughly, and how to join its rows to a bitmap. */
interface Step {
  readonly cost: number;
  readonly run: (bitmap: number) => Held;
  /** Those of few slots for which it holds. */
  readonly among: (slots: readonly Slot[]) => readonly Slot[];
}

type Leaf = Extract<Query, { column: string }>;

/** A borrowed bitmap, to be given back, or a set that needs none. */
export type Found = number | 'all' | 'none';

/** Up to so many rows, asking each of them takes less time than joining bitmaps of all. */
const FEW = 128;

export class Matcher {
  readonly #space: Space;
  readonly #definition: TableDefinition;
  readonly #columns: readonly Column[];
  readonly #fold: Fold;
  /** What this search looks for, by the text asked for. */
  readonly #needles = new Map<string, Needle>();

  constructor(space: Space, definition: TableDefinition, columns: readonly Column[], fold: Fold) {
    this.#space = space;
    this.#definition = definition;
    this.#columns = columns;
    this.#fold = fold;
  }

  find(query: Query): Found {
    this.#space.scratch.reset();
    this.#needles.clear();
    return this.#find(query);
  }

  #find(query: Query): Found {
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
    const ordered = this.#inOrder(parts);
    for (const [i, part] of ordered.entries()) {
      if (typeof joined === 'number' && part.op !== 'equals') {
        const n = this.#space.kernel.count(joined, this.#space.bitmapBytes);
        if (n <= Math.min(FEW, this.#space.layout.fewHits))
          return this.#amongFew(joined, n, ordered.slice(i));
      }
      if (part.op === 'equals' && typeof joined === 'number') {
        this.#columnOf(part).keepEqual(part.values, joined);
        continue;
      }
      const found = this.#find(part);
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

  /** Few rows are left: what remains to be asked is asked of each of them. */
  #amongFew(bitmap: number, n: number, rest: readonly Query[]): Found {
    const { memory, kernel, bitmapBytes } = this.#space;
    const list = this.#space.listOf(n + 1);
    kernel.collect(bitmap, bitmapBytes, 0, list, n + 1);
    let slots: readonly Slot[] = Array.from(memory.u32.subarray(list >>> 2, (list >>> 2) + n));
    for (const part of rest) if (slots.length > 0) slots = this.#among(part, slots);
    if (slots.length === 0) {
      this.#space.giveBack(bitmap);
      return 'none';
    }
    memory.u8.fill(0, bitmap, bitmap + bitmapBytes);
    for (const slot of slots) memory.u8[bitmap + (slot >>> 3)]! |= 1 << (slot & 7);
    return bitmap;
  }

  /** Those of the slots for which the query holds. */
  #among(query: Query, slots: readonly Slot[]): readonly Slot[] {
    switch (query.op) {
      case 'all':
        return slots;
      case 'none':
        return [];
      case 'equals':
        return this.#columnOf(query).equalAmong(query.values, slots);
      case 'and':
        return query.of.reduce((left, part) => this.#among(part, left), slots);
      default:
        return this.#amongAny(query.op === 'or' ? query.of : [query], slots);
    }
  }

  #amongAny(parts: readonly Query[], slots: readonly Slot[]): readonly Slot[] {
    const held = new Set<Slot>();
    let left = slots;
    for (const step of this.#steps(parts)) {
      for (const slot of step.among(left)) held.add(slot);
      left = slots.filter((slot) => !held.has(slot));
      if (left.length === 0) break;
    }
    return [...held];
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
        steps.push({
          cost,
          run: (bitmap) => this.#orInto(part, bitmap),
          among: (slots) => this.#among(part, slots),
        });
        continue;
      }
      const column = this.#columnOf(part);
      const look = { needle: this.#needleOf(part.text), label: part.label };
      const known = looks.get(column);
      if (known) known.push(look);
      else looks.set(column, [look]);
    }
    for (const [column, wanted] of looks) {
      steps.push({
        cost: column.cost(wanted),
        run: (bitmap) => column.contains(wanted, bitmap),
        among: (slots) => column.containsAmong(wanted, slots),
      });
    }
    return steps.length > 1 ? steps.sort((a, b) => a.cost - b.cost) : steps;
  }

  /** bitmap |= rows for which the query holds, and how many that is known to be. */
  #orInto(query: Exclude<Query, { op: 'contains' }>, bitmap: number): Held {
    if (query.op === 'equals') return this.#columnOf(query).equals(query.values, bitmap);
    const found = this.#find(query);
    if (typeof found !== 'number') return found;
    this.#space.kernel.or(bitmap, found, this.#space.bitmapBytes);
    this.#space.giveBack(found);
    return 'some';
  }

  /** Most searches ask one text of all columns: it is made ready once. */
  #needleOf(text: string): Needle {
    let needle = this.#needles.get(text);
    if (!needle) {
      needle = new Needle(this.#space, this.#fold.fold(text));
      this.#needles.set(text, needle);
    }
    return needle;
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
