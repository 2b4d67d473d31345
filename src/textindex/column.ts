/**
 * One column of the index: what is kept of it follows from what may be asked.
 *
 *     contains, equals, labels ──► a dictionary; UUIDs of a `uuid` column beside it, as 16 bytes
 *     sort alone, of dates or numbers ──► a key a row
 *     sort ──► an order; a second one for descending as soon as a row has an array with two keys
 *
 * The hint `expect` only chooses the layout: whatever does not fit goes to the dictionary.
 */
import type { Cell, ColumnDefinition, Scalar } from './api.ts';
import { Dictionary } from './dictionary.ts';
import { DictionarySearch } from './dictionarySearch.ts';
import type { Fold } from './fold.ts';
import type { Ids } from './ids.ts';
import { hasTwoKeys, type Keys, SortedCells, ValueKeys } from './keys.ts';
import type { Needle } from './needle.ts';
import { Order } from './order.ts';
import type { Slot, Space } from './space.ts';
import type { Texts } from './texts.ts';
import { Uuids } from './uuids.ts';
import { isUuid } from './uuidText.ts';

const HEX = '0123456789abcdef-';

/** What is known of the rows a condition holds for: all there are, none, or neither. */
export type Held = 'all' | 'some' | 'none';

/** A text to look for, in the values or in a label of theirs. */
export interface Look {
  readonly needle: Needle;
  readonly label: string | undefined;
}

export class Column {
  readonly definition: ColumnDefinition;
  readonly #space: Space;
  readonly #ids: Ids;
  readonly dictionary: Dictionary | undefined;
  readonly search: DictionarySearch | undefined;
  readonly uuids: Uuids | undefined;
  readonly #cells: SortedCells | undefined;
  readonly ascending: Order | undefined;
  descending: Order | undefined;

