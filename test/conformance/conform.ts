/**
 * The conformance suite: cases as data, run over HTTP against a real MongoDB, through each executor.
 *
 *     world (documents) ──► mongod ◄── service, settings of the executor
 *     case  {view, as, body} ── POST ──►  {ids, total, applied, …} | {status, code, pointers}
 *
 * The suite also checks each answer's headers, the arithmetic of its pagination and the members of
 * its envelope.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Document } from 'mongodb';
import { type TestDatabase, useDatabase } from '../support/database.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { ADMIN, PEOPLE } from './documents.ts';
import { BOTH, EXECUTORS, type ExecutorUnderTest } from './executors.ts';

export interface World {
  /** Replaces the `PEOPLE`; the callers must be among them. */
  readonly users?: readonly Document[];
  readonly projects?: readonly Document[];
  readonly schedules?: readonly Document[];
  readonly tasks?: readonly Document[];
  /** Settings of the service, such as `DB_ITEM_LIMIT`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Holds ids that an index cannot ask the store for: those pages go by the pipeline. */
  readonly anyRoute?: true;
}

export type ViewName =
  | 'admin schedules'
  | 'project schedules'
  | 'admin tasks'
  | 'project tasks'
  | 'users'
  | 'own projects'
  | 'admin projects';

export interface Case {
  readonly name: string;
  readonly view: ViewName;
  /** The project of the path, on the two views within a project. */
  readonly within?: string;
  /** The caller: the admin unless said; null sends no token. */
  readonly as?: 'admin' | number | null;
  /** JSON; a string is sent as it is. */
  readonly body: unknown;
  /** Asks the explore beside the search. */
  readonly explore?: true;
  /** Sorted by a field without a column: the pipeline answers, whatever the executor. */
  readonly byStore?: true;
  readonly expect: Hits | Refusal;
}

export interface Hits {
  /** The page's ids in order: `schedule_id`, `id`, or for projects the `identifier`. */
  readonly ids: readonly unknown[];
  /** The number of `ids` unless said. */
  readonly total?: number;
  readonly applied: Readonly<Record<string, unknown>>;
  /** The resource's default unless said. */
  readonly sorting?: { readonly sort_by: string; readonly sort_order: string };
  readonly pagination?: Readonly<Record<string, unknown>>;
  /** Members of the page's records, of each record in turn; the suite compares these alone. */
  readonly records?: readonly Readonly<Record<string, unknown>>[];
  /** Every member of every record, in order. */
  readonly members?: readonly string[];
  /** The counts of an explore, where it asks for any; `select` as the answer repeats it. */
  readonly select?: readonly unknown[];
  readonly facets?: readonly unknown[];
  readonly histogram?: unknown;
  readonly stats?: readonly unknown[];
  /** All sorts; `sorting` alone unless said. */
  readonly sorts?: readonly Readonly<Record<string, string>>[];
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The places that are named, in any order; none unless said. */
  readonly pointers?: readonly string[];
}

const PATHS: Readonly<Record<ViewName, (projectId: string) => string>> = {
  'admin schedules': () => '/api/v2/admin/schedules/search',
  'project schedules': (id) => `/api/v2/projects/${id}/schedules/search`,
  'admin tasks': () => '/api/v2/admin/tasks/search',
  'project tasks': (id) => `/api/v2/projects/${id}/tasks/search`,
  users: () => '/api/v2/users/search',
  'own projects': () => '/api/v2/projects/search',
  'admin projects': () => '/api/v2/admin/projects/search',
};

/** The member that names a record in `ids`, and the field of the sort, descending, by default. */
const DEFAULTS: Readonly<Record<ViewName, { readonly id: string; readonly sort: string }>> = {
  'admin schedules': { id: 'schedule_id', sort: 'schedule_id' },
  'project schedules': { id: 'schedule_id', sort: 'schedule_id' },
  'admin tasks': { id: 'id', sort: 'id' },
  'project tasks': { id: 'id', sort: 'id' },
  users: { id: 'id', sort: 'id' },
  'own projects': { id: 'identifier', sort: 'id' },
  'admin projects': { id: 'identifier', sort: 'id' },
};

/**
 * Runs the cases over the world through these executors. Cases that expect members of records also read rows
 * from the store, unless executors are given.
 */
