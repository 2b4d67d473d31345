/**
 * A table that may break, and nothing else with it.
 *
 *     waiting ──create──► whole ──an operation throws──► broken
 *     does nothing                                       does nothing, has no rows and no answers
 *
 * An exception leaves a table half changed. So a table that threw once is never asked again, and
 * its memory, scratch memory included, is freed. The follower of the store replaces it.
 */
import type { RowId, TableDefinition, TextTable } from '../../textindex/index.ts';

/** The operations of a table. */
type Operations = Required<Omit<TextTable, 'definition' | Figure>>;
type Figure = 'size' | 'bytes' | 'restBytes';

/** The operation in which a table broke. */
export type TableOperation = 'create' | keyof Operations | Figure;

/** Why a table is broken. */
export interface TableFailure {
  readonly operation: TableOperation;
  readonly error: unknown;
}

export interface GuardedTableOptions {
  readonly definition: TableDefinition;
  readonly create: (definition: TableDefinition, expectedRows?: number) => TextTable;
  /** Called once, in the step in which the table breaks. */
  readonly onFailure: (failure: TableFailure) => void;
}

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
      this.#break('create', error);
    }
  }

  /** Has a restored table instead of an empty one. */
  take(table: TextTable): void {
    this.#table = table;
  }

  /** Runs an operation of the table; undefined when there is no table, or it broke. */
  ask<K extends keyof Operations>(
    operation: K,
    ...asked: Parameters<Operations[K]>
  ): ReturnType<Operations[K]> | undefined {
    try {
      const does = this.#table?.[operation] as ((...asked: unknown[]) => never) | undefined;
      return does?.call(this.#table, ...asked);
    } catch (error) {
      this.#break(operation, error);
      return undefined;
    }
  }

  /** Whether there is such a row; undefined where the table broke, and nothing tells. */
  has(id: RowId): boolean | undefined {
    return this.ask('valuesOf', id, []) !== undefined || (this.#failure ? undefined : false);
  }

  /** Rows that are there. */
  get size(): number {
    return this.#figure('size');
  }

  get bytes(): number {
    return this.#figure('bytes');
  }

  get restBytes(): number {
    return this.#figure('restBytes');
  }

  /** Walks every invariant; throws at the first that does not hold, and the table is broken then. */
  check(): void {
    const whole = this.#failure === undefined;
    this.ask('check');
    if (whole && this.#failure) throw this.#failure.error;
  }

  #figure(name: Figure): number {
    try {
      return this.#table?.[name] ?? 0;
    } catch (error) {
      this.#break(name, error);
      return 0;
    }
  }

  #break(operation: TableOperation, error: unknown): void {
    this.#table = undefined;
    this.#failure = { operation, error };
    this.#options.onFailure(this.#failure);
  }
}