  constructor(space: Space, definition: ColumnDefinition, fold: Fold, ids: Ids) {
    this.#space = space;
    this.#ids = ids;
    this.definition = definition;
    const { expect, contains, equals, sort, labels = [] } = definition;
    const asked = contains || equals || labels.length > 0;
    if (asked || (sort && expect !== 'date' && expect !== 'number')) {
      this.dictionary = new Dictionary(space, definition, fold);
      this.search = new DictionarySearch(space, this.dictionary);
      // A fold that writes hexadecimal digits otherwise would need the UUIDs' texts folded.
      const plain = expect === 'uuid' && labels.length === 0 && fold.fold(HEX) === HEX;
      if (asked && plain) this.uuids = new Uuids(space);
    } else if (sort) {
      this.#cells = new SortedCells(space, expect === 'date' ? 'date' : 'number');
    }
    if (sort) this.ascending = new Order(space, this.#keys(false), ids);
  }

  /** Whether the slot holds just this cell. */
  same(slot: Slot, cell: Cell): boolean {
    if (this.#cells) return this.#cells.same(slot, cell);
    if (this.uuids?.has(slot)) return isUuid(cell) && this.uuids.textAt(slot) === cell;
    return !this.dictionary || this.dictionary.same(slot, cell);
  }

  /** Puts a cell into a slot that holds nothing yet; the slot's id must be known. */
  add(slot: Slot, cell: Cell): void {
    if (this.ascending && !this.descending && hasTwoKeys(cell)) this.#readBackwards();
    if (this.#cells) this.#cells.add(slot, cell);
    else if (this.uuids && isUuid(cell)) this.uuids.add(slot, cell);
    else this.dictionary?.add(slot, cell);
    this.ascending?.add(slot);
    this.descending?.add(slot);
  }

  /** Takes out what a slot holds; the slot's id must still be known. */
  remove(slot: Slot): void {
    this.ascending?.remove(slot);
    this.descending?.remove(slot);
    if (this.#cells) this.#cells.remove(slot);
    else if (this.uuids?.has(slot)) this.uuids.remove(slot);
    else this.dictionary?.remove(slot);
  }

  /** What `contains` costs, roughly: the bytes of distinct text to look through. */
  cost(looks: readonly Look[]): number {
    const texts = looks.reduce((sum, { label }) => sum + this.#texts(label).bytes, 0);
    return texts + (this.uuids?.size ?? 0);
  }

  /** bitmap |= rows with a text, or a label's text, in which any of the texts is found. */
  contains(looks: readonly Look[], bitmap: number): Held {
    let some = false;
    for (const { needle, label } of this.uuids ? looks : []) {
      if (label === undefined && this.uuids!.contains(needle.text, bitmap)) some = true;
    }
    const [list, n] = this.#look(looks);
    const held = this.search!.join(list, n, bitmap);
    if (!this.uuids) return held;
    return some || n > 0 ? 'some' : 'none';
  }

  /** Those of the slots for which `contains` holds: for few of them this saves joining rows. */
  containsAmong(looks: readonly Look[], slots: readonly Slot[]): Slot[] {
    const [list, n] = this.#look(looks);
    const held = this.search!.among(list, n, slots);
    if (!this.uuids) return held;
    for (const { needle, label } of looks) {
      if (label === undefined) held.push(...this.uuids.among(needle.text, slots));
    }
    return held;
  }

  /** Those of the slots for which `equals` holds. */
  equalAmong(values: readonly Scalar[], slots: readonly Slot[]): Slot[] {
    const codes = new Set(this.#codesOf(values));
    const uuids = new Set(this.uuids ? values.filter(isUuid) : []);
    return slots.filter((slot) => {
      if (this.uuids?.has(slot)) return uuids.size > 0 && uuids.has(this.uuids.textAt(slot));
      return this.dictionary!.codesAt(slot).some((code) => codes.has(code));
    });
  }

  /** The codes of all values in which any of the texts is found: a list, and how many. */
  #look(looks: readonly Look[]): [list: number, n: number] {
    const room = looks.reduce((sum, { label }) => sum + this.#texts(label).entries, 0);
    const list = this.#space.listOf(room);
    let n = 0;
    for (const { needle, label } of looks) {
      n += this.#texts(label).find(needle, list + n * 4);
    }
    return [list, n];
  }

  #texts(label: string | undefined): Texts {
    return label === undefined ? this.dictionary!.texts! : this.dictionary!.labels.get(label)!;
  }

  /** bitmap |= rows that hold one of the values. */
  equals(values: readonly Scalar[], bitmap: number): Held {
    let some = false;
    for (const value of this.uuids ? values : []) {
      if (isUuid(value) && this.uuids!.contains(value, bitmap)) some = true;
    }
    const codes = this.#codesOf(values);
    const found = this.#space.listOf(codes.length);
    this.#space.memory.u32.set(codes, found >>> 2);
    const held = this.search!.join(found, codes.length, bitmap);
    if (!this.uuids) return held;
    return some || held !== 'none' ? 'some' : 'none';
  }

  /** How many rows hold one of the values, about. */
  rowsEqual(values: readonly Scalar[]): number {
    if (this.uuids) return values.length;
    const { postings } = this.dictionary!;
    return this.#codesOf(values).reduce((sum, code) => sum + postings.countOf(code), 0);
  }

  /** bitmap &= rows that hold one of the values. */
  keepEqual(values: readonly Scalar[], bitmap: number): void {
    if (!this.uuids && this.search!.keep(this.#codesOf(values), bitmap)) return;
    const equal = this.#space.borrow();
    this.equals(values, equal);
    this.#space.kernel.and(bitmap, equal, this.#space.bitmapBytes);
    this.#space.giveBack(equal);
  }

  #codesOf(values: readonly Scalar[]): number[] {
    const codes = new Set<number>();
    for (const value of values) {
      const code = this.dictionary!.codeOf(value);
      if (code !== undefined) codes.add(code);
    }
    return [...codes];
  }

  /** The order for one direction, always to be read upwards. */
  order(descending: boolean): Order {
    return (descending ? this.descending : undefined) ?? this.ascending!;
  }

  /** Does a step of maintenance; false when there is none to do. */
  step(): boolean {
    return (
      this.uuids?.step() ||
      this.search?.step() ||
      this.ascending?.bands.step() ||
      this.descending?.bands.step() ||
      false
    );
  }

  get heapBytes(): number {
    const blocks = (this.ascending?.blocks.length ?? 0) + (this.descending?.blocks.length ?? 0);
    return (this.dictionary?.heapBytes ?? 0) + (this.#cells?.heapBytes ?? 0) + blocks * 64;
  }

  /** `slots` are those of all rows. */
  check(slots: readonly Slot[]): void {
    this.dictionary?.check(slots);
    this.uuids?.check();
    this.ascending?.check();
    this.descending?.check();
    for (const order of [this.ascending, this.descending]) {
      if (order && order.size !== slots.length)
        throw new Error(`${this.definition.name}: rows lost in order`);
    }
  }

  #keys(descending: boolean): Keys {
    if (this.#cells) return descending ? this.#cells.descending! : this.#cells.ascending;
    return new ValueKeys(this.dictionary!, this.uuids, descending);
  }

  /** A row with two keys comes: from now on, descending has an order of its own. */
  #readBackwards(): void {
    this.#cells?.split(this.ascending!.slots());
    this.descending = new Order(this.#space, this.#keys(true), this.#ids);
    this.descending.copyFrom(this.ascending!);
  }
}