export function conform(
  title: string,
  world: World,
  cases: readonly Case[],
  executors = cases.some(looksIntoRecords) ? EXECUTORS : BOTH,
): void {
  describe(title, () => {
    const database = useWorld(world);
    for (const executor of executors) {
      describe(executor.name, () => {
        const run = useService(world, database, executor);
        for (const one of cases) {
          it(`${one.view}: ${one.name}`, async () =>
            check(await run(one), one, world.anyRoute ? undefined : executor));
        }
      });
    }
  });
}

const looksIntoRecords = ({ expect }: Case): boolean => 'records' in expect || 'members' in expect;

/** The world in a database of its own: searches change nothing, so that one is enough for all executors. */
function useWorld({ users = PEOPLE, projects, schedules, tasks }: World): TestDatabase {
  const database = useDatabase();
  before(async function insert() {
    this.timeout(90_000);
    for (const [name, documents] of Object.entries({ users, projects, schedules, tasks })) {
      if (!documents?.length) continue;
      // The driver would replace an `_id` of null.
      await database.db.collection(name).insertMany([...documents], { forceServerObjectId: true });
    }
  });
  return database;
}

/** A service over the world that answers by the executor. */
function useService(
  world: World,
  database: TestDatabase,
  executor: ExecutorUnderTest,
): (one: Case) => Promise<TestAnswer> {
  let service: TestService;
  const tokens = new Map<number, string>();

  before(async function start() {
    this.timeout(90_000);
    const settings = { ...world.settings, ...executor.settings };
    service = await startService(database.uri, database.name, settings, executor.createTable);
    if (!world.anyRoute) await answersBy(executor, ask);
  });
  after(() => service?.stop());

  async function ask({ view, within = '', as = 'admin', body, explore }: Case) {
    const path = PATHS[view](within);
    return service.post(explore ? `${path}/explore` : path, body, await tokenOf(as));
  }

  /**
   * While the index catches up (database indexes are being made, the machine is busy) the pipeline may
   * step in, and the case is asked again. It must not for any other reason.
   */
  async function askExecutor(one: Case): Promise<TestAnswer> {
    for (const deadline = Date.now() + 30_000; ; await sleep(10)) {
      const answer = await ask(one);
      const route = answer.headers.get('search-route');
      const isRight = world.anyRoute || route === null || route === routeOf(one, executor);
      if (isRight || Date.now() > deadline) return answer;
      expect(await defectsOf(service), 'searches that the index left to the pipeline').eql([]);
    }
  }

  async function tokenOf(as: 'admin' | number | null): Promise<string | undefined> {
    if (as === null) return undefined;
    const id = as === 'admin' ? ADMIN : as;
    const token = tokens.get(id) ?? (await service.token(id, id === ADMIN));
    tokens.set(id, token);
    return token;
  }
  return askExecutor;
}

const routeOf = ({ byStore }: Case, { route }: ExecutorUnderTest) => (byStore ? 'pipeline' : route);

/** Reasons to leave a search to the pipeline that no state of an index explains. */
const DEFECT =
  /^table_search_index_left_total\{reason="(row_missing|rows_unreadable|failed)"\} [1-9].*$/gm;

async function defectsOf(service: TestService): Promise<readonly string[]> {
  const metrics = await fetch(`${service.url}/metrics`);
  expect(metrics.status).to.equal(200);
  return (await metrics.text()).match(DEFECT) ?? [];
}

/** Waits until the executor answers searches of every collection: an index loads first. */
async function answersBy(
  executor: ExecutorUnderTest,
  ask: (one: Case) => Promise<TestAnswer>,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (const view of ['users', 'own projects', 'admin schedules', 'admin tasks'] as const) {
    for (;;) {
      const probe = { name: 'probe', view, body: {}, expect: { ids: [], applied: {} } };
      const { status, headers } = await ask(probe);
      if (status === 200 && headers.get('search-route') === executor.route) break;
      if (Date.now() > deadline)
        throw new Error(`${view} do not go by ${executor.name}: ${status}`);
      await sleep(10);
    }
  }
}

function check(answer: TestAnswer, one: Case, executor: ExecutorUnderTest | undefined): void {
  const { headers } = answer;
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('x-request-id')).to.match(/^[\w.:-]{1,128}$/);
  if ('status' in one.expect) checkRefusal(answer, one.expect);
  else checkHits(answer, one, one.expect, executor);
}

