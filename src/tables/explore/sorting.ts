/**
 * The order of an explore or export: one sort as in a search, or a list of up to three, each by any
 * field that holds one value.
 */
import type { ProblemDetail } from '../../errors.ts';
import { closedObject, fullObject, type JsonSchema } from '../definition/jsonSchema.ts';
import type { SearchView } from '../definition/view.ts';
import type { Sort } from '../query/plan.ts';
import { type AppliedSort, recordName, sortingSchema } from '../query/schema.ts';

const MAX_SORTS = 3;

type SortBody = Pick<AppliedSort, 'sort_by'> & Partial<AppliedSort>;

export type SortingBody = Partial<SortBody> | readonly SortBody[];

export const isSeveral = (sorting: SortingBody | undefined): sorting is readonly SortBody[] =>
  Array.isArray(sorting);

/** The JSON Schema (draft-07) of `sorting`. */
export function exploreSorting(view: SearchView): JsonSchema {
  const { orders } = view.resource;
  const one = sortingSchema(view, orders);
  const order = { enum: ['asc', 'desc'], description: '`desc` by default.' };
  const several = {
    type: 'array',
    description: 'The most significant first.',
    minItems: 1,
    maxItems: MAX_SORTS,
    items: closedObject({ sort_by: { enum: orders }, sort_order: order }, ['sort_by']),
  };
  return {
    title: `${recordName(view.resource)}Order`,
    // Keywords of objects and of arrays do not meet, so one schema tells the problems of both.
    ...{ ...several, ...one, type: ['object', 'array'] },
    shownAs: { anyOf: [one, several] },
  };
}

/** The sorts of a list; without those after the key, which leaves no ties. */
export function sortsOf(
  given: readonly SortBody[],
  key: string,
  problems: ProblemDetail[],
): readonly [Sort, ...Sort[]] {
  for (const [i, { sort_by: by }] of given.entries()) {
    if (given.findIndex(({ sort_by }) => sort_by === by) === i) continue;
    const detail = `The field ${by} is sorted by already.`;
    problems.push({ pointer: `/sorting/${i}/sort_by`, detail });
  }
  const byKey = given.findIndex(({ sort_by }) => sort_by === key);
  const decisive = byKey < 0 ? given : given.slice(0, byKey + 1);
  const [first, ...others] = decisive.map(({ sort_by: by, sort_order = 'desc' }) =>
    Object.freeze({ by, descending: sort_order === 'desc' }),
  );
  return Object.freeze([first!, ...others]);
}

export const appliedSorts = (sorts: readonly Sort[]): readonly AppliedSort[] =>
  sorts.map(({ by, descending }) => ({ sort_by: by, sort_order: descending ? 'desc' : 'asc' }));

/** The schema of `meta.sorting`, the most significant sort, and of all of them. */
export function appliedSorting({ resource }: SearchView) {
  const one = {
    title: `${recordName(resource)}Sorted`,
    ...fullObject({ sort_by: { enum: resource.orders }, sort_order: { enum: ['asc', 'desc'] } }),
  };
  return { sorting: one, applied_sorting: { type: 'array', minItems: 1, items: one } };
}
