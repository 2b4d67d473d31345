/**
 * Conditions that a row must meet to matter to a watched search. They are cheap to test, and every
 * row that the search finds, shows or counts meets them.
 *
 *     within shop = "7d0a…" and paid = true where email ~ "ana", select status in …
 *        ──► shop = "7d0a…", paid = true, email ~ "ana"
 *
 * A row that meets them may still not be found; one that does not is never found. Conditions that
 * need more than the row, such as the name of its shop, are left out. So are conditions that a facet or
 * the histogram ignores, because rows count there that do not meet them.
 */

import { type Query, scalarKey, type TableDefinition } from '../../textindex/index.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import type { ChangedRow, FoldText } from './changedRow.ts';

/** A condition on a row's values in one column, or on its id. */
export interface NecessaryCondition {
  readonly column: string;
  /** The column's place in the table; -1 for the id of a row, which has none. */
  readonly number: number;
  /** Keys of values, one of which the column must hold; undefined for all other conditions. */
  readonly keys: ReadonlySet<string> | undefined;
  readonly test: (row: ChangedRow) => boolean;
}

/** The necessary conditions of a plan. */
export function necessaryConditions(
  plan: ExplorePlan,
  definition: TableDefinition,
  fold: FoldText,
): readonly NecessaryCondition[] {
  const { key } = plan.resource;
  const counted = new Set([...plan.facets.map(({ field }) => field), plan.histogram?.field]);
  // Rows of the baseline count although they do not meet the conditions.
  const heeded = plan.baseline ? [] : plan.conditions;
  const selected = heeded.flatMap((one): readonly Necessary[] => {
    if (one.op === 'any' || (one.column !== undefined && counted.has(one.column))) return [];
    if (one.op === 'matches') return necessary(one.query);
    const values = one.op === 'in' ? one.values : one.op === 'ids' ? one.ids : [];
    if (values.length === 0 || values.includes(null)) return [];
    return [{ op: 'equals', column: one.column!, values }];
  });
  return [...necessary(plan.within), ...necessary(plan.where), ...selected].flatMap((one) => {
    const { column, op } = one;
    const number = definition.columns.findIndex(({ name }) => name === column);
    if (definition.columns[number]?.[op]) return [conditionOn(one, number, fold)];
    if (column !== key || op !== 'equals') return [];
    const ids = new Set(one.values.map(scalarKey));
    return [{ column, number, keys: undefined, test: ({ id }) => ids.has(scalarKey(id)) }];
  });
}

function conditionOn(one: Necessary, number: number, fold: FoldText): NecessaryCondition {
  const { column } = one;
  if (one.op === 'contains') {
    const text = fold(one.text);
    const test = (row: ChangedRow) => row.texts(number).some((other) => other.includes(text));
    return { column, number, keys: undefined, test };
  }
  const keys = new Set(one.values.map(scalarKey));
  return { column, number, keys, test: (row) => row.keys(number).some((key) => keys.has(key)) };
}

type Necessary = Extract<Query, { op: 'equals' | 'contains' }>;

function necessary(query: Query): readonly Necessary[] {
  switch (query.op) {
    case 'and':
      return query.of.flatMap(necessary);
    case 'equals':
      return [query];
    case 'contains':
      return query.label === undefined ? [query] : [];
    default:
      return [];
  }
}
