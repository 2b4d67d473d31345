/**
 * Exports that cannot go on: the caller's right ends, the caller leaves, the store is killed. The
 * service cuts the stream before its end, and everything is given back.
 */
import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { MongoClient as Client } from 'mongodb';
import type { Embedded } from '../../src/dev/embedded/server.ts';
import { ADMIN, ANA, BO, PEOPLE, project, task, uuid } from '../conformance/documents.ts';
import { BOTH } from '../conformance/executors.ts';
import { put, useDatabase } from '../support/database.ts';
import { startTestMongod, testLog } from '../support/mongod.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** More than all buffers between store and client hold, read a megabyte at a time. */
const LARGE = 120;
const TEXT = 'x'.repeat(300_000);

const OWN = `/api/v2/projects/${uuid(1)}/tasks/search`;
const ALL = '/api/v2/admin/tasks/search';

async function fill(client: MongoClient, name: string): Promise<void> {
  const db = client.db(name);
  await db.collection('users').deleteMany({});
  await db.collection('projects').deleteMany({});
  await put(db, { users: PEOPLE, projects: [project(1)] });
  if ((await db.collection('tasks').estimatedDocumentCount()) === LARGE) return;
  const tasks = Array.from({ length: LARGE }, (_, n) =>
    task(n, { scope: 'project', project_id: uuid(1), args: { text: TEXT } }),
  );
  await db.collection('tasks').insertMany(tasks as never[]);
}

