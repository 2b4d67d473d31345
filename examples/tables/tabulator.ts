/**
 * Tabulator with remote rows:
 *
 *     new Tabulator('#tasks', {
 *       ...{ pagination: true, paginationMode: 'remote', sortMode: 'remote', filterMode: 'remote' },
 *       ajaxURL: 'rows', ajaxRequestFunc: tabulatorRows(client.table('adminTasks')),
 *     })
 */
import { type AnyTable, pageOf, type Value, type Wish } from './asked.ts';

/** What Tabulator hands to its `ajaxRequestFunc`. */
interface Params {
  readonly page?: number;
  readonly size?: number;
  readonly sort?: readonly { readonly field: string; readonly dir: 'asc' | 'desc' }[];
  readonly filter?: readonly Filter[];
}

interface Filter {
  readonly field: string;
  readonly type: string;
  readonly value: unknown;
}

export function tabulatorRows(table: AnyTable) {
  return async (_url: string, _config: unknown, params: Params) => {
    const { page = 1, size = 10, sort = [], filter = [] } = params;
    const [sorted] = sort;
    const { rows, total, pages } = await pageOf(table, {
      page,
      perPage: size,
      sort: sorted && { field: sorted.field, descending: sorted.dir === 'desc' },
      wishes: filter.map(wishOf),
    });
    return { data: rows, last_page: Math.max(1, pages), last_row: total };
  };
}

function wishOf({ field, type, value }: Filter): Wish {
  const one = value as Value;
  switch (type) {
    case 'like':
      return { field, contains: String(one) };
    case '=':
      return { field, in: [one] };
    case '!=':
      return { field, not_in: [one] };
    case 'in':
      return { field, in: value as readonly Value[] };
    case '>=':
      return { field, from: one as string | number };
    case '<':
      return { field, to: one as string | number };
  }
  throw new Error(`${field} cannot be filtered by ${type}; by like, =, !=, in, >= and < it can.`);
}
