/**
 * How searches are answered, beside each of them: through each executor, held against the answers
 * themselves and against the documents.
 */
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { put, useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ADMIN, ANA, day, PEOPLE, project, schedule, task, uuid } from './documents.ts';
import { INDEX, PIPELINE, SCAN } from './executors.ts';

const TASKS = 60;
const VIEWS = [
  '/api/v2/admin/schedules/search',
  `/api/v2/projects/${uuid(1)}/schedules/search`,
  '/api/v2/admin/tasks/search',
  `/api/v2/projects/${uuid(1)}/tasks/search`,
  '/api/v2/users/search',
  '/api/v2/projects/search',
  '/api/v2/admin/projects/search',
  '/api/v2/admin/audit/search',
];
const ALL_TASKS = VIEWS[2]!;

/** Task n: every fourth succeeded, every third is of project 1, five workers. */
const tasks = Array.from({ length: TASKS }, (_, i) => {
  const n = i + 1;
  return task(n, {
    ...(n % 3 === 0 && { scope: 'project', project_id: uuid(1) }),
    status: n % 4 === 0 ? 'SUCCESS' : 'FAILURE',
    worker: `worker-${n % 5}`,
    date_queued: day(n % 9),
  });
});

/** Bodies of all tasks, and how many rows they have. */
const BODIES: readonly (readonly [name: string, body: object, total: number])[] = [
  ['everything', {}, TASKS],
  ['a text that nothing holds', { filters: { q: 'nowhere at all' } }, 0],
  ['a text anywhere', { filters: { q: 'succ' } }, 15],
  ['two filters', { filters: { q: 'worker-1', project_id: uuid(1) } }, 4],
  ["a project's name", { filters: { project_name: 'Project 1' } }, 20],
  ['a page past the end', { filters: { q: 'succ' }, pagination: { page: 9, per_page: 4 } }, 15],
  [
    'conditions and counts',
    {
      filters: { q: 'worker' },
      select: [{ field: 'status', in: ['SUCCESS'] }],
      facets: [{ field: 'status' }, { field: 'worker', limit: 2 }],
      histogram: { field: 'date_queued', interval: 'P1D' },
    },
    15,
  ],
];

