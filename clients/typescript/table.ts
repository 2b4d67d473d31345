/** One of the service's tables, at its path: search, explore, watch, export. */

import {
  type AnswerInfo,
  type Call,
  type CallOptions,
  type Connection,
  filled,
} from './connection.ts';
import { type Explained, VIEWS, type ViewDescription, type Views } from './contract.ts';
import { type ExportedFile, type ExportedRows, fileOf, rowsOf } from './export.ts';
import type { FollowOptions } from './following.ts';
import { type WatchEvent, watch } from './watch.ts';

export type ViewName = keyof Views;

/** An answer with what its headers say. */
export type Answer<T> = T & { readonly info: AnswerInfo };

/** What some columns of a record come to; all of it where none are named. */
type Columns<V extends ViewName> = NonNullable<Views[V]['export']['columns']>[number];
type Row<V extends ViewName, C> = [C] extends [never]
  ? Views[V]['record']
  : Pick<Views[V]['record'], C & keyof Views[V]['record']>;

/** What a facet is asked by: a field's name, or more. */
type FacetRequest<V extends ViewName> = NonNullable<Views[V]['explore']['facets']>[number];
type FacetField<V extends ViewName> = FacetRequest<V>['field'];

export class Table<V extends ViewName> {
  readonly name: V;
  /** What can be asked here, as data. */
  readonly description: ViewDescription;
  /** Where the search stands. */
  readonly path: string;
  readonly #connection: Connection;

  constructor(connection: Connection, name: V, path: Readonly<Record<string, string>>) {
    this.#connection = connection;
    this.name = name;
    this.description = VIEWS[name];
    this.path = filled(this.description.path, path);
  }

  /** One page. */
  async search(
    body: Views[V]['search'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Views[V]['answer']>> {
    return await this.#answer(this.path, body, options);
  }

  /**
   * Page after page, from the one asked for. Each shows its own moment: where rows come and go
   * meanwhile, some may show twice or not at all. `export` shows all rows of one moment.
   */
  async *pages(
    body: Views[V]['search'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Answer<Views[V]['answer']>, void, void> {
    let page = body.pagination?.page;
    for (;;) {
      const answer = await this.search(
        { ...body, pagination: { ...body.pagination, page } },
        options,
      );
      yield answer;
      const next = answer.meta.pagination.next_page_num;
      if (next === null) return;
      page = next;
    }
  }

  /** One page with conditions, counts by value and counts by time, all of one moment. */
  async explore(
    body: Views[V]['explore'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Views[V]['explored']>> {
    return await this.#answer(`${this.path}/explore`, body, options);
  }

  /** How a search, or an explore, is answered: by which steps, and why so. For admins. */
  async explain(
    body: Views[V]['explore'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Explained>> {
    return await this.#answer(`${this.path}/explain`, body, options);
  }

  /** Counts by value alone, in the order asked for. */
  async facets(
    facets: readonly (FacetField<V> | FacetRequest<V>)[],
    body?: Omit<Views[V]['explore'], 'facets' | 'pagination'>,
    options: CallOptions = {},
  ): Promise<NonNullable<Views[V]['explored']['facets']>> {
    const asked = facets.map((one) => (typeof one === 'string' ? { field: one } : one));
    const all = { ...body, facets: asked, pagination: { per_page: 1 } } as Views[V]['explore'];
    return (await this.explore(all, options)).facets ?? [];
  }

  /** An explore whose answers go on coming, whenever they have changed. See following.ts. */
  watch(
    body: Views[V]['explore'] = {},
    { reconnect, silenceMs, onReached, ...options }: FollowOptions & CallOptions = {},
  ): AsyncGenerator<WatchEvent<Views[V]['explored']>, void, void> {
    const request = { method: 'POST', path: `${this.path}/explore`, body, ...options };
    return watch(this.#connection, request, { reconnect, silenceMs, onReached });
  }

  /** All rows of one moment, one by one. */
  async export<const C extends Columns<V> = never>(
    body?: Omit<Views[V]['export'], 'columns'> & { readonly columns?: readonly C[] | undefined },
    options: CallOptions = {},
  ): Promise<ExportedRows<Row<V, C>>> {
    const response = await this.#export(body ?? {}, 'application/x-ndjson', options);
    return rowsOf(response, this.#connection.signalOf(options));
  }

  /** All rows of one moment, as the bytes of a file. */
  async exportFile(
    body: Views[V]['export'] = {},
    { format = 'csv', ...options }: CallOptions & { readonly format?: 'csv' | 'ndjson' } = {},
  ): Promise<ExportedFile> {
    const accept = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return fileOf(await this.#export(body, accept, options));
  }

  async #answer<T>(path: string, body: unknown, options: CallOptions): Promise<Answer<T>> {
    const call: Call = { method: 'POST', path, body, isRead: true, ...options };
    const answer = await this.#connection.json<T>(call);
    return { ...answer.body, info: answer.info };
  }

  #export(body: unknown, accept: string, options: CallOptions): Promise<Response> {
    const path = `${this.path}/export`;
    return this.#connection.send({ method: 'POST', path, body, accept, isRead: true, ...options });
  }
}
