/** Tasks and schedules with values that the driver throws at: they are changed, shown and removed as all others. */
import { expect } from 'chai';
import { BSONRegExp } from 'mongodb';
import { project, schedule, task, user, uuid } from '../../conformance/documents.ts';
import { insertBroken, replaceAll } from '../../follow/support/rawInsert.ts';
import { useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('documents that the driver throws at', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;
  const within = { scope: 'project', project_id: uuid(1) };
  const odd = { ...within, args: { text: 'caf~', rule: new BSONRegExp('(?i)a', 'x') } };

  before(async () => {
    const { client, db, name, uri } = database;
    await db.collection('users').insertOne(user(1) as never);
    await db.collection('projects').insertOne(project(1) as never);
    const insert = (collection: string, document: object) =>
      insertBroken(client, name, collection, document, (bytes) => {
        replaceAll(bytes, Buffer.from('~'), Buffer.of(0xff));
        replaceAll(bytes, Buffer.from('(?i)a\0x\0'), Buffer.from('(?i)a\0g\0'));
      });
    await insert('tasks', task(1, { ...odd, status: 'STARTED', worker: 'caf~' }));
    await insert('tasks', task(2, { scope: 'system', status: 'STARTED', worker: 'caf~' }));
    // No query finds this status, which is no text.
    await insert('tasks', task(3, { scope: 'system', status: 'odd~' }));
    await insert(
      'schedules',
      schedule(1, {
        ...within,
        enabled: true,
        task_args: { text: 'caf~', rule: new BSONRegExp('(?i)b', 'x') },
      }),
    );
    service = await startService(uri, name);
    token = await service.token(1, true);
  });
  after(() => service?.stop());

  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

  const ofProject = `/projects/${uuid(1)}`;

  it('have metadata, and are preserved', async () => {
    expect((await ask('GET', `${ofProject}/tasks/${uuid(1)}/metadata`)).status).to.equal(200);
    const preserve = { preserve: true };
    const { status, body } = await ask('PUT', `${ofProject}/tasks/${uuid(1)}/preserve`, preserve);
    expect({ ...body, code: status }).to.deep.include({
      code: 200,
      worker: 'caf\ufffd',
      preserve: true,
    });
  });

  it('are cancelled, and revoked by a clean-up', async () => {
    expect((await ask('POST', `/tasks/${uuid(1)}/cancel`)).status).to.equal(200);
    const { status, body } = await ask('POST', '/admin/tasks/cleanup');
    expect({ status, body }).to.deep.equal({
      status: 200,
      body: { revoked: 1, task_ids: [uuid(2)] },
    });
  });

  it('are switched off, and deleted', async () => {
    const path = `${ofProject}/schedules/${uuid(1)}`;
    const changed = await ask('PATCH', path, { enabled: false });
    expect({ ...changed.body, code: changed.status }).to.deep.include({
      code: 200,
      enabled: false,
    });
    expect((await ask('DELETE', path)).status).to.equal(204);
  });
});
