/**
 * Watched explores. After the last change, each of many watchers has as its last event the answer
 * of the same explore. No caller sees rows that are not theirs, and nothing is kept for slow
 * readers.
 *
 * `LIVE_WATCHERS` is the number of watchers (30); `SEED` draws their requests and the changes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Document, Timestamp } from 'mongodb';
import {
  adminProjects,
  adminTasks,
  ownProjects,
  projectTasks,
  userSearch,
} from '../../src/apps/admin/resources/views.ts';
import type { SearchView, Viewer } from '../../src/tables/definition/view.ts';
import { ADMIN, ANA, BO, task, uuid } from '../conformance/documents.ts';
import { viewer } from '../model/asks.ts';
import { SEED } from '../support/seed.ts';
import { until } from '../support/until.ts';
import { EventsAtMoment } from './eventsAtMoment.ts';
import { ADMIN_TASKS, TASKS, TASKS_OF, taskOf, USERS, useLiveWorld } from './liveWorld.ts';
import { openSocket } from './rawSocket.ts';

const WATCHERS = Number(process.env.LIVE_WATCHERS ?? 30);

const condition = fc.constantFrom<Document>(
  { field: 'status', in: ['FAILURE'] },
  { field: 'status', not_in: ['FAILURE', 'SUCCESS'] },
  { field: 'project_id', in: [uuid(1), uuid(2)] },
  { field: 'folder', in: ['in', null] },
  { field: 'date_queued', from: '2026-01-05T00:00:00Z', to: '2026-01-20T00:00:00Z' },
);
const ofTasks = fc.record(
  {
    filters: fc.constantFrom<Document>({}, { q: 'ana' }, { user_email: 'ANA' }, { q: 'project 2' }),
    pagination: fc.constantFrom({ per_page: 5 }, { per_page: 3, page: 4 }),
    sorting: fc.constantFrom({ sort_by: 'date_queued' }, { sort_by: 'id', sort_order: 'asc' }),
    select: fc.array(condition, { maxLength: 2 }),
    facets: fc.constantFrom<Document[]>([{ field: 'status' }], [{ field: 'project_id' }]),
    histogram: fc.constant({ field: 'date_queued', interval: 'P1W', by: 'status' }),
  },
  { requiredKeys: [] },
);
const ofProjects = fc.constantFrom<Document>(
  {},
  { filters: { q: 'ana' } },
  { facets: [{ field: 'type' }] },
);

/** A watch: the path, the body, the caller. */
const of = (caller: number, paths: readonly string[], bodies: fc.Arbitrary<Document>) =>
  fc.tuple(fc.constantFrom(...paths), bodies, fc.constant(caller));
const anyWatch = fc.oneof(
  { weight: 4, arbitrary: of(ADMIN, [ADMIN_TASKS, TASKS_OF(1), TASKS_OF(2)], ofTasks) },
  { weight: 3, arbitrary: of(ANA, [TASKS_OF(1), TASKS_OF(2), TASKS_OF(3)], ofTasks) },
  { weight: 1, arbitrary: of(ADMIN, ['/api/v2/admin/projects/search'], ofProjects) },
  { weight: 1, arbitrary: of(ANA, ['/api/v2/projects/search'], ofProjects) },
  { weight: 1, arbitrary: of(BO, [USERS], fc.constant({ filters: { q: 'a' } })) },
);

const VIEWS: Readonly<Record<string, SearchView>> = {
  [ADMIN_TASKS]: adminTasks,
  [USERS]: userSearch,
  '/api/v2/admin/projects/search': adminProjects,
  '/api/v2/projects/search': ownProjects,
};

/** The view of a path, and the viewer whose rows it shows. */
function askedAt(path: string, caller: number): { view: SearchView; viewedBy: Viewer } {
  const project = [1, 2, 3].find((n) => path === TASKS_OF(n)) ?? 1;
  const view = VIEWS[path] ?? projectTasks;
  return { view, viewedBy: viewer(caller === ADMIN, caller, uuid(project)) };
}

const anyTask = fc.integer({ min: 1, max: TASKS });
const anyTurn = fc.integer({ min: 1, max: 1_000 });
type Kind = 'put' | 'delete' | 'project' | 'user';
const kind = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Kind>('put') },
  { weight: 3, arbitrary: fc.constant<Kind>('delete') },
  { weight: 2, arbitrary: fc.constantFrom<Kind>('project', 'user') },
);
const anyChange = fc.tuple(kind, anyTask, anyTurn);
const CHANGES = 60;

