/** The values that a facet lists, in their order; and the same order with later counts. */

import type { Facet } from '../../clients/typescript/index.ts';
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';
import { shareOf } from '../state/times.ts';

/** Values that a facet lists at first. */
export const FACET_VALUES = 8;

export interface Listed {
  readonly value: ViewValue;
  readonly label?: string | undefined;
  /** Undefined where the service did not count it: it is not among the most frequent values. */
  readonly count: number | undefined;
  /** The count among all rows, where the two are compared. */
  readonly baseline?: number | undefined;
}

export interface FacetLayout {
  readonly values: readonly Listed[];
  /** Whether the values can be searched, and whether more of them can be shown. */
  readonly isSearched: boolean;
  readonly hasMore: boolean;
}

/** Whether the two shares of a value are not the same text: a comparison lists no others. */
export const differs =
  ({ total = 0, baseline_total = 0 }: Counted) =>
  ({ count, baseline }: Facet['values'][number]) =>
    baseline === undefined || shareOf(count, total) !== shareOf(baseline, baseline_total);

export type FacetCount = Facet['values'][number];

/** The facet with values first that are the very text that its values are searched by. It finds texts alone by a part. */
export function withExact(facet: Facet, exact: readonly FacetCount[] = []): Facet {
  if (exact.length === 0) return facet;
  const isExact = ({ value }: FacetCount) => exact.some((one) => one.value === value);
  const listed = facet.values.filter(isExact);
  const added = exact.filter(({ value }) => !listed.some((one) => one.value === value));
  const texts = added.filter(({ value }) => typeof value === 'string');
  return {
    ...facet,
    values: [...listed, ...added, ...facet.values.filter((one) => !isExact(one))],
    distinct: facet.distinct + added.length - texts.length,
    rest: Math.max(
      0,
      texts.reduce((rest, { count }) => rest - count, facet.rest),
    ),
  };
}

type Counted = Pick<Facet, 'values' | 'total' | 'baseline_total'>;

/**
 * The values of a facet to list; of a comparison those that differ. Selected values stay in sight, however few rows
 * have them.
 *
 * @param isWhole whether the facet has every value that a row has
 */
export function listedValues(
  facet: Counted,
  selected: readonly ViewValue[],
  { isRanked, isWhole }: { readonly isRanked: boolean; readonly isWhole: boolean },
): readonly Listed[] {
  const listed = isRanked ? facet.values.filter(differs(facet)) : facet.values;
  const isListed = (value: ViewValue) => listed.some((one) => one.value === value);
  const count = isWhole ? 0 : undefined;
  const others = selected
    .filter((value) => !isListed(value))
    .map((value) => facet.values.find((one) => one.value === value) ?? { value, count });
  return [...listed, ...others];
}

/**
 * The later counts in the places of the earlier layout, so that no value moves under the pointer.
 *
 * @param isWhole whether `now` lists every value that a row has; the others then have no rows
 * @param isSelected tells values that have to be listed even where the earlier layout lacks them
 */
export function inPlace(
  before: FacetLayout,
  now: FacetLayout,
  isWhole: boolean,
  isSelected: (value: ViewValue) => boolean,
): FacetLayout {
  const counted = new Map(now.values.map((one) => [one.value, one]));
  const values = before.values.map(
    (one) => counted.get(one.value) ?? { ...one, count: isWhole ? 0 : undefined },
  );
  const listed = new Set(before.values.map(({ value }) => value));
  const added = now.values.filter(({ value }) => !listed.has(value) && isSelected(value));
  return { ...before, values: [...values, ...added] };
}
