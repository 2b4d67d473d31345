/**
 * Every route × every kind of caller × own, foreign, missing and crossed: made from the route table.
 *
 * ```
 * caller          no token, deactivated, member of A, member of B, admin
 * target          things of A, of B, of nobody (missing), B's things on A's paths (crossed)
 * ```
 *
 * A caller's rights follow from the route's permission alone; a row has only the answer to an
 * allowed call. A route without a row fails the suite.
 */
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { PAGES } from '../../src/apps/admin/administration.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { Guard } from '../../src/serve/guard.ts';
import { type Route, UNKNOWN_PATH } from '../../src/serve/route.ts';
import { type RunningService, startService } from '../../src/service.ts';
import { createServices, type Services } from '../../src/services.ts';
import { openStore } from '../../src/store/client.ts';
import { StoreWatch } from '../../src/store/storeWatch.ts';
import { useDatabase } from '../support/database.ts';
import {
  bearer,
  MISSING,
  PEOPLE,
  type Person,
  PROJECT_A,
  PROJECT_B,
  SECRET,
  storePeople,
} from './edge.ts';

/** The answer to an allowed call, and the call's body. */
interface Row {
  readonly ok: number;
  readonly code?: string;
  readonly body?: object;
}

const SEARCH: Row = { ok: 200, body: {} };
const DELETED: Row = { ok: 204 };
const PATCHED: Row = { ok: 200, body: { enabled: false } };
const GIVEN: Row = { ok: 200 };

const SEARCHES = [
  'admin/audit',
  'admin/projects',
  'admin/schedules',
  'admin/tasks',
  'projects/:project_id/schedules',
  'projects/:project_id/tasks',
  'projects',
  'users',
].flatMap((of) =>
  ['', '/explore', '/explain', '/export'].map((way) => `/api/v2/${of}/search${way}`),
);
const ROWS: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(SEARCHES.map((path) => [`POST ${path}`, SEARCH])),
  'DELETE /api/v2/admin/schedules/:schedule_id': DELETED,
  'PATCH /api/v2/admin/schedules/:schedule_id': PATCHED,
  'DELETE /api/v2/admin/projects/:project_id/schedules/:schedule_id': DELETED,
  'PATCH /api/v2/admin/projects/:project_id/schedules/:schedule_id': PATCHED,
  'DELETE /api/v2/projects/:project_id/schedules/:schedule_id': DELETED,
  'PATCH /api/v2/projects/:project_id/schedules/:schedule_id': PATCHED,
  'POST /api/v2/admin/tasks/cleanup': GIVEN,
  'GET /api/v2/tasks/:task_id/snapshot/download': { ok: 404, code: 'SnapshotNotFound' },
  'GET /api/v2/projects/:project_id/tasks/:task_id/metadata': GIVEN,
  'PUT /api/v2/projects/:project_id/tasks/:task_id/preserve': { ok: 200, body: { preserve: true } },
  'POST /api/v2/tasks/:task_id/cancel': GIVEN,
  'GET /api/v2/tasks/routing-keys': GIVEN,
  'GET /api/v2/tasks/:task_id/logs': GIVEN,
  'GET /api/v2/projects/:project_id/tasks/:task_id/logs': GIVEN,
  'GET /api/v2/admin/tasks/:task_id/logs': GIVEN,
  'GET /api/v2/tables': GIVEN,
  'GET /api/v2/views': GIVEN,
  'POST /api/v2/views': { ok: 201, body: { table: 'tasks', name: 'All', address: '' } },
  'PATCH /api/v2/views/:view_id': { ok: 200, body: { name: 'Renamed' } },
  'DELETE /api/v2/views/:view_id': DELETED,
  'GET /openapi.json': GIVEN,
  'GET /docs': GIVEN,
  'GET /tables.schema.json': GIVEN,
  'GET /docs/start.js': GIVEN,
  'GET /docs/swagger-ui-bundle.js': GIVEN,
  'GET /docs/swagger-ui.css': GIVEN,
  ...Object.fromEntries(['/', ...PAGES, '/signed-in'].map((path) => [`GET ${path}`, GIVEN])),
  'GET /page/sign-in': GIVEN,
  // Programs that call an unknown path are told as ever; browsers get the page.
  [`GET ${UNKNOWN_PATH}`]: { ok: 404, code: 'NotFound' },
};

