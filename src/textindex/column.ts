/**
 * One column of the index: its structures follow from its uses.
 *
 *     contains, equals, labels, facet ──► a dictionary; unique ids of a `uuid` or `objectId` column
 *                  beside it, as 16 or 12 bytes, unless they are counted
 *     sort alone, of dates or numbers ──► a key a row
 *     range ──► the keys, where it is sorted by; else a dictionary
 *     sort ──► an order; a second one for descending as soon as a row has an array with two keys
 *
 * The hint `expect` only chooses the layout: values that do not fit go to the dictionary.
 */
import type { Cell, ColumnDefinition, Scalar } from './api.ts';
import type { ColumnUse } from './definition.ts';
import { Dictionary } from './dictionary/dictionary.ts';
import type { Ranged } from './explore/ranged.ts';
import { Uuids } from './ids/column.ts';
import { OBJECT_ID, UUID } from './ids/format.ts';
import { Order } from './order/order.ts';
import type { Ids } from './order/rowIds.ts';
import { hasTwoKeys, type RowKeys, SortedCells, ValueKeys } from './order/sortKeys.ts';
import { NOTHING } from './scalars.ts';
import type { RowNumber } from './storage/brands.ts';
import type { Space } from './storage/space.ts';
import { keepOptional, type State, type Steps } from './storage/state.ts';

const HEX = '0123456789abcdef-';

/** The column of this name, which may be used so. */
export type ColumnOf = (name: string, use?: ColumnUse) => Column;

export class Column implements Ranged {
  readonly definition: ColumnDefinition;
  readonly #space: Space;
  readonly #ids: Ids;
  readonly dictionary: Dictionary | undefined;
  /** A column with labels has none. */
  readonly uuids: Uuids | undefined;
  /** The keys of its cells, for sorted dates or numbers. */
  readonly cells: SortedCells | undefined;
  readonly ascending: Order | undefined;
  descending: Order | undefined;

  constructor(space: Space, definition: ColumnDefinition, ids: Ids) {
    this.#space = space;
    this.#ids = ids;
    this.definition = definition;
    const { expect, ofIds, contains, equals, sort, facet, range, labels = [] } = definition;
    const asked = contains || equals || facet || labels.length > 0 || (range && !sort);
    const keyed = expect === 'date' || expect === 'number';
    if (asked || (sort && !keyed)) {
      this.dictionary = new Dictionary(space, definition);
      // A fold that writes hexadecimal digits otherwise would need the UUIDs' texts folded.
      const plain = labels.length === 0 && space.fold.fold(HEX) === HEX;
      const format = expect === 'uuid' && !ofIds ? UUID : expect === 'objectId' ? OBJECT_ID : null;
      if (format && asked && plain && !facet) this.uuids = new Uuids(space, format);
    }
    if (sort && keyed && (range || !asked)) {
      this.cells = new SortedCells(space, expect === 'date' ? 'date' : 'number', range === true);
    }
    if (sort) this.ascending = new Order(space, this.keys(false), ids);
  }

  get isOfDates(): boolean {
    return this.definition.expect === 'date';
  }

  /** Whether the row holds exactly this cell. */
  same(row: RowNumber, cell: Cell): boolean {
    if (this.cells && !this.cells.same(row, cell)) return false;
    if (this.uuids?.has(row)) return this.uuids.same(row, cell);
    return !this.dictionary || this.dictionary.same(row, cell);
  }

  /** A row's values, each once; undefined for a column without any use. */
  valuesAt(row: RowNumber): readonly Scalar[] | undefined {
    if (this.uuids?.has(row)) return [this.uuids.idAt(row)];
    if (!this.dictionary) return this.cells?.elementsOf(row);
    return this.dictionary.ordinalsAt(row).map((ordinal) => this.dictionary!.values.at(ordinal)!);
  }

