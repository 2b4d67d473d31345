/** How many different values a path has in the whole collection, from those of random documents. */
import type { ValuesHint } from '../file/written.ts';
import type { PathProfile } from './pathProfile.ts';
import type { LookedAt } from './survey.ts';

/** As many values can be listed whole. */
export const FEW = 100;
/** A share of different values from which on nearly every document has its own. */
const UNIQUE = 0.9;

/**
 * The estimate of Chao (1984): values seen once and twice tell of the values not seen. Where none
 * came twice, each document is taken to have its own.
 *
 * @param values values of the path in the whole collection
 * @param isWhole whether the sample has every document: the number is exact then
 */
export function distinctValues(path: PathProfile, values: number, isWhole: boolean): number {
  const { different: seen, once, twice } = path;
  if (isWhole && path.valuesComplete) return seen;
  if (seen === 0) return 0;
  const noneTwice = once === path.drawn;
  const estimate = noneTwice ? values : seen + (once * (once - 1)) / (2 * (twice + 1));
  return Math.round(Math.max(seen, Math.min(values, estimate)));
}

/** How many values but null a path has in the whole collection, at least 1, and how many of them differ: estimates. */
export function repetitionAt(
  path: PathProfile,
  { profile, count, isWhole }: LookedAt,
): { readonly values: number; readonly distinct: number } {
  const share = path.documents / profile.documents;
  const all = path.of(...path.kinds.keys());
  const notNull = (all - path.of('null')) / Math.max(1, all);
  const values = Math.max(1, Math.round(count * share * notNull));
  return { values, distinct: distinctValues(path, Math.max(values, path.different), isWhole) };
}

export function repeatOf(distinct: number, values: number): ValuesHint {
  if (distinct >= UNIQUE * values) return 'unique';
  return distinct <= FEW && distinct <= values / 2 ? 'few' : 'many';
}