/** Files of the web UI have names that follow from their content. */
const rowOf = (route: Route): Row | undefined =>
  ROWS[nameOf(route)] ?? (route.path.startsWith('/assets/') ? GIVEN : undefined);

const id = (kind: string, n: number) => `${kind.repeat(8)}-0000-4000-8000-00000000000${n}`;

/** Path parameters, by the owner of the project, and of the schedule and the task. */
const TARGETS = {
  ofA: { project_id: PROJECT_A, schedule_id: id('5', 1), task_id: id('7', 1), view_id: id('9', 1) },
  ofB: { project_id: PROJECT_B, schedule_id: id('5', 2), task_id: id('7', 2), view_id: id('9', 2) },
  missing: { project_id: MISSING, schedule_id: MISSING, task_id: MISSING, view_id: MISSING },
  crossed: {
    project_id: PROJECT_A,
    schedule_id: id('5', 2),
    task_id: id('7', 2),
    view_id: id('9', 2),
  },
} as const;
type Target = keyof typeof TARGETS;

const CALLERS = ['nobody', 'deactivated', 'member', 'otherMember', 'admin'] as const;
type Caller = (typeof CALLERS)[number];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const namesThing = ({ path }: Route) => /:(schedule|task|view)_id/.test(path);

/** The contract's answer to this call: a status, and `NotFound` told apart from other 404s. */
function expected(route: Route, caller: Caller, target: Target): { status: number; code?: string } {
  const { ok, code } = rowOf(route)!;
  const allowed = code === undefined ? { status: ok } : { status: ok, code };
  const hidden = { status: 404, code: 'NotFound' };
  if (route.permission === 'public') return allowed;
  if (caller === 'nobody' || caller === 'deactivated') {
    return { status: 401, code: 'Unauthenticated' };
  }
  const { admin } = PEOPLE[caller as Person];
  if (route.permission === 'admin' && !admin) return { status: 403, code: 'Forbidden' };
  if (target === 'missing' && route.path.includes('_id')) return exists(route) ? hidden : allowed;
  if (target === 'crossed' && namesThing(route) && route.path.includes(':project_id'))
    return hidden;
  if (admin || (route.permission === 'user' && !namesThing(route))) return allowed;
  return caller === ownerOf(route, target) ? allowed : hidden;
}

/** Whether a thing that the path names has to be there; so for all routes but the pure lists. */
function exists(route: Route): boolean {
  return namesThing(route) || route.permission === 'path';
}

/**
 * The owner of the call's target: by the project in the path, or by the task's project without one.
 */
function ownerOf(route: Route, target: Target): Caller {
  if (target === 'crossed') return route.path.includes(':project_id') ? 'member' : 'otherMember';
  return target === 'ofA' ? 'member' : 'otherMember';
}

/** Without parameters the same path stands for each target. */
const targetsOf = ({ path }: Route) =>
  path.includes(':') ? (Object.keys(TARGETS) as Target[]) : (['ofA'] as const);

