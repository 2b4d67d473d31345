/** One of the service's tables, built in or your own, at its path: search, explore, watch, export. */

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
import type { OwnTypes, ViewTypes } from './ownTables.ts';
import { type WatchEvent, watch } from './watch.ts';

export type ViewName = keyof Views;

/** An answer with the values of its headers. */
export type Answer<T> = T & { readonly info: AnswerInfo };

/** Where tables of your own stand. */
const OWN_PATH = '/api/v2/tables/{table}/search';

/** A built-in table by its name, or the types of one of your own. */
export type AnyView = ViewName | ViewTypes;
type Types<V extends AnyView> = V extends ViewName ? Views[V] : V extends ViewTypes ? V : never;

/** Columns of a record; a row has the named ones, and the whole record where none are named. */
type Columns<V extends AnyView> = NonNullable<Types<V>['export']['columns']>[number];
type Row<V extends AnyView, C> = [C] extends [never]
  ? Types<V>['record']
  : Pick<Types<V>['record'], C & keyof Types<V>['record']>;

/** The request for a facet: a field's name, or more. */
type FacetRequest<V extends AnyView> = NonNullable<Types<V>['explore']['facets']>[number];
type FacetField<V extends AnyView> = FacetRequest<V>['field'];

export class Table<V extends AnyView> {
  readonly name: V extends ViewName ? V : string;
  /** The searches that a built-in table takes, as data; `client.tables()` has them for your own. */
  readonly description: V extends ViewName ? ViewDescription : undefined;
  /** Where the search stands. */
  readonly path: string;
  readonly #connection: Connection;

  constructor(connection: Connection, name: string, path: Readonly<Record<string, string>>) {
    this.#connection = connection;
    const known = Object.hasOwn(VIEWS, name) ? VIEWS[name as ViewName] : undefined;
    const table = name.replace(/^tables\//, '');
    this.name = table as this['name'];
    this.description = known as this['description'];
    this.path = filled(known?.path ?? OWN_PATH, known ? path : { table });
  }

  /** One page. */
  async search(
    body: Types<V>['search'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Types<V>['answer']>> {
    return await this.#answer(this.path, body, options);
  }

  /**
   * Page after page, from the one asked for. Each shows its own moment: where rows come and go
   * meanwhile, some may show twice or not at all. `export` shows all rows of one moment.
   */
  async *pages(
    body: Types<V>['search'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Answer<Types<V>['answer']>, void, void> {
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
    body: Types<V>['explore'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Types<V>['explored']>> {
    return await this.#answer(`${this.path}/explore`, body, options);
  }

  /** How a search, or an explore, is answered: by which steps, and why so. For admins. */
  async explain(
    body: Types<V>['explore'] = {},
    options: CallOptions = {},
  ): Promise<Answer<Explained>> {
    return await this.#answer(`${this.path}/explain`, body, options);
  }

  /** Counts by value alone, in the order asked for. */
  async facets(
    facets: readonly (FacetField<V> | FacetRequest<V>)[],
    body?: Omit<Types<V>['explore'], 'facets' | 'pagination'>,
    options: CallOptions = {},
  ): Promise<NonNullable<Types<V>['explored']['facets']>> {
    const asked = facets.map((one) => (typeof one === 'string' ? { field: one } : one));
    const all = { ...body, facets: asked, pagination: { per_page: 1 } } as Types<V>['explore'];
    return (await this.explore(all, options)).facets ?? [];
  }

  /** An explore whose answers go on coming, whenever they have changed. See following.ts. */
  watch(
    body: Types<V>['explore'] = {},
    { reconnect, silenceMs, onOpen, onReached, ...options }: FollowOptions & CallOptions = {},
  ): AsyncGenerator<WatchEvent<Types<V>['explored']>, void, void> {
    const request = { method: 'POST', path: `${this.path}/explore`, body, ...options };
    return watch(this.#connection, request, { reconnect, silenceMs, onOpen, onReached });
  }

  /** All rows of one moment, one by one. */
  async export<const C extends Columns<V> = never>(
    body?: Omit<Types<V>['export'], 'columns'> & { readonly columns?: readonly C[] | undefined },
    options: CallOptions = {},
  ): Promise<ExportedRows<Row<V, C>>> {
    const response = await this.#export(body ?? {}, 'application/x-ndjson', options);
    return rowsOf(response, this.#connection.signalOf(options));
  }

  /** All rows of one moment, as the bytes of a file. */
  async exportFile(
    body: Types<V>['export'] = {},
    { format = 'csv', ...options }: CallOptions & { readonly format?: 'csv' | 'ndjson' } = {},
  ): Promise<ExportedFile> {
    const accept = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    const response = await this.#export(body, accept, options);
    return fileOf(response, this.#connection.signalOf(options));
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

/** An answer of any table's explore. */
export type AnyAnswer = OwnTypes['explored'];

type Known = Table<OwnTypes>;

/** A table that is chosen while the program runs: it takes any body, which the service checks. */
export type AnyTable = {
  readonly [M in keyof Known]: Known[M] extends (body: never, ...more: infer More) => infer Answered
    ? (body: object, ...more: More) => Answered
    : Known[M];
};
