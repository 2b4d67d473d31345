/**
 * A table of any size: partitions, each an index with a memory of its own.
 *
 *     row 1 … 9,000,000       ──► partition 0     full: three eighths of its 4 GB are in use
 *     row 9,000,001 …         ──► partition 1     full
 *     the rows that come now  ──► partition 2     begun, and told all labels, before it is needed
 *
 * A row stays in its partition for as long as there is room for changes of it. Every question goes to
 * all partitions, and the answers are put together exactly. Partitions are searched one after the other,
 * in one thread: two messages to a worker and back cost more than a search takes.
 */
import { invariant } from '../../errors.ts';
import type {
  ExploreRequest,
  ExploreResult,
  PageRequest,
  PageResult,
  Row,
  RowId,
  Scalar,
  ShownRow,
  TableDefinition,
  TableExplanation,
  TableImage,
  TextTable,
} from '../api.ts';
import { countsOf, type Sum } from '../explore/counts.ts';
import type { CountedValues } from '../explore/listedValues.ts';
import { createIndex, type IndexOptions } from '../indexTable.ts';
import { scalarKey } from '../scalars.ts';
import { LIMIT_PAGES, PAGE } from '../storage/memory.ts';
import { DEFAULT_LAYOUT } from '../storage/space.ts';
import { mergedPage } from './pages.ts';
import type { Label, Partition } from './partition.ts';
import { addedValues, SharedValues } from './sharedValues.ts';

export interface PartitionedOptions extends IndexOptions {
  /** For tests: the rows of a full partition. Left out, its memory decides. */
  readonly partitionRows?: number;
}

/**
 * Shares of a partition's memory: full for new rows; and full for changes of the rows it has. A loaded
 * partition grows by half to three quarters when it is sorted and gets its bitmaps.
 */
const FULL = 3 / 8;
const BRIMFUL = 3 / 4;
/** The share of a full partition from which on the next one is told the labels, so many with a row. */
const NEARLY = 15 / 16;
const LABELS_A_ROW = 4;

/** An empty table, or the table that these partitions were. */
export function createPartitioned(
  definition: TableDefinition,
  options: PartitionedOptions,
  partitions: readonly Partition[] = [],
): TextTable {
  return new Partitioned(definition, options, partitions);
}

class Partitioned implements TextTable {
  readonly definition: TableDefinition;
  readonly #options: PartitionedOptions;
  readonly #partitions: Partition[];
  /** The rows of partitions that were full for the first time. */
  readonly #fullAt = new WeakMap<Partition, number>();
  /** Rows that are read rather than looked for. */
  readonly #near: number;
  /** Takes new rows. */
  #open: Partition;
  /** The partition that was begun last, and the labels that it has not been told yet. */
  #begun: { readonly partition: Partition; readonly labels: Iterator<Label> } | undefined;
  /** The values of columns that are counted, in all partitions. */
  readonly #shared = new Map<string, SharedValues>();

  constructor(
    definition: TableDefinition,
    options: PartitionedOptions,
    partitions: readonly Partition[],
  ) {
    this.definition = definition;
    this.#options = options;
    this.#near = options.layout?.fewHits ?? DEFAULT_LAYOUT.fewHits;
    this.#partitions = partitions.length > 0 ? [...partitions] : [this.#create(0, 0)];
    this.#open = this.#partitions.at(-1)!;
  }

  get size(): number {
    return this.#sum((partition) => partition.size);
  }

  get bytes(): number {
    return this.#sum((partition) => partition.bytes);
  }

  put(row: Row): void {
    const only = this.#only;
    if (only && this.#hasRoom(only)) {
      only.put(row);
      this.#prepare();
      return;
    }
    const holder = this.#partitions.findLast((partition) => partition.has(row.id));
    if (holder && this.#mayChange(holder)) {
      holder.put(row);
      return;
    }
    const taker = this.#withRoom();
    holder?.remove(row.id);
    taker.put(row);
    this.#prepare();
  }

