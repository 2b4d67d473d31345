/**
 * A column as a dictionary: each distinct value once, with its texts and its rows.
 *
 *     row ──codes──► 17 ──values──► 'ann@x.org'     one number a row
 *                     │──texts────► ann@x.org       searched as one run of bytes
 *                     │──labels───► names …         a rename touches one value, not its rows
 *                     └──postings─► its rows
 *
 * A search finds the values first, then joins their rows. Numbers, dates and null are values without
 * text. A row with an array has the code ARRAY, and its elements' codes aside; it stands in the
 * postings of each. A value without rows and without labels is forgotten and its code used again.
 */
import type { Cell, ColumnDefinition, Scalar } from '../api.ts';
import { type Fold, wellFormed } from '../caseFold.ts';
import { elements, isArray, millisOf, prefixKey } from '../scalars.ts';
import type { Slot, Space } from '../storage/space.ts';
import { Codes } from './ordinals.ts';
import { Postings } from './postings.ts';
import { Landmarks } from './precomputedUnions.ts';
import { Texts } from './texts.ts';

/** The code of a slot that holds nothing here. */
export const NONE = 0;
/** The code of a slot that holds an array. */
export const ARRAY = 1;
const FIRST = 2;

export class Dictionary {
  readonly codes: Codes;
  readonly postings: Postings;
  readonly landmarks: Landmarks;
  /** By code; undefined for codes that are not in use. */
  readonly values: (Scalar | undefined)[] = [undefined, undefined];
  /** By code, the value's `prefixKey`; only for columns that are sorted by. */
  readonly prefixes: number[] = [];
  /** Rows that hold something here. */
  held = 0;
  /** The codes of the elements of each row with an array, each once. */
  readonly arrays = new Map<Slot, readonly number[]>();
  readonly texts: Texts | undefined;
  readonly labels = new Map<string, Texts>();
  /** Texts that are looked through only together with others; see ngramBitmaps.ts. */
  readonly together = new Set<Texts>();
  readonly #fold: Fold;
  readonly #sorted: boolean;
  readonly #byText = new Map<string, number>();
  readonly #byOther = new Map<unknown, number>();
  readonly #unused: number[] = [];
  /** code -> names of the labels it has texts in */
  readonly #labelled = new Map<number, Set<string>>();

  constructor(space: Space, column: ColumnDefinition, fold: Fold) {
    this.#fold = fold;
    this.#sorted = column.sort === true;
    this.codes = new Codes(space);
    this.postings = new Postings(space);
    this.postings.open(FIRST - 1);
    this.landmarks = new Landmarks(space);
    this.texts = column.contains ? new Texts(space) : undefined;
    for (const label of column.labels ?? []) this.labels.set(label, new Texts(space));
  }

  /** The value's code; undefined when no row and no label has it. */
  codeOf(value: Scalar): number | undefined {
    if (typeof value !== 'string') return this.#byOther.get(otherKey(value));
    return this.#byText.get(value) ?? this.#byText.get(wellFormed(value));
  }

  /** Whether the slot holds just this. */
  same(slot: Slot, cell: Cell): boolean {
    const code = this.codes.get(slot);
    if (code === NONE) return false;
    if (!isArray(cell)) return code !== ARRAY && code === this.codeOf(cell);
    if (code !== ARRAY) return false;
    const before = new Set(this.arrays.get(slot)!);
    const after = new Set(cell.map((value) => this.codeOf(value)));
    return before.size === after.size && [...before].every((element) => after.has(element));
  }

  /** Puts a cell into a slot that holds nothing here. */
  add(slot: Slot, cell: Cell): void {
    this.held++;
    if (!isArray(cell)) {
      const code = this.#learn(cell);
      this.codes.set(slot, code);
      this.postings.add(code, slot);
      this.landmarks.add(code, slot);
      return;
    }
    const codes = new Set<number>();
    for (const value of elements(cell)) {
      const code = this.#learn(value);
      if (codes.has(code)) continue;
      codes.add(code);
      this.postings.add(code, slot);
    }
    this.codes.set(slot, ARRAY);
    this.arrays.set(slot, [...codes]);
  }

