/** The facets and columns of a table whose file lists none. */
import { MAX_FACETS } from '../explore/body.ts';
import { type DescribedTable, KEY } from './described.ts';
import type { FileUse } from './types.ts';

type Fields = DescribedTable['fields'];

const MAX_COLUMNS = 10;

export const namesWith = (fields: Fields, use: FileUse): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]!.uses.includes(use));

export function usualLists(fields: Fields): Pick<DescribedTable, 'facets' | 'columns'> {
  const isColumn = (name: string) => {
    const field = fields[name]!;
    return field.kind !== 'stored' || field.type !== 'mixed' || name === KEY;
  };
  return {
    facets: namesWith(fields, 'facet').slice(0, MAX_FACETS),
    columns: namesWith(fields, 'show').filter(isColumn).slice(0, MAX_COLUMNS),
  };
}