  /** The value of a row whose cell is no array. */
  shown(row: RowNumber): Scalar {
    if (this.uuids?.has(row)) return this.uuids.idAt(row);
    if (!this.dictionary) return this.cells!.ascending.scalarAt(row);
    return this.dictionary.values.at(this.dictionary.ordinals.get(row))!;
  }

  /** Puts a cell into an empty row; the row's id must be known. */
  add(row: RowNumber, cell: Cell): void {
    if (this.ascending && !this.descending && hasTwoKeys(cell)) this.#readBackwards(row);
    this.cells?.add(row, cell);
    if (!this.uuids?.add(row, cell)) this.dictionary?.add(row, cell);
    this.ascending?.add(row);
    this.descending?.add(row);
  }

  /** Removes a row's values; the row's id must still be known. */
  remove(row: RowNumber): void {
    this.ascending?.remove(row);
    this.descending?.remove(row);
    this.cells?.remove(row);
    if (this.uuids?.has(row)) this.uuids.remove(row);
    else this.dictionary?.remove(row);
  }

  /** The order for one direction, always to be read upwards. */
  order(descending: boolean): Order {
    return (descending ? this.descending : undefined) ?? this.ascending!;
  }

  /** The keys that its order in one direction compares, or would. */
  keys(descending: boolean): RowKeys | ValueKeys {
    if (this.cells) return (descending && this.cells.descending) || this.cells.ascending;
    return new ValueKeys(this.dictionary!, this.uuids, descending);
  }

  /** Whether one of its keys may be an element that is nothing, which only a kept order takes for null. */
  get holdsNothing(): boolean {
    if (this.cells) return this.cells.holdsNothing;
    const { arrays, values } = this.dictionary!;
    return arrays.size > 0 || values.find(NOTHING) !== undefined;
  }

  /** Rows are sorted by `sort` from now on; for an empty column, and until that is done. */
  sortLater(byId: Order): void {
    this.ascending?.sortLater(byId);
  }

  /** Sorts for a while; false when all rows are sorted. */
  sort(until: number): boolean {
    return this.ascending?.sort(until) || this.descending?.sort(until) || false;
  }

  /** Does a step of maintenance; false when there is none to do. */
  step(): boolean {
    return (
      this.uuids?.step() ||
      this.dictionary?.step() ||
      this.ascending?.rankIndex.step() ||
      this.descending?.rankIndex.step() ||
      false
    );
  }

  /** Does at once the work that searches would do later. */
  settle(): void {
    this.dictionary?.settle();
    this.uuids?.forKernel();
  }

  *keep(state: State): Steps {
    if (this.dictionary) yield* this.dictionary.keep(state);
    if (this.uuids) yield* this.uuids.keep(state);
    if (this.cells) yield* this.cells.keep(state);
    if (this.ascending) yield* this.ascending.keep(state);
    const make = () => new Order(this.#space, this.keys(true), this.#ids);
    this.descending = keepOptional(state, this.descending, make);
    if (this.descending) yield* this.descending.keep(state);
  }

  get heapBytes(): number {
    const blocks = (this.ascending?.blocks.length ?? 0) + (this.descending?.blocks.length ?? 0);
    return (this.dictionary?.heapBytes ?? 0) + (this.cells?.heapBytes ?? 0) + blocks * 64;
  }

  /** `rows`: all rows of the table. */
  check(rows: readonly RowNumber[]): void {
    this.dictionary?.check(rows);
    this.cells?.check(rows);
    this.uuids?.check();
    for (const order of [this.ascending, this.descending]) {
      order?.check();
      if (order && order.size !== rows.length)
        throw new Error(`${this.definition.name}: rows lost in order`);
    }
  }

  /** This row comes with two keys: from now on descending needs its own order. */
  #readBackwards(row: RowNumber): void {
    this.cells?.split(this.ascending!.rows(), row);
    this.descending = new Order(this.#space, this.keys(true), this.#ids);
    this.descending.copyFrom(this.ascending!);
  }
}
