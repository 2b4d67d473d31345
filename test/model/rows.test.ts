/** Rows that are read from the store are of the answer's own moment, whatever happens. */
import { expect } from 'chai';
import type { Document, Timestamp } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import type { Answer } from '../../src/tables/search/search.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { useDatabase } from '../support/database.ts';
import { readTime } from '../support/readTime.ts';
import { recordText } from '../support/recordText.ts';
import { until } from '../support/until.ts';
import { type Ask, planOf, type ViewName } from './asks.ts';
import { holdNext, letGo } from './hold.ts';
import { type System, startSystem } from './system.ts';

const CONTEXT = { labels: taskCatalogue().labels, options: new Set<string>() };

describe('the rows of a page', () => {
  const database = useDatabase();
  let system: System;

  beforeEach(async () => {
    const { db, uri, name: dbName } = database;
    await db.dropDatabase();
    const of = (name: string) => db.collection<Document & { _id: never }>(name);
    await of('users').insertMany([user(1), user(2, { email: 'ana@mail.test' })] as never[]);
    await of('projects').insertMany([project(1, { name: 'Apollo' }), project(2)] as never[]);
    const within = { scope: 'project', project_id: uuid(1) };
    await of('tasks').insertMany([task(1, within), task(2, within), task(3)] as never[]);
    await of('schedules').insertMany([schedule(1, within)] as never[]);
    await of('others').insertMany([project(7)] as never[]);
    system = await startSystem({
      ...{ uri, dbName, caseFolding: new CaseFolding(db) },
      maxRestBytes: 0,
    });
    await live();
  });
  afterEach(async () => {
    await letGo(database.client);
    await system?.stop();
  });

  const live = () => until(() => system.index.state().state === 'live');
  const frontier = () => readTime(system.index.state().frontier ?? '0.0');

  /** Everything of a view, in the order of ids. */
  function ask(view: ViewName): Promise<Answer> {
    const sorting = { sort_by: view === 'schedules' ? 'schedule_id' : 'id', sort_order: 'asc' };
    const body = { filters: {}, pagination: { page: 1, per_page: 100 }, sorting };
    const one = { view, projectId: uuid(1), memberId: 1, http: false, body } as Ask;
    return system.search.run(planOf(one, system.fold).plan, new Deadline(15_000));
  }

  /** Writes, and returns the time by which it is done. */
  const write = (work: (session: never) => Promise<unknown>): Promise<Timestamp> =>
    database.client.withSession(async (session) => {
      await work(session as never);
      return session.operationTime!;
    });

  const joinedIn = ({ rows }: Answer) =>
    rows.map(({ joined }) => (joined.project_name ?? joined.member_email ?? []).length);
  const routed = ({ route, total }: Answer) => ({ route, total });
  /** The record of the first task. */
  const recordIn = ({ rows }: Answer): Document =>
    JSON.parse(recordText(new RecordJson(RESOURCES.tasks.record), rows[0]!, CONTEXT));

  describe('when what they show is dropped after the moment', () => {
    const GONE: Readonly<Record<string, (name: string, session: never) => Promise<unknown>>> = {
      'a drop': (name, session) => database.db.collection(name).drop({ session }),
      'a rename': (name, session) => database.db.collection(name).rename('elsewhere', { session }),
      'a rename over it': (name, session) =>
        database.db.collection('others').rename(name, { dropTarget: true, session }),
    };
    /** The numbers of joined documents in each row while everything is there. */
    const VIEWS = { tasks: [1, 1, 0], schedules: [1], projects: [1, 1] } as const;

    const VIEW_NAMES = ['tasks', 'schedules', 'projects'] as const;

    for (const [how, gone] of Object.entries(GONE)) {
      for (const view of how === 'a drop' ? VIEW_NAMES : (['tasks'] as const)) {
        it(`${view}: ${how} of the related ones`, async () => {
          const related = view === 'projects' ? 'users' : 'projects';
          const { held } = await holdNext(database.client, ['getMore'], 500);
          await held;
          const before = system.index.state().frontier;
          const at = await write((session) => gone(related, session));
          const answer = await ask(view);
          if (answer.route === 'index') {
            expect(system.index.state().frontier, 'nothing moved').to.equal(before);
            expect(joinedIn(answer)).to.deep.equal(VIEWS[view]);
          } else {
            expect(answer.asOf.greaterThanOrEqual(at), 'shows the state after it').to.equal(true);
            expect(joinedIn(answer)).to.deep.equal(VIEWS[view].map(() => 0));
          }
          await live();
          expect(joinedIn(await ask(view)), 'later').to.deep.equal(VIEWS[view].map(() => 0));
        });
      }

      it(`tasks: ${how} of their own collection`, async () => {
        const { held } = await holdNext(database.client, ['getMore'], 500);
        await held;
        await write((session) => gone('tasks', session));
        const answer = await ask('tasks');
        expect(answer.route).to.equal('pipeline');
        expect(answer.total).to.equal(0);
      });
    }

    it('a related document that was never there keeps the index in charge', async () => {
      const { db } = database;
      const dangling = task(4, { scope: 'project', project_id: uuid(9) });
      system.search.note(
        await write((session) => db.collection('tasks').insertOne(dangling as never, { session })),
      );
      // On a busy machine the frontier may be late, and the pipeline answer meanwhile.
      const answer = await until(async () => {
        const one = await ask('tasks');
        return one.route === 'index' && one;
      }, 'the index does not answer');
      expect(routed(answer)).to.deep.equal({ route: 'index', total: 4 });
      expect(joinedIn(answer)).to.deep.equal([1, 1, 0, 0]);
    });
  });

  describe('that are asked for again', () => {
    const RELATED: Readonly<
      Record<string, { view: ViewName; collection: string; update: object }>
    > = {
      'a project’s name': { view: 'tasks', collection: 'projects', update: { name: 'Zeus' } },
      'a project’s identifier': {
        view: 'schedules',
        collection: 'projects',
        update: { identifier: uuid(8) },
      },
      'a member’s email': { view: 'projects', collection: 'users', update: { email: 'z@z' } },
      'a member’s first name': {
        view: 'projects',
        collection: 'users',
        update: { first_name: 'Zoë' },
      },
    };

    for (const [what, { view, collection, update }] of Object.entries(RELATED)) {
      it(`show that ${what} changes`, async () => {
        const before = await ask(view);
        const _id = (collection === 'users' ? 2 : 1) as never;
        const at = await write((session) =>
          database.db.collection(collection).updateOne({ _id }, { $set: update }, { session }),
        );
        system.search.note(at);
        const after = await ask(view);
        expect(after.route).to.equal('index');
        expect(after.rows[0]!.joined).to.not.deep.equal(before.rows[0]!.joined);
        const [shown] =
          after.rows[0]!.joined.project_name ?? after.rows[0]!.joined.member_email ?? [];
        if ('identifier' in update) expect(shown).to.equal(undefined);
        else expect(shown).to.include(update);
      });
    }

    it('show what was missing when it comes', async () => {
      const dangling = task(4, { scope: 'project', project_id: uuid(9) });
      const { db } = database;
      await db.collection('tasks').insertOne(dangling as never);
      system.search.note(await write((s) => db.collection('users').insertOne({}, { session: s })));
      expect(joinedIn(await ask('tasks'))).to.deep.equal([1, 1, 0, 0]);
      const late = project(9, { name: 'Late' });
      system.search.note(
        await write((session) => db.collection('projects').insertOne(late as never, { session })),
      );
      expect(joinedIn(await ask('tasks'))).to.deep.equal([1, 1, 0, 1]);
    });
  });

  describe('read while they change', () => {
    const CHANGES: Readonly<Record<string, readonly [string, Document]>> = {
      'the row': ['tasks', { status: 'SUCCESS' }],
      'its project': ['projects', { name: 'Zeus' }],
    };

    for (const [what, [collection, change]] of Object.entries(CHANGES)) {
      it(`${what}: the answer is of its moment`, async () => {
        const { held } = await holdNext(database.client, ['find'], 400);
        const under = ask('tasks');
        await held;
        const at = await write((session) =>
          database.db
            .collection(collection)
            .updateOne({ _id: 1 as never }, { $set: change }, { session }),
        );
        const moved = ask('users'); // takes the frontier along while the read is held back
        system.search.note(at);
        await moved;
        await until(() => frontier().greaterThanOrEqual(at));
        expect(routed(await ask('schedules'))).to.deep.equal({ route: 'index', total: 1 });
        const early = await under;
        expect(early.asOf.lessThan(at)).to.equal(true);
        expect(early.route).to.equal('index');
        expect(recordIn(early).status).to.equal('PENDING');
        expect(early.rows[0]!.joined.project_name?.[0]?.name).to.equal('Apollo');

        const late = await ask('tasks');
        expect(late.asOf.greaterThanOrEqual(at)).to.equal(true);
        const shown =
          collection === 'tasks' ? recordIn(late) : late.rows[0]!.joined.project_name![0];
        expect(shown).to.include(change);
      });
    }
  });
});
