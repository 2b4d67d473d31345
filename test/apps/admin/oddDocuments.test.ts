/** Tasks and schedules with values that the driver throws at: they are changed, shown and removed as all others. */
import { expect } from 'chai';
import { Binary, BSONRegExp, MinKey } from 'mongodb';
import { project, schedule, task, user, uuid } from '../../conformance/documents.ts';
import { insertBroken, replaceAll } from '../../follow/support/rawInsert.ts';
import { put, useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('documents that the driver throws at', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;
  const within = { scope: 'project', project_id: uuid(1) };
  const odd = { ...within, args: { text: 'caf~', rule: new BSONRegExp('(?i)a', 'x') } };

  const unread = () => ({
    folder: new Binary(Buffer.from('four'), Binary.SUBTYPE_BYTE_ARRAY),
    enabled: new BSONRegExp('(?i)a', 'x'),
  });

  before(async () => {
    const { client, db, name, uri } = database;
    await put(db, { users: [user(1)], projects: [project(1)] });
    const insert = (collection: string, document: object) =>
      insertBroken(client, name, collection, document, (bytes) => {
        replaceAll(bytes, Buffer.from('~'), Buffer.of(0xff));
        replaceAll(bytes, Buffer.from('(?i)a\0x\0'), Buffer.from('(?i)a\0g\0'));
        replaceAll(bytes, Buffer.from('_bsontypX'), Buffer.from('_bsontype'));
        // A second length that is wrong, of a binary of the old subtype 2.
        replaceAll(bytes, Buffer.from('\x04\0\0\0four'), Buffer.from('\x09\0\0\0five'));
      });
    await insert('tasks', task(1, { ...odd, status: 'STARTED', worker: 'caf~' }));
    await insert('tasks', task(2, { scope: 'system', status: 'STARTED', worker: 'caf~' }));
    // No query names these statuses and this id.
    await insert('tasks', task(3, { scope: 'system', status: 'odd~' }));
    await insert('tasks', task(4, { scope: 'system', status: new BSONRegExp('(?i)a', 'x') }));
    await insert('tasks', { ...task(5, { scope: 'system', status: 'STARTED' }), _id: 'id~' });
    await insert('tasks', task(6, { ...within, status: new BSONRegExp('(?i)a', 'x') }));
    await insert(
      'schedules',
      schedule(1, {
        ...within,
        enabled: true,
        task_args: { text: 'caf~', rule: new BSONRegExp('(?i)b', 'x') },
      }),
    );
    await insert('tasks', { ...task(8, { ...within, status: 'SUCCESS' }), _id: new MinKey() });
    const named = { _bsontypX: 'ObjectId' };
    await insert('tasks', {
      ...task(7, { scope: 'system', status: named, snapshot_file_id: named }),
      _id: named,
    });
    await insert('tasks', task(9, { scope: 'system', status: 'STARTED', task_id: named }));
    await insert('schedules', schedule(2, { ...within, ...unread(), task_args: unread() }));
    service = await startService(uri, name);
    token = await service.token(1, true);
  });
  after(() => service?.stop());

  const ask = (method: string, path: string, body?: object) =>
    service.ask(method, `/api/v2${path}`, { token, body });

  const ofProject = `/projects/${uuid(1)}`;

  it('have metadata, and are preserved', async () => {
    expect((await ask('GET', `${ofProject}/tasks/${uuid(1)}/metadata`)).status).to.equal(200);
    const preserve = { preserve: true };
    expect((await ask('GET', `/tasks/${uuid(7)}/snapshot/download`)).status).to.equal(404);
    const { status, body } = await ask('PUT', `${ofProject}/tasks/${uuid(1)}/preserve`, preserve);
    expect({ ...body, code: status }).to.deep.include({
      code: 200,
      worker: 'caf\ufffd',
      preserve: true,
    });
  });

  it('are not found by the id of a task that is missing', async () => {
    const { status } = await ask('GET', `${ofProject}/tasks/${uuid(99)}/metadata`);
    expect(status).to.equal(404);
  });

  it('are cancelled, and revoked by a clean-up', async () => {
    for (const n of [1, 6]) {
      expect((await ask('POST', `/tasks/${uuid(n)}/cancel`)).status).to.equal(200);
    }
    const { status, body } = await ask('POST', '/admin/tasks/cleanup');
    expect({ status, body: { ...body, task_ids: body.task_ids.toSorted() } }).to.deep.equal({
      status: 200,
      body: { revoked: 6, task_ids: [2, 3, 4, 5, 7].map(uuid) },
    });
    const running = { status: { $nin: ['REVOKED', 'SUCCESS'] } };
    expect(await database.db.collection('tasks').countDocuments(running)).to.equal(0);
  });

  it('are switched off, and deleted', async () => {
    const path = `${ofProject}/schedules/${uuid(1)}`;
    const changed = await ask('PATCH', path, { enabled: false });
    expect({ ...changed.body, code: changed.status }).to.deep.include({
      code: 200,
      enabled: false,
    });
    expect((await ask('DELETE', path)).status).to.equal(204);
    const other = `${ofProject}/schedules/${uuid(2)}`;
    expect((await ask('PATCH', other, { enabled: true })).status).to.equal(200);
    expect((await ask('DELETE', other)).status).to.equal(204);
    const { body } = await ask('POST', '/admin/audit/search', { filters: { q: uuid(2) } });
    expect(body.data.length, JSON.stringify(body)).to.be.greaterThan(0);
  });
});