/** An export whose client has taken its beginning. */
async function begin({ url }: TestService, path: string, token: string, signal?: AbortSignal) {
  const answer = await fetch(`${url}${path}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      // Compressed, it would fit into the buffers.
      'accept-encoding': 'identity',
    },
    body: '{}',
    ...(signal && { signal }),
  });
  expect(answer.status).to.equal(200);
  const reader = answer.body!.getReader();
  await reader.read();
  return {
    /** Kept: an answer that nobody knows any more is given up by fetch. */
    answer,
    /** Takes the rest: `cut`, or how many lines there were after the beginning. */
    async rest(): Promise<number | 'cut'> {
      let lines = 0;
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return lines;
          for (let at = value.indexOf(10); at >= 0; at = value.indexOf(10, at + 1)) lines += 1;
        }
      } catch {
        return 'cut';
      }
    },
  };
}

const failures = ({ logLines }: TestService) =>
  logLines.filter((line) => line.includes('request failed'));

describe('exports that cannot go on', function exports() {
  this.timeout(60_000);
  const database = useDatabase();

  before(() => fill(database.client, database.name));

  for (const { name, settings, route } of BOTH) {
    describe(`(${name})`, () => {
      const collection = (of: string) => database.db.collection<{ _id: number }>(of);
      let service: TestService;
      let ana: string;
      let admin: string;

      before(async () => {
        service = await startService(database.uri, database.name, settings);
        ana = await service.token(ANA);
        admin = await service.token(ADMIN, true);
        await service.goesBy(route, '/api/v2/users/search', admin);
      });
      after(() => service.stop());
      afterEach(async () => {
        await fill(database.client, database.name);
        // A right that was taken away is refused until the index has seen its return.
        await until(async () => {
          const answers = [service.post(OWN, {}, ana), service.post(ALL, {}, admin)];
          // One that was begun may still be cut.
          const all = await Promise.all(answers).catch(() => undefined);
          return all?.every(({ status }) => status === 200);
        });
        service.logLines.length = 0;
      });

      for (const [what, change] of [
        [
          'membership',
          () => collection('projects').updateOne({ _id: 1 }, { $set: { members: [] } }),
        ],
        ['user', () => collection('users').updateOne({ _id: ANA }, { $set: { active: false } })],
        ['project', () => collection('projects').deleteOne({ _id: 1 })],
      ] as const) {
        it(`are cut when their ${what} is gone, and others go on`, async () => {
          const own = await begin(service, OWN, ana);
          const all = await begin(service, ALL, admin);
          await change();
          const changed = performance.now();
          const line = await until(() => failures(service)[0]);
          // The bound is a second; a busy machine has more, and nothing else ends it this soon.
          expect(performance.now() - changed).to.be.below(20_000);
          expect(line).to.include('You no longer have access to this.');
          expect(await own.rest()).to.equal('cut');
          // A row that was read before the change is as it was.
          expect(await all.rest())
            .to.be.a('number')
            .that.is.at.least(LARGE - 1);
          expect(failures(service)).to.have.length(1);
        });
      }

      it('are cut when their token ends', async () => {
        const all = await begin(service, ALL, await service.token(ADMIN, true, 3));
        const line = await until(() => failures(service)[0]);
        expect(line).to.include('The token has expired.');
        expect(await all.rest()).to.equal('cut');
      });

      it('give everything back when their client leaves', async () => {
        const leave = new AbortController();
        const opened = async () => {
          const { metrics } = await database.client.db('admin').command({ serverStatus: 1 });
          return Number(metrics.cursor.open.total);
        };
        const held = async () => {
          const all = [...(await service.figures())];
          const quotas = all.filter(([name]) => name.startsWith('quota_held{'));
          expect(quotas).to.have.length.above(5);
          return quotas.filter(([, n]) => n > 0).map(([name, n]) => `${name} ${n}`);
        };
        const before = await opened();
        await until(async () => (await held()).length === 0);
        // Kept, since an answer that nobody knows any more is given up.
        const both = [
          await begin(service, OWN, ana, leave.signal),
          await begin(service, OWN, ana, leave.signal),
        ];
        expect(await held()).to.include('quota_held{quota="exports"} 2');
        leave.abort();
        for (const one of both) expect(await one.rest()).to.equal('cut');
        await until(async () => (await held()).length === 0, 'something is still held');
        await until(async () => (await opened()) <= before, 'a cursor is still open');
        expect(failures(service)).to.be.empty;
      });
    });
  }

  it('are so many in all', async () => {
    const small = await startService(database.uri, database.name, {
      ...{ SEARCH_INDEX: 'off', maxExports: 2 },
    });
    try {
      const leave = new AbortController();
      const both = [
        await begin(small, OWN, await small.token(ANA), leave.signal),
        await begin(small, ALL, await small.token(ADMIN, true), leave.signal),
      ];
      const bo = await small.token(BO);
      const { status, body } = await small.post('/api/v2/users/search/export', {}, bo);
      expect([status, body.code]).to.deep.equal([503, 'Overloaded']);
      leave.abort();
      for (const one of both) expect(await one.rest()).to.equal('cut');
      await until(async () => {
        return (await small.post('/api/v2/projects/search/export', {}, bo)).status === 200;
      });
    } finally {
      await small.stop();
    }
  });
});

describe('exports over a store that is killed', function killed() {
  this.timeout(120_000);
  let mongod: Embedded;
  let service: TestService;
  let pid: unknown;

  before(async () => {
    mongod = await startTestMongod({ ...testLog, error: () => {} });
    // Gone before the store is: a client takes leave of a store, and looks for a lost one for 30 s.
    const client = await Client.connect(mongod.uri);
    await fill(client, 'killed');
    ({ pid } = await client.db('admin').command({ serverStatus: 1 }));
    await client.close();
    service = await startService(mongod.uri, 'killed');
  });
  after(async () => {
    await service.stop();
    await mongod.stop();
  });

  it('are cut before their end', async () => {
    const token = await service.token(ADMIN, true);
    const all = await begin(service, ALL, token);
    process.kill(Number(pid), 'SIGKILL');
    expect(await all.rest()).to.equal('cut');
    const failure = await until(() => failures(service)[0]);
    expect(failure).to.include('"code":"StoreUnavailable"');
  });
});
