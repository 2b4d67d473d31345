/** Answers of explores as tests compare them, and requests as they print them. */
import type { ExploreResult } from '../../src/textindex/api.ts';
import { scalarKey } from '../../src/textindex/scalars.ts';

/** With the keys of counted values: 1 and 1n are one value, whichever is shown. */
export function comparable({ facets, histogram, stats, ...page }: ExploreResult): object {
  const by = histogram?.by;
  return {
    ...page,
    facets: facets.map(({ values, by: split, ...rest }) => ({
      ...rest,
      ...(split && { by: split.map(scalarKey) }),
      values: values.map(({ value, ...counts }) => [scalarKey(value), counts]),
    })),
    stats: stats.map(({ values, ...rest }) => ({ ...rest, values: values.map(scalarKey) })),
    histogram: { ...histogram, ...(by && { by: { ...by, values: by.values.map(scalarKey) } }) },
  };
}

export const shown = (request: object) =>
  JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