  /** Takes out what the slot holds, if anything. */
  remove(slot: Slot): void {
    const held = this.codesAt(slot);
    this.held--;
    if (held.length === 1 && this.codes.get(slot) !== ARRAY) this.landmarks.delete(held[0]!, slot);
    this.codes.set(slot, NONE);
    this.arrays.delete(slot);
    for (const code of held) {
      this.postings.delete(code, slot);
      this.#forgetIfUnused(code);
    }
  }

  /** Bytes of a bitmap over all codes, with some room for new ones. */
  get codeBytes(): number {
    return (Math.floor(this.values.length / 128) + 1) * 16;
  }

  /** The codes of all that a slot holds. */
  codesAt(slot: Slot): readonly number[] {
    const code = this.codes.get(slot);
    if (code === ARRAY) return this.arrays.get(slot)!;
    return code === NONE ? [] : [code];
  }

  relate(value: Scalar, label: string, texts: readonly string[]): void {
    if (texts.length === 0 && this.codeOf(value) === undefined) return;
    const code = this.#learn(value);
    const folded = texts.map((text) => this.#fold.fold(text));
    this.labels.get(label)!.set(code, folded);
    const names = this.#labelled.get(code) ?? new Set();
    if (texts.length > 0) this.#labelled.set(code, names.add(label));
    else if (names.delete(label) && names.size === 0) this.#labelled.delete(code);
    this.#forgetIfUnused(code);
  }

  #learn(value: Scalar): number {
    const known = this.codeOf(value);
    if (known !== undefined) return known;
    const code = this.#unused.pop() ?? this.values.length;
    this.postings.open(code);
    if (this.#sorted) this.prefixes[code] = prefixKey(value);
    if (typeof value === 'string') {
      const text = wellFormed(value);
      this.values[code] = text;
      this.#byText.set(text, code);
      this.texts?.set(code, [this.#fold.fold(text)]);
    } else {
      this.values[code] = value;
      this.#byOther.set(otherKey(value), code);
    }
    return code;
  }

  #forgetIfUnused(code: number): void {
    if (this.postings.countOf(code) > 0 || this.#labelled.has(code)) return;
    const value = this.values[code]!;
    if (typeof value === 'string') {
      this.#byText.delete(value);
      this.texts?.set(code, []);
    } else this.#byOther.delete(otherKey(value));
    this.values[code] = undefined;
    this.#unused.push(code);
  }

  /** Heap objects, roughly: a string and two map entries a value. */
  get heapBytes(): number {
    return this.values.length * 120 + this.arrays.size * 120 + this.#labelled.size * 200;
  }

  check(slots: Iterable<Slot>): void {
    this.postings.check();
    this.texts?.check();
    const codeOf = (slot: Slot) => {
      const code = this.codes.get(slot);
      return code === NONE || code === ARRAY ? undefined : code;
    };
    this.landmarks.check(codeOf, slots);
    for (const texts of this.labels.values()) texts.check();
    const free = new Set(this.#unused);
    for (let code = FIRST; code < this.values.length; code++) {
      const value = this.values[code];
      const unused = value === undefined;
      if (unused !== free.has(code)) throw new Error(`code ${code} lost`);
      if (unused ? this.postings.countOf(code) > 0 : this.codeOf(value) !== code) {
        throw new Error(`dictionary: code ${code} is not that of its value`);
      }
      for (const slot of this.postings.slotsOf(code)) {
        if (!this.codesAt(slot).includes(code)) throw new Error(`slot ${slot} lacks code ${code}`);
      }
    }
  }
}

/** What a value that is no string is filed under: equal exactly for equal values. */
function otherKey(value: Exclude<Scalar, string>): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isFinite(number) && BigInt(number) === value ? number : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return value instanceof Date ? `d${millisOf(value)}` : `o${value.rank} ${value.key}`;
}
