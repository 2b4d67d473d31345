/** Cases of explores: what a view adds to them, and counts by value and by time as answers have them. */
import type { Case, Hits, ViewName } from './conform.ts';

export const SCOPES = ['system', 'project'];
/** Filters that the view adds to every request. */
const APPLIED: Readonly<Partial<Record<ViewName, Hits['applied']>>> = {
  'admin tasks': { scope: SCOPES },
};

interface Asked {
  readonly filters?: object;
  readonly select?: readonly unknown[];
  readonly facets?: readonly unknown[];
  readonly histogram?: object;
  readonly stats?: readonly unknown[];
  readonly sorting?: unknown;
  readonly pagination?: object;
}

export const explored = (
  name: string,
  view: ViewName,
  body: Asked,
  expected: Partial<Hits>,
  more: Partial<Case> = {},
): Case => ({
  ...{ name, view, explore: true, body, ...more },
  expect: more.expect ?? {
    ids: [],
    applied: APPLIED[view] ?? {},
    ...(body.select && { select: body.select }),
    ...expected,
  },
});

export type Counted = readonly [value: unknown, count: number, label?: string];

/** The counts of a field, of which all values are listed. */
export const facet = (field: string, ...values: readonly Counted[]) => ({
  field,
  values: values.map(([value, count, label]) => ({ value, ...(label && { label }), count })),
  ...{ distinct: values.length, rest: 0 },
});

export const at = (text: string) => new Date(text);

/** Buckets by their starts, of which the last one ends there. */
export const bucketsTo = (end: string, ...starts: readonly (readonly [string, number])[]) =>
  starts.map(([start, count], i) => ({
    start: at(start).toISOString(),
    end: at(starts[i + 1]?.[0] ?? end).toISOString(),
    count,
  }));
