/**
 * The index, a partition of a table: it takes tenths of a millisecond where a scan takes hundreds.
 *
 *     put ──► row number ──► columns                 search ──► values ──► rows ──► count, page
 *
 *     storage/     one memory, segments of up to 65,536 rows; which rows live
 *     dictionary/  distinct values: texts, labels, rows; rows of frequent infixes; signatures
 *     ids/         unique UUIDs and ObjectIds as bytes, lists to find pieces
 *     order/       ids; all rows sorted, in blocks; a rank index; the rows of a page
 *     ngrams/      bitmaps of the rows that hold a frequent unigram or bigram in any column
 *     plan/        query ──► which values, about how many rows, in which order
 *     evaluate/    plan ──► list or bitmap of rows
 *     rests/       the parts of rows that are shown besides their cells
 *     explore/     conditions, and counts by value and by time
 *     kernel/      the inner loops, in WebAssembly
 *     column.ts    a column of the definition, made of these
 *     partitions/  a table of several of these
 *
 * Everything is up to date when `put` returns; `maintain` only makes searches quicker (sorts UUIDs
 * that came, chooses infixes and n-grams to keep, ranks orders). Answers are neither cached nor approximate.
 *
 * Bytes a row at 1,000,000 rows (bench/explores; 16 columns, 4 sort orders), without rests: 208.
 *
 *     unique UUIDs   38 bitmaps of digits and pairs, 31 lists, 16 the UUIDs        88
 *     dictionaries   12 ordinals, 30 lists and bitmaps of rows, 2 texts            44
 *     orders         4 × (4 key + 4.1 place + 0.8 ranks)                           36
 *     infixes        mostly 64 a column, an eighth of a byte each                  18
 *     n-grams        128 bitmaps, an eighth of a byte each                         18
 *     zones          3 × (0.25 ends, 0.125 which rows have dates)                   1
 *     memory kept    for growth, a 64th; free blocks                                3
 */
import { invariant } from '../errors.ts';
import type {
  ExploreRequest,
  PageRequest,
  Query,
  Row,
  RowId,
  Scalar,
  ShownRow,
  TableDefinition,
  TableExplanation,
  TableImage,
} from './api.ts';
import type { Fold } from './caseFold.ts';
import { Column, type ColumnOf } from './column.ts';
import { ColumnNumbers } from './definition.ts';
import type { Values } from './dictionary/values.ts';
import { Evaluator } from './evaluate/evaluator.ts';
import { countOf, type HitSet } from './evaluate/hitSet.ts';
import { planSteps } from './evaluate/planSteps.ts';
import { Explorer } from './explore/explorer.ts';
import type { Means } from './explore/means.ts';
import { Pages } from './explore/pages.ts';
import { rangedIds } from './explore/ranged.ts';
import type { MakeKernel } from './kernel/abi.ts';
import { requireKernel } from './kernel/load.ts';
import { NgramBitmaps } from './ngrams/ngramBitmaps.ts';
import { Order } from './order/order.ts';
import { Ids } from './order/rowIds.ts';
import type { ExploredRows, FoundRows, Label, Partition } from './partitions/partition.ts';
import { Planner } from './plan/planner.ts';
import { Rests } from './rests/rests.ts';
import type { RowNumber } from './storage/brands.ts';
import { heldImage } from './storage/image.ts';
import { RowNumbers } from './storage/rowNumbers.ts';
import { type Layout, layoutFor, Space } from './storage/space.ts';
import { type State, StateReader, type Steps } from './storage/state.ts';

export interface IndexOptions {
  readonly fold: Fold;
  /** For tests: another kernel. */
  readonly kernel?: MakeKernel;
  /** An estimate of the rows to come; it decides the layout of storage, never an answer. */
  readonly expectedRows?: number;
  /** Most bytes to reserve for rows that are expected: they may not come. */
  readonly mostReserved?: number;
  /** Sizes, for tests that want to meet edges. */
  readonly layout?: Partial<Layout>;
}

const ALL: Query = { op: 'all' };

/** From so many expected rows on they are sorted at once, when all have come. */
const SORTED_LATER = 20_000;

/** Throws if the kernel cannot run; see kernel/load.ts. */
export function createIndex(definition: TableDefinition, options: IndexOptions): Partition {
  if (!options.kernel) requireKernel();
  return new Index(definition, options);
}

/**
 * Makes a table of the state of an image, in steps, and the memory that the bytes of the image have
 * to be copied to. Definition, folding and code must be the ones it was made with.
 *
 * @throws where state ends early or contradicts itself; CapacityExceeded
 */
export function* restoringIndex(
  definition: TableDefinition,
  options: IndexOptions,
  bytes: Uint8Array,
): Generator<undefined, { readonly table: Partition; readonly memory: Uint8Array }> {
  const state = new StateReader(bytes);
  const layout = { ...options.layout, segmentBits: new StateReader(bytes).number() };
  // Its rows are sorted, and no load is expected.
  const table = new Index(definition, { ...options, layout, expectedRows: 0 });
  yield* table.keep(state);
  invariant(state.isDone, 'the state of an image is read to its end');
  return { table, memory: table.memory };
}

