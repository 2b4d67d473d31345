/** The values that are the very text that a facet is searched by: more frequent ones that hold it would fill the list. */
import type { Answer } from '../../present/answer.ts';
import { type FacetCount, withExact } from '../../present/facetLayout.ts';
import { readingsOf } from '../../query/language.ts';
import { isOnAlone, type Question } from '../../query/question.ts';
import { firstOf } from '../service/service.ts';

/** The values of each field that are the very text that somebody typed. */
type Exact = Readonly<Record<string, readonly FacetCount[]>>;

export const joinedWith = (exact: Exact, { facets, ...answer }: Answer): Answer => ({
  ...answer,
  ...(facets && { facets: facets.map((one) => withExact(one, exact[one.field])) }),
});

/**
 * Counts them as the question's facets count: each without the conditions on its own field. Where there is no answer, that of
 * the question itself tells why.
 */
export async function exactOf({ body, ...at }: Question, signal: AbortSignal): Promise<Exact> {
  const { filters, select, facets = [] } = body;
  const found = facets.map(async ({ field, contains, order }) => {
    // A comparison lists no value but those that differ.
    if (contains === undefined || order !== undefined) return [];
    const others = select.filter((one) => !isOnAlone(one, field));
    const counts = readingsOf(contains).map(async (value) => {
      const asked = { filters, select: [...others, { field, in: [value] }] };
      return { value, count: (await firstOf(at, asked, signal)).count };
    });
    const exact = (await Promise.all(counts)).filter(({ count }) => count > 0);
    return [[field, exact] as const];
  });
  return Object.fromEntries((await Promise.all(found).catch(() => [])).flat());
}
