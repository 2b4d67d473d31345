/** Tables of a definition file, as the service describes them to the web UI. */
import { afterEach } from 'mocha';
import type { OwnTable } from '../../clients/typescript/index.ts';
import { setOwnTables } from '../../web/tables/ownTables.ts';

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A table whose fields serve as values, orders and columns, and its facets to be counted. */
export function ownTable(fields: Fields, more: Partial<OwnTable> = {}): OwnTable {
  const names = Object.keys(fields);
  const described = Object.entries(fields).map(([name, one]) => [
    name,
    {
      title: name,
      several: false,
      uses: [more.facets?.includes(name) ? 'facet' : 'filter', 'show'],
      ...one,
    },
  ]);
  return {
    ...{ name: 'things', title: 'Things', key: 'id', path: '', count: 0 },
    ...{ fields: Object.fromEntries(described), columns: names, documents: false, window: null },
    ...{ select: names, values: names, sorts: names, orders: names, filters: [], contains: [] },
    ...{ text: [], facets: [], times: [], stats: [], ranges: {} },
    ...{ default_sort: { sort_by: 'id', sort_order: 'asc' }, ...more },
  } as unknown as OwnTable;
}

/** Call it inside a `describe` whose tests set tables: the next test has none. */
export const useOwnTables = (): void => void afterEach(() => setOwnTables([]));
