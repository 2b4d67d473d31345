/** Saved views: rights to see and to change them, the default of a table, and their audit records. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { serveTables, storeOrders } from '../../serve/tables/stage.ts';
import { useDatabase } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ADMIN, type Any, HARBOUR, LIBRARIAN, LIBRARY, SAILOR, useScene } from '../admin/scene.ts';

const VIEWS = '/api/v2/views';
const BASE = { table: 'tasks', name: 'Failures', address: 'status=FAILURE' };

describe('saved views', () => {
  // A unique index keeps views that come at once to a hundred.
  const scene = useScene({ STORE_INDEXES: 'on' });
  const post = (as: number, members: object = {}) =>
    scene.call('POST', VIEWS, { as, body: { ...BASE, ...members } });
  const created = async (as: number, members: object = {}): Promise<Any> => {
    const { status, body } = await post(as, members);
    expect(status, JSON.stringify(body)).equal(201);
    return body;
  };
  const patch = (as: number, id: string, body: object) =>
    scene.call('PATCH', `${VIEWS}/${id}`, { as, body });
  const remove = (as: number, id: string) => scene.call('DELETE', `${VIEWS}/${id}`, { as });
  const idsOf = async (as: number): Promise<string[]> => {
    const { status, body } = await scene.call('GET', VIEWS, { as });
    expect(status).equal(200);
    return body.records.map(({ view_id }: Any) => view_id);
  };
  const collection = () => scene.db.collection<Any>('views');
  const problemsOf = ({ status, body }: Any) => ({ status, pointers: pointersOf(body) });
  const pointersOf = ({ errors }: Any) => errors.map(({ pointer }: Any) => pointer);

  beforeEach(async () => {
    await Promise.all([collection().deleteMany({}), scene.db.collection('audit').deleteMany({})]);
  });

  it('a view shows all its members, and the usual ones of those left out', async () => {
    const { view_id, tc_creation, tc_update, ...rest } = await created(SAILOR);
    expect(rest).eql({
      ...{ table: 'tasks', name: 'Failures', description: '', address: 'status=FAILURE' },
      ...{ visibility: 'private', project_id: null, is_default: false },
      ...{ owner: String(SAILOR), mine: true },
    });
    expect(view_id).match(/^[\da-f]{8}-[\da-f]{4}-7/);
    expect(tc_update).equal(tc_creation);
    const { body } = await scene.call('GET', VIEWS, { as: SAILOR });
    expect(body).eql({ records: [{ view_id, ...rest, tc_creation, tc_update }] });
    const changed = await patch(SAILOR, view_id, { name: 'Other', description: 'Why' });
    expect(changed.status).equal(200);
    expect(changed.body).include({ name: 'Other', description: 'Why', address: 'status=FAILURE' });
    expect(changed.body.tc_update > tc_update).equal(true);
    expect((await remove(SAILOR, view_id)).status).equal(204);
    expect(await idsOf(SAILOR)).eql([]);
  });

  it('a private view of another is missing: for members, for admins, in the audit trail', async () => {
    const { view_id } = await created(SAILOR, { is_default: true });
    await patch(SAILOR, view_id, { name: 'Secret' });
    for (const as of [ADMIN, LIBRARIAN]) {
      expect(await idsOf(as)).eql([]);
      const missing = await patch(as, randomUUID(), { name: 'x' });
      const foreign = await patch(as, view_id, { name: 'x' });
      const gone = ({ status, body: { request_id: _, ...body } }: Any) => ({ status, body });
      expect(gone(foreign)).eql(gone(missing));
      expect(foreign.status).equal(404);
      expect((await remove(as, view_id)).status).equal(404);
    }
    expect((await remove(SAILOR, view_id)).status).equal(204);
    expect(await scene.audit()).eql([]);
  });

  it("a project's view is there for those who may use the project, and its owner changes it", async () => {
    const { view_id } = await created(SAILOR, { visibility: 'project', project_id: HARBOUR });
    expect(await idsOf(SAILOR)).eql([view_id]);
    expect(await idsOf(ADMIN)).eql([view_id]);
    expect(await idsOf(LIBRARIAN)).eql([]);
    expect((await patch(LIBRARIAN, view_id, { name: 'x' })).status).equal(404);
    const projects = scene.db.collection<Any>('projects');
    const join = { $push: { members: { user_id: LIBRARIAN, role: 'member' } } };
    await projects.updateOne({ identifier: HARBOUR }, join as object);
    try {
      await until(async () => (await idsOf(LIBRARIAN)).length === 1, 'no view');
      const { body } = await scene.call('GET', VIEWS, { as: LIBRARIAN });
      expect(body.records[0]).include({ mine: false, owner: String(SAILOR) });
      expect((await patch(LIBRARIAN, view_id, { name: 'x' })).status).equal(403);
      expect((await remove(LIBRARIAN, view_id)).status).equal(403);
    } finally {
      const leave = { $pull: { members: { user_id: LIBRARIAN } } };
      await projects.updateOne({ identifier: HARBOUR }, leave as object);
    }
    await until(async () => (await idsOf(LIBRARIAN)).length === 0, 'the view stays');
    expect((await patch(ADMIN, view_id, { name: 'By an admin' })).status).equal(200);
    expect((await patch(ADMIN, view_id, { visibility: 'private' })).status).equal(403);
    expect((await patch(SAILOR, view_id, { visibility: 'private' })).body.project_id).equal(null);
    expect(await idsOf(ADMIN)).eql([]);
  });

  it('only admins make, change and delete what everyone sees', async () => {
    expect((await post(SAILOR, { visibility: 'everyone' })).status).equal(403);
    const own = await created(SAILOR);
    expect((await patch(SAILOR, own.view_id, { visibility: 'everyone' })).status).equal(403);
    const { view_id } = await created(ADMIN, { visibility: 'everyone' });
    expect(await idsOf(LIBRARIAN)).eql([view_id]);
    expect((await patch(SAILOR, view_id, { name: 'x' })).status).equal(403);
    expect((await remove(SAILOR, view_id)).status).equal(403);
    const audit = await created(ADMIN, { table: 'audit', visibility: 'everyone', address: '' });
    expect(await idsOf(LIBRARIAN)).eql([view_id]);
    expect((await patch(SAILOR, audit.view_id, { name: 'x' })).status).equal(404);
    expect((await remove(ADMIN, audit.view_id)).status).equal(204);
  });

  it('refuses what does not fit, with a pointer to each place', async () => {
    const wrong = { table: 'taks', name: ' ', address: '?q=1#x', visibility: 'all', secret: 1 };
    const answer = await post(SAILOR, wrong);
    const { status, pointers } = problemsOf(answer);
    expect(status).equal(422);
    const details = answer.body.errors.map(({ detail }: { detail: string }) => detail);
    expect(details).include.members([
      'This does not fit: it takes a text that is not blank, without NUL.',
      "This does not fit: it takes the query of the web UI's address, percent-encoded and without its question mark.",
    ]);
    expect(pointers).have.members(['/name', '/address', '/visibility', '/secret']);
    const refused = async (members: object, as = SAILOR) =>
      problemsOf(await post(as, members)).pointers;
    expect(await refused({ table: 'taks' })).eql(['/table']);
    expect(await refused({ table: 'audit' })).eql(['/table']);
    expect(await refused({ visibility: 'project' })).eql(['/project_id']);
    for (const project_id of [LIBRARY, randomUUID(), 'x', '']) {
      expect(await refused({ visibility: 'project', project_id })).eql(['/project_id']);
    }
    expect(await refused({ visibility: 'project', project_id: randomUUID() }, ADMIN)).eql([
      '/project_id',
    ]);
    expect(await refused({ project_id: HARBOUR })).eql(['/project_id']);
    expect(await refused({ name: 'x'.repeat(81) })).eql(['/name']);
    expect(await refused({ address: 'x'.repeat(2_001) })).eql(['/address']);
    expect(await collection().countDocuments()).equal(0);
  });

  it('a table has one default for each audience, also of ten that come at once', async () => {
    const first = await created(SAILOR, { is_default: true });
    const everyones = await created(ADMIN, { visibility: 'everyone', is_default: true });
    const other = await created(SAILOR, { table: 'users', address: '', is_default: true });
    const all = await Promise.all(
      Array.from({ length: 10 }, () => created(SAILOR, { is_default: true })),
    );
    const defaults = await collection().find({ is_default: true }).toArray();
    const [mine, ...more] = defaults.filter(({ _id }) => all.some((one) => one.view_id === _id));
    expect(more).eql([]);
    const ids = defaults.map(({ _id }) => _id);
    expect(ids).have.members([everyones.view_id, other.view_id, mine!._id]);
    await patch(SAILOR, first.view_id, { is_default: true });
    await created(ADMIN, { visibility: 'everyone', is_default: true });
    const [replaced] = await scene.audit({ action: 'view.update' });
    expect(replaced).deep.include({
      ...{ target_id: everyones.view_id, before: { is_default: true } },
      after: { is_default: false },
    });
    await patch(ADMIN, everyones.view_id, { is_default: true });
    const again = await collection().find({ is_default: true, table: 'tasks' }).toArray();
    expect(again.map(({ _id }) => _id)).have.members([everyones.view_id, first.view_id]);
  });

  it('the audit trail has what others could see, and nothing of before and after', async () => {
    const { view_id } = await created(SAILOR, { name: 'Mine' });
    const shared = { visibility: 'project', project_id: HARBOUR };
    await patch(SAILOR, view_id, shared);
    await patch(SAILOR, view_id, { name: 'Ours' });
    await patch(SAILOR, view_id, { name: 'Ours' });
    await patch(SAILOR, view_id, { visibility: 'private', name: 'Mine again' });
    await remove(SAILOR, view_id);
    const records = await scene.audit();
    const whole = { ...BASE, ...shared, description: '', is_default: false, owner: String(SAILOR) };
    expect(records.map(({ action, before, after }) => ({ action, before, after }))).eql([
      { action: 'view.create', before: null, after: { ...whole, name: 'Mine' } },
      { action: 'view.update', before: { name: 'Mine' }, after: { name: 'Ours' } },
      { action: 'view.delete', before: { ...whole, name: 'Ours' }, after: null },
    ]);
    for (const { actor, target_type, target_id } of records) {
      expect({ actor, target_type, target_id }).eql({
        ...{ actor: String(SAILOR), target_type: 'view', target_id: view_id },
      });
    }
  });

  it('views of tables that a caller may not see take no place in the list', async () => {
    const own = await created(SAILOR);
    const [stored] = await collection().find({}).toArray();
    const { place: _, ...unplaced } = stored!;
    const audit = { ...unplaced, table: 'audit', audience: 'everyone', owner: String(ADMIN) };
    const many = Array.from({ length: 501 }, () => ({ ...audit, _id: randomUUID() }));
    await collection().insertMany(many);
    expect(await idsOf(SAILOR)).eql([own.view_id]);
    expect(await idsOf(ADMIN)).lengthOf(500);
  });

  it('an owner has a hundred views at most; other documents of the collection are left alone', async () => {
    const { view_id: _, ...one } = await created(SAILOR);
    const [stored] = await collection().find({}).toArray();
    const copies = Array.from({ length: 98 }, (_, at) => ({
      ...{ ...stored, _id: randomUUID() },
      place: (stored!.place + 1 + at) % 100,
    }));
    const odd = [
      { _id: 'odd', audience: stored!.audience, name: 7 },
      { _id: 'list', audience: [`project:${HARBOUR}`, `private:${ADMIN}`, 7] },
    ];
    await collection().insertMany([...copies, ...odd]);
    expect((await scene.call('GET', VIEWS, { as: LIBRARIAN })).body.records).eql([]);
    expect((await scene.call('GET', VIEWS, { as: SAILOR })).body.records).lengthOf(99);
    const { status, body } = await post(SAILOR);
    expect({ status, detail: body.errors[0].detail }).eql({
      ...{ status: 422, detail: 'There are 100 of these views already.' },
    });
    expect((await post(LIBRARIAN, one)).status).equal(422);
    expect((await post(LIBRARIAN)).status).equal(201);
  });

  it('a document with a date past those of JavaScript is no view, and hides no other one', async () => {
    const [odd, view] = [await created(SAILOR), await created(SAILOR)];
    const late = { $set: { tc_update: { $add: [new Date(8.64e15), 1] } } };
    await collection().updateOne({ _id: odd.view_id }, [late]);
    expect(await idsOf(SAILOR)).eql([view.view_id]);
    expect((await patch(SAILOR, odd.view_id, { name: 'x' })).status).equal(404);
  });

  it('an owner has a hundred views at most, also of ten that come at once', async () => {
    for (let made = 0; made < 96; made += 8) {
      await Promise.all(Array.from({ length: 8 }, () => created(SAILOR)));
    }
    const last = await Promise.all(Array.from({ length: 10 }, () => post(SAILOR)));
    const statuses = last.map(({ status }) => status).toSorted();
    expect(statuses).eql([201, 201, 201, 201, 422, 422, 422, 422, 422, 422]);
    // One that goes makes room, and one that is shared needs room where it comes.
    const [first] = await idsOf(SAILOR);
    const project = { visibility: 'project', project_id: HARBOUR };
    expect((await patch(SAILOR, first!, project)).status).equal(200);
    expect((await patch(SAILOR, first!, { visibility: 'private' })).status).equal(200);
    expect((await post(SAILOR)).status).equal(422);
    expect((await remove(SAILOR, first!)).status).equal(204);
    expect((await post(SAILOR)).status).equal(201);
  });
});

describe('saved views where the token alone decides', () => {
  const database = useDatabase();
  let service: TestService;
  before(async () => {
    await storeOrders(database.db);
    service = await serveTables(database.uri, database.name, undefined, { SEARCH_INDEX: 'off' });
  });
  after(() => service?.stop());

  it('are private or for everyone with a grant of the table, and leave no audit record', async () => {
    const admin = await service.tokenOf('ana@example.org', { roles: ['admin'] });
    const support = await service.tokenOf('bo', { roles: ['support'] });
    const stranger = await service.tokenOf('bo', {});
    const post = (members: object, token: string) =>
      service.post(VIEWS, { table: 'orders', name: 'Open', address: '', ...members }, token);
    const names = async (token: string) => {
      const { body } = await service.ask('GET', VIEWS, { token });
      return body.records.map(({ name, mine }: Any) => `${name} ${mine}`);
    };
    expect((await post({ name: 'Own' }, support)).status).equal(201);
    expect((await post({ visibility: 'everyone' }, admin)).status).equal(201);
    expect((await post({}, stranger)).body.errors[0].pointer).equal('/table');
    const project = { visibility: 'project', project_id: HARBOUR };
    expect((await post(project, admin)).body.errors[0].pointer).equal('/project_id');
    expect(await names(admin)).eql(['Open true']);
    expect(await names(support)).eql(['Open false', 'Own true']);
    // The same owner by another token, whose roles show no table: a private view is still theirs.
    expect(await names(stranger)).eql(['Own true']);
    const collections = await database.db.listCollections().toArray();
    expect(collections.map(({ name }) => name)).not.include('audit');
  });

  it('of a table that is gone show to their owner, and to admins, who delete them', async () => {
    const admin = await service.tokenOf('ana@example.org', { roles: ['admin'] });
    const support = await service.tokenOf('bo', { roles: ['support'] });
    const views = database.db.collection<Any>('views');
    const [stored] = await views.find({ audience: 'everyone' }).toArray();
    const copy = (_id: string, table: string, owner: string, place: number) => ({
      ...stored,
      ...{ _id, table, owner, place, name: `of ${table}` },
    });
    const gone = [randomUUID(), randomUUID(), randomUUID()] as const;
    await views.deleteMany({});
    await views.insertMany([
      copy(gone[0], 'gone', 'someone', 1),
      copy(gone[1], 'gone', 'bo', 2),
      // There is the table, but admins have no grant.
      copy(gone[2], 'numbered', 'someone', 3),
    ]);
    const ids = async (token: string) => {
      const { body } = await service.ask('GET', VIEWS, { token });
      return body.records.map((one: Any) => one.view_id);
    };
    const remove = async (id: string, token: string) =>
      (await service.ask('DELETE', `${VIEWS}/${id}`, { token })).status;
    expect(await ids(admin)).have.members([gone[0], gone[1]]);
    expect(await ids(support)).have.members([gone[1], gone[2]]);
    expect(await remove(gone[0], support)).equal(404);
    expect(await remove(gone[2], admin)).equal(404);
    expect(await remove(gone[0], admin)).equal(204);
    expect(await remove(gone[1], admin)).equal(204);
    expect(await ids(admin)).eql([]);
  });

  it('are nowhere with VIEWS_COLLECTION=off, as the list of tables says', async () => {
    const settings = { SEARCH_INDEX: 'off', VIEWS_COLLECTION: 'off' };
    const without = await serveTables(database.uri, database.name, undefined, settings);
    try {
      const token = await without.tokenOf('bo', { roles: ['admin'] });
      expect((await without.ask('GET', VIEWS, { token })).status).equal(404);
      const { body } = await without.ask('GET', '/api/v2/tables', { token });
      expect(body.meta).eql({ built_in_tables: false, saved_views: false });
    } finally {
      await without.stop();
    }
  });
});
