/**
 * From a query to the set of rows it holds for: a list, a bitmap, or the word that it is all or none.
 *
 *     and ─┬─ or ─┬─ contains ─► Sought ─┐
 *          │      └─ contains ─► Sought ─┴► choice: about 300 rows ──► listed ─┐
 *          └─ equals ──────────► Sought ──► choice: about 90,000   ──► asked of each of those
 *
 * All values that a query names are sought before any rows are joined. The part that the fewest rows
 * can fulfil goes first. Few rows are listed, and each is asked the other parts; many are joined in
 * bitmaps, part by part, until few are left. An answer of 300 rows reads some kilobytes, where one
 * bitmap of a million rows is 125.
 */
import type { Query, TableDefinition } from '../api.ts';
import type { Fold } from '../caseFold.ts';
import type { Column } from '../column.ts';
import { columnNumber } from '../definition.ts';
import { Needle } from '../dictionary/needle.ts';
import type { NgramBitmap, NgramBitmaps } from '../ngrams/ngramBitmaps.ts';
import type { Space } from '../storage/space.ts';
import type { ColumnSearch, Look, Sought } from './columnSearch.ts';
import { RowTest } from './rowTest.ts';
import { Union } from './union.ts';

type Leaf = Extract<Query, { column: string }>;

/** RowNumbers in scratch memory, each once, in no order. */
export interface Listed {
  readonly list: number;
  readonly n: number;
}

/** A borrowed bitmap, to be given back, a list, or a set that needs neither. */
export type Found = number | Listed | 'all' | 'none';

/** Keys for the two uses that are no label. */
const EQUALS = Symbol('equals');
const CONTAINS = Symbol('contains');

/** Joining the rows of a choice takes so many times as long as taking away the few it lacks. */
const KEEPING = 4;

/** Alternatives: a kept piece, values of columns, and what is neither `contains` nor `equals`. */
interface Choice {
  readonly kept: NgramBitmap | undefined;
  readonly sought: readonly Sought[];
  readonly others: readonly Query[];
  /** About so many rows; of a kept piece those that hold it outside of their UUID. */
  readonly rows: number;
}

const NOTHING = { sought: [], others: [], rows: 0 } as const;

export class Matcher {
  readonly #space: Space;
  readonly #definition: TableDefinition;
  readonly #columns: readonly Column[];
  readonly #fold: Fold;
  readonly #ngrams: NgramBitmaps;
  readonly #rowTest: RowTest;
  /** What this search looks for, by the text asked for. */
  readonly #needles = new Map<string, Needle>();
  /** Columns that were asked before, by what they were asked for (a label's name, or the two ops). */
  readonly #known = new Map<string | symbol, Map<string, ColumnSearch>>();

  constructor(
    space: Space,
    definition: TableDefinition,
    columns: readonly Column[],
    fold: Fold,
    pieces: NgramBitmaps,
  ) {
    this.#space = space;
    this.#definition = definition;
    this.#columns = columns;
    this.#fold = fold;
    this.#ngrams = pieces;
    this.#rowTest = new RowTest(space, definition, columns, fold);
  }

  /** The rows within `within`; a list is good until the next search. */
  find(query: Query, within: Query): Found {
    this.#space.scratch.reset();
    this.#needles.clear();
    return within.op === 'all' ? this.#find(query) : this.#findWithin(query, within);
  }

