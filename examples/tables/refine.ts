/**
 * A data provider of Refine over the tables, for admins: `<Refine dataProvider={refineProvider(client,
 * url)} …>`.
 *
 * Operators: `contains`, `eq`, `ne`, `in`, `nin`, `gte`, `lt`, `between`, `null`; a filter on `q` is a
 * text anywhere.
 */
import type { Client } from '../../clients/typescript/index.ts';
import { pageOf, type Row, type Value, type Wish } from './asked.ts';
import { changed, removed, resourceOf } from './resources.ts';

type Id = string | number;

interface Filter {
  readonly field?: string;
  readonly operator: string;
  readonly value?: unknown;
}

interface ListParams {
  readonly resource: string;
  readonly pagination?: { readonly currentPage?: number; readonly pageSize?: number };
  readonly sorters?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  /** Refine's filters of `and` and `or` have no field. */
  readonly filters?: readonly Filter[];
}

// biome-ignore lint/suspicious/noExplicitAny: Refine's records are of the type that is asked for
type Any = any;

const NOT_HERE = () => Promise.reject(new Error('Records are made by whoever writes the store.'));

/** @param url where the service is, for hooks that ask for it */
export function refineProvider(client: Client, url: string) {
  const getMany = async (params: { readonly resource: string; readonly ids: readonly Id[] }) => {
    const data = await resourceOf(client, params.resource).named(params.ids);
    return { data: data as Any[] };
  };
  const getOne = async ({ resource, id }: { readonly resource: string; readonly id: Id }) => {
    const { data } = await getMany({ resource, ids: [id] });
    if (data.length === 0) throw new Error(`There is no ${id} in ${resource}.`);
    return { data: data[0] as Any };
  };
  return {
    getApiUrl: () => url,
    async getList({ resource, pagination = {}, sorters = [], filters = [] }: ListParams) {
      const { table, identified } = resourceOf(client, resource);
      const { currentPage: page = 1, pageSize: perPage = 10 } = pagination;
      const [sorter] = sorters;
      const isText = ({ field }: Filter) => field === 'q';
      const { rows, total } = await pageOf(table, {
        ...{ page, perPage },
        sort: sorter && { field: sorter.field, descending: sorter.order === 'desc' },
        q: filters.find(isText)?.value as string | undefined,
        wishes: filters.filter((one) => !isText(one)).map(wishOf),
      });
      return { data: rows.map(identified) as Any[], total };
    },
    getOne,
    getMany,
    async update({ resource, id, variables }: { resource: string; id: Id; variables: Any }) {
      await changed(client, resource, String(id), variables as Row);
      return await getOne({ resource, id });
    },
    async deleteOne({ resource, id }: { resource: string; id: Id }) {
      const before = await getOne({ resource, id });
      await removed(client, resource, String(id));
      return before;
    },
    create: NOT_HERE,
  };
}

function wishOf({ field = '', operator, value }: Filter): Wish {
  const one = value as Value;
  const many = value as readonly Value[];
  switch (operator) {
    case 'contains':
      return { field, contains: String(one) };
    case 'eq':
      return { field, in: [one] };
    case 'ne':
      return { field, not_in: [one] };
    case 'in':
      return { field, in: many };
    case 'nin':
      return { field, not_in: many };
    case 'null':
      return { field, in: [null] };
    case 'gte':
      return { field, from: one as string | number };
    case 'lt':
      return { field, to: one as string | number };
    case 'between':
      return { field, from: many[0] as string | number, to: many[1] as string | number };
  }
  throw new Error(`${field || 'A filter'} cannot be asked by ${operator}.`);
}
