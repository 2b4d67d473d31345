/**
 * What a row must fulfil to matter to a watched search: conditions that are cheap to test and that every
 * row which is found, shown or counted fulfils.
 *
 *     within project_id = "7d0a…" and scope = "project" where user_email ~ "ana", select status in …
 *        ──► project_id is one of …, scope is one of …, user_email holds "ana"
 *
 * A row that fulfils them need not be found; one that does not is never found. What cannot be told
 * from the row alone, a project's name say, is left out. So are conditions that a facet or the
 * histogram leaves out, because rows count there that do not fulfil them.
 */
import type { ExplorePlan } from '../../query/explore/plan.ts';
import type { Predicate } from '../../query/plan.ts';
import { type FoldText, type RowVersion, type Scalar, scalarKey } from '../../textindex/index.ts';

/** Of a row's values in one column. */
export type NecessaryCondition = {
  readonly column: string;
  /** The column's place in the table. */
  readonly number: number;
} & (
  | { readonly op: 'one of'; readonly keys: ReadonlySet<string> }
  | { readonly op: 'holds'; readonly text: string }
);

type Unplaced =
  | { readonly op: 'one of'; readonly column: string; readonly keys: ReadonlySet<string> }
  | { readonly op: 'holds'; readonly column: string; readonly text: string };

/** The conditions of a plan on columns of its table, which are given with their places. */
export function necessaryConditions(
  plan: ExplorePlan,
  columns: ReadonlyMap<string, number>,
  fold: FoldText,
): readonly NecessaryCondition[] {
  const counted = new Set([...plan.facets.map(({ field }) => field), plan.histogram?.field]);
  const selected = plan.conditions.flatMap((one) =>
    one.op === 'in' && !counted.has(one.field) && !one.values.includes(null)
      ? [oneOf(one.field, one.values)]
      : [],
  );
  const searched = [plan.within, plan.where].flatMap((part) => ofPredicate(part, fold));
  return [...searched, ...selected].flatMap((one) => {
    const number = columns.get(one.column);
    return number === undefined ? [] : [{ ...one, number }];
  });
}

/** Whether a row fulfils all of them. */
export function fulfils(row: RowVersion, conditions: readonly NecessaryCondition[]): boolean {
  return conditions.every((one) =>
    one.op === 'holds'
      ? row.texts(one.number).some((text) => text.includes(one.text))
      : row.keys(one.number).some((key) => one.keys.has(key)),
  );
}

function ofPredicate(predicate: Predicate, fold: FoldText): readonly Unplaced[] {
  switch (predicate.op) {
    case 'and':
      return predicate.of.flatMap((part) => ofPredicate(part, fold));
    case 'equals':
      return [oneOf(predicate.column, predicate.values)];
    case 'contains': {
      const { column, label, text } = predicate;
      return label === undefined ? [{ op: 'holds', column, text: fold(text) }] : [];
    }
    default:
      return [];
  }
}

const oneOf = (column: string, values: readonly Scalar[]): Unplaced => ({
  op: 'one of',
  column,
  keys: new Set(values.map(scalarKey)),
});