  /**
   * Few rows within are asked one by one, so that the time is none of what others hold; the rows of
   * many are found as any others are.
   */
  #findWithin(query: Query, within: Query): Found {
    const found = this.#find(within);
    if (query.op === 'all' || found === 'none') return found;
    if (found === 'all') return this.#find(query);
    const { kernel, bitmapBytes, layout, scratch } = this.#space;
    const n = typeof found === 'object' ? found.n : kernel.count(found, bitmapBytes);
    if (n > layout.visibleRows) {
      if (typeof found === 'number') this.#space.giveBack(found);
      return this.#find({ op: 'and', of: [within, query].flatMap(partsOf) });
    }
    const { list } = typeof found === 'object' ? found : this.#listOf(found, n);
    const held = scratch.take(n * 4);
    const kept = this.#rowTest.split(query, list, n, held);
    return kept === 0 ? 'none' : { list: held, n: kept };
  }

  #find(query: Query): Found {
    return this.#both(partsOf(query));
  }

  /** The parts of an `and`: equalities are sought first, since one that nothing equals ends it. */
  #both(parts: readonly Query[]): Found {
    const choices: Choice[] = [];
    for (const equalities of [true, false]) {
      for (const part of parts) {
        if ((part.op === 'equals') !== equalities) continue;
        const choice = this.#choiceOf(part);
        if (choice === 'none') return 'none';
        if (choice !== 'all') choices.push(choice);
      }
    }
    if (choices.length > 1) choices.sort((a, b) => a.rows - b.rows);
    const [first, ...rest] = choices;
    if (!first) return 'all';
    const left: Choice[] = [];
    for (const choice of rest) {
      const asked = this.#leftOf(choice, first);
      if (asked === 'none') return 'none';
      if (asked !== 'all') left.push(asked);
    }
    let found = this.#rowsOf(first, left[0]);
    for (const choice of left) {
      if (found === 'none') break;
      found = this.#narrow(found, choice);
    }
    return found;
  }

  /**
   * What is left to be asked of rows that hold a value of `given`: its own column needs no look at
   * rows. In a project, its name has the text sought or has it not.
   */
  #leftOf(choice: Choice, given: Choice): Choice | 'all' | 'none' {
    const [known] = given.sought;
    if (questions(given) !== 1 || !known) return choice;
    const at = choice.sought.findIndex(({ search }) => search === known.search);
    if (at < 0) return choice;
    const implied = known.search.implied(known, choice.sought[at]!);
    if (implied === 'all') return 'all';
    if (implied === 'some') return choice;
    const sought = choice.sought.filter((_, i) => i !== at);
    const left = { ...choice, sought };
    return isEmpty(left) ? 'none' : left;
  }

  /** What is sought for one part of an `and`. */
  #choiceOf(query: Query): Choice | 'all' | 'none' {
    if (query.op === 'all' || query.op === 'none') return query.op;
    const sought: Sought[] = [];
    const others: Query[] = [];
    let rows = 0;
    const take = (one: Sought | 'all' | 'none') => {
      if (one === 'all') return true;
      if (one !== 'none') {
        sought.push(one);
        rows += one.rows;
      }
      return false;
    };
    const { kept, rest: parts } = this.#ngrams.find(query.op === 'or' ? query.of : [query]);
    if (kept) rows = kept.count;
    for (const part of parts) {
      if (part.op === 'equals') {
        if (take(this.#columnOf(part).seekEqual(part.values))) return 'all';
      } else if (part.op !== 'contains') others.push(part);
    }
    for (const [search, looks] of this.#looksOf(parts)) {
      if (take(search.seek(looks))) return 'all';
    }
    if (others.length > 0) rows = Number.POSITIVE_INFINITY;
    const choice = { kept, sought, others, rows };
    return isEmpty(choice) ? 'none' : choice;
  }

  /** The texts to look for, by column. */
  #looksOf(parts: readonly Query[]): [search: ColumnSearch, looks: Look[]][] {
    const groups: [search: ColumnSearch, looks: Look[]][] = [];
    for (const part of parts) {
      if (part.op !== 'contains') continue;
      const search = this.#columnOf(part);
      const look = { needle: this.#needleOf(part.text), label: part.label };
      const known = groups.find((group) => group[0] === search);
      if (known) known[1].push(look);
      else groups.push([search, [look]]);
    }
    return groups;
  }

  /** The rows of a choice: listed when the next one can be asked of each, or when they are few. */
  #rowsOf(choice: Choice, next: Choice | undefined): Found {
    const { listedRows, askedRows } = this.#space.layout;
    const most = next ? askedRows / questions(next) : listedRows;
    if (choice.rows > most) return this.#join(choice);
    return this.#list(choice, askedRows) ?? this.#join(choice);
  }

  /** found &= choice */
  #narrow(found: Exclude<Found, 'none'>, choice: Choice): Found {
    if (found === 'all') return this.#rowsOf(choice, undefined);
    const { kernel, bitmapBytes, layout } = this.#space;
    const only = questions(choice) === 1 ? choice.sought[0] : undefined;
    const most = only?.search.isMost(only) ? only : undefined;
    if (most && (typeof found === 'number' || found.n > layout.askedRows / KEEPING)) {
      const kept = this.#bitmapOf(found) as number;
      most.search.keep(most, kept);
      return kept;
    }
    const n = typeof found === 'object' ? found.n : kernel.count(found, bitmapBytes);
    if (n * questions(choice) <= layout.askedRows) {
      return this.#ask(typeof found === 'object' ? found : this.#listOf(found, n), choice);
    }
    const narrowed = this.#bitmapOf(found) as number;
    const union = this.#unionOf(choice);
    if (union === 'all') return narrowed;
    if (union === 'none') {
      this.#space.giveBack(narrowed);
      return union;
    }
    union.keepIn(narrowed);
    return narrowed;
  }

  /** The rows of a choice as a list; undefined when there are too many. */
  #list({ kept, sought }: Choice, most: number): Found | undefined {
    if (kept) return undefined;
    const { kernel, scratch } = this.#space;
    const room = sought.reduce(
      (sum, { listed, pieces }) => sum + listed + (pieces.length > 0 ? most : 0),
      0,
    );
    const list = scratch.take(room * 4);
    const seen = this.#space.borrow();
    let n = 0;
    for (const one of sought) {
      const found = one.search.list(one, seen, list + n * 4, most);
      if (found === 'many') {
        this.#space.giveBack(seen);
        return undefined;
      }
      n += found;
    }
    kernel.clearBits(seen, list, n);
    this.#space.giveBack(seen, true);
    return n === 0 ? 'none' : { list, n };
  }

  /** The rows of a choice as a bitmap. */
  #join(choice: Choice): number | 'all' | 'none' {
    const union = this.#unionOf(choice);
    return typeof union === 'object' ? union.finish() : union;
  }

  /** What is to be joined for a choice; something, when there is a union. */
  #unionOf({ kept, sought, others }: Choice): Union | 'all' | 'none' {
    const union = new Union(this.#space);
    if (kept) this.#ngrams.join(kept, union);
    let some = kept !== undefined;
    for (const one of sought) {
      const held = one.search.join(one, union);
      if (held === 'all') {
        union.drop();
        return 'all';
      }
      if (held === 'some') some = true;
    }
    for (const other of others) {
      const found = this.#bitmapOf(this.#find(other));
      if (found === 'all') {
        union.drop();
        return 'all';
      }
      if (found === 'none') continue;
      union.addMade(found);
      some = true;
    }
    if (some) return union;
    union.drop();
    return 'none';
  }

  /** Those of the listed rows for which a choice holds; no row is asked again that holds. */
  #ask({ list, n }: Listed, { kept, sought, others }: Choice): Found {
    const held = this.#space.scratch.take(n * 4);
    let found = 0;
    if (kept) {
      const bitmap = this.#join({ ...NOTHING, kept }) as number;
      found = this.#space.kernel.splitBits(list, n, bitmap, held);
      this.#space.giveBack(bitmap);
    }
    for (const one of sought) {
      if (found === n) break;
      found += one.search.split(one, list, n - found, held + found * 4);
    }
    for (const other of others) {
      if (found === n) break;
      const bitmap = this.#bitmapOf(this.#find(other));
      if (bitmap === 'none') continue;
      if (bitmap === 'all') {
        this.#space.memory.u8.copyWithin(held + found * 4, list, list + (n - found) * 4);
        found = n;
        break;
      }
      const to = held + found * 4;
      found += this.#space.kernel.splitBits(list, n - found, bitmap, to);
      this.#space.giveBack(bitmap);
    }
    return found === 0 ? 'none' : { list: held, n: found };
  }

  /** A bitmap's n rows listed; it is given back. */
  #listOf(bitmap: number, n: number): Listed {
    const { kernel, scratch, bitmapBytes } = this.#space;
    const list = scratch.take(n * 4);
    kernel.collect(bitmap, bitmapBytes, 0, list, n);
    this.#space.giveBack(bitmap);
    return { list, n };
  }

  #bitmapOf(found: Found): number | 'all' | 'none' {
    if (typeof found !== 'object') return found;
    const bitmap = this.#space.borrow();
    this.#space.kernel.setBits(bitmap, found.list, found.n);
    return bitmap;
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

  #columnOf(query: Leaf): ColumnSearch {
    const use = query.op === 'equals' ? EQUALS : (query.label ?? CONTAINS);
    let known = this.#known.get(use);
    if (!known) {
      known = new Map();
      this.#known.set(use, known);
    }
    let column = known.get(query.column);
    if (!column) {
      const label = query.op === 'contains' ? query.label : undefined;
      const asked = label === undefined ? { [query.op]: true } : { label };
      column = this.#columns[columnNumber(this.#definition, query.column, asked)]!.search!;
      known.set(query.column, column);
    }
    return column;
  }
}

/** The parts of which all must hold. */
const partsOf = (query: Query): readonly Query[] => (query.op === 'and' ? query.of : [query]);

/** How many look-ups it takes to ask one row, at most. */
function questions({ kept, sought, others }: Choice): number {
  return Math.max(1, (kept ? 1 : 0) + sought.length + others.length);
}

const isEmpty = ({ kept, sought, others }: Choice) => !kept && sought.length + others.length === 0;
