/**
 * Documents as large as the store takes: joined documents have no room inside them, and together
 * may be larger than one document. Index and pipeline answer, and answer the same.
 */
import { expect } from 'chai';
import { BSON, type Document } from 'mongodb';
import { project, schedule, task, user, uuid } from '../../conformance/documents.ts';
import { put, useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const LIMIT = 16 * 2 ** 20;
const MEMBERS = 1_200;
/** Together more than one document holds. */
const NAME = 'n'.repeat(15_000);

/** The document with so much more that it just fits. */
const full = (document: Document): Document => ({
  ...document,
  filler: 'f'.repeat(LIMIT - BSON.calculateObjectSize(document) - 64),
});

const PATHS = {
  projects: '/api/v2/admin/projects/search',
  schedules: '/api/v2/admin/schedules/search',
  tasks: '/api/v2/admin/tasks/search',
} as const;

describe('documents near 16 MB', function large() {
  this.timeout(60_000);
  const database = useDatabase();
  const services: TestService[] = [];

  before(async () => {
    const { db } = database;
    const ids = Array.from({ length: MEMBERS }, (_, n) => n + 1);
    const users = ids.map((id) => user(id, { first_name: NAME }));
    await db.collection('users').insertMany(users as never[]);
    const members = ids.map((user_id) => ({ user_id, role: 'member' }));
    const large = full(project(1, { members, name: 'p'.repeat(100_000) }));
    await db.collection('projects').insertOne(large as never);
    const within = { scope: 'project', project_id: uuid(1) };
    await put(db, { tasks: [full(task(1, within))], schedules: [full(schedule(1, within))] });
    for (const SEARCH_INDEX of ['off', 'on']) {
      const env = { SEARCH_INDEX, QUERY_TIMEOUT_MS: '30000' };
      services.push(await startService(database.uri, database.name, env));
    }
  });
  after(async () => {
    for (const service of services) await service.stop();
  });

  for (const [name, path] of Object.entries(PATHS)) {
    it(`${name}: both answer, and the same`, async () => {
      const [byPipeline, byIndex] = await Promise.all(
        services.map((service, n) =>
          until(
            async () => {
              const answer = await service.post(path, {}, await service.token(1, true));
              expect(answer.status, JSON.stringify(answer.body.detail)).equal(200);
              return answer.headers.get('search-route') === (n ? 'index' : 'pipeline') && answer;
            },
            'the index is not live',
            40_000,
          ),
        ),
      );
      expect(byPipeline!.body.data).length(1);
      expect(JSON.stringify(byIndex!.body) === JSON.stringify(byPipeline!.body)).equal(true);
      if (name === 'projects') expect(byIndex!.body.data[0].users).length(MEMBERS);
    });
  }

  it('a change of one returns its record', async () => {
    const [service] = services;
    const path = `/api/v2/admin/schedules/${uuid(1)}`;
    const token = await service!.token(1, true);
    const { status, body } = await service!.ask('PATCH', path, { token, body: { enabled: false } });
    expect({ status, enabled: body.enabled }).eql({ status: 200, enabled: false });
    expect(body.project_name).length(100_000);
  });
});
