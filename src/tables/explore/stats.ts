/**
 * Statistics of a field's numbers, seconds or dates over the rows of an explore, by nearest rank:
 *
 *     values in order   1 2 2 5 8 9 …          p90 is the value at rank ⌈0.9 × count⌉
 *
 * A document counts once for each distinct element of an array, as in facets. Values of other types,
 * null and NaN count as missing.
 */
import type { ProblemDetail } from '../../errors.ts';
import type { ExploreResult, Scalar } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import { COUNT, closedObject, fullObject, type JsonSchema } from '../definition/jsonSchema.ts';
import { shownIn } from '../definition/predicate.ts';
import { recordName } from '../query/schema.ts';
import { fieldsFor } from './askable.ts';
import { fieldSchema } from './select.ts';

const MAX_STATS = 10;

export interface StatsBody {
  readonly field: string;
}

/** A field's statistics as the answer shows them: dates are ISO 8601, UTC. */
export type Stats = { readonly field: string } & StatsCounts & {
    readonly [Q in Quantile]: number | string | null;
  };

type StatsCounts = Omit<ExploreResult['stats'][number], 'values'>;

/** Names of the values, and the share of values up to each. */
const QUANTILES = {
  min: 0,
  p50: 0.5,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
  max: 1,
} as const;
export type Quantile = keyof typeof QUANTILES;

/** The ranks of the quantiles among `count` values, from 0. */
export const ranksOf = (count: number): readonly number[] =>
  Object.values(QUANTILES).map((share) => Math.max(0, Math.ceil(share * count) - 1));

/** The JSON Schema (draft-07) of `stats`. */
export function statsSchema(resource: Resource): JsonSchema {
  return {
    type: 'array',
    maxItems: MAX_STATS,
    items: {
      title: `${recordName(resource)}StatsRequest`,
      ...closedObject({ field: fieldSchema(fieldsFor(resource, 'range')) }, ['field']),
    },
  };
}

/** The fields, each once. */
export function statsOf(given: readonly StatsBody[], problems: ProblemDetail[]): readonly string[] {
  const fields = given.map(({ field }) => field);
  for (const [i, field] of fields.entries()) {
    if (fields.indexOf(field) === i) continue;
    problems.push({
      pointer: `/stats/${i}/field`,
      detail: `The field ${field} has stats already.`,
    });
  }
  return fields;
}

/** `values`: those at the ranks of the quantiles; none if `count` is 0. */
export function shownStats(
  resource: Resource,
  field: string,
  counts: StatsCounts,
  values: readonly Scalar[],
): Stats {
  const shown = shownIn(resource, field);
  const quantiles = Object.keys(QUANTILES).map((name, i) => [name, shown(values[i] ?? null)]);
  return { field, ...counts, ...Object.fromEntries(quantiles) };
}

const VALUE: JsonSchema = { type: ['number', 'string', 'null'] };

/** The schema of `Stats`. */
export const STATS: JsonSchema = {
  title: 'Stats',
  ...fullObject({
    field: { type: 'string' },
    count: { ...COUNT, description: 'How many values there are.' },
    missing: { ...COUNT, description: 'Null, missing and values of other types.' },
    ...Object.fromEntries(Object.keys(QUANTILES).map((name) => [name, VALUE])),
  }),
};
