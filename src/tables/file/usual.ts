/** The facets and columns of a table whose file lists none. */
import { MAX_FACETS } from '../explore/body.ts';
import { type DescribedField, KEY } from './described.ts';

const MAX_COLUMNS = 10;

/** @param names the fields with the use facet */
export const usualFacets = (names: readonly string[]): readonly string[] =>
  names.slice(0, MAX_FACETS);

/** @param names the fields that are shown */
export function usualColumns(
  names: readonly string[],
  fieldOf: (name: string) => DescribedField,
): readonly string[] {
  const isColumn = (name: string) => {
    const field = fieldOf(name);
    return field.kind !== 'stored' || field.type !== 'mixed' || name === KEY;
  };
  return names.filter(isColumn).slice(0, MAX_COLUMNS);
}
