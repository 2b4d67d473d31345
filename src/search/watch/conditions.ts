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
import { type Scalar, scalarKey } from '../../textindex/index.ts';

/** Of a row's values in one column. */
export type NecessaryCondition =
  | { readonly op: 'one of'; readonly column: string; readonly keys: ReadonlySet<string> }
  | { readonly op: 'holds'; readonly column: string; readonly text: string };

type Fold = (text: string) => string;

/** The conditions of a plan on columns of its table. */
export function necessaryConditions(
  plan: ExplorePlan,
  columns: ReadonlySet<string>,
  fold: Fold,
): readonly NecessaryCondition[] {
  const counted = new Set([...plan.facets.map(({ field }) => field), plan.histogram?.field]);
  const selected = plan.conditions.flatMap((one) =>
    one.op === 'in' && !counted.has(one.field) && !one.values.includes(null)
      ? [oneOf(one.field, one.values)]
      : [],
  );
  const searched = [plan.within, plan.where].flatMap((part) => ofPredicate(part, fold));
  return [...searched, ...selected].filter(({ column }) => columns.has(column));
}

function ofPredicate(predicate: Predicate, fold: Fold): readonly NecessaryCondition[] {
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

const oneOf = (column: string, values: readonly Scalar[]): NecessaryCondition => ({
  op: 'one of',
  column,
  keys: new Set(values.map(scalarKey)),
});

/** A row as it was, or as it will be. */
export class RowVersion {
  readonly #valuesOf: (column: string) => readonly Scalar[] | undefined;
  readonly #fold: Fold;
  readonly #keys = new Map<string, readonly string[] | undefined>();
  readonly #texts = new Map<string, readonly string[] | undefined>();

  /** @param valuesOf undefined where that cannot be told */
  constructor(valuesOf: (column: string) => readonly Scalar[] | undefined, fold: Fold) {
    this.#valuesOf = valuesOf;
    this.#fold = fold;
  }

  values(column: string): readonly Scalar[] | undefined {
    return this.#valuesOf(column);
  }

  /** The values in a column, so that equal ones are equal; undefined where they are not known. */
  keys(column: string): readonly string[] | undefined {
    if (!this.#keys.has(column)) this.#keys.set(column, this.#valuesOf(column)?.map(scalarKey));
    return this.#keys.get(column);
  }

  fulfils(condition: NecessaryCondition): boolean {
    if (condition.op === 'holds') {
      const texts = this.#textsOf(condition.column);
      return texts === undefined || texts.some((text) => text.includes(condition.text));
    }
    const keys = this.keys(condition.column);
    return keys === undefined || keys.some((key) => condition.keys.has(key));
  }

  #textsOf(column: string): readonly string[] | undefined {
    if (!this.#texts.has(column)) {
      const strings = this.#valuesOf(column)?.filter((value) => typeof value === 'string');
      this.#texts.set(column, strings?.map(this.#fold));
    }
    return this.#texts.get(column);
  }
}