describe('watched explores', function live() {
  this.timeout(240_000);
  const world = useLiveWorld();

  async function change(kind: Kind, n: number, turn: number) {
    const tasks = world.collection('tasks');
    if (kind === 'delete') await tasks.deleteOne({ _id: n });
    if (kind === 'put') await tasks.replaceOne({ _id: n }, taskOf(n, turn), { upsert: true });
    const named = { $set: { name: `Project ${turn}`, last_name: `Ana ${turn}` } };
    if (kind === 'project')
      await world.collection('projects').updateOne({ _id: 1 + (n % 3) }, named);
    if (kind === 'user') await world.collection('users').updateOne({ _id: ANA }, named);
  }

  it(`end with what is there, whatever changed: ${WATCHERS} watchers, seed ${SEED}`, async () => {
    await world.startLive();
    const asked = fc.sample(anyWatch, { numRuns: WATCHERS, seed: SEED });
    const watched = await Promise.all(
      asked.map(async ([path, body, caller]) => {
        const token = world.tokens[caller]!;
        const events = await world.watch(path, body, token);
        return { path, body, token, events, ...askedAt(path, caller) };
      }),
    );
    for (const { events } of watched) await events.first('answer');
    const moments = await EventsAtMoment.over(world.database.db);
    let since: Timestamp | undefined;
    const changes = fc.sample(anyChange, { numRuns: CHANGES, seed: SEED });
    for (const [turn, one] of changes.entries()) {
      await change(...one);
      if (turn !== CHANGES / 2) continue;
      // The store does not have these moments any more once the collection is dropped.
      await moments.compare(watched);
      const tasks = world.collection('tasks');
      const all = await tasks.find().toArray();
      await tasks.drop();
      await tasks.insertMany(all);
      since = (await world.database.db.command({ ping: 1 })).operationTime;
    }
    for (const { path, body, token, events } of watched) {
      await until(
        async () => {
          const { meta, ...fresh } = await world.explore(path, body, token);
          const { meta: shown, ...last } = events.answer!.data;
          return JSON.stringify([fresh, meta]) === JSON.stringify([last, shown]);
        },
        `the last event differs: ${path} ${JSON.stringify(body)}`,
        30_000,
      );
    }
    await moments.compare(watched, since);
    expect(moments.compared).to.be.above(WATCHERS / 2);
    for (const { events } of watched) {
      const { answers } = events;
      for (const [i, one] of answers.slice(1).entries()) {
        expect(JSON.stringify(one.data)).not.to.equal(JSON.stringify(answers[i]!.data));
      }
    }
  });

  it('say nothing while nothing changes that they show', async () => {
    await world.startLive();
    const of2 = await world.watch(TASKS_OF(2), { facets: [{ field: 'status' }] });
    const all = await world.watch(ADMIN_TASKS, { facets: [{ field: 'status' }] });
    await Promise.all([of2.first('answer'), all.first('answer')]);
    expect(of2.headers.get('content-type')).to.equal('text/event-stream');
    expect(of2.retryMs).to.equal(3_000);
    expect(of2.comments).to.equal(0);
    const foreign = task(900, { scope: 'project', project_id: uuid(1) });
    await world.collection('tasks').insertOne(foreign as never);
    await until(() => all.answers.length === 2);
    expect(all.answer!.id).to.match(/^\d+\.\d+$/);
    expect(of2.answers).to.have.length(1);
  });

  it('show a new label of every value in an array, not only of the one that they search by', async () => {
    const both = { scope: 'project', project_id: [uuid(1), uuid(2)] };
    await world.collection('tasks').updateOne({ _id: 2 }, { $set: both });
    await world.startLive();
    const body = { facets: [{ field: 'project_id' }] };
    const of1 = await world.watch(TASKS_OF(1), body);
    await of1.first('answer');
    await world.collection('projects').updateOne({ _id: 2 }, { $set: { name: 'Renamed' } });
    await until(() => JSON.stringify(of1.answer!.data).includes('Renamed'), 'the new label');
    const { facets } = await world.explore(TASKS_OF(1), body);
    expect(of1.answer!.data.facets).to.deep.equal(facets);
  });

  it('never show what their caller may not see', async () => {
    await world.startLive();
    const [tasks, projects] = [world.collection('tasks'), world.collection('projects')];
    await projects.updateOne({ _id: 2 }, { $set: { members: [] } });
    const ana = world.tokens[ANA]!;
    const counted = { facets: [{ field: 'folder' }], histogram: { field: 'date_queued' } };
    const own = await world.watch('/api/v2/projects/search', {}, ana);
    const of1 = await world.watch(TASKS_OF(1), counted, ana);
    await Promise.all([own.first('answer'), of1.first('answer')]);
    for (let n = 0; n < 10; n++) {
      const foreign = { scope: 'project', project_id: uuid(2), folder: `foreign ${n}` };
      await tasks.insertOne(task(900 + n, foreign) as never);
      await projects.updateOne({ _id: 2 }, { $set: { name: `foreign ${n}` } });
      // From the foreign project into the own one, and out of it again.
      await tasks.updateOne({ _id: 900 }, { $set: { project_id: uuid(1 + (n % 2)) } });
      await tasks.updateOne({ _id: 900 }, { $set: { project_id: uuid(2) } });
    }
    const last = task(990, { scope: 'project', project_id: uuid(1), folder: 'own' });
    await tasks.insertOne(last as never);
    await until(() => JSON.stringify(of1.answer!.data).includes('"own"'));
    expect(JSON.stringify(own.events)).not.to.include('foreign');
    // Only `foreign 0` was in the own project for a moment, and may have been seen there.
    expect(JSON.stringify(of1.events)).not.to.match(/foreign [1-9]/);
    expect(JSON.stringify(of1.answer!.data)).not.to.include('foreign');
  });

  it('are answered by the store where it alone sorts: after a change, and not in between', async () => {
    await world.startLive();
    const body = {
      sorting: { sort_by: 'args' },
      ...{ pagination: { per_page: 1 }, facets: [{ field: 'folder' }] },
    };
    const watching = await world.watch(ADMIN_TASKS, body);
    const { data: state } = await watching.first('state');
    expect(state).eql({ index: 'unavailable', reason: 'The database sorts by this column.' });
    expect(watching.answers).to.have.length(1);
    const left = () => world.figure('index_left_total{reason="no_column"}');
    const before = await left();
    expect(before, 'of one explore').to.equal(1);
    await delay(6_000);
    expect(await left(), 'while nothing changes').to.equal(before);
    await world.collection('tasks').updateOne({ _id: 7 }, { $set: { args: { zz: 1 } } });
    await until(() => watching.answer!.data.data[0].id === 7);
    const { data, facets } = await world.explore(ADMIN_TASKS, body);
    expect(watching.answer!.data).to.deep.include({ data, facets });
  });

  it('are sent as one for all who ask the same, and twice a second at most', async () => {
    await world.startLive();
    const body = { pagination: { per_page: 1 }, facets: [{ field: 'folder', limit: 1000 }] };
    const same = await Promise.all(
      Array.from({ length: 20 }, () => world.watch(ADMIN_TASKS, body)),
    );
    for (const one of same) await one.first('answer');
    const began = performance.now();
    for (let turn = 1; turn <= 150; turn++) {
      await world.collection('tasks').updateOne({ _id: 1 }, { $set: { folder: `f${turn}` } });
    }
    const last = (one: (typeof same)[number]) =>
      JSON.stringify(one.answer!.data).includes('"f150"');
    for (const one of same) await until(() => last(one));
    const halves = (performance.now() - began) / 500;
    for (const { answers } of same) expect(answers.length).to.be.at.most(2 + Math.ceil(halves));
    const texts = same.map(({ answer }) => `${answer!.id} ${JSON.stringify(answer!.data)}`);
    expect(new Set(texts.map((text) => text.slice(text.indexOf(' '))))).to.have.length(1);
  });

  it('show a reader who was slow the latest, and keep nothing of what it missed', async () => {
    await world.startLive({ DB_ITEM_LIMIT: '1000', stalledTimeoutMs: 120_000 });
    const tasks = world.collection('tasks');
    await tasks.updateMany({}, { $set: { args: { text: 'x'.repeat(100_000) } } });
    const asked = { pagination: { per_page: TASKS } };
    const body = JSON.stringify(asked);
    const socket = await openSocket(Number(new URL(world.service.url).port));
    socket.pause();
    const token = world.tokens[ADMIN];
    socket.write(
      `POST ${ADMIN_TASKS}/explore HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const quick = await world.watch(ADMIN_TASKS, asked);
    const whole = TASKS * 100_000;
    await until(() => quick.answer?.data.data.every(({ args }: Document) => args !== null));
    for (let turn = 0; turn < 3; turn++) {
      const had = quick.answer;
      await tasks.updateOne({ _id: 1 }, { $set: { folder: `turn ${turn}.` } });
      await until(() => quick.answer !== had);
      // One event that the slow reader has not taken, and one on its way to the other reader; an event that is
      // being made counts twice until it is sent.
      await until(async () => (await world.held('answers')) < 3 * whole, 'missed events are kept');
    }
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.resume();
    await until(() => text.includes('"turn 2.'));
    const shown = text.match(/"folder":"turn \d\./g) ?? [];
    expect(shown.length).to.be.at.most(2);
    socket.destroy();
    quick.leave();
    await until(async () => (await world.held('answers')) === 0);
  });
});
