/**
 * Turns the body of an export into its plan and columns: the search's filters and order, the
 * conditions of explore, and the record members to write.
 */

import { closedObject, type JsonSchema } from '../definition/jsonSchema.ts';
import type { SearchView, Viewer } from '../definition/view.ts';
import type { ParsedSearch, ParseSettings } from '../query/parse.ts';
import type { Plan } from '../query/plan.ts';
import {
  bodySchema,
  compileSchema,
  typeName,
  type Validate,
  validationFailed,
} from '../query/schema.ts';
import { type ExploreBody, parseExplore } from './body.ts';
import { selectSchema } from './select.ts';
import { exploreSorting } from './sorting.ts';

export interface ExportBody extends Pick<ExploreBody, 'filters' | 'sorting' | 'select'> {
  readonly columns?: readonly string[];
  readonly formulas?: 'guard' | 'keep';
}

export interface ParsedExport extends Pick<ParsedSearch, 'options'> {
  readonly plan: Plan;
  /** Members of a record, in this order. */
  readonly columns: readonly string[];
  /** Whether text is written unchanged, even if a spreadsheet would take it for a formula. */
  readonly keepFormulas: boolean;
}

/** The JSON Schema (draft-07) of the body of an export. */
function exportSchema(view: SearchView): JsonSchema {
  const { filters } = bodySchema(view).properties;
  return {
    title: `${typeName(view)}Export`,
    ...closedObject({
      filters,
      sorting: exploreSorting(view),
      select: selectSchema(view),
      columns: {
        type: 'array',
        minItems: 1,
        distinct: true,
        maxItems: Object.keys(view.resource.record).length,
        items: { enum: Object.keys(view.resource.record) },
      },
      formulas: {
        enum: ['guard', 'keep'],
        description:
          "In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default.",
      },
    }),
  };
}

export const compileExport = (view: SearchView): Validate<ExportBody> =>
  compileSchema(exportSchema(view));

/** @throws AppError 422 for a column that is listed twice; as `parseExplore`. */
export function parseExport(
  view: SearchView,
  { columns, formulas, ...body }: ExportBody,
  viewer: Viewer,
  settings: ParseSettings,
): ParsedExport {
  const twice = (columns ?? []).flatMap((name, i) => (columns!.indexOf(name) < i ? [i] : []));
  if (twice.length > 0) {
    const detail = 'This column is listed before.';
    throw validationFailed(twice.map((i) => ({ pointer: `/columns/${i}`, detail })));
  }
  const { plan, options } = parseExplore(view, body, viewer, settings);
  return {
    plan,
    options,
    columns: columns ?? Object.keys(view.resource.record),
    keepFormulas: formulas === 'keep',
  };
}
