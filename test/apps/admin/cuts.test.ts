/**
 * Connections that are cut at the worst moment: the server has done its work, and nobody hears of
 * it. The change happens once, its record is there once, and a caller who asks again is told how
 * things stand.
 */
import { request } from 'node:http';
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { cancel } from '../../../src/apps/admin/manage/tasks.ts';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { Changes } from '../../../src/apps/changes/changes.ts';
import { openStore } from '../../../src/store/client.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import { useDatabase } from '../../support/database.ts';
import { failCommand, failNone } from '../../support/failCommand.ts';
import { NetworkProxy } from '../../support/networkProxy.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ADMIN, type Any, scheduleDocument, taskDocument } from './scene.ts';

describe('changes whose connection is cut after they were applied', () => {
  const database = useDatabase();
  let network: NetworkProxy;
  let service: TestService;
  let token: string;
  let nextTask = 1;

  before(async () => {
    network = await NetworkProxy.to(database.uri);
    await database.db.collection<Any>('users').insertOne({ _id: ADMIN, active: true });
    service = await startService(network.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await service.token(ADMIN, true);
    await call('POST', '/api/v2/admin/tasks/search', {});
  });
  after(async () => {
    network.restore();
    await service.stop();
    await network.close();
  });

  const call = (method: string, path: string, body?: unknown) =>
    service.ask(method, path, { token, body });

  const storeTask = async () => {
    const task = taskDocument({ _id: nextTask++ });
    await database.db.collection<Any>('tasks').insertOne(task);
    return task;
  };
  const recordsOf = (target_id: string) =>
    database.db.collection<Any>('audit').find({ target_id }).toArray();

  for (const command of ['commitTransaction', 'insert', 'findAndModify']) {
    it(`to the store, once, in ${command}: no caller notices`, async () => {
      const { _id, task_id } = await storeTask();
      network.loseReplies(command);
      const first = await call('POST', `/api/v2/tasks/${task_id}/cancel`);
      expect(network.toLose, 'the reply was lost').equal(0);
      expect([first.status, first.body.status]).eql([200, 'REVOKED']);
      const again = await call('POST', `/api/v2/tasks/${task_id}/cancel`);
      expect([again.status, again.body.code]).eql([409, 'TaskNotCancellable']);
      const [record, ...more] = await recordsOf(task_id);
      expect(more).eql([]);
      const task = await database.db.collection<Any>('tasks').findOne({ _id });
      expect(record.after.date_done).eql(task.date_done);
    });
  }

  it('to the store, of a deletion: 204, and 404 after that', async () => {
    const schedule = scheduleDocument({});
    await database.db.collection<Any>('schedules').insertOne(schedule);
    network.loseReplies('commitTransaction', { times: 2 });
    const path = `/api/v2/admin/schedules/${schedule._id}`;
    expect((await call('DELETE', path)).status).equal(204);
    expect((await call('DELETE', path)).status).equal(404);
    expect(await recordsOf(schedule._id)).lengthOf(1);
  });

  it('to the client: the request goes on, and its repetition is told so', async () => {
    const { task_id } = await storeTask();
    const cancelled = database.client.db(database.name).collection<Any>('tasks');
    const sent = request(`${service.url}/api/v2/tasks/${task_id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    sent.on('error', () => undefined);
    sent.end();
    await until(async () => (await cancelled.countDocuments({ task_id, status: 'REVOKED' })) === 1);
    sent.destroy();
    const again = await call('POST', `/api/v2/tasks/${task_id}/cancel`);
    expect([again.status, again.body.code]).eql([409, 'TaskNotCancellable']);
    expect(await recordsOf(task_id)).lengthOf(1);
  });

  it('and whose store stays away: 503 within the limit, and the repetition converges', async () => {
    const { task_id } = await storeTask();
    const store = openStore({ uri: network.uri, dbName: database.name, maxSearches: 1 });
    const changes = changesOf(store);
    try {
      await store.command({ ping: 1 });
      network.loseReplies('commitTransaction', { thenCut: true });
      const started = performance.now();
      const failure = await cancel(changes, who(1_000), { taskId: task_id }).catch(
        (error) => error,
      );
      expect(failure).include({ code: 'StoreUnavailable', status: 503 });
      expect(performance.now() - started).lessThan(10_000);
      network.restore();
      const again = await until(() =>
        cancel(changes, who(5_000), { taskId: task_id }).catch(() => undefined),
      );
      expect(again).eql({ outcome: 'ended', status: 'REVOKED' });
      expect(await recordsOf(task_id)).lengthOf(1);
    } finally {
      network.restore();
      await store.client.close();
    }
  });

  it('by a server that stops before it commits: nothing happened, the repetition does it', async () => {
    const { _id, task_id } = await storeTask();
    const store = openStore({ uri: database.uri, dbName: database.name, maxSearches: 1 });
    try {
      // A new primary says NoSuchTransaction of a transaction that the old one had not committed.
      const failure = { failCommands: ['commitTransaction'], errorCode: 251 };
      await failCommand(database.client, { times: 2 }, failure);
      const end = await cancel(changesOf(store), who(10_000), { taskId: task_id });
      expect(end.outcome).equal('cancelled');
      const [record, ...more] = await recordsOf(task_id);
      expect(more).eql([]);
      const task = await database.db.collection<Any>('tasks').findOne({ _id });
      expect(record.after.date_done).eql(task.date_done);
    } finally {
      await failNone(database.client);
      await store.client.close();
    }
  });

  const who = (timeoutMs: number) => ({
    ...{ actor: String(ADMIN), requestId: 'cut', deadline: new Deadline(timeoutMs) },
  });

  const changesOf = (db: Db) =>
    new Changes({ db, resources: RESOURCES, written: { note: () => undefined } });
});
