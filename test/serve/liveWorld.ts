/**
 * A small store, a service over it, and watchers: the common part of suites of watched explores.
 */
import { afterEach, beforeEach } from 'mocha';
import type { Collection, Document } from 'mongodb';
import { ADMIN, ANA, BO, PEOPLE, project, schedule, task, uuid } from '../conformance/documents.ts';
import { put, type TestDatabase, useDatabase } from '../support/database.ts';
import { type Watching, watch } from '../support/eventStream.ts';
import { startService, type TestService } from '../support/service.ts';
import type { TestSettings } from '../support/settings.ts';

export const ADMIN_TASKS = '/api/v2/admin/tasks/search';
export const USERS = '/api/v2/users/search';
export const TASKS_OF = (n: number) => `/api/v2/projects/${uuid(n)}/tasks/search`;
const LIMITS = { MAX_WATCHES_PER_USER: '500' };

/** Tasks there are, from 1 on. */
export const TASKS = 60;

const FOLDERS = ['in', 'out', 'Ablage'];
const STATUS = ['PENDING', 'SUCCESS', 'FAILURE'];

/** A task that is another one every turn: its project, or two of them, its state, its folder, its date. */
export function taskOf(n: number, turn = 0): Document {
  const own = n % 3 > 0;
  const [one, other] = [0, 1].map((further) => uuid(1 + ((n + turn + further) % 3)));
  return task(n, {
    ...(own && { scope: 'project', project_id: n % 10 === 1 ? [one, other] : one }),
    user_email: n % 2 === 0 ? 'ana@mail.test' : null,
    status: STATUS[(n + turn) % 3],
    folder: FOLDERS[(n * turn) % 3],
    date_queued: new Date(Date.UTC(2026, 0, 1 + ((n * 7 + turn) % 40))),
  });
}

export interface LiveWorld {
  readonly database: TestDatabase;
  readonly service: TestService;
  /** The tokens, by user. */
  readonly tokens: string[];
  /** Starts the service; `uri` is the store's, where that is not the database's own. */
  start(settings?: TestSettings, uri?: string): Promise<void>;
  /** The same, and waits for the index. */
  startLive(settings?: TestSettings, uri?: string): Promise<void>;
  collection(name: string): Collection<Document & { _id: number }>;
  /** The watcher is the administrator where no token is given. */
  watch(path: string, body: unknown, token?: string): Promise<Watching>;
  explore(path: string, body: unknown, token?: string): Promise<Document>;
  /** Units that callers hold of a quota. */
  held(quota: string): Promise<number>;
  /** A figure of `/metrics`. */
  figure(name: string): Promise<number>;
}

/** Call it inside a `describe`. The store is as it was before each test. */
export function useLiveWorld(): LiveWorld {
  const database = useDatabase();
  const open: Watching[] = [];
  let service: TestService | undefined;
  let tokens: string[] = [];

  beforeEach(async () => {
    const store: Readonly<Record<string, readonly Document[]>> = {
      users: PEOPLE,
      projects: [1, 2, 3].map((n) => project(n)),
      schedules: [schedule(1)],
      tasks: Array.from({ length: TASKS }, (_, n) => taskOf(n + 1)),
    };
    for (const name of Object.keys(store)) await database.db.collection(name).deleteMany({});
    await put(database.db, store);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.leave();
    await service?.stop();
    service = undefined;
  });

  const world: LiveWorld = {
    database,
    get service() {
      return service!;
    },
    get tokens() {
      return tokens;
    },
    async start(settings = {}, uri = database.uri) {
      service = await startService(uri, database.name, { ...LIMITS, ...settings });
      tokens = [];
      for (const id of [ADMIN, ANA, BO]) tokens[id] = await service.token(id, id === ADMIN);
    },
    async startLive(settings, uri) {
      await world.start(settings, uri);
      await service!.goesBy('index', `${ADMIN_TASKS}/explore`, tokens[ADMIN]!);
    },
    collection: (name) => database.db.collection(name),
    async watch(path, body, token = tokens[ADMIN]!) {
      const one = await watch(`${service!.url}${path}/explore`, { body, token });
      open.push(one);
      return one;
    },
    explore: async (path, body, token = tokens[ADMIN]!) =>
      (await service!.post(`${path}/explore`, body, token)).body,
    held: (quota) => world.figure(`quota_held{quota="${quota}"}`),
    figure: async (name) => Number((await service!.figures()).get(name)),
  };
  return world;
}
