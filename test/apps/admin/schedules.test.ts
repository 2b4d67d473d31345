/** Deleting a schedule and switching it on or off, on its three paths. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { buildIndexes } from '../../../src/apps/admin/databaseIndexes.ts';
import { type Any, CANARY, HARBOUR, LIBRARIAN, LIBRARY, SAILOR, useScene } from './scene.ts';

describe('schedules, managed', () => {
  const scene = useScene();
  const admin = (id: string) => `/api/v2/admin/schedules/${id}`;
  const adminProject = (id: string, project = HARBOUR) =>
    `/api/v2/admin/projects/${project}/schedules/${id}`;
  const project = (id: string, of = HARBOUR) => `/api/v2/projects/${of}/schedules/${id}`;

  const stored = (id: string) => scene.db.collection<Any>('schedules').findOne({ _id: id });
  const recordsOf = (id: string) => scene.audit({ target_id: id });
  const searched = async (id: string) => {
    const body = { filters: { schedule_id: id } };
    return (await scene.call('POST', '/api/v2/admin/schedules/search', { body })).body.data[0];
  };

  for (const [name, path, as] of [
    ['the admin path', admin, 1],
    ["the admin's project path", adminProject, 1],
    ['the project path', project, SAILOR],
  ] as const) {
    it(`are deleted on ${name}, once`, async () => {
      const { _id } = await scene.schedule();
      const gone = await scene.call('DELETE', path(_id), { as });
      expect([gone.status, gone.text]).eql([204, '']);
      expect(await stored(_id)).equal(null);
      expect(await searched(_id)).equal(undefined);
      expect((await scene.call('DELETE', path(_id), { as })).status).equal(404);
      const [record, ...more] = await recordsOf(_id);
      expect(more).eql([]);
      expect(record).include({ action: 'schedule.delete', actor: String(as), after: null });
      expect(record.request_id).equal(gone.headers.get('x-request-id'));
      expect(record.before).include({ schedule_id: _id, crontab: '0 6 * * *', enabled: true });
    });

    it(`are switched on ${name}, and answered as a search shows them`, async () => {
      const { _id } = await scene.schedule();
      const off = await scene.call('PATCH', path(_id), { as, body: { enabled: false } });
      expect(off.status).equal(200);
      expect(off.body).eql(await searched(_id));
      expect(off.body).include({ enabled: false, project_name: 'Harbour Atlas' });
      expect((await stored(_id)).enabled).equal(false);

      const again = await scene.call('PATCH', path(_id), { as, body: { enabled: false } });
      expect([again.status, again.body]).eql([200, off.body]);
      await scene.call('PATCH', path(_id), { as, body: { enabled: true } });
      const records = await recordsOf(_id);
      expect(records.map(({ action, before, after }) => ({ action, before, after }))).eql([
        { action: 'schedule.disable', before: { enabled: true }, after: { enabled: false } },
        { action: 'schedule.enable', before: { enabled: false }, after: { enabled: true } },
      ]);
    });
  }

  it('of another project, or of no project, are not there on the paths of a project', async () => {
    const harbour = await scene.schedule();
    const system = await scene.schedule({ scope: 'system', project_id: null });
    const odd = await scene.schedule({ scope: 'system', project_id: HARBOUR });
    const body = { enabled: false };
    for (const path of [
      adminProject(harbour._id, LIBRARY),
      adminProject(system._id),
      adminProject(odd._id),
    ]) {
      for (const method of ['PATCH', 'DELETE'] as const) {
        const asked = method === 'PATCH' ? { body } : {};
        expect((await scene.call(method, path, asked)).status, path).equal(404);
      }
    }
    const foreign = await scene.call('DELETE', project(harbour._id, LIBRARY), { as: LIBRARIAN });
    const missing = await scene.call('DELETE', project(LIBRARY, LIBRARY), { as: LIBRARIAN });
    expect(foreign.status).equal(404);
    expect({ ...foreign.body, request_id: 0 }).eql({ ...missing.body, request_id: 0 });
    for (const { _id } of [harbour, system, odd]) {
      expect((await stored(_id)).enabled).equal(true);
      expect(await recordsOf(_id)).eql([]);
    }
  });

  it('of another project are not even fetched', async () => {
    const { db } = scene;
    await buildIndexes(db);
    const { _id } = await scene.schedule({ project_id: LIBRARY });
    const asked = async (method: string, id: string) => {
      const since = new Date();
      const body = method === 'PATCH' ? { body: { enabled: false } } : {};
      expect((await scene.call(method, project(id), { as: SAILOR, ...body })).status).equal(404);
      const ofSchedules = { ns: `${db.databaseName}.schedules`, 'command.autocommit': false };
      const found = await db
        .collection('system.profile')
        .find({ ...ofSchedules, ts: { $gte: since } })
        .sort({ ts: 1 })
        .toArray();
      return found.map(({ docsExamined, keysExamined }) => [docsExamined, keysExamined]);
    };
    await db.command({ profile: 2 });
    try {
      for (const [method, steps] of [
        ['PATCH', 2],
        ['DELETE', 1],
      ] as const) {
        const none = Array.from({ length: steps }, () => [0, 0]);
        expect(await asked(method, _id), `${method}, foreign`).eql(none);
        expect(await asked(method, randomUUID()), `${method}, absent`).eql(none);
      }
    } finally {
      await db.command({ profile: 0 });
    }
  });

  it('are changed without the index that they are looked for by', async () => {
    const { _id } = await scene.schedule();
    await scene.db.collection('schedules').dropIndexes();
    try {
      const body = { enabled: false };
      const off = await scene.call('PATCH', project(_id), { as: SAILOR, body });
      expect([off.status, off.body.enabled]).eql([200, false]);
      expect((await scene.call('DELETE', project(_id), { as: SAILOR })).status).equal(204);
    } finally {
      await buildIndexes(scene.db);
    }
  });

  it('are found by an admin whose project has no record', async () => {
    const nowhere = '7d0a0c6e-32c1-4e0c-8a54-6f3d6f6c1a01';
    const { _id } = await scene.schedule({ project_id: nowhere });
    const { status, body } = await scene.call('PATCH', adminProject(_id, nowhere), {
      body: { enabled: false },
    });
    expect([status, body.project_name]).eql([200, null]);
  });

  it('take a scope on the admin path: its own, another, none, nonsense', async () => {
    const { _id } = await scene.schedule({ scope: 'system', project_id: null });
    const patch = (query: string, enabled: boolean) =>
      scene.call('PATCH', `${admin(_id)}${query}`, { body: { enabled } });
    expect((await patch('?scope=system', false)).status).equal(200);
    expect((await patch('', true)).status).equal(200);
    expect((await patch('?scope=project', false)).status).equal(404);
    for (const query of ['?scoope=system', '?scoope=']) {
      for (const { status, body } of [
        await patch(query, false),
        await scene.call('DELETE', `${admin(_id)}${query}`),
      ]) {
        const { pointer, detail } = body.errors[0];
        expect([status, body.detail, pointer]).eql([422, '1 problem in the query.', '/scoope']);
        expect(detail).match(/^"scoope" is not known here; did you mean "scope"\?/);
      }
    }
    for (const query of ['?scope=', '?scope=SYSTEM', '?scope=all', '?scope=system&scope=system']) {
      const { status, body } = await patch(query, true);
      expect([status, body.code, body.errors[0].pointer], query).eql([
        422,
        'ValidationFailed',
        '/scope',
      ]);
      expect((await scene.call('DELETE', `${admin(_id)}${query}`)).status, query).equal(422);
    }
    expect((await scene.call('DELETE', `${admin(_id)}?scope=project`)).status).equal(404);
    expect((await scene.call('DELETE', `${admin(_id)}?scope=system`)).status).equal(204);
    expect(await recordsOf(_id)).lengthOf(3);
  });

  it('take {enabled: boolean} and nothing else', async () => {
    const { _id } = await scene.schedule();
    for (const [body, pointer] of [
      [{}, '/enabled'],
      [{ enabled: 'false' }, '/enabled'],
      [{ enabled: null }, '/enabled'],
      [{ enabled: 0 }, '/enabled'],
      [{ enabled: { $ne: true } }, '/enabled'],
      [{ enabled: false, crontab: '* * * * *' }, '/crontab'],
      [[], ''],
      [null, ''],
    ] as const) {
      const answer = await scene.call('PATCH', project(_id), { as: SAILOR, body });
      const got = [answer.status, answer.body.code, answer.body.errors[0].pointer];
      expect(got, JSON.stringify(body)).eql([422, 'ValidationFailed', pointer]);
    }
    const plain = { headers: { 'content-type': 'text/plain' }, body: { enabled: false } };
    expect((await scene.call('PATCH', admin(_id), plain)).status).equal(415);
    expect((await stored(_id)).enabled).equal(true);
  });

  it('with a flag that is no boolean are switched all the same', async () => {
    const { _id } = await scene.schedule({ enabled: 'yes' });
    const { body } = await scene.call('PATCH', admin(_id), { body: { enabled: true } });
    expect(body.enabled).equal(true);
    expect((await recordsOf(_id))[0].before).eql({ enabled: 'yes' });
    const listed = await scene.schedule({ enabled: [false, true] });
    const off = await scene.call('PATCH', admin(listed._id), { body: { enabled: false } });
    expect(off.body.enabled).equal(false);
    expect((await recordsOf(listed._id))[0].before).eql({ enabled: [false, true] });
    const bare = await scene.schedule({ scope: 'system' });
    await scene.db
      .collection<Any>('schedules')
      .updateOne({ _id: bare._id }, { $unset: { enabled: 1 } });
    await scene.call('PATCH', admin(bare._id), { body: { enabled: false } });
    expect((await recordsOf(bare._id))[0].before).eql({ enabled: null });
  });

  it("show nothing of a project's arguments: in no answer, audit record or log line", async () => {
    const own = await scene.schedule();
    const unknown = await scene.schedule({ scope: 'mystery' });
    const system = await scene.schedule({ scope: 'system', project_id: null });
    const answers = [];
    for (const { _id } of [own, unknown]) {
      answers.push(await scene.call('PATCH', admin(_id), { body: { enabled: false } }));
      answers.push(await scene.call('DELETE', `${admin(_id)}?scope=${CANARY}`));
      answers.push(await scene.call('DELETE', admin(_id)));
    }
    await scene.call('DELETE', admin(system._id));
    answers.push(await scene.call('POST', '/api/v2/admin/audit/search', { body: {} }));
    const probe = { filters: { q: CANARY } };
    answers.push(await scene.call('POST', '/api/v2/admin/audit/search', { body: probe }));
    expect(answers.at(-1)!.body.meta.pagination.total_items).equal(0);
    for (const { text } of answers) {
      expect(text.replaceAll(`"q":"${CANARY}"`, '')).not.include(CANARY);
    }
    const records = await scene.audit({ target_id: { $in: [own._id, unknown._id, system._id] } });
    expect(records).lengthOf(5);
    expect(JSON.stringify(records)).not.include(CANARY);
    expect(scene.service.logLines.join('')).not.include(CANARY);
  });
});
