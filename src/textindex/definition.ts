/**
 * Finds the columns of a table by name, and throws for a use that the definition does not allow.
 */
import type { Query, RowCondition, TableDefinition } from './api.ts';

/** A query that asks one column. */
export type Leaf = Extract<Query, { column: string }>;

/** The intended use of the column. */
export interface ColumnUse {
  readonly contains?: boolean;
  readonly equals?: boolean;
  readonly sort?: boolean;
  readonly facet?: boolean;
  readonly range?: boolean;
  /** Counted by time. */
  readonly dates?: boolean;
  readonly label?: string;
}

/**
 * The columns' places in a row's cells, by name. Throws a TypeError for a name that is not defined,
 * for one defined twice, and for a use that the definition does not name. All three are mistakes in a
 * program, never in its input. A column named `id` has neither an order nor ranges: that name means
 * the row id there.
 */
export class ColumnNumbers {
  readonly #definition: TableDefinition;
  readonly #byName = new Map<string, number>();

  constructor(definition: TableDefinition) {
    this.#definition = definition;
    for (const [number, { name, expect, sort, range }] of definition.columns.entries()) {
      if (this.#byName.has(name)) throw this.#error(name, 'is defined twice');
      if (name === 'id' && (sort || range)) {
        throw this.#error(name, 'would hide the row id in sorting and ranges');
      }
      if (range && expect !== 'number' && expect !== 'date') {
        throw this.#error(name, 'holds neither numbers nor dates, and has no ranges');
      }
      this.#byName.set(name, number);
    }
  }

  of(name: string, use: ColumnUse = {}): number {
    const number = this.#byName.get(name);
    if (number === undefined) throw this.#error(name, 'is not defined');
    const column = this.#definition.columns[number]!;
    const { label } = use;
    if (use.contains && !column.contains) throw this.#error(name, 'is not defined for contains');
    if (use.equals && !column.equals) throw this.#error(name, 'is not defined for equals');
    if (use.sort && !column.sort) throw this.#error(name, 'is not defined for sorting');
    if (use.facet && !column.facet) throw this.#error(name, 'is not defined for facets');
    if (use.range && !column.range) throw this.#error(name, 'is not defined for ranges');
    if (use.dates && !(column.range && column.sort && column.expect === 'date')) {
      throw this.#error(name, 'cannot be counted by time');
    }
    if (label !== undefined && !column.labels?.includes(label)) {
      throw this.#error(name, `has no label ${JSON.stringify(label)}`);
    }
    return number;
  }

  #error(name: string, what: string): TypeError {
    return new TypeError(`table ${this.#definition.name}: column ${JSON.stringify(name)} ${what}`);
  }
}

/** The use of a column that is searched for texts. */
export const containsIn = (label: string | undefined): ColumnUse =>
  label === undefined ? { contains: true } : { label };

/** The use of a column that a leaf of a query asks. */
export const useOf = (leaf: Leaf): ColumnUse =>
  leaf.op === 'equals' ? { equals: true } : containsIn(leaf.label);

/** The column whose counts ignore a condition; of `any`, the one that all its parts are on. */
export function columnOfCondition(condition: RowCondition): string | undefined {
  if (condition.op === 'not') return columnOfCondition(condition.of);
  if (condition.op !== 'any') return condition.column;
  const [first, ...others] = condition.of.map(columnOfCondition);
  return others.every((column) => column === first) ? first : undefined;
}