  remove(id: RowId): boolean {
    const holder = this.#only ?? this.#partitions.findLast((partition) => partition.has(id));
    if (!holder?.remove(id)) return false;
    // The next partition is told the labels of the first.
    if (holder.size === 0 && holder !== this.#open && !this.#begun) {
      this.#partitions.splice(this.#partitions.indexOf(holder), 1);
      // Nobody asks for numbers any more, and each new value would wait for one.
      if (this.#only) {
        for (const name of this.#shared.keys()) this.#only.countedValues(name).shared.clear();
      }
    }
    return true;
  }

  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void {
    for (const partition of this.#partitions) partition.relate(column, value, label, texts);
  }

  search(request: PageRequest): PageResult {
    const found = this.#partitions.map((partition) => partition.find(request));
    return mergedPage(request, found, this.#near);
  }

  explore(request: ExploreRequest): ExploreResult {
    const found = this.#partitions.map((partition) => partition.findExplored(request));
    const pages = found.map(({ page }) => page);
    return {
      ...mergedPage(request, pages, this.#near),
      ...countsOf(request, found, (column, parts) => this.#added(column, parts)),
    };
  }

  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined {
    return this.#ofHolder((partition) => partition.valuesOf(id, columns));
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    return this.#ofHolder((partition) => partition.shown(id, columns));
  }

  get restBytes(): number {
    return this.#sum((partition) => partition.restBytes);
  }

  /** The oldest of the partition with the most that has any: rows of all partitions are written. */
  dropOldestRests(): boolean {
    return this.#partitions
      .toSorted((a, b) => b.restBytes - a.restBytes)
      .some((partition) => partition.dropOldestRests());
  }

  explain(request: PageRequest | ExploreRequest): TableExplanation {
    if (this.#only) return this.#only.explain(request);
    const all = this.#partitions.map((partition) => partition.explain(request));
    const named = (i: number, line: string) => `partition ${i + 1} of ${all.length}: ${line}`;
    return {
      size: this.size,
      estimate: all.reduce((sum, one) => sum + one.estimate, 0),
      steps: all.flatMap(({ steps }, i) =>
        steps.map((step) => ({ ...step, does: named(i, step.does) })),
      ),
      counts: all.flatMap(({ counts }, i) => counts.map((line) => named(i, line))),
    };
  }

  sort(budgetMs: number): boolean {
    return this.#inTurn(budgetMs, (partition, left) => partition.sort(left));
  }

  maintain(budgetMs: number): boolean {
    const until = performance.now() + budgetMs;
    while (this.#begun) {
      this.#tell(LABELS_A_ROW);
      if (performance.now() >= until) return true;
    }
    const left = until - performance.now();
    if (this.#inTurn(left, (partition, rest) => partition.maintain(rest))) return true;
    return this.#partitions.length > 1 && this.#numberValues(until);
  }

  images(): readonly TableImage[] {
    invariant(!this.#begun, 'a table is kept when its maintenance has ended');
    return this.#partitions.map((partition) => partition.image());
  }

  check(): void {
    const ids = new Set<string>();
    for (const partition of this.#partitions) {
      partition.check();
      if (this.#only) return;
      const all = { where: { op: 'all' }, sortBy: 'id', descending: false, page: 1 } as const;
      const { count: end, ids: idsOf } = partition.find({ ...all, perPage: 1 });
      for (const id of idsOf({ first: 0, end })) ids.add(scalarKey(id));
    }
    if (ids.size !== this.size) throw new Error(`${ids.size} ids of ${this.size} rows`);
  }

  /** Numbers the values that are counted, so that no question has to; false when all are. */
  #numberValues(until: number): boolean {
    return this.definition.columns.some(
      ({ name, facet }) => facet && this.#sharedOf(name).number(this.#countedValues(name), until),
    );
  }

  #added(...[column, parts]: Parameters<Sum>): CountedValues {
    const all = this.#countedValues(column);
    const { ofIds = false } = this.definition.columns.find(({ name }) => name === column)!;
    const [first, ...others] = parts;
    if (others.length === 0) return { all, ofIds, ...first!() };
    return addedValues(this.#sharedOf(column), all, ofIds, parts);
  }

  #sharedOf(column: string): SharedValues {
    const known = this.#shared.get(column) ?? new SharedValues();
    this.#shared.set(column, known);
    return known;
  }

  #countedValues(column: string) {
    return this.#partitions.map((partition) => partition.countedValues(column));
  }

  /** The one partition, unless there are several. */
  get #only(): Partition | undefined {
    return this.#partitions.length === 1 ? this.#partitions[0] : undefined;
  }

  #sum(of: (partition: Partition) => number): number {
    return this.#partitions.reduce((sum, partition) => sum + of(partition), 0);
  }

  /** Whether it takes new rows: as many as it had when it was full for the first time. */
  #hasRoom(partition: Partition): boolean {
    const { partitionRows } = this.#options;
    const full = partitionRows ?? this.#fullAt.get(partition);
    if (full !== undefined) return partition.size < full && this.#mayChange(partition);
    if (partition.fill < FULL) return true;
    this.#fullAt.set(partition, partition.size);
    return false;
  }

  /** Whether its own rows may be changed: another one takes them else. */
  #mayChange(partition: Partition): boolean {
    return partition.fill < BRIMFUL;
  }

  /** A partition that takes a new row. */
  #withRoom(): Partition {
    if (this.#hasRoom(this.#open)) return this.#open;
    const begun = this.#begun?.partition;
    let next = this.#partitions.find((one) => one !== begun && this.#hasRoom(one));
    if (!next) {
      this.#begin();
      next = this.#begun!.partition;
      this.#tell(Number.POSITIVE_INFINITY);
    }
    this.#open = next;
    return next;
  }

  /** Begins the next partition, and tells it some labels, while there is still room. */
  #prepare(): void {
    if (this.#begun) this.#tell(LABELS_A_ROW);
    else if (this.#isNearlyFull(this.#open) && this.#partitions.at(-1) === this.#open) {
      this.#begin();
    }
  }

  #isNearlyFull(partition: Partition): boolean {
    const { partitionRows } = this.#options;
    if (partitionRows !== undefined) return partition.size >= partitionRows * NEARLY;
    return partition.fill >= FULL * NEARLY;
  }

  #begin(): void {
    if (this.#begun) return;
    const partition = this.#create(this.size, this.bytes);
    this.#begun = { partition, labels: this.#partitions[0]!.labels()[Symbol.iterator]() };
    this.#partitions.push(partition);
  }

  /** An empty partition for the rows that are expected besides so many, which take these bytes. */
  #create(rows: number, bytes: number): Partition {
    const { expectedRows = 0, mostReserved = Number.POSITIVE_INFINITY, layout } = this.#options;
    const most = (layout?.memoryPages ?? LIMIT_PAGES) * PAGE * FULL;
    return createIndex(this.definition, {
      ...this.#options,
      expectedRows: Math.max(0, expectedRows - rows),
      mostReserved: Math.min(most, Math.max(0, mostReserved - bytes)),
    });
  }

  /** Tells the partition that was begun so many labels more. Changes of labels go to all. */
  #tell(most: number): void {
    const { partition, labels } = this.#begun!;
    for (let told = 0; told < most; told++) {
      const next = labels.next();
      if (next.done) {
        this.#begun = undefined;
        return;
      }
      partition.relate(...next.value);
    }
  }

  /** Does work of all partitions in this time; whether there is more. */
  #inTurn(budgetMs: number, work: (partition: Partition, leftMs: number) => boolean): boolean {
    const until = performance.now() + budgetMs;
    for (const partition of this.#partitions) {
      if (work(partition, until - performance.now())) return true;
    }
    return false;
  }

  /** The answer of the one partition that has the row, of which a partition without it has none. */
  #ofHolder<T>(ask: (partition: Partition) => T | undefined): T | undefined {
    for (let i = this.#partitions.length - 1; i >= 0; i--) {
      const answer = ask(this.#partitions[i]!);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }
}
