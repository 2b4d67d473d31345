/**
 * Operators and prototypes in search bodies: every filter of every search × the values of an
 * attacker. The schema refuses them all, before anything reaches the store.
 */
import { expect } from 'chai';
import * as views from '../../src/apps/admin/resources/views.ts';
import type { SearchView } from '../../src/tables/definition/view.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { PROJECT_A, storePeople } from './edge.ts';

const SEARCHES: Readonly<Record<string, SearchView>> = {
  '/api/v2/admin/schedules/search': views.adminSchedules,
  [`/api/v2/projects/${PROJECT_A}/schedules/search`]: views.projectSchedules,
  '/api/v2/admin/tasks/search': views.adminTasks,
  [`/api/v2/projects/${PROJECT_A}/tasks/search`]: views.projectTasks,
  '/api/v2/users/search': views.userSearch,
  '/api/v2/projects/search': views.ownProjects,
  '/api/v2/admin/projects/search': views.adminProjects,
  '/api/v2/admin/audit/search': views.auditSearch,
};

const OPERATORS = [
  '{"$ne":1}',
  '{"$gt":""}',
  '{"$where":"sleep(1000)"}',
  '{"$regex":".*"}',
  '[["a"]]',
  '[{"$ne":1}]',
];

describe('search bodies', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    await storePeople(database.db);
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await service.token(1, true);
  });
  after(() => service.stop());

  it('of every view there is are tried', () => {
    expect(Object.values(SEARCHES)).have.members(
      Object.values(views).filter((one) => typeof one === 'object'),
    );
  });

  for (const [path, view] of Object.entries(SEARCHES)) {
    it(`of ${view.name} take no operator in any member`, async () => {
      const bodies = OPERATORS.flatMap((value) => [
        ...view.filters.map((name) => [`/filters/${name}`, `{"filters":{"${name}":${value}}}`]),
        ['/pagination/page', `{"pagination":{"page":${value}}}`],
        ['/pagination/per_page', `{"pagination":{"per_page":${value}}}`],
        ['/sorting/sort_by', `{"sorting":{"sort_by":${value}}}`],
        ['/sorting/sort_order', `{"sorting":{"sort_order":${value}}}`],
        ['/filters', `{"filters":${value.startsWith('[') ? value : `[${value}]`}}`],
      ]);
      for (const [pointer, body] of bodies) {
        const answer = await service.post(path, body, token);
        expect(answer.status, body).equal(422);
        expect(answer.body.errors[0].pointer, body).match(new RegExp(`^${pointer}`));
      }
    });

    it(`of ${view.name} take no operator for a member`, async () => {
      for (const name of [
        '$where',
        '$or',
        '$expr',
        'task_args',
        'task_args.secret',
        'a.b',
        '',
        '/~',
      ]) {
        const body = JSON.stringify({ filters: { [name]: 'x' } });
        const answer = await service.post(path, body, token);
        expect(answer.status, body).equal(422);
        const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
        expect(answer.body.errors[0].pointer).equal(`/filters/${escaped}`);
      }
    });

    it(`of ${view.name} leave prototypes alone`, async () => {
      const texts = [
        '{"__proto__":{"filters":{}}}',
        '{"filters":{"__proto__":{"q":"x"}}}',
        '{"filters":{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1}}}',
        '{"constructor":{"prototype":{"polluted":1}}}',
        '{"filters":{"constructor":{"prototype":{"polluted":1}}}}',
        '{"filters":{"toString":"x"}}',
        '{"filters":{"hasOwnProperty":1}}',
      ];
      for (const text of texts) {
        const answer = await service.post(path, text, token);
        expect([400, 422], text).include(answer.status);
        expect(({} as Record<string, unknown>).polluted).equal(undefined);
        expect(({} as Record<string, unknown>).q).equal(undefined);
      }
    });
  }

  it('may have as many members as they like', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => `"x${n}":1`).join();
    for (const body of [`{"filters":{${many}}}`, `{${many}}`]) {
      const answer = await service.post('/api/v2/admin/tasks/search', body, token);
      expect(answer.status).equal(422);
      expect(answer.body.errors.length).within(1, 100);
      expect(JSON.stringify(answer.body).length).lessThan(100_000);
    }
  });

  it('leave none of their text in the log', async () => {
    const before = service.logLines.length;
    for (const path of Object.keys(SEARCHES)) {
      const search = (body: object) => service.post(`${path}?q=CANARY`, body, token);
      expect((await search({ filters: { q: 'CANARY' } })).status).equal(200);
      expect((await search({ filters: { CANARY: 'CANARY' } })).status).equal(422);
      expect((await service.post(`${path}?q=CANARY`, '{"CANARY"', token)).status).equal(400);
    }
    const lines = () => service.logLines.slice(before);
    const requests = () => lines().filter((line) => line.includes('"route":"/api/')).length;
    await until(() => requests() >= 3 * Object.keys(SEARCHES).length);
    expect(requests()).equal(3 * Object.keys(SEARCHES).length);
    expect(lines().join('')).not.include('CANARY');
  });
});
