/**
 * Asks listed rows whether a query holds, and looks at nothing but what they hold.
 *
 *     rows of a project ──► the values they hold ──► is the text in the value? ──► rows
 *
 * A search over a whole column takes longer when any row has the text, so its time would tell a
 * caller what rows that are not theirs hold. Here each value that a listed row holds is looked at
 * once, and no other value at all.
 */
import type { Query, TableDefinition } from '../api.ts';
import type { Fold } from '../caseFold.ts';
import type { Column } from '../column.ts';
import { columnNumber } from '../definition.ts';
import { ARRAY, type Dictionary, NONE } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import type { Slot, Space } from '../storage/space.ts';
import { isUuid, mayStandInUuid } from '../uuid/text.ts';

type Leaf = Extract<Query, { column: string }>;

/** What is known of a value: nothing yet, that the condition holds for it, or that it does not. */
const UNKNOWN = 0;
const HOLDS = 1;
const FAILS = 2;

export class RowTest {
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

  /**
   * Moves those of the n slots of a list for which the query holds to `held`, which has room for all,
   * and the others to the list's front; returns how many are held.
   */
  split(query: Query, list: number, n: number, held: number): number {
    switch (query.op) {
      case 'all':
        this.#copy(list, n, held);
        return n;
      case 'none':
        return 0;
      case 'or': {
        let found = 0;
        for (const part of query.of) {
          found += this.split(part, list, n - found, held + found * 4);
        }
        return found;
      }
      case 'and':
        return this.#splitByAll(query.of, list, n, held);
      default:
        return this.#splitByLeaf(query, list, n, held);
    }
  }

  #splitByAll(parts: readonly Query[], list: number, n: number, held: number): number {
    this.#copy(list, n, held);
    const kept = this.#space.scratch.take(n * 4);
    let found = n;
    for (const part of parts) {
      const left = this.split(part, held, found, kept);
      this.#copy(held, found - left, list + (n - found) * 4);
      this.#copy(kept, left, held);
      found = left;
    }
    return found;
  }

  #splitByLeaf(leaf: Leaf, list: number, n: number, held: number): number {
    const { dictionary, uuids } = this.#columnOf(leaf);
    const holds = this.#valueTest(leaf, dictionary!);
    let found = this.#splitByValue(dictionary!, holds, list, n, held);
    if (!uuids || (leaf.op === 'contains' && leaf.label !== undefined)) return found;
    for (const piece of this.#piecesOf(leaf)) {
      found += uuids.search.splitEach(piece, list, n - found, held + found * 4);
    }
    return found;
  }

  #splitByValue(
    dictionary: Dictionary,
    holds: (code: number) => boolean,
    list: number,
    n: number,
    held: number,
  ): number {
    const { codes, arrays, values } = dictionary;
    const known = this.#space.scratch.takeZero(values.length);
    const { u8, u32 } = this.#space.memory;
    const test = (code: number): boolean => {
      if (u8[known + code] === UNKNOWN) u8[known + code] = holds(code) ? HOLDS : FAILS;
      return u8[known + code] === HOLDS;
    };
    const testSlot = (slot: Slot): boolean => {
      const code = codes.get(slot);
      if (code === NONE) return false;
      return code === ARRAY ? arrays.get(slot)!.some(test) : test(code);
    };
    let found = 0;
    let left = list >>> 2;
    for (let i = left, end = left + n; i < end; i++) {
      const slot = u32[i]!;
      if (testSlot(slot)) u32[(held >>> 2) + found++] = slot;
      else u32[left++] = slot;
    }
    return found;
  }

  #valueTest(leaf: Leaf, dictionary: Dictionary): (code: number) => boolean {
    if (leaf.op === 'equals') {
      const wanted = new Set(leaf.values.map((value) => dictionary.codeOf(value)));
      return (code) => wanted.has(code);
    }
    const { label, text } = leaf;
    const texts = label === undefined ? dictionary.texts! : dictionary.labels.get(label)!;
    const needle = new Needle(this.#space, this.#fold.fold(text));
    return (code) => texts.holds(code, needle);
  }

  /** Texts of which one must stand in the row's UUID. */
  #piecesOf(leaf: Leaf): readonly string[] {
    if (leaf.op === 'equals') return leaf.values.filter(isUuid);
    const text = this.#fold.fold(leaf.text);
    return mayStandInUuid(text) ? [text] : [];
  }

  #columnOf(leaf: Leaf): Column {
    const label = leaf.op === 'contains' ? leaf.label : undefined;
    const use = label === undefined ? { [leaf.op]: true } : { label };
    return this.#columns[columnNumber(this.#definition, leaf.column, use)]!;
  }

  #copy(from: number, n: number, to: number): void {
    this.#space.memory.u8.copyWithin(to, from, from + n * 4);
  }
}
