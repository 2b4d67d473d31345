/**
 * A column as a dictionary: each distinct value once, with its texts and its rows.
 *
 *     row ──ordinals──► 17 ──values──► 'ann@x.org'     one number a row
 *                     │──texts────► ann@x.org       searched as one run of bytes
 *                     │──labels───► names …         a rename touches one value; of a large label, its rows too
 *                     └──postings─► its rows
 *
 * A search finds the values first, then unites their rows. Numbers, dates and null are values without
 * text. A row with an array has the ordinal ARRAY, and its elements' ordinals aside; it stands in the
 * postings of each. A value without rows and without labels is forgotten and its ordinal used again.
 */
import type { Cell, ColumnDefinition, Scalar } from '../api.ts';
import { searchedText } from '../objectId.ts';
import { isArray, isNothing, NOTHING, prefixKey } from '../scalars.ts';
import type { Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { State, Steps } from '../storage/state.ts';
import { ElementLists } from './elementLists.ts';
import { Infixes } from './infixes.ts';
import { ARRAY, FIRST_VALUE, NO_VALUE, Ordinals } from './ordinals.ts';
import { Postings } from './postings.ts';
import { Texts } from './texts.ts';
import { Values } from './values.ts';

/** Elements of an array that are compared with each other rather than put into a set. */
const FEW = 16;
/** Values that are nothing are numbered up to here. */
const LEAST = prefixKey(NOTHING);

export class Dictionary {
  readonly space: Space;
  readonly ordinals: Ordinals;
  readonly postings: Postings;
  readonly values: Values;
  /** Rows that hold something here. */
  size = 0;
  /** The ordinals of the elements of each row with an array, each once. */
  readonly arrays: ElementLists;
  readonly texts: Texts | undefined;
  readonly labels = new Map<string, Texts>();
  /** The rows of frequent infixes of the texts (undefined), and of labels that are large. */
  readonly #infixesOf = new Map<string | undefined, Infixes>();
  readonly #infixes: readonly Infixes[];
  /** Whether its texts are those of ObjectIds. */
  readonly ofIds: boolean;
  /** The value that a row was given last: most columns have it again soon. */
  #last: Scalar | undefined;
  #lastOrdinal = NO_VALUE;

  constructor(space: Space, column: ColumnDefinition) {
    this.space = space;
    this.values = new Values(space);
    this.ofIds = column.ofIds === true;
    this.ordinals = new Ordinals(space);
    this.arrays = new ElementLists(space);
    this.postings = new Postings(space);
    this.postings.open(ARRAY);
    this.texts = column.contains || column.facet ? new Texts(space) : undefined;
    const { infixTextBytes, largeTextBytes } = space.layout;
    if (column.contains) {
      const own = new Infixes(space, this.texts!, this.postings, infixTextBytes);
      this.#infixesOf.set(undefined, own);
    }
    for (const label of column.labels ?? []) {
      const texts = new Texts(space);
      this.labels.set(label, texts);
      this.#infixesOf.set(label, new Infixes(space, texts, this.postings, largeTextBytes));
    }
    this.#infixes = [...this.#infixesOf.values()];
  }

  /** The value's ordinal; undefined when no row and no label has it. */
  ordinalOf(value: Scalar): Ordinal | undefined {
    return this.values.find(value);
  }

  /** The texts of a label; those of the values without one. */
  textsIn(label: string | undefined): Texts {
    return label === undefined ? this.texts! : this.labels.get(label)!;
  }

  /** The infixes of the same. */
  infixesOf(label: string | undefined): Infixes | undefined {
    return this.#infixesOf.get(label);
  }

  /** Whether the row holds exactly this. */
  same(row: RowNumber, cell: Cell): boolean {
    const ordinal = this.ordinals.get(row);
    if (ordinal === NO_VALUE) return false;
    if (!isArray(cell)) return ordinal !== ARRAY && ordinal === this.ordinalOf(cell);
    if (ordinal !== ARRAY) return false;
    const before = new Set(this.arrays.get(row)!);
    const after = new Set(cell.map((value) => this.ordinalOf(value)));
    return before.size === after.size && [...before].every((element) => after.has(element));
  }

  /** Puts a cell into a row that holds nothing here. */
  add(row: RowNumber, cell: Cell): void {
    this.size++;
    if (!isArray(cell)) {
      const ordinal = this.#learn(cell);
      this.ordinals.set(row, ordinal);
      this.#enter(ordinal, row);
      return;
    }
    const ordinals: Ordinal[] = [];
    const seen = cell.length > FEW ? new Set<Ordinal>() : undefined;
    for (const value of cell) {
      const ordinal = this.#learn(value);
      if (seen ? seen.has(ordinal) : ordinals.includes(ordinal)) continue;
      seen?.add(ordinal);
      ordinals.push(ordinal);
      this.#enter(ordinal, row);
    }
    this.ordinals.set(row, ARRAY);
    this.arrays.set(row, ordinals);
  }

  /** A row that holds the value has come. */
  #enter(ordinal: Ordinal, row: RowNumber): void {
    this.postings.add(ordinal, row);
    for (const infixes of this.#infixes) infixes.add(ordinal, row);
  }

  /** Removes the row's values, if it has any. */
  remove(row: RowNumber): void {
    const ordinals = this.ordinalsAt(row);
    this.size--;
    this.ordinals.set(row, NO_VALUE);
    this.arrays.delete(row);
    for (const ordinal of ordinals) {
      this.postings.delete(ordinal, row);
      for (const infixes of this.#infixes) infixes.delete(ordinal, row);
      this.#forgetIfUnused(ordinal);
    }
  }

  /** Bytes of a bitmap over all ordinals, with some room for new ones. */
  get ordinalBytes(): number {
    return (Math.floor(this.values.length / 128) + 1) * 16;
  }

  /** The n ordinals of a list as a bitmap over all, in scratch memory: to test many rows for them. */
  setOf(list: Pointer, n: number): Pointer {
    const members = this.space.scratch.takeZero(this.ordinalBytes);
    this.space.kernel.setBits(members, list, n);
    return members;
  }

  /** The ordinals of all that a row holds. */
  ordinalsAt(row: RowNumber): readonly Ordinal[] {
    const ordinal = this.ordinals.get(row);
    if (ordinal === ARRAY) return this.arrays.get(row)!;
    return ordinal === NO_VALUE ? [] : [ordinal];
  }

  /**
   * The ordinal of the element that an array is ordered by: the least, descending the greatest. It is
   * ARRAY where none counts, since all are nothing. `place`: of its list; `numberOf`: never decreases along
   * the order.
   */
  orderedBy(place: Pointer, descending: boolean, numberOf: (ordinal: Ordinal) => number): Ordinal {
    const { u32 } = this.space.memory;
    let [found, least] = [ARRAY, 0];
    for (let i = (place >>> 2) + 1, end = i + u32[place >>> 2]!; i < end; i++) {
      const ordinal = u32[i]! as Ordinal;
      const number = numberOf(ordinal);
      if (number <= LEAST && isNothing(this.values.at(ordinal)!)) continue;
      if (found !== ARRAY) {
        const order = number - least || this.values.compare(ordinal, found);
        if (descending ? order <= 0 : order >= 0) continue;
      }
      found = ordinal;
      least = number;
    }
    return found;
  }

  /** Does a step of its texts' maintenance; false when nothing is left. */
  step(): boolean {
    if (this.texts?.step()) return true;
    for (const texts of this.labels.values()) if (texts.step()) return true;
    for (const infixes of this.#infixes) if (infixes.step(this.size)) return true;
    return false;
  }

  relate(value: Scalar, label: string, texts: readonly string[]): void {
    if (texts.length === 0 && this.ordinalOf(value) === undefined) return;
    const ordinal = this.#learn(value);
    const folded = texts.map((text) => this.space.fold.fold(text));
    this.#infixesOf
      .get(label)!
      .replace(ordinal, this.arrays, () => this.labels.get(label)!.set(ordinal, folded));
    this.#forgetIfUnused(ordinal);
  }

  /** The texts, folded, of each label of each value, as `relate` takes them. */
  *labelled(): Generator<readonly [value: Scalar, label: string, texts: readonly string[]]> {
    for (let i: number = FIRST_VALUE; this.labels.size > 0 && i < this.values.length; i++) {
      const ordinal = i as Ordinal;
      for (const [name, texts] of this.labels) {
        if (texts.has(ordinal)) yield [this.values.at(ordinal)!, name, texts.textsOf(ordinal)];
      }
    }
  }

  #learn(value: Scalar): Ordinal {
    if (value === this.#last) return this.#lastOrdinal;
    const ordinal = this.values.find(value) ?? this.#new(value);
    this.#last = value;
    this.#lastOrdinal = ordinal;
    return ordinal;
  }

  #new(value: Scalar): Ordinal {
    const ordinal = this.values.add();
    this.postings.open(ordinal);
    const searched = searchedText(value, this.ofIds);
    if (searched !== undefined) this.texts?.set(ordinal, [this.space.fold.fold(searched)]);
    return ordinal;
  }

  #forgetIfUnused(ordinal: Ordinal): void {
    if (this.postings.countOf(ordinal) > 0) return;
    for (const texts of this.labels.values()) if (texts.has(ordinal)) return;
    this.#last = undefined;
    if (this.texts?.has(ordinal)) this.texts.set(ordinal, []);
    this.values.remove(ordinal);
  }

  /** Does at once the work that searches would do later. */
  settle(): void {
    this.ordinals.settle();
    // A checkpoint does without them.
    this.values.numbers.forget();
    this.texts?.extendTo(this.values.length);
    for (const texts of this.labels.values()) texts.extendTo(this.values.length);
  }

  *keep(state: State): Steps {
    this.size = state.number(this.size);
    this.ordinals.keep(state);
    yield* this.postings.keep(state);
    this.values.keep(state);
    yield* this.arrays.keep(state);
    this.texts?.keep(state);
    for (const texts of this.labels.values()) texts.keep(state);
    for (const infixes of this.#infixes) yield* infixes.keep(state);
  }

  /** Heap objects, roughly. */
  get heapBytes(): number {
    return this.values.shared.byOrdinal.byteLength;
  }

  check(rows: readonly RowNumber[]): void {
    this.postings.check();
    for (const infixes of this.#infixes) infixes.check(rows, (row) => this.ordinalsAt(row));
    this.texts?.check();
    for (const texts of this.labels.values()) texts.check();
    this.space.scratch.reset();
    this.values.check();
    for (let i: number = FIRST_VALUE; i < this.values.length; i++) {
      const ordinal = i as Ordinal;
      if (!this.values.isUsed(ordinal) && this.postings.countOf(ordinal) > 0) {
        throw new Error(`dictionary: ordinal ${i} has rows and no value`);
      }
      for (const row of this.postings.rowsOf(ordinal)) {
        if (!this.ordinalsAt(row).includes(ordinal))
          throw new Error(`row ${row} lacks ordinal ${ordinal}`);
      }
    }
  }
}