function checkRefusal({ status, headers, body }: TestAnswer, refusal: Refusal): void {
  const places = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  const { code, pointers = [] } = refusal;
  expect({ status, code: body.code, pointers: [...new Set(places)].sort() }).to.deep.equal({
    status: refusal.status,
    code,
    pointers: [...pointers].sort(),
  });
  expect(headers.get('content-type')).to.match(/^application\/problem\+json/);
  expect(body).to.include({ status, request_id: headers.get('x-request-id') });
  expect(body).to.have.property('type').that.is.a('string');
  expect(body).to.have.property('title').that.is.a('string');
  expect(body).to.have.property('detail').that.is.a('string');
  expect(headers.get('search-route'), 'a refusal was not searched').to.equal(null);
}

function checkHits(
  { status, headers, body }: TestAnswer,
  one: Case,
  hits: Hits,
  executor: ExecutorUnderTest | undefined,
): void {
  expect(status, JSON.stringify(body)).to.equal(200);
  const { view, explore } = one;
  const { data, meta } = body;
  const shown = data.map((record: Document) => record[DEFAULTS[view].id]);
  const { total = hits.ids.length } = hits;
  expect({ ids: shown, total: meta.pagination.total_items }).to.deep.equal({
    ids: hits.ids,
    total,
  });
  expect(meta.applied_filters).to.deep.equal(hits.applied);
  const byDefault = { sort_by: DEFAULTS[view].sort, sort_order: 'desc' };
  const sorts = hits.sorts ?? [hits.sorting ?? byDefault];
  expect(meta.sorting).to.deep.equal(sorts[0]);
  if (hits.pagination) expect(meta.pagination).to.deep.include(hits.pagination);
  for (const [position, members] of (hits.records ?? []).entries()) {
    expect(pick(data[position], Object.keys(members))).to.deep.equal(members);
  }
  if (hits.members) {
    for (const record of data) expect(Object.keys(record)).to.deep.equal(hits.members);
  }
  if (executor) expect(headers.get('search-route')).to.equal(routeOf(one, executor));
  expect(headers.get('search-as-of')).to.match(/^\d+\.\d+$/);
  if (one.as === undefined || one.as === 'admin' || one.as === ADMIN) {
    expect(headers.get('server-timing')).to.match(/^plan;dur=[\d.]+, search;dur=/);
  } else expect(headers.get('server-timing'), 'durations tell of foreign rows').to.equal(null);
  expect(headers.get('content-type')).to.match(/^application\/json/);
  const counted = (['facets', 'histogram', 'stats'] as const).filter((name) => name in hits);
  for (const name of counted) expect(body[name]).to.deep.equal(hits[name]);
  expect(Object.keys(body)).to.have.members(['data', 'meta', ...counted]);
  expect(Object.keys(meta)).to.have.members([
    ...['pagination', 'sorting', 'applied_filters'],
    ...(explore ? ['applied_select', 'applied_sorting'] : []),
  ]);
  if (explore) expect(meta.applied_sorting).to.deep.equal(sorts);
  if (explore) expect(meta.applied_select).to.deep.equal(hits.select ?? []);
  checkPagination(meta.pagination, data.length);
}

/** Every answer's pagination agrees with itself and with the number of rows. */
function checkPagination(shown: Readonly<Record<string, number | null>>, rows: number): void {
  const { total_items: total, per_page: perPage, current_page: page } = shown;
  const pages = Math.ceil(total! / perPage!);
  expect(shown).to.deep.equal({
    total_items: total,
    total_pages: pages,
    current_page: page,
    per_page: perPage,
    next_page_num: page! < pages ? page! + 1 : null,
    prev_page_num: page! > 1 ? page! - 1 : null,
  });
  expect(page).to.be.within(1, Math.max(1, pages));
  expect(rows).to.equal(Math.max(0, Math.min(perPage!, total! - (page! - 1) * perPage!)));
}

/** The members, undefined where there is none: a left-out member is expected as undefined. */
const pick = (record: Document | undefined, members: readonly string[]) =>
  Object.fromEntries(members.map((member) => [member, record?.[member]]));
