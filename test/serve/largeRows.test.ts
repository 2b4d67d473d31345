/**
 * Pages whose rows have megabytes: they are counted before they are read, come as the client takes
 * them, and all that is held for them is given back. Their answers are those of any page.
 */

import type { Socket } from 'node:net';
import { expect } from 'chai';
import { ADMIN, ANA, PEOPLE, project, task, uuid } from '../conformance/documents.ts';
import { EXECUTORS } from '../conformance/executors.ts';
import { put, useDatabase } from '../support/database.ts';
import { watch } from '../support/eventStream.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openSocket } from './rawSocket.ts';

const KB = 1_024;
const MB = 2 ** 20;
/** Sizes of the tasks, in the order of their ids; their texts take a little less. */
const SIZES = [2 * KB, 200 * KB, 8 * MB, 15 * KB, 18 * KB, 400 * KB, 700 * KB, 30, MB, 12 * MB];
/** Letters that JSON writes otherwise, and of several bytes, among plain ones, which are quicker to read. */
const SOME = `ab"\\\n\u0001é漢😀${'and plain letters, '.repeat(9)}`;
const TEXTS = SIZES.map((size) => SOME.repeat(Math.ceil((0.88 * size) / Buffer.byteLength(SOME))));

const ALL = '/api/v2/admin/tasks/search';
const OWN = `/api/v2/projects/${uuid(1)}/tasks/search`;
const BY_ID = { sorting: { sort_by: 'id', sort_order: 'asc' } };
/** Answers that nobody reads: more than may be unsent, for all callers together. */
const UNREAD = 12;
const UNSENT_MB = 16;