class Index implements Partition {
  readonly definition: TableDefinition;
  readonly #expectedRows: number;
  readonly #mostReserved: number;
  readonly #space: Space;
  readonly #numbers: RowNumbers;
  readonly #rests: Rests;
  readonly #ids: Ids;
  readonly #byId: Order;
  readonly #columns: readonly Column[];
  readonly #columnOf: ColumnOf;
  readonly #ngrams: NgramBitmaps;
  readonly #planner: Planner;
  readonly #evaluator: Evaluator;
  readonly #explorer: Explorer;
  /** Whether orders have rows that `sort` has not sorted. */
  #isUnsorted: boolean;
  readonly #pages: Pages;

  constructor(definition: TableDefinition, options: IndexOptions) {
    this.definition = definition;
    this.#expectedRows = options.expectedRows ?? 0;
    this.#mostReserved = options.mostReserved ?? Number.POSITIVE_INFINITY;
    const layout = { ...layoutFor(options.expectedRows), ...options.layout };
    this.#space = new Space(layout, options.kernel, options.fold);
    this.#numbers = new RowNumbers(this.#space);
    this.#rests = new Rests(this.#space, this.#numbers.live);
    this.#ids = new Ids(this.#space);
    this.#byId = new Order(this.#space, this.#ids, this.#ids);
    const numbers = new ColumnNumbers(definition);
    this.#columns = definition.columns.map((column) => new Column(this.#space, column, this.#ids));
    const columnOf: ColumnOf = (name, use) => this.#columns[numbers.of(name, use)]!;
    this.#columnOf = columnOf;
    this.#isUnsorted = this.#expectedRows >= SORTED_LATER;
    if (this.#isUnsorted) for (const column of this.#columns) column.sortLater(this.#byId);
    this.#ngrams = new NgramBitmaps(this.#space, definition, columnOf);
    this.#planner = new Planner(this.#space, columnOf, this.#ngrams);
    this.#evaluator = new Evaluator(this.#space, columnOf, this.#ngrams);
    const key = rangedIds(this.#ids, this.#byId);
    const rangedOf = (name: string) => (name === 'id' ? key : columnOf(name, { range: true }));
    const means: Means = {
      ...{ space: this.#space, numbers: this.#numbers, ids: this.#ids, byId: this.#byId },
      ...{ columnOf, rangedOf },
      find: (query) => this.#evaluator.run(this.#planner.plan(query, ALL)),
    };
    this.#explorer = new Explorer(means);
    this.#pages = new Pages(means);
  }

  get size(): number {
    return this.#numbers.size;
  }

  get bytes(): number {
    const heap = this.#columns.reduce((sum, column) => sum + column.heapBytes, 0);
    const { memory } = this.#space;
    return memory.bytes + this.#rests.bytes + heap + this.#ids.heapBytes + this.#numbers.heapBytes;
  }

  put(row: Row): void {
    this.#space.scratch.reset();
    this.#pages.forget();
    const number = this.#ids.find(this.#byId, row.id);
    if (number === undefined) this.#insert(row);
    else this.#update(number, row);
  }

  remove(id: RowId): boolean {
    this.#space.scratch.reset();
    this.#pages.forget();
    const number = this.#ids.find(this.#byId, id);
    if (number === undefined) return false;
    this.#ngrams.remember(number);
    for (const column of this.#columns) column.remove(number);
    this.#ngrams.follow(number);
    this.#rests.set(number, undefined);
    this.#byId.remove(number);
    this.#ids.forget(number);
    this.#numbers.give(number);
    return true;
  }

  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void {
    this.#space.scratch.reset();
    const at = this.#columnOf(column, { label });
    this.#ngrams.followLabel(at, value, label, () => at.dictionary!.relate(value, label, texts));
  }

  *labels(): Generator<Label> {
    for (const { definition, dictionary } of this.#columns) {
      for (const labelled of dictionary?.labelled() ?? []) yield [definition.name, ...labelled];
    }
  }

  has(id: RowId): boolean {
    return this.#ids.find(this.#byId, id) !== undefined;
  }

  get fill(): number {
    return this.#space.memory.fill;
  }

  countedValues(column: string): Values {
    return this.#columnOf(column, { facet: true }).dictionary!.values;
  }

  find(request: PageRequest): FoundRows {
    const found = this.#find(request);
    return this.#pages.found(request, found, this.#count(found));
  }

  findExplored(request: ExploreRequest): ExploredRows {
    const { order } = request;
    return this.#explorer.open(request, this.#find(request), (rows) =>
      order ? this.#pages.foundBy(order, rows) : this.#pages.found(request, rows.hits, rows.count),
    );
  }

  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined {
    const row = this.#pages.rowOf(id);
    return row === undefined
      ? undefined
      : columns.map((name) => this.#columnOf(name).valuesAt(row));
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    const row = this.#pages.rowOf(id);
    const rest = row === undefined ? undefined : this.#rests.at(row);
    if (row === undefined || rest === undefined) return undefined;
    return { values: columns.map((name) => this.#columnOf(name).shown(row)), rest };
  }

  get restBytes(): number {
    return this.#rests.bytes;
  }

  dropOldestRests(): boolean {
    return this.#rests.dropOldest();
  }

  explain(request: PageRequest | ExploreRequest): TableExplanation {
    this.#sortAll();
    const isExplore = 'facets' in request;
    const counts = isExplore
      ? this.#explorer.waysOf(request, this.#find(request), this.#pages)
      : [];
    this.#space.scratch.reset();
    const { size } = this;
    const plan = this.#planner.plan(request.where, request.within ?? ALL);
    const steps = planSteps(plan, size, (part) => {
      const found = this.#evaluator.run(part);
      return { rows: this.#count(found), form: found.form };
    });
    return { size, estimate: steps[0]!.estimate!, steps, counts };
  }

  sort(budgetMs: number): boolean {
    if (!this.#isUnsorted) return false;
    const until = performance.now() + budgetMs;
    if (this.#columns.some((column) => column.sort(until))) return true;
    this.#isUnsorted = false;
    return false;
  }

  maintain(budgetMs: number): boolean {
    this.#sortAll();
    const until = performance.now() + budgetMs;
    while (this.#step()) if (performance.now() >= until) return true;
    return false;
  }

  image(): TableImage {
    this.#sortAll();
    invariant(!this.#step(), 'a table is kept when its maintenance has ended');
    this.#space.scratch.release();
    for (const column of this.#columns) column.settle();
    return heldImage(this.#space.memory, (state) => this.keep(state));
  }

  get memory(): Uint8Array {
    return this.#space.memory.image;
  }

  /** Its state: structures first, whose making takes memory, then which memory is in use. */
  *keep(state: State): Steps {
    // First, since a table is laid out by it.
    state.number(this.#space.segmentBits);
    this.#space.keep(state);
    yield* this.#numbers.keep(state);
    yield* this.#rests.keep(state);
    yield* this.#ids.keep(state);
    yield* this.#byId.keep(state);
    for (const column of this.#columns) yield* column.keep(state);
    yield* this.#ngrams.keep(state);
    yield* this.#space.memory.keep(state);
  }

  check(): void {
    this.#sortAll();
    this.#numbers.check();
    this.#byId.check();
    if (this.#byId.size !== this.size) throw new Error('index: rows lost in the order of ids');
    const rows = [...this.#byId.rows()];
    for (const column of this.#columns) column.check(rows);
    this.#ngrams.check(rows);
    this.#rests.check();
  }

  /** A question before the last call of `sort` waits for the rest. */
  #sortAll(): void {
    this.sort(Number.POSITIVE_INFINITY);
  }

  #step(): boolean {
    this.#space.scratch.reset();
    if (this.#space.memory.isBrimful) return false;
    return (
      this.#byId.rankIndex.step() ||
      this.#columns.some((column) => column.step()) ||
      this.#ngrams.step() ||
      this.#rests.step()
    );
  }

  #insert(row: Row): void {
    const number = this.#numbers.take();
    this.#ids.set(number, row.id);
    this.#byId.add(number);
    this.#ngrams.remember(number);
    for (let i = 0; i < this.#columns.length; i++) this.#columns[i]!.add(number, row.cells[i]!);
    this.#ngrams.follow(number);
    this.#rests.set(number, row.rest);
    if (this.size === this.#space.segmentRows) this.#reserve();
  }

  /** The first segment is full: its memory predicts the memory of all rows to come. */
  #reserve(): void {
    const { memory, segmentRows } = this.#space;
    // Most of it comes by the segment.
    const segments = Math.ceil(this.#expectedRows / segmentRows);
    const expected = (memory.used / this.size) * segments * segmentRows;
    memory.reserve(Math.min(expected, this.#mostReserved));
  }

  #update(number: RowNumber, row: Row): void {
    this.#ids.set(number, row.id);
    let remembered = false;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i]!;
      const cell = row.cells[i]!;
      if (column.same(number, cell)) continue;
      if (!remembered && this.#ngrams.follows(column)) {
        remembered = true;
        this.#ngrams.remember(number);
      }
      column.remove(number);
      column.add(number, cell);
    }
    if (remembered) this.#ngrams.follow(number);
    this.#rests.set(number, row.rest);
  }

  /** Begins the search: results of the one before are gone. */
  #find({ where, within = ALL }: PageRequest): HitSet {
    this.#sortAll();
    this.#space.scratch.reset();
    return this.#evaluator.run(this.#planner.plan(where, within));
  }

  #count(found: HitSet): number {
    return countOf(this.#space, found, this.size);
  }
}
