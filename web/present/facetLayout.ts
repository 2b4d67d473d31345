/** The values that a facet lists, in their order; and the same order with later counts. */
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';

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