describe('pages of large rows', function large() {
  this.timeout(60_000);
  const database = useDatabase();

  const fill = async () => {
    const { db } = database;
    for (const name of ['users', 'projects', 'tasks']) await db.collection(name).deleteMany({});
    await put(db, { users: PEOPLE, projects: [project(1, { name: 'Larges' })] });
    const tasks = SIZES.map((_, n) =>
      task(n, { scope: 'project', project_id: uuid(1), traceback: TEXTS[n] }),
    );
    await db.collection('tasks').insertMany(tasks as never[]);
  };

  for (const { name, settings, route } of EXECUTORS) {
    describe(`by ${name}`, () => {
      let service: TestService;
      let ana: string;
      let admin: string;

      before(async () => {
        await fill();
        service = await startService(database.uri, database.name, {
          ...settings,
          REQUEST_MEMORY_BYTES: `${2 * UNSENT_MB}mb`,
          // While the store builds an index, rows cannot be read at a moment before it, and a pipeline answers.
          STORE_INDEXES: 'off',
        });
        ana = await service.token(ANA);
        admin = await service.token(ADMIN, true);
        await service.goesBy(route, ALL, admin);
      });
      after(() => service.stop());

      const held = async () => {
        const figures = await service.figures();
        return (quota: string) => figures.get(`quota_held{quota="${quota}"}`)!;
      };
      const released = () =>
        until(async () => {
          const all = [...(await service.figures())];
          return all.every(([name, n]) => n === 0 || !name.startsWith('quota_held{'));
        }, 'is still held');

      /** A socket that asks for all rows, and reads none. */
      const unread = async (): Promise<Socket> => {
        const head = `POST ${OWN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
        const socket = await openSocket(Number(new URL(service.url).port));
        socket.on('error', () => {});
        socket.pause();
        socket.write(`${head}Authorization: Bearer ${ana}\r\nContent-Length: 2\r\n\r\n{}`);
        return socket;
      };

      it('have every row whole, in its place, however large', async () => {
        for (const path of [ALL, `${ALL}/explore`, OWN]) {
          const { status, headers, body } = await service.post(path, BY_ID, admin);
          expect([status, headers.get('search-route')]).to.deep.equal([200, route]);
          expect(headers.get('content-length')).to.equal(null);
          expect(body.meta.pagination.total_items).to.equal(SIZES.length);
          expect(body.data).to.have.length(SIZES.length);
          for (const [n, row] of body.data.entries()) {
            expect([row.task_id, row.project_name]).to.deep.equal([uuid(n), 'Larges']);
            expect(row.traceback === TEXTS[n], `the text of ${n}`).to.equal(true);
          }
        }
        await released();
      });

      it('have the records that pages of one row have', async () => {
        const { body } = await service.post(ALL, BY_ID, admin);
        for (const n of SIZES.keys()) {
          const one = { ...BY_ID, pagination: { page: n + 1, per_page: 1 } };
          const { body: alone, headers } = await service.post(ALL, one, admin);
          // An answer of a megabyte at most comes with its length.
          expect(headers.get('content-length') === null).to.equal(SIZES[n]! > MB);
          expect(JSON.stringify(alone.data[0]) === JSON.stringify(body.data[n])).to.equal(true);
        }
      });

      it('show a change at once, of how large they are too', async () => {
        const tasks = database.db.collection<{ _id: number }>('tasks');
        const shown = async () => {
          const third = { ...BY_ID, pagination: { page: 3, per_page: 1 } };
          const { body } = await service.post(ALL, third, admin);
          return body.data[0].traceback as string;
        };
        await tasks.updateOne({ _id: 2 }, { $set: { traceback: 'short now' } });
        await until(async () => (await shown()) === 'short now');
        await tasks.updateOne({ _id: 2 }, { $set: { traceback: TEXTS[2] } });
        await until(async () => (await shown()) === TEXTS[2]);
      });

      it('are held in pieces where nobody reads them, and given back when they leave', async () => {
        const sockets = await Promise.all(Array.from({ length: UNREAD }, unread));
        let most = 0;
        await until(async () => {
          const now = await held();
          most = Math.max(most, now('answers'));
          return now('requests') === UNREAD && now('answers') > 0;
        });
        expect(most).to.be.at.most(UNSENT_MB * MB);
        // Others who ask for little are answered meanwhile.
        const { status } = await service.post('/api/v2/users/search', {}, admin);
        expect(status).to.equal(200);
        for (const socket of sockets) socket.destroy();
        await released();
      });

      it('are cut when the right of their caller ends', async () => {
        const socket = await unread();
        await until(async () => (await held())('answers') > 0);
        await database.db.collection('projects').updateOne({}, { $set: { members: [] } });
        try {
          await until(() =>
            service.logLines.some((line) => line.includes('You no longer have access')),
          );
          await released();
        } finally {
          socket.destroy();
          await fill();
        }
      });

      it('are watched whole up to some megabytes; larger ones are refused, and say so', async () => {
        const few = await watch(`${service.url}${ALL}/explore`, {
          body: { ...BY_ID, pagination: { per_page: 2 } },
          token: admin,
        });
        // The index may not have them all yet: they were stored again.
        const data = await until(() => few.answer?.data.data.length === 2 && few.answer.data);
        expect(data.data.map((row: { traceback: string }) => row.traceback)).to.deep.equal([
          TEXTS[0],
          TEXTS[1],
        ]);
        few.leave();
        const explored = () => service.post(`${ALL}/explore`, BY_ID, admin);
        const { status } = await until(async () => {
          const answer = await explored();
          return answer.body.data.length === SIZES.length && answer;
        });
        expect(status).to.equal(200);
        const asked = {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', authorization: `Bearer ${admin}` },
            accept: 'text/event-stream',
          },
          body: JSON.stringify(BY_ID),
        };
        // A connection that was idle for long may be closed just as it is used again.
        const ask = () => fetch(`${service.url}${ALL}/explore`, asked);
        const answer = await ask().catch(ask);
        const problem = (await answer.json()) as { errors: { pointer: string }[] };
        expect([answer.status, problem.errors[0]!.pointer]).to.deep.equal([
          422,
          '/pagination/per_page',
        ]);
        await released();
      });
    });
  }
});
