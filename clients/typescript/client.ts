/**
 * The client: everything that the service can be asked, with the types of its contract.
 *
 *     const client = createClient({ baseUrl: 'http://127.0.0.1:8080', token });
 *     const { data, meta } = await client.table('adminTasks').search({ filters: { q: 'backup' } });
 */
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  Connection,
  filled,
  keyInPath,
} from './connection.ts';
import type { Operations, Views } from './contract.ts';
import { call, type Given, type OperationId, Schedules } from './manage.ts';
import type { AnyRecord, OwnTable, OwnTables, OwnTypes } from './ownTables.ts';
import { Table, type ViewName } from './table.ts';
import { Tasks } from './tasks.ts';

export interface Client {
  /** A table: `client.table('users')`, `client.table('projectTasks', { project_id })`. */
  table<V extends ViewName>(name: V, ...path: PathOf<V>): Table<V>;
  /**
   * One of your own tables: `client.table<Order>('orders')`. `tables/` before the name tells one from the built-in
   * table of its name: `client.table('tables/users')`.
   */
  table<R = AnyRecord, N extends string = string>(name: NotBuiltIn<N>): Table<OwnTypes<R>>;
  /** Your own tables, as far as the caller may see them. */
  tables(options?: CallOptions): Promise<readonly OwnTable[]>;
  /**
   * A whole document of one of your own tables, as relaxed Extended JSON. Where its keys are mixed, quotes tell the text
   * "7" from the number: `client.document('parts', keyInPath(id, true))`.
   */
  document(table: string, id: string | number, options?: CallOptions): Promise<AnyRecord>;
  readonly schedules: Schedules;
  readonly tasks: Tasks;
  /** Any operation of `/api/v2` but searches and downloads, by its name in the reference: `client.call('cancelTask', { path: { task_id } })`. */
  call<O extends OperationId>(id: O, ...given: Given<O>): Promise<Operations[O]['answer']>;
  /** A GET of any path of the service, such as `/openapi.json` or `/readyz`, as JSON. */
  get<T>(path: string, options?: CallOptions): Promise<T>;
  /** Any other request, by its method and path. Reads are tried again, changes are not. */
  request<T>(request: AnyRequest): Promise<T>;
}

export type AnyRequest = Omit<Call, 'accept' | 'headers'>;

type NotBuiltIn<N extends string> = N extends ViewName ? never : N;

/** The project, where the path names one. */
type PathOf<V extends ViewName> = keyof Views[V]['path'] extends never
  ? []
  : [path: Views[V]['path']];

export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options);
  const get = async <T>(path: string, given: CallOptions = {}) =>
    (await connection.json<T>({ method: 'GET', path, isRead: true, ...given })).body;
  return {
    table: (name: string, path: Readonly<Record<string, string>> = {}) =>
      new Table<never>(connection, name, path),
    tables: async (given) => (await get<OwnTables>('/api/v2/tables', given)).data,
    document: (table, id, given) =>
      get(filled('/api/v2/tables/{table}/documents/{id}', { table, id: keyInPath(id) }), given),
    schedules: new Schedules(connection),
    tasks: new Tasks(connection),
    call: (id, ...given) => call(connection, id, ...given),
    get,
    request: async <T>(request: AnyRequest) => (await connection.json<T>(request)).body,
  };
}
