/**
 * The scan: the index's brute-force twin. It keeps the rows as they came and looks at all of them
 * for every search. Its few plain lines let everyone see that it is right.
 *
 *     rows.filter(matches(where)).sort(by key, then id).slice(page)
 */
import type {
  Cell,
  ExploreRequest,
  ExploreResult,
  FacetRequest,
  PageRequest,
  PageResult,
  Query,
  Row,
  RowCondition,
  RowId,
  Scalar,
  ShownRow,
  SortKey,
  TableDefinition,
  TableExplanation,
  TextTable,
} from '../../src/textindex/api.ts';
import type { Fold } from '../../src/textindex/caseFold.ts';
import { ColumnNumbers } from '../../src/textindex/definition.ts';
import { searchedText } from '../../src/textindex/objectId.ts';
import { pageBounds } from '../../src/textindex/order/page.ts';
import type { RestText } from '../../src/textindex/rests/restText.ts';
import {
  compareScalars,
  elements,
  isNothing,
  scalarKey,
  sortKey,
} from '../../src/textindex/scalars.ts';
import { columnOf, conditionTest, countFacet, countHistogram, countStats } from './scanCounts.ts';

export interface ScanOptions {
  readonly fold: Fold;
}

/** A table that scans. Its memory is all in heap objects, estimated at 64 bytes a cell. */
export function createScan(definition: TableDefinition, options: ScanOptions): TextTable {
  return new Scan(definition, options.fold);
}

class Scan implements TextTable {
  readonly definition: TableDefinition;
  readonly #numbers: ColumnNumbers;
  readonly #fold: Fold;
  readonly #rows = new Map<string, Row>();
  /** column and label -> value -> folded texts */
  readonly #labels = new Map<string, Map<string, readonly string[]>>();

  constructor(definition: TableDefinition, fold: Fold) {
    this.definition = definition;
    this.#fold = fold;
    this.#numbers = new ColumnNumbers(definition);
  }

  get size(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#rows.size * (this.definition.columns.length + 1) * 64;
  }

  put(row: Row): void {
    this.#rows.set(scalarKey(row.id), row);
  }

