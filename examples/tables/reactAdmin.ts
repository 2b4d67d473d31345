/**
 * A data provider of react-admin over the tables, for admins:
 *
 *     <Admin dataProvider={reactAdminProvider(client)}><Resource name="tasks" list={TaskList} /></Admin>
 *
 * A filter `q` is a text anywhere; others are texts to find in a field, or lists of its values.
 */
import type { Client } from '../../clients/typescript/index.ts';
import { pageOf, type Row, type Value, type Wish } from './asked.ts';
import { changed, removed, resourceOf } from './resources.ts';

type Id = string | number;

interface ListParams {
  readonly pagination?: { readonly page: number; readonly perPage: number };
  readonly sort?: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  // biome-ignore lint/suspicious/noExplicitAny: as react-admin has it
  readonly filter?: any;
}

const NOT_HERE = () => Promise.reject(new Error('Records are made by whoever writes the store.'));

// biome-ignore lint/suspicious/noExplicitAny: react-admin's records are of the type that is asked for
type Any = any;

export function reactAdminProvider(client: Client) {
  const of = (name: string) => resourceOf(client, name);
  const getOne = async (name: string, { id }: { readonly id: Id }): Promise<Any> => {
    const [data] = await of(name).named([id]);
    if (!data) throw new Error(`There is no ${id} in ${name}.`);
    return { data };
  };
  const getList = async (name: string, params: ListParams, more: readonly Wish[] = []) => {
    const { pagination = { page: 1, perPage: 25 }, sort, filter = {} } = params;
    const { table, identified } = of(name);
    const { q, ...others } = filter as Readonly<Record<string, unknown>>;
    const { rows, total } = await pageOf(table, {
      ...pagination,
      sort: sort && { field: sort.field, descending: sort.order === 'DESC' },
      q: q as string | undefined,
      wishes: [...more, ...Object.entries(others).map(wishOf)],
    });
    return { data: rows.map(identified) as Any[], total };
  };
  return {
    getList: (name: string, params: ListParams): Promise<Any> => getList(name, params),
    getOne,
    getMany: async (name: string, { ids }: { readonly ids: readonly Id[] }): Promise<Any> => ({
      data: await of(name).named(ids),
    }),
    getManyReference: (
      name: string,
      params: ListParams & { readonly target: string; readonly id: Id },
    ): Promise<Any> => getList(name, params, [{ field: params.target, in: [params.id] }]),
    async update(name: string, { id, data }: { readonly id: Id; readonly data: Any }) {
      await changed(client, name, String(id), data as Row);
      return await getOne(name, { id });
    },
    async delete(name: string, { id }: { readonly id: Id }): Promise<Any> {
      const before = await getOne(name, { id });
      await removed(client, name, String(id));
      return before;
    },
    async updateMany(name: string, { ids, data }: { readonly ids: Id[]; readonly data: Any }) {
      for (const id of ids) await changed(client, name, String(id), data as Row);
      return { data: ids };
    },
    async deleteMany(name: string, { ids }: { readonly ids: Id[] }) {
      for (const id of ids) await removed(client, name, String(id));
      return { data: ids };
    },
    create: NOT_HERE,
  };
}

const wishOf = ([field, value]: [string, unknown]): Wish =>
  typeof value === 'string'
    ? { field, contains: value }
    : { field, in: [value].flat() as readonly Value[] };
