/**
 * Looks up a column in a table's definition, and throws for a use that the definition does not
 * allow.
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
 * The column's place in a row's cells. Throws a TypeError for a name that is not defined, for one
 * defined twice, and for a use that the definition does not name. All three are mistakes in a
 * program, never in its input. A column named `id` has neither an order nor ranges: that name means
 * the row id there.
 */
export function columnNumber(
  definition: TableDefinition,
  name: string,
  use: ColumnUse = {},
): number {
  const number = definition.columns.findIndex((column) => column.name === name);
  const column = definition.columns[number];
  const complain = (what: string): never => {
    throw new TypeError(`table ${definition.name}: column ${JSON.stringify(name)} ${what}`);
  };
  if (column === undefined) return complain('is not defined');
  if (definition.columns.some((other, i) => i > number && other.name === name)) {
    return complain('is defined twice');
  }
  if (column.name === 'id' && (column.sort || column.range)) {
    return complain('would hide the row id in sorting and ranges');
  }
  if (use.contains && !column.contains) return complain('is not defined for contains');
  if (use.equals && !column.equals) return complain('is not defined for equals');
  if (use.sort && !column.sort) return complain('is not defined for sorting');
  if (use.facet && !column.facet) return complain('is not defined for facets');
  if (use.range && !column.range) return complain('is not defined for ranges');
  if (column.range && column.expect !== 'number' && column.expect !== 'date') {
    return complain('holds neither numbers nor dates, and has no ranges');
  }
  if (use.dates && !(column.range && column.sort && column.expect === 'date')) {
    return complain('cannot be counted by time');
  }
  if (use.label !== undefined && !column.labels?.includes(use.label)) {
    return complain(`has no label ${JSON.stringify(use.label)}`);
  }
  return number;
}

/** The same for a leaf's column. */
export function columnOfLeaf(definition: TableDefinition, leaf: Leaf): number {
  const label = leaf.op === 'contains' ? leaf.label : undefined;
  const use = label === undefined ? { [leaf.op]: true } : { label };
  return columnNumber(definition, leaf.column, use);
}

/** The column whose counts ignore a condition; of `any`, the one that all its parts are on. */
export function columnOfCondition(condition: RowCondition): string | undefined {
  if (condition.op !== 'any') return condition.column;
  const [first, ...others] = condition.of.map(columnOfCondition);
  return others.every((column) => column === first) ? first : undefined;
}