describe('permissions', () => {
  const database = useDatabase();
  let service: RunningService;
  let store: Db;
  let services: Services;
  /** All but those of tables from a file, which tables/routes.test.ts asks. */
  let routes: readonly Route[];
  let watch: StoreWatch;

  before(async () => {
    const config = readConfig({
      AUTH_JWT_SECRET: SECRET,
      PORT: '0',
      MONGODB_DB: database.name,
      SEARCH_INDEX: 'off',
    });
    const log = createLog('silent', { write: () => undefined });
    await storePeople(database.db);
    store = openStore({ uri: database.uri, dbName: database.name, maxSearches: 1 });
    watch = new StoreWatch(store.client, database.uri, log);
    const guard = new Guard(config);
    services = createServices({ config, db: store, watch, guard, rightsDb: store, log });
    routes = services.routes.filter(({ path }) => !path.includes(':table'));
    service = await startService({ config, uri: database.uri, log });
  });
  after(async () => {
    await service.stop();
    await services.close();
    await watch.stop();
    await store.client.close();
  });

  /** The things as they were, whatever the last call did to them. */
  async function restore(): Promise<void> {
    const schedules = database.db.collection<{ _id: string }>('schedules');
    const tasks = database.db.collection<{ _id: number }>('tasks');
    const views = database.db.collection<{ _id: string }>('views');
    await Promise.all([schedules, tasks, views].map((one) => one.deleteMany({})));
    const of = [TARGETS.ofA, TARGETS.ofB];
    await schedules.insertMany(
      of.map(({ schedule_id, project_id }) => ({
        _id: schedule_id,
        scope: 'project',
        project_id,
        enabled: true,
        task_args: {},
      })),
    );
    await tasks.insertMany(
      of.map(({ task_id, project_id }, n) => ({
        _id: n,
        task_id,
        scope: 'project',
        project_id,
        status: 'PENDING',
        preserve: false,
      })),
    );
    const owners = [PEOPLE.member.sub, PEOPLE.otherMember.sub];
    await views.insertMany(
      of.map(({ view_id, project_id }, n) => ({
        _id: view_id,
        audience: `project:${project_id}`,
        owner: owners[n],
        ...{ table: 'tasks', name: 'All', description: '', address: '', is_default: false },
        ...{ tc_creation: new Date(), tc_update: new Date() },
      })),
    );
  }

  async function call(route: Route, caller: Caller, target: Target) {
    const params: Record<string, string> = TARGETS[target];
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name]!);
    const { body } = rowOf(route)!;
    const answer = await fetch(service.url + path, {
      method: route.method,
      headers: {
        ...(caller === 'nobody' ? {} : await bearer(caller)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // Lines of records are no one value.
    const lines = answer.headers.get('content-type') === 'application/x-ndjson';
    const json = !lines && text.startsWith('{') ? JSON.parse(text) : {};
    const headers = [...answer.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
    return { status: answer.status, code: json.code, headers, body: { ...json, request_id: null } };
  }

  it('have a row for each route of the table', () => {
    const unknown = routes.filter((route) => rowOf(route) === undefined).map(nameOf);
    expect(unknown, 'routes without a row in this matrix').eql([]);
    expect(routes.length).at.least(7);
  });

  it('are declared by each route, and by the prefix of its path', () => {
    for (const route of routes) {
      // How a search is answered tells of all rows, wherever it stands.
      const admin = route.path.startsWith('/api/v2/admin/') || route.path.endsWith('/explain');
      const project = route.path.startsWith('/api/v2/projects/:project_id/');
      const task = route.path.startsWith('/api/v2/tasks/:task_id/');
      // Public routes are the reference and the web UI; no path of the contract is public.
      const open = !route.path.startsWith('/api/');
      const kind = admin ? 'admin' : project || task ? 'path' : open ? 'public' : 'user';
      expect(route.permission, nameOf(route)).equal(kind);
    }
  });

  for (const caller of CALLERS) {
    it(`of ${caller}`, async function matrix() {
      this.timeout(60_000);
      await restore();
      for (const route of routes) {
        for (const target of targetsOf(route)) {
          const { status, code } = await call(route, caller, target);
          const what = `${caller}: ${nameOf(route)}, ${target}`;
          const wanted = expected(route, caller, target);
          expect(status, what).equal(wanted.status);
          if (wanted.code !== undefined) expect(code, what).equal(wanted.code);
          // A call that is refused leaves things as they are: the next one finds them.
          const isChange = route.method !== 'GET' && !/\/search(\/\w+)?$/.test(route.path);
          if (isChange && status < 300) await restore();
        }
      }
    });
  }

  it('never tell foreign from missing', async function alike() {
    this.timeout(60_000);
    await restore();
    for (const route of services.routes.filter(({ path }) => path.includes('_id'))) {
      for (const [caller, foreign] of [
        ['member', 'ofB'],
        ['otherMember', 'ofA'],
        ['member', 'crossed'],
      ] as const) {
        if (expected(route, caller, foreign).status < 400) continue;
        const [one, other] = [
          await call(route, caller, foreign),
          await call(route, caller, 'missing'),
        ];
        expect(one, `${caller}: ${nameOf(route)}, ${foreign}`).eql(other);
      }
    }
  });
});
