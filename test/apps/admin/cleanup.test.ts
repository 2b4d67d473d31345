/** Revoking all that runs for the system: which tasks, how many, beside others, after a crash. */
import { expect } from 'chai';
import { NOT_ENDED } from '../../../src/apps/admin/manage/taskStatus.ts';
import { mintToken } from '../../../src/serve/auth/mint.ts';
import { serviceProcess } from '../../support/tableSearch.ts';
import { until } from '../../support/until.ts';
import { ADMIN, type Any, taskDocument, useScene } from './scene.ts';

const SECRET = 'the secret of the process that is killed, for tests only';

describe('cleanup', () => {
  const scene = useScene({ SEARCH_INDEX: 'off' });
  const tasks = () => scene.db.collection<Any>('tasks');
  const cleanup = () => scene.call('POST', '/api/v2/admin/tasks/cleanup');
  const recordsByTask = async () => {
    const records = await scene.audit({ action: 'task.cleanup' });
    return new Map(records.map((record) => [record.target_id, record]));
  };

  beforeEach(async () => {
    await Promise.all([tasks().deleteMany({}), scene.db.collection('audit').deleteMany({})]);
  });

  /** Stores `n` tasks of the system that run. */
  async function storeRunning(n: number, changes: (i: number) => object = () => ({})) {
    const documents = Array.from({ length: n }, (_, i) =>
      taskDocument({ _id: i, scope: 'system', project_id: null, ...changes(i) }),
    );
    await tasks().insertMany(documents);
    return documents;
  }

  it('revokes system and backup tasks that have not ended and are not preserved, no others', async () => {
    const documents: Any[] = [];
    const ended = new Set(['SUCCESS', 'FAILURE', 'REVOKED']);
    const statuses = ['PENDING', 'RECEIVED', 'STARTED', 'RETRY', ...ended, 'PROGRESS', null, 5];
    for (const scope of ['project', 'system', 'backup_infrastructure', 'mystery', null]) {
      for (const status of statuses) {
        for (const preserve of [true, false, null]) {
          documents.push(taskDocument({ _id: documents.length, scope, status, preserve }));
        }
      }
    }
    await tasks().insertMany(documents);
    const wanted = documents.filter(
      ({ scope, status, preserve }) =>
        ['system', 'backup_infrastructure'].includes(scope) &&
        !ended.has(status) &&
        preserve !== true,
    );
    const { status, body } = await cleanup();
    expect(status).equal(200);
    expect(body).eql({ revoked: wanted.length, task_ids: wanted.map(({ task_id }) => task_id) });

    const ids = new Set(wanted.map(({ _id }) => _id));
    const records = await recordsByTask();
    expect(records.size).equal(wanted.length);
    for (const now of await tasks().find().toArray()) {
      const before = documents[now._id];
      if (!ids.has(now._id)) expect(now).eql(before);
      else {
        expect(now).eql({ ...before, status: 'REVOKED', date_done: now.date_done });
        const record = records.get(now.task_id);
        expect(record.before).eql({ status: before.status, date_done: null });
        expect(record.after).eql({ status: 'REVOKED', date_done: now.date_done });
      }
    }
    expect((await cleanup()).body).eql({ revoked: 0, task_ids: [] });
  });

  it('revokes tasks without a status, and is not held up by a list of some', async () => {
    const [without, listed] = [1, 2].map((n) => taskDocument({ _id: n, scope: 'system' }));
    delete without!.status;
    await tasks().insertMany([without!, { ...listed!, status: ['STARTED', 'SUCCESS'] }]);
    const { status, body } = await cleanup();
    const revoked = { revoked: 1, task_ids: [without!.task_id] };
    expect({ status, body }).eql({ status: 200, body: revoked });
  });

  it('takes any body, and is for admins', async () => {
    const headers = { 'content-type': 'text/plain' };
    const asked = { headers, body: 'x' };
    expect((await scene.call('POST', '/api/v2/admin/tasks/cleanup', asked)).status).equal(200);
    const { status } = await scene.call('POST', '/api/v2/admin/tasks/cleanup', { as: 2 });
    expect(status).equal(403);
  });

  it('counts exactly over many batches, lists a thousand, whatever type ids have', async () => {
    const documents = await storeRunning(2_300, (i) => ({ _id: i % 10 === 0 ? `odd-${i}` : i }));
    const { body } = await cleanup();
    expect(body.revoked).equal(2_300);
    expect(body.task_ids).lengthOf(1_000);
    expect(new Set(body.task_ids).size).equal(1_000);
    expect(await tasks().countDocuments({ status: 'REVOKED' })).equal(2_300);
    const records = await scene.audit();
    expect(new Set(records.map(({ target_id }) => target_id)).size).equal(2_300);
    expect(records).lengthOf(documents.length);
    expect(new Set(records.map(({ request_id }) => request_id)).size).equal(1);
  });

  it('gets through beside workers that keep writing to the same tasks', async () => {
    await storeRunning(1_200);
    let writing = true;
    let finished = 0;
    const worker = async (from: number) => {
      for (let i = from; writing; i = (i + 7) % 1_200) {
        const end = i % 5 === 0 ? { status: 'SUCCESS', date_done: new Date() } : {};
        const { matchedCount } = await tasks().updateOne(
          { _id: i, ...NOT_ENDED },
          { $set: { datamimic_status: `step ${Date.now()}`, ...end } },
        );
        if (matchedCount === 1 && i % 5 === 0) finished += 1;
      }
    };
    const workers = [0, 300, 600, 900].map(worker);
    const { status, body } = await cleanup().finally(() => {
      writing = false;
    });
    await Promise.all(workers);
    expect(status).equal(200);
    expect(finished, 'workers ended some').greaterThan(0);
    expect(body.revoked).equal(1_200 - finished);
    expect(await tasks().countDocuments({ status: 'REVOKED' })).equal(body.revoked);
    expect(await scene.audit()).lengthOf(body.revoked);
  });

  it('asked for twice at once does everything once', async () => {
    await storeRunning(1_500);
    const answers = await Promise.all([cleanup(), cleanup(), cleanup()]);
    expect(answers.map(({ status }) => status)).eql([200, 200, 200]);
    const revoked = answers.reduce((sum, { body }) => sum + body.revoked, 0);
    expect(revoked).equal(1_500);
    expect((await recordsByTask()).size).equal(1_500);
    expect(await scene.audit()).lengthOf(1_500);
  });

  it('killed in the middle leaves whole batches done, and the next one does the rest', async function crash() {
    this.timeout(180_000);
    const other = serviceProcess({
      ...{ MONGODB_URI: scene.database.uri, MONGODB_DB: scene.database.name },
      ...{ AUTH_JWT_SECRET: SECRET, SEARCH_INDEX: 'off' },
    });
    try {
      const n = 6_000;
      await storeRunning(n);
      const { url } = await other.said('listening');
      const nobody = { authIssuer: undefined, authAudience: undefined };
      const token = await mintToken({ userId: ADMIN, admin: true, lifeS: 600 }, SECRET, nobody);
      let isAnswered = false;
      const asked = fetch(`${url}/api/v2/admin/tasks/cleanup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
        .then((answer) => answer.text())
        .catch(() => undefined)
        .finally(() => {
          isAnswered = true;
        });
      const isBegun = async () => (await tasks().countDocuments({ status: 'REVOKED' })) > 0;
      await until(async () => isAnswered || (await isBegun()));
      other.child.kill('SIGKILL');
      await scene.endTransactions();
      expect(await asked, 'it was killed before it could answer').equal(undefined);

      const before = await tasks().countDocuments({ status: 'REVOKED' });
      expect(before).greaterThan(0).lessThan(n);
      expect(await scene.audit(), 'tasks and records go together').lengthOf(before);
      const { status, body } = await cleanup();
      expect([status, body.revoked]).eql([200, n - before]);
      expect(await tasks().countDocuments({ status: 'REVOKED' })).equal(n);
      expect((await recordsByTask()).size).equal(n);
      expect(await scene.audit()).lengthOf(n);
    } finally {
      other.child.kill('SIGKILL');
      await scene.endTransactions();
    }
  });
});