  remove(id: RowId): boolean {
    return this.#rows.delete(scalarKey(id));
  }

  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void {
    this.#numbers.of(column, { label });
    const name = JSON.stringify([column, label]);
    const byValue = this.#labels.get(name) ?? new Map<string, readonly string[]>();
    this.#labels.set(name, byValue);
    byValue.set(
      scalarKey(value),
      texts.map((text) => this.#fold.fold(text)),
    );
  }

  search(request: PageRequest): PageResult {
    return this.#page(request, this.#hits(request));
  }

  explore(request: ExploreRequest): ExploreResult {
    const { definition } = this;
    const hits = this.#hits(request);
    const meeting = (conditions: readonly RowCondition[], column?: string) => {
      const heeded = conditions
        .filter((one) => column === undefined || columnOf(one) !== column)
        .map((one) => conditionTest(definition, one, (query) => this.#matcher(query)));
      return hits.filter((row) => heeded.every((holds) => holds(row)));
    };
    const { conditions, baseline, histogram, order, stats = [] } = request;
    const found = meeting(conditions);
    return {
      ...(order ? this.#ordered(request, order, found) : this.#page(request, found)),
      facets: request.facets.map((facet) => {
        const [has, { column }] = [this.#having(facet), facet];
        const before = baseline && meeting(baseline, column);
        return countFacet(definition, meeting(conditions, column), facet, has, before);
      }),
      ...(histogram && {
        histogram: countHistogram(definition, meeting(conditions, histogram.column), histogram),
      }),
      stats: stats.map((one) => countStats(definition, found, one)),
    };
  }

  #hits({ where, within = where }: PageRequest): Row[] {
    return [...this.#rows.values()].filter(this.#matcher({ op: 'and', of: [within, where] }));
  }

  #having({ column, having }: FacetRequest): (value: Scalar) => boolean {
    if (!having) return () => true;
    const { label, values = [] } = having;
    const text = this.#fold.fold(having.text);
    const among = new Set(values.map(scalarKey));
    const named = label === undefined ? () => [] : this.#textsOf(column, label);
    const { ofIds } = this.definition.columns[this.#numbers.of(column)]!;
    return (value) => {
      const own = searchedText(value, ofIds);
      const texts = own === undefined ? [] : [this.#fold.fold(own)];
      const found = [...texts, ...named(value)].some((candidate) => candidate.includes(text));
      return found || among.has(scalarKey(value));
    };
  }

  #page(request: PageRequest, hits: readonly Row[]): PageResult {
    const { sortBy, descending } = request;
    const sorted = sortBy === 'id' ? -1 : this.#numbers.of(sortBy, { sort: true });
    const keyed = hits.map((row) => ({
      id: row.id,
      key: sorted < 0 ? null : sortKey(row.cells[sorted]!, descending),
    }));
    keyed.sort((a, b) => compareScalars(a.key, b.key) || compareScalars(a.id, b.id));
    if (descending) keyed.reverse();
    const { page, first, end } = pageBounds(hits.length, request);
    return { total: hits.length, page, ids: keyed.slice(first, end).map(({ id }) => id) };
  }

  /** Nothing inside of an array counts unless it is all there is. */
  #ordered(request: ExploreRequest, order: readonly SortKey[], hits: readonly Row[]): PageResult {
    const all = [...order, { column: 'id', descending: order.at(-1)!.descending }];
    const keyed = hits.map((row) => ({ row, keys: all.map((key) => this.#keyOf(row, key)) }));
    keyed.sort((a, b) => {
      const orders = all.map(({ descending }, i) => {
        return compareScalars(a.keys[i]!, b.keys[i]!) * (descending ? -1 : 1);
      });
      return orders.find((one) => one !== 0) ?? 0;
    });
    const { page, first, end } = pageBounds(hits.length, request);
    return { total: hits.length, page, ids: keyed.slice(first, end).map(({ row }) => row.id) };
  }

  #keyOf(row: Row, { column, descending, labelOf }: SortKey): Scalar {
    if (column === 'id') return labelOf ? labelOf(row.id) : row.id;
    const cell = row.cells[this.#numbers.of(column)]!;
    if (labelOf) return Array.isArray(cell) ? null : labelOf(cell as Scalar);
    return sortKey(
      elements(cell).filter((value) => !isNothing(value)),
      descending,
    );
  }

  valuesOf(id: RowId, columns: readonly string[]): readonly (readonly Scalar[])[] | undefined {
    const row = this.#rows.get(scalarKey(id));
    return row && columns.map((name) => elements(row.cells[this.#numbers.of(name)]!));
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    const row = this.#rows.get(scalarKey(id));
    const rest = row?.rest;
    if (!rest) return undefined;
    const values = columns.map((name) => row.cells[this.#numbers.of(name)] as Scalar);
    const read = (to: RestText) => {
      to.bytes.set(rest);
      to.length = rest.length;
    };
    return { values, rest: { read } };
  }

  get restBytes(): number {
    return [...this.#rows.values()].reduce((sum, { rest }) => sum + (rest?.length ?? 0), 0);
  }

  dropOldestRests(): boolean {
    const kept = this.restBytes > 0;
    for (const [key, row] of this.#rows) this.#rows.set(key, { ...row, rest: undefined });
    return kept;
  }

  /** The one step there is: all rows are looked at. */
  explain({ where, within }: PageRequest): TableExplanation {
    const matches = this.#matcher(within ? { op: 'and', of: [within, where] } : where);
    const left = [...this.#rows.values()].filter(matches).length;
    const form = left === 0 ? 'none' : 'list';
    return { size: this.size, estimate: left, steps: [{ does: 'scan', left, form }], counts: [] };
  }

  sort(): boolean {
    return false;
  }

  maintain(): boolean {
    return false;
  }

  check(): void {
    for (const [key, row] of this.#rows) {
      if (key !== scalarKey(row.id)) throw new Error(`row ${String(row.id)} under a foreign key`);
    }
  }

  #matcher(where: Query): (row: Row) => boolean {
    switch (where.op) {
      case 'all':
        return () => true;
      case 'none':
        return () => false;
      case 'and': {
        const parts = where.of.map((part) => this.#matcher(part));
        return (row) => parts.every((part) => part(row));
      }
      case 'or': {
        const parts = where.of.map((part) => this.#matcher(part));
        return (row) => parts.some((part) => part(row));
      }
      case 'contains': {
        const text = this.#fold.fold(where.text);
        const textsOf = this.#textsOf(where.column, where.label);
        return this.#anyElement(where.column, (value) =>
          textsOf(value).some((candidate) => candidate.includes(text)),
        );
      }
      case 'equals': {
        this.#numbers.of(where.column, { equals: true });
        const wanted = new Set(where.values.map(scalarKey));
        return this.#anyElement(where.column, (value) => wanted.has(scalarKey(value)));
      }
    }
  }

  #anyElement(name: string, holds: (value: Scalar) => boolean): (row: Row) => boolean {
    const column = this.#numbers.of(name);
    return (row) => elements(row.cells[column] as Cell).some(holds);
  }

  /**
   * The texts that `contains` looks at: the value itself when it is a string, or its label's texts.
   */
  #textsOf(column: string, label: string | undefined): (value: Scalar) => readonly string[] {
    if (label === undefined) {
      const number = this.#numbers.of(column, { contains: true });
      const { ofIds } = this.definition.columns[number]!;
      return (value) => {
        const text = searchedText(value, ofIds);
        return text === undefined ? [] : [this.#fold.fold(text)];
      };
    }
    this.#numbers.of(column, { label });
    const byValue = this.#labels.get(JSON.stringify([column, label]));
    return (value) => byValue?.get(scalarKey(value)) ?? [];
  }
}
