/**
 * Searches while indexes and collections of the database come and go. The store refuses a snapshot
 * that is older than the last change of its catalogue; the search must not be refused for that.
 */
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { put, useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { ADMIN, PEOPLE, project, schedule, task, uuid } from './documents.ts';
import { EXECUTORS } from './executors.ts';

for (const executor of EXECUTORS) {
  describe(`searches during index builds (${executor.name})`, () => {
    const database = useDatabase();
    let service: TestService;

    before(async () => {
      const { db } = database;
      await put(db, { users: PEOPLE, projects: [project(1)] });
      const tasks = [1, 2, 3].map((n) => task(n, { scope: 'project', project_id: uuid(1) }));
      await db.collection('tasks').insertMany(tasks);
      service = await startService(database.uri, database.name, executor.settings);
    });
    after(() => service?.stop());

    it('answer every time', async () => {
      const token = await service.token(ADMIN, true);
      const body = { filters: { q: 'project 1', project_name: '1' } };
      let building = true;
      const rounds = async () => {
        for (let round = 0; round < 4; round++) {
          for (const name of ['tasks', 'projects', 'users']) {
            await database.db.collection(name).createIndex({ [`made_${round}`]: 1 });
          }
          await database.db.collection('users').dropIndex(`made_${round}_1`);
          await database.db.collection('schedules').drop();
          await database.db.collection('schedules').insertOne(schedule(1));
        }
      };
      const builds = rounds().finally(() => {
        building = false;
      });
      let answers = 0;
      try {
        while (building) {
          const { status, body: answer } = await service.post(
            '/api/v2/admin/tasks/search',
            body,
            token,
          );
          expect(status, JSON.stringify([answer, service.logLines.at(-2)])).to.equal(200);
          expect(answer.meta.pagination.total_items).to.equal(3);
          for (const path of ['/api/v2/admin/schedules/search', '/api/v2/users/search']) {
            const other = await service.post(path, {}, token);
            expect(other.status, JSON.stringify(other.body) + service.logLines.slice(-3)).to.equal(
              200,
            );
          }
          answers += 1;
        }
      } finally {
        await builds;
      }
      expect(answers).to.be.greaterThan(0);
    });
  });
}
