/** Single tasks: cancel, preserve, metadata; and the list of routing keys. */
import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type CommandStartedEvent, GridFSBucket, Timestamp } from 'mongodb';
import { buildIndexes } from '../../../src/apps/admin/databaseIndexes.ts';
import { LogCounts } from '../../../src/apps/admin/logs/logCounts.ts';
import { DEFAULT_TASK_TYPES } from '../../../src/apps/admin/resources/taskTypes.ts';
import { ADMIN, type Any, HARBOUR, LIBRARIAN, LIBRARY, SAILOR, useScene } from './scene.ts';

describe('tasks, managed', () => {
  const scene = useScene();
  const cancel = (id: string, as = ADMIN) =>
    scene.call('POST', `/api/v2/tasks/${id}/cancel`, { as });
  const preserve = (id: string, value: unknown, as = SAILOR, project = HARBOUR) =>
    scene.call('PUT', `/api/v2/projects/${project}/tasks/${id}/preserve`, {
      as,
      body: { preserve: value },
    });
  const metadata = (id: string, as = SAILOR, project = HARBOUR) =>
    scene.call('GET', `/api/v2/projects/${project}/tasks/${id}/metadata`, { as });
  const stored = (_id: number) => scene.db.collection<Any>('tasks').findOne({ _id });
  const searched = async (task_id: string) => {
    const body = { filters: { task_id } };
    return (await scene.call('POST', '/api/v2/admin/tasks/search', { body })).body.data[0];
  };

  for (const status of ['PENDING', 'RECEIVED', 'STARTED', 'RETRY', 'PROGRESS', null, 7]) {
    it(`of status ${status} are cancelled, once`, async () => {
      const { _id, task_id } = await scene.task({ status });
      const before = Date.now();
      const first = await cancel(task_id, SAILOR);
      expect(first.status).equal(200);
      expect(first.body).include({ status: 'REVOKED', project_name: 'Harbour Atlas' });
      expect(Date.parse(first.body.date_done)).within(before, Date.now());
      expect(first.body).eql(await searched(task_id));
      const second = await cancel(task_id, SAILOR);
      expect([second.status, second.body.code]).eql([409, 'TaskNotCancellable']);
      const now = await stored(_id);
      expect(now.date_done.toISOString()).equal(first.body.date_done);
      const [record, ...more] = await scene.audit({ target_id: task_id });
      expect(more).eql([]);
      expect(record).include({ action: 'task.cancel', target_type: 'task', actor: '2' });
      expect(record.before).eql({ status, date_done: null });
      expect(record.after).eql({ status: 'REVOKED', date_done: now.date_done });
    });
  }

  it('have no earlier end in the record where JavaScript has no date for it', async () => {
    const far = { $set: { date_done: { $add: [new Date(8.64e15), 1] } } };
    const cancelled = await scene.task({ status: 'STARTED' });
    const cleaned = await scene.task({ status: 'STARTED', scope: 'system', project_id: null });
    for (const { _id } of [cancelled, cleaned]) {
      await scene.db.collection('tasks').updateOne({ _id: _id as never }, [far]);
    }
    expect((await cancel(cancelled.task_id)).status).equal(200);
    expect((await scene.call('POST', '/api/v2/admin/tasks/cleanup')).body.revoked).equal(1);
    for (const { task_id } of [cancelled, cleaned]) {
      const [record] = await scene.audit({ target_id: task_id });
      expect(record.before).eql({ status: 'STARTED', date_done: null });
    }
  });

  for (const status of ['SUCCESS', 'FAILURE', 'REVOKED', ['STARTED', 'SUCCESS']]) {
    it(`of status ${status} have ended: 409, nothing written`, async () => {
      const task = await scene.task({ status, date_done: new Date('2026-11-16T07:00:00Z') });
      const { status: code, body } = await cancel(task.task_id);
      expect([code, body.code]).eql([409, 'TaskNotCancellable']);
      expect(await stored(task._id)).eql(task);
      expect(await scene.audit({ target_id: task.task_id })).eql([]);
    });
  }

  it('take a cancellation with any body, which is not read', async () => {
    const { task_id } = await scene.task();
    const headers = { 'content-type': 'text/csv' };
    const path = `/api/v2/tasks/${task_id}/cancel`;
    expect((await scene.call('POST', path, { headers, body: '{' })).status).equal(200);
  });

  it('are cancelled by members of their project, and for the system by admins', async () => {
    const own = await scene.task();
    const system = await scene.task({ scope: 'system', project_id: null });
    const backup = await scene.task({ scope: 'backup_infrastructure', project_id: HARBOUR });
    expect((await cancel(own.task_id, LIBRARIAN)).status).equal(404);
    expect((await cancel(system.task_id, SAILOR)).status).equal(404);
    expect((await cancel(backup.task_id, SAILOR)).status).equal(404);
    expect((await cancel(randomUUID())).status).equal(404);
    expect((await cancel(system.task_id)).status).equal(200);
    expect((await cancel(backup.task_id)).status).equal(200);
    expect((await stored(own._id)).status).equal('STARTED');
  });

  it('with one task_id: the one with the lowest _id counts, for permission and action', async () => {
    const task_id = randomUUID();
    const upper = await scene.task({ _id: 900_002, task_id, project_id: HARBOUR });
    const lower = await scene.task({ _id: 900_001, task_id, project_id: LIBRARY });
    expect((await cancel(task_id, SAILOR)).status).equal(404);
    expect((await preserve(task_id, true)).status).equal(404);
    expect((await metadata(task_id)).status).equal(404);
    expect((await preserve(task_id, true, LIBRARIAN, LIBRARY)).body.id).equal(lower._id);
    expect((await cancel(task_id, LIBRARIAN)).body.id).equal(lower._id);
    // The lower one has ended now; that does not make the upper one the task of this path.
    expect((await cancel(task_id, LIBRARIAN)).status).equal(409);
    expect(await stored(upper._id)).eql(upper);
  });

  it('are preserved and released, and answered as a search shows them', async () => {
    const { _id, task_id } = await scene.task({ status: 'SUCCESS' });
    const kept = await preserve(task_id, true);
    expect([kept.status, kept.body.preserve]).eql([200, true]);
    expect(kept.body).eql(await searched(task_id));
    expect((await preserve(task_id, true)).body).eql(kept.body);
    expect((await preserve(task_id, false)).body.preserve).equal(false);
    expect((await stored(_id)).preserve).equal(false);
    const records = await scene.audit({ target_id: task_id });
    expect(records.map(({ action, before, after }) => ({ action, before, after }))).eql([
      { action: 'task.preserve', before: { preserve: false }, after: { preserve: true } },
      { action: 'task.unpreserve', before: { preserve: true }, after: { preserve: false } },
    ]);
  });

  it('of another project, or of the system, are not there to preserve or to look at', async () => {
    const own = await scene.task();
    const system = await scene.task({ scope: 'system', project_id: HARBOUR });
    for (const [id, as, project] of [
      [own.task_id, LIBRARIAN, LIBRARY],
      [own.task_id, ADMIN, LIBRARY],
      [system.task_id, SAILOR, HARBOUR],
      [randomUUID(), SAILOR, HARBOUR],
    ] as const) {
      expect((await preserve(id, true, as, project)).status).equal(404);
      expect((await metadata(id, as, project)).status).equal(404);
    }
    expect((await stored(own._id)).preserve).equal(false);
  });

  it('are found without the indexes too, and those that are not there are not', async () => {
    const { task_id } = await scene.task();
    await scene.db.collection('tasks').dropIndexes();
    expect((await preserve(task_id, true)).body.preserve).equal(true);
    expect(await scene.audit({ target_id: task_id })).length(1);
    expect((await preserve(randomUUID(), true)).status).equal(404);
    await buildIndexes(scene.db);
    expect((await preserve(task_id, false)).body.preserve).equal(false);
    expect((await preserve(randomUUID(), true)).status).equal(404);
  });

  it('take {preserve: boolean} and nothing else', async () => {
    const { task_id } = await scene.task();
    for (const value of ['true', 1, null, undefined, {}]) {
      const { status, body } = await preserve(task_id, value);
      expect([status, body.errors[0].pointer]).eql([422, '/preserve']);
    }
  });

  it('tell their metadata: dates, artifacts, snapshot, lines of log', async () => {
    const bucket = new GridFSBucket(scene.db, { bucketName: 'snapshots' });
    const upload = bucket.openUploadStream('Harbour "Atlas" – 1.json', {
      metadata: { content_type: 'application/json' },
    });
    upload.end('{"gulls": 12}');
    await new Promise((resolve) => upload.once('finish', resolve));
    const made = new Date('2026-11-16T06:10:00Z');
    const { task_id } = await scene.task({
      status: 'SUCCESS',
      date_done: new Date('2026-11-16T06:11:52.340Z'),
      artifacts: [{ name: 'a.csv', size: 12, content_type: 'text/csv', created_at: made }],
      snapshot_file_id: upload.id,
    });
    await scene.db
      .collection<Any>('task_logs')
      .insertMany([1, 5, 9].map((seq) => ({ task_id, seq, level: 'INFO', message: 'x' })));
    expect((await metadata(task_id)).body).eql({
      task_id,
      status: 'SUCCESS',
      name: 'service.tasks.generate_data',
      routing_key: 'Generate data',
      dates: {
        date_queued: '2026-11-16T06:00:00.000Z',
        date_started: '2026-11-16T06:00:03.000Z',
        date_done: '2026-11-16T06:11:52.340Z',
        eta: null,
      },
      artifacts: [
        { name: 'a.csv', size: 12, content_type: 'text/csv', created_at: made.toISOString() },
      ],
      snapshot: {
        file_name: 'Harbour "Atlas" – 1.json',
        size: 13,
        content_type: 'application/json',
      },
      log_lines: 3,
    });
  });

  it('have their lines counted not before the latest moment of all who share the count', async () => {
    const client = new (scene.database.client.constructor as Any)(scene.database.uri, {
      monitorCommands: true,
    });
    const asked: Any[] = [];
    client.on('commandStarted', ({ command, commandName }: CommandStartedEvent) => {
      if (commandName === 'aggregate') asked.push(command.readConcern);
    });
    try {
      const counts = new LogCounts(client.db(scene.database.name));
      const inTurn = <T>(read: () => Promise<T>) => immediate().then(read);
      const at = (t: number) => new Timestamp({ t, i: 1 });
      const moments = [at(2), at(3), undefined, at(1)];
      const all = moments.map((moment) => counts.of('none', inTurn, moment));
      expect(await Promise.all(all)).eql([0, 0, 0, 0]);
      expect(asked).eql([{ level: 'majority', afterClusterTime: moments[1] }]);
    } finally {
      await client.close();
    }
  });

  it('tell metadata of dirty records too', async () => {
    const task_id = randomUUID();
    const dirty = { task_id, scope: 'project', project_id: HARBOUR };
    await scene.db.collection<Any>('tasks').insertMany([
      { ...dirty, _id: 910_000, status: 3, routing_key: 'odd.key', artifacts: 'none' },
      { ...dirty, _id: 910_001, task_id: HARBOUR, snapshot_file_id: { $gt: '' } },
    ]);
    const first = await metadata(task_id);
    expect(first.body).include({ status: null, name: null, routing_key: 'odd.key', log_lines: 0 });
    expect(first.body).deep.include({ artifacts: [], snapshot: null });
    expect((await metadata(HARBOUR)).body.snapshot).equal(null);
  });

  it('go by routing keys that any user may list', async () => {
    const { status, body } = await scene.call('GET', '/api/v2/tasks/routing-keys', { as: SAILOR });
    expect(status).equal(200);
    expect(body.data).lengthOf(DEFAULT_TASK_TYPES.length);
    expect(body.data[0]).eql({
      routing_key: 'service.system_backup',
      task_type: 'system_backup',
      task_name: 'service.tasks.system_backup',
      label: 'System backup',
      scopes: ['backup_infrastructure', 'system'],
    });
    const keys = body.data.map((type: Any) => type.routing_key);
    const search = { filters: { routing_keys: keys } };
    const found = await scene.call('POST', '/api/v2/admin/tasks/search', { body: search });
    expect(found.status).equal(200);
  });
});
