/**
 * A table that may break, and nothing else with it.
 *
 *     waiting ──create──► whole ──an operation throws──► broken
 *     does nothing                                       does nothing, has no rows and no answers
 *
 * An exception leaves a table half changed. So a table that threw once is never asked again, and
 * its memory, scratch memory included, is freed. The follower of the store replaces it.
 */
import type {
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
  TableDefinition,
  TableExplanation,
  TableImage,
  TextTable,
} from '../../textindex/index.ts';

/** The operation in which a table broke. */
export type TableOperation =
  | 'create'
  | 'put'
  | 'remove'
  | 'relate'
  | 'search'
  | 'explore'
  | 'explain'
  | 'valuesOf'
  | 'shown'
  | 'dropOldestRests'
  | 'sort'
  | 'maintain'
  | 'images'
  | 'size'
  | 'bytes'
  | 'check';

/** Why a table is broken. */
export interface TableFailure {
  readonly operation: TableOperation;
  /** The operation's question, as one short JSON string. */
  readonly asked: string;
  readonly error: unknown;
}

export interface GuardedTableOptions {
  readonly definition: TableDefinition;
  readonly create: (definition: TableDefinition, expectedRows?: number) => TextTable;
  /** Called once, in the step in which the table breaks. */
  readonly onFailure: (failure: TableFailure) => void;
}

/** A longer description of the question is cut, characters. */
const LONGEST_ASKED = 500;

export class GuardedTable {
  readonly #options: GuardedTableOptions;
  #table: TextTable | undefined;
  #failure: TableFailure | undefined;

  constructor(options: GuardedTableOptions) {
    this.#options = options;
  }

  /** Why it is broken, if it is. */
  get failure(): TableFailure | undefined {
    return this.#failure;
  }

  /** Makes the table, unless that was done, or tried, before. `expectedRows`: an estimate. */
  create(expectedRows?: number): void {
    if (this.#table || this.#failure) return;
    const { definition, create } = this.#options;
    try {
      this.#table = create(definition, expectedRows);
    } catch (error) {
      this.#break('create', { expectedRows }, error);
    }
  }

  /** Has a restored table instead of an empty one. */
  take(table: TextTable): void {
    this.#table = table;
  }

  /** Rows that are there. */
  get size(): number {
    return this.#do('size', 0, undefined, (table) => table.size);
  }

  get bytes(): number {
    return this.#do('bytes', 0, undefined, (table) => table.bytes);
  }

  put(row: Row): void {
    this.#do('put', undefined, row.id, (table) => table.put(row));
  }

  remove(id: RowId): void {
    this.#do('remove', false, id, (table) => table.remove(id));
  }

  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void {
    const asked = { column, label, texts: texts.length };
    this.#do('relate', undefined, asked, (table) => table.relate(column, value, label, texts));
  }

  /** Undefined when there is no table, or it broke. */
  search(request: PageRequest): PageResult | undefined {
    return this.#do('search', undefined, request, (table) => table.search(request));
  }

  /** Undefined when there is no table, or it broke. */
  explore(request: ExploreRequest): ExploreResult | undefined {
    return this.#do('explore', undefined, request, (table) => table.explore(request));
  }

  /** Undefined when there is no table, or it broke. */
  explain(request: PageRequest | ExploreRequest): TableExplanation | undefined {
    return this.#do('explain', undefined, request, (table) => table.explain(request));
  }

  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined {
    return this.#do('valuesOf', undefined, id, (table) => table.valuesOf(id, columns));
  }

  shown(id: RowId, columns: readonly string[]): ShownRow | undefined {
    return this.#do('shown', undefined, id, (table) => table.shown(id, columns));
  }

  shownValues(id: RowId, columns: readonly string[]): readonly Scalar[] | undefined {
    return this.#do('shown', undefined, id, (table) => table.shownValues(id, columns));
  }

  get restBytes(): number {
    return this.#do('bytes', 0, undefined, (table) => table.restBytes);
  }

  /** Whether one was dropped. */
  dropOldestRests(): boolean {
    return this.#do('dropOldestRests', false, undefined, (table) => table.dropOldestRests());
  }

  /** Sorts rows of a load; false when all are sorted. */
  sort(budgetMs: number): boolean {
    return this.#do('sort', false, undefined, (table) => table.sort(budgetMs));
  }

  maintain(budgetMs: number): boolean {
    return this.#do('maintain', false, undefined, (table) => table.maintain(budgetMs));
  }

  /** Undefined when there is no table, or it cannot be kept. */
  images(): readonly TableImage[] | undefined {
    return this.#do('images', undefined, undefined, (table) => table.images?.());
  }

  /** Walks every invariant; throws at the first that does not hold, and the table is broken then. */
  check(): void {
    const whole = this.#failure === undefined;
    this.#do('check', undefined, undefined, (table) => table.check());
    if (whole && this.#failure) throw this.#failure.error;
  }

  #do<T>(operation: TableOperation, otherwise: T, asked: unknown, act: (table: TextTable) => T): T {
    if (!this.#table) return otherwise;
    try {
      return act(this.#table);
    } catch (error) {
      this.#break(operation, asked, error);
      return otherwise;
    }
  }

  #break(operation: TableOperation, asked: unknown, error: unknown): void {
    this.#table = undefined;
    this.#failure = { operation, asked: described(asked), error };
    this.#options.onFailure(this.#failure);
  }
}

/** As JSON, cut to fit a line of the log. */
function described(asked: unknown): string {
  const shown = asked && typeof asked === 'object' && 'where' in asked ? shapeOf(asked) : asked;
  const text = JSON.stringify(shown, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return text === undefined ? '' : text.slice(0, LONGEST_ASKED);
}

function shapeOf(request: { where?: unknown; conditions?: unknown; facets?: unknown }): object {
  const conditions = (request.conditions ?? []) as readonly RowCondition[];
  const facets = (request.facets ?? []) as readonly FacetRequest[];
  return {
    ...request,
    where: shapeOfQuery(request.where as Query),
    ...(request.conditions !== undefined && { conditions: conditions.map(shapeOfCondition) }),
    ...(request.facets !== undefined && { facets: facets.map(({ column }) => column) }),
  };
}

function shapeOfCondition(condition: RowCondition): string {
  if (condition.op === 'ids') return `${condition.ids.length} ids`;
  if (condition.op === 'range') return `${condition.column} within a range`;
  if (condition.op === 'any') return `any(${condition.of.map(shapeOfCondition).join(' ')})`;
  if ('query' in condition) return `${condition.op} ${shapeOfQuery(condition.query)}`;
  return `${condition.column} ${condition.op} ${condition.values.length} values`;
}

/** The shape of a query: operations and columns, without the texts and values. */
function shapeOfQuery(query: Query): string {
  switch (query.op) {
    case 'and':
    case 'or':
      return `${query.op}(${query.of.map(shapeOfQuery).join(' ')})`;
    case 'contains': {
      const label = query.label === undefined ? '' : `/${query.label}`;
      return `${query.column}${label} contains ${query.text.length} characters`;
    }
    case 'equals':
      return `${query.column} equals ${query.values.length} values`;
    default:
      return query.op;
  }
}
