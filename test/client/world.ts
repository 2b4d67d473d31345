/** A small store behind a real service, and clients of it. */
import { after, before } from 'mocha';
import type { Document } from 'mongodb';
import { type Client, type ClientOptions, createClient } from '../../clients/typescript/index.ts';
import {
  ADMIN,
  ANA,
  day,
  PEOPLE,
  project,
  schedule,
  task,
  uuid,
} from '../conformance/documents.ts';
import { put, type TestDatabase, useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

export const TASKS = 60;

/** Task 7 runs and has a log, as has task 8, which has ended; every third one is of project 1. */
function taskOf(n: number): Document {
  const own = n % 3 === 0 && { scope: 'project', project_id: uuid(1) };
  const status = n === 7 ? 'STARTED' : n % 4 === 0 ? 'SUCCESS' : 'FAILURE';
  return task(n, { ...own, status, worker: `worker-${n % 5}`, date_queued: day(n % 9) });
}

export interface World {
  readonly database: TestDatabase;
  readonly service: TestService;
  /** The admin's client. */
  readonly client: Client;
  /** The client of Ana, a member of project 1. */
  readonly member: Client;
  /** A client with other options; it has the admin's token unless they name one. */
  clientWith(options: Partial<ClientOptions>): Client;
  log(n: number, from: number, count: number): Promise<void>;
  /** Tasks that the service has while something is done, and has no more afterwards. */
  withTasks<T>(tasks: readonly Document[], during: () => T | Promise<T>): Promise<T>;
}

/** All of a stream. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const some: T[] = [];
  for await (const one of stream) some.push(one);
  return some;
}

/** Call it inside a `describe`; its members can be read in hooks and tests. */
export function useWorld(): World {
  const database = useDatabase();
  let service: TestService;
  const tokens: string[] = [];
  const clientWith: World['clientWith'] = (options) =>
    createClient({ baseUrl: service.url, token: tokens[ADMIN], ...options });
  const log: World['log'] = async (n, from, count) => {
    const lines = Array.from({ length: count }, (_, i) => ({
      ...{ task_id: uuid(n), seq: from + i, ts: day(1), level: 'info' },
      message: `line ${from + i}`,
    }));
    await database.db.collection('task_logs').insertMany(lines);
  };
  const untilFollowed = (total: number) =>
    until(async () => {
      const { meta } = await clientWith({})
        .table('adminTasks')
        .search({ pagination: { per_page: 1 } });
      return meta.pagination.total_items === total;
    }, `the service has not followed to ${total} tasks`);
  const withTasks: World['withTasks'] = async (tasks, during) => {
    const collection = database.db.collection('tasks');
    await collection.insertMany([...tasks]);
    try {
      await untilFollowed(TASKS + tasks.length);
      return await during();
    } finally {
      await collection.deleteMany({ _id: { $in: tasks.map(({ _id }) => _id) } });
      await untilFollowed(TASKS);
    }
  };

  before(async function start() {
    this.timeout(120_000);
    const store: Readonly<Record<string, readonly Document[]>> = {
      users: PEOPLE,
      projects: [project(1), project(2, { members: [] })],
      schedules: [
        schedule(1),
        schedule(2, { scope: 'project', project_id: uuid(1), task_args: { secret: 1 } }),
        schedule(3),
        schedule(4, { scope: 'project', project_id: uuid(1) }),
      ],
      tasks: Array.from({ length: TASKS }, (_, n) => taskOf(n + 1)),
    };
    await put(database.db, store);
    await log(7, 1, 5);
    await log(8, 1, 12);
    service = await startService(database.uri, database.name);
    for (const id of [ADMIN, ANA]) tokens[id] = await service.token(id, id === ADMIN);
  });
  after(() => service?.stop());

  return {
    database,
    clientWith,
    log,
    withTasks,
    get service() {
      return service;
    },
    get client() {
      return clientWith({});
    },
    get member() {
      return clientWith({ token: tokens[ANA] });
    },
  };
}