for (const { name, settings, route } of [PIPELINE, INDEX]) {
  describe(`explained (${name})`, () => {
    const database = useDatabase();
    let service: TestService;
    let admin: string;

    before(async function start() {
      this.timeout(90_000);
      const store = {
        users: PEOPLE,
        projects: [project(1), project(2)],
        schedules: [schedule(1), schedule(2, { scope: 'project', project_id: uuid(1) })],
        tasks,
      };
      await put(database.db, store);
      service = await startService(database.uri, database.name, settings);
      admin = await service.token(ADMIN, true);
      for (const path of VIEWS) await service.goesBy(route, path, admin);
    });
    after(() => service?.stop());

    /** The explanation; it is asked for again while the other route steps in on a busy machine. */
    async function explained(path: string, body: object) {
      let answer = await service.post(`${path}/explain`, body, admin);
      await until(async () => {
        if (answer.status !== 200 || answer.body.route === route) return true;
        answer = await service.post(`${path}/explain`, body, admin);
        return false;
      }, `explains do not go by ${route}`);
      expect(answer.status, JSON.stringify(answer.body)).equal(200);
      expect(answer.headers.get('search-route')).equal(route);
      expect(answer.headers.get('search-as-of')).match(/^\d+\.\d+$/);
      expect(answer.headers.get('server-timing')).match(/^plan;dur=/);
      return answer.body;
    }

    for (const path of VIEWS) {
      it(`${path}: the rows found are those of the search`, async () => {
        const [one, search] = await Promise.all([
          explained(path, {}),
          service.post(path, {}, admin),
        ]);
        expect(one.total_items).equal(search.body.meta.pagination.total_items);
        expect(one.plan[0]).match(/where .+ by \w+ desc, page 1, rows a page: 10$/);
        expect(one.why).match(route === 'index' ? /index is live/ : /SEARCH_INDEX is off/);
        expect(one.index === null).equal(route === 'pipeline');
        expect(one.pipeline === null).equal(route === 'index');
      });
    }

    for (const [what, body, total] of BODIES) {
      it(`tasks: ${what}`, async () => {
        const { total_items, index, pipeline, plan } = await explained(ALL_TASKS, body);
        expect(total_items).equal(total);
        if (pipeline) {
          expect(pipeline).include({ collection: 'tasks' });
          expect(pipeline.stages.length).greaterThan(0);
          expect(pipeline.documents_examined).within(0, TASKS);
          expect(pipeline.scans_collection || pipeline.indexes.length > 0).equal(
            pipeline.documents_examined > 0,
          );
          return;
        }
        expect(index.rows).equal(TASKS);
        const { left } = index.steps.at(-1);
        // Conditions come after the search's own rows.
        const counted = 'select' in body;
        expect(left).equal(counted ? TASKS : total);
        const counts = counted ? 4 : 0;
        expect(index.counts.length).equal(counts);
        expect(plan.length).equal(counted ? 5 : 1);
      });
    }

    it('is for admins, on all paths', async () => {
      const [ana, nobody] = [await service.token(ANA), undefined];
      for (const path of VIEWS) {
        const refused = await service.post(`${path}/explain`, {}, ana);
        expect([refused.status, refused.body.code], path).eql([403, 'Forbidden']);
        const unknown = await service.post(`${path}/explain`, {}, nobody);
        expect(unknown.status, path).equal(401);
      }
    });

    it('refuses what the explore refuses, with its place', async () => {
      const body = { filters: { nope: 1 }, select: [{ field: 'worker', from: 1 }] };
      const { status, body: problem } = await service.post(`${ALL_TASKS}/explain`, body, admin);
      expect(status).equal(422);
      const places = problem.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(places).include('/filters/nope');
    });
  });
}

describe('explained, step by step', () => {
  const database = useDatabase();
  let service: TestService;
  let admin: string;
  before(async function start() {
    this.timeout(90_000);
    await put(database.db, { users: PEOPLE, tasks });
    service = await startService(database.uri, database.name);
    admin = await service.token(ADMIN, true);
  });
  after(() => service?.stop());

  const explain = async (body: object) =>
    (await service.post(`${ALL_TASKS}/explain`, body, admin)).body;

  it('says of each step the rows expected, found and left', async () => {
    // 20 tasks of the project, 12 of the worker, 4 of both.
    const body = { filters: { project_id: uuid(1), q: 'worker-1' } };
    await until(async () => (await explain(body)).route === 'index', 'the index is not live');
    const { plan, index } = await explain(body);
    expect(plan[0]).include('project_id = ').include('worker-1');
    const figures = index.steps.map(({ estimated, rows, left }: Record<string, number>) => ({
      ...{ estimated, rows, left },
    }));
    expect(figures).eql([
      { estimated: 12, rows: 12, left: 12 },
      { estimated: 20, rows: 20, left: 4 },
    ]);
    expect(index.steps[0].does).match(/^(list|bitmap).*12 rows: worker 1 value/);
    expect(index.estimated).equal(12);
  });

  it('says why the index does not answer', async () => {
    const more = Array.from({ length: 2_000 }, (_, i) => task(TASKS + 1 + i));
    await database.db.collection('tasks').insertMany(more);
    const settings = { SEARCH_MAX_BYTES: '1mb' };
    // A scan's table is too large for that, whatever an index would take.
    const { createTable } = SCAN;
    const bounded = await startService(database.uri, database.name, settings, createTable);
    try {
      const { route, index, pipeline } = await until(async () => {
        const { body } = await bounded.post(`${ALL_TASKS}/explain`, {}, admin);
        return /SEARCH_MAX_BYTES/.test(body.why) && body;
      }, 'the reason is not said');
      expect({ route, index }).eql({ route: 'pipeline', index: null });
      expect(pipeline.indexes).eql(['_id_']);
    } finally {
      await bounded.stop();
    }
  });
});
