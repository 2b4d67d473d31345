/**
 * One caller who asks for much, and others beside them. The store is held up, so that requests
 * wait; the order of their answers counts.
 */
import { expect } from 'chai';
import { COLLECTIONS } from '../../src/apps/admin/documents.ts';
import { HARBOUR, LIBRARIAN, LIBRARY, SAILOR, useScene } from '../apps/admin/scene.ts';
import { type Failure, failCommand, failNone } from '../support/failCommand.ts';
import { openCursors } from '../support/openCursors.ts';
import type { TestAnswer } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Searches by pipeline, reads of logs; the pool of connections has 16 more. */
const SEARCHES = 2;
const CONNECTIONS = SEARCHES + 16;
const HELD_MS = 500;
/** One that runs, and half of the places in line. */
const GREEDY = 1 + (SEARCHES * 4) / 2;

describe('callers beside one who asks for much', function fairness() {
  this.timeout(60_000);
  const scene = useScene({
    ...{ SEARCH_INDEX: 'off', MAX_SEARCHES: String(SEARCHES), maxLogReads: 1 },
  });
  afterEach(() => failNone(scene.database.client));

  /** Holds these commands on a collection up. */
  const hold = (failCommands: string[], collection: string, more: Partial<Failure> = {}) =>
    failCommand(scene.database.client, 'alwaysOn', {
      ...{ failCommands, appName: 'table-search', blockConnection: true, blockTimeMS: HELD_MS },
      namespace: `${scene.database.name}.${collection}`,
      ...more,
    });
  /** The numbers of requests that hold a place of a quota and that wait for one, at one moment. */
  const quota = async (name: string) => {
    const figures = await scene.service.figures();
    const [held, waiting] = ['held', 'waiting'].map((of) =>
      figures.get(`quota_${of}{quota="${name}"}`),
    ) as [number, number];
    return { held, waiting };
  };
  const many = (count: number, ask: () => Promise<TestAnswer>) => {
    let answered = 0;
    const all = Array.from({ length: count }, async () => {
      const { status } = await ask();
      answered += 1;
      return status;
    });
    return { statuses: Promise.all(all), answered: () => answered };
  };
  /**
   * Has the librarian ask once all greedy requests have come. Returns the number of those that are
   * answered after the librarian has a place or stands in line for one.
   */
  const answeredFirst = async (
    greedy: ReturnType<typeof many>,
    name: string,
    ask: () => Promise<TestAnswer>,
  ) => {
    let before = 0;
    const allHaveCome = (...callers: ReturnType<typeof many>[]) =>
      until(async () => {
        before = greedy.answered();
        // Answers are counted before the quota is read, so that no request counts twice.
        const answered = callers.reduce((sum, one) => sum + one.answered(), 0);
        const { held, waiting } = await quota(name);
        return answered + held + waiting === GREEDY + callers.length - 1;
      });
    await allHaveCome(greedy);
    const librarian = many(1, ask);
    await allHaveCome(greedy, librarian);
    expect(await librarian.statuses).to.deep.equal([200]);
    return greedy.answered() - before;
  };
  const search = (project: string, as: number) =>
    scene.call('POST', `/api/v2/projects/${project}/tasks/search`, { as, body: {} });

  it('have their turn before all those who wait in another line', async () => {
    await hold(['aggregate'], COLLECTIONS.tasks);
    const greedy = many(GREEDY, () => search(HARBOUR, SAILOR));
    const first = await answeredFirst(greedy, 'pipelines', () => search(LIBRARY, LIBRARIAN));
    // At most the one that had its turn already, and one that got the same turn.
    expect(first).to.be.at.most(2);
    await failNone(scene.database.client);
    expect(await greedy.statuses).to.deep.equal(Array(GREEDY).fill(200));
  });

  it('have their rights checked while every connection to the store is taken', async () => {
    const { task_id } = await scene.task();
    const path = `/api/v2/projects/${HARBOUR}/tasks/${task_id}/metadata`;
    await hold(['find'], COLLECTIONS.tasks, { blockTimeMS: 10 * HELD_MS });
    const greedy = many(2 * CONNECTIONS, () => scene.call('GET', path, { as: SAILOR }));
    await until(async () => (await quota('requests')).held >= 2 * CONNECTIONS);
    expect((await scene.call('GET', path, { as: LIBRARIAN })).status).to.equal(404);
    expect(
      (await scene.call('GET', '/api/v2/tasks/routing-keys', { as: LIBRARIAN })).status,
    ).to.equal(200);
    expect(greedy.answered()).to.equal(0);
    await failNone(scene.database.client);
    expect(new Set(await greedy.statuses)).to.deep.equal(new Set([200]));
  });

  it('wait for a count of a long log once, however many ask for it', async () => {
    const { task_id } = await scene.task();
    const path = `/api/v2/projects/${HARBOUR}/tasks/${task_id}/metadata`;
    const admin = scene.database.client.db('admin');
    /** Commands that were held up since the server started. */
    const heldUp = async () => {
      const off = { configureFailPoint: 'failCommand', mode: 'off' };
      return Number((await admin.command(off)).count);
    };
    const begun = await heldUp();
    // All have come before the second count has ended, on a busy machine too.
    await hold(['aggregate'], COLLECTIONS.taskLogs, { blockTimeMS: 3 * HELD_MS });
    const { statuses } = many(60, () => scene.call('GET', path, { as: SAILOR }));
    expect(new Set(await statuses)).to.deep.equal(new Set([200]));
    // One that has begun when the others come, and one for all of them; two more on a slow machine.
    expect((await heldUp()) - begun).to.be.within(1, 4);
  });

  it('have the lines of a log counted before all those who wait for counts of other logs', async () => {
    const logs: string[] = [];
    while (logs.length < GREEDY) logs.push((await scene.task()).task_id);
    const own = await scene.task({ project_id: LIBRARY });
    const metadata = (project: string, id: string, as: number) =>
      scene.call('GET', `/api/v2/projects/${project}/tasks/${id}/metadata`, { as });
    await hold(['aggregate'], COLLECTIONS.taskLogs);
    // Each asks for a log of its own: requests for the same count would share it.
    const greedy = many(GREEDY, () => metadata(HARBOUR, logs.pop()!, SAILOR));
    const first = await answeredFirst(greedy, 'logReads', () =>
      metadata(LIBRARY, own.task_id, LIBRARIAN),
    );
    expect(first).to.be.at.most(2);
    await failNone(scene.database.client);
    expect(await greedy.statuses).to.deep.equal(Array(GREEDY).fill(200));
  });

  it('ask for pages of a log: one is made after the other, for no account holds half of a page', async () => {
    const { task_id } = await scene.task();
    const { db, client } = scene.database;
    const lines = Array.from({ length: 40 }, (_, seq) => ({ task_id, seq, message: 'a line' }));
    await db.collection(COLLECTIONS.taskLogs).insertMany(lines);
    const path = `/api/v2/projects/${HARBOUR}/tasks/${task_id}/logs`;
    await hold(['getMore'], COLLECTIONS.taskLogs);
    const pages = many(8, () => scene.call('GET', path, { as: SAILOR }));
    const ns = `${db.databaseName}.${COLLECTIONS.taskLogs}`;
    const cursors = async () => (await openCursors(client, ns)).length;
    const seen: number[] = [];
    while (pages.answered() < 3) seen.push(await cursors());
    await failNone(client);
    expect(new Set(await pages.statuses)).eql(new Set([200]));
    // The cursor of the page before may not have ended yet.
    expect(Math.max(...seen)).within(1, 2);
  });
});

describe('a caller with more requests than may be under way', function bounded() {
  this.timeout(60_000);
  const UNDER_WAY = 8;
  const scene = useScene({ SEARCH_INDEX: 'off', maxRequestsPerUser: UNDER_WAY });
  afterEach(() => failNone(scene.database.client));

  it('has the others refused before the store is asked for rights', async () => {
    const { client, name } = scene.database;
    await scene.token(SAILOR);
    const off = { configureFailPoint: 'failCommand', mode: 'off' };
    const heldUp = async () => Number((await client.db('admin').command(off)).count);
    const begun = await heldUp();
    await failCommand(client, 'alwaysOn', {
      ...{ failCommands: ['find'], appName: 'table-search', blockConnection: true },
      ...{ blockTimeMS: 4 * HELD_MS, namespace: `${name}.${COLLECTIONS.users}` },
    });
    const path = '/api/v2/tasks/routing-keys';
    const asked = Array.from({ length: 5 * UNDER_WAY }, () =>
      scene.call('GET', path, { as: SAILOR }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).length(UNDER_WAY);
    expect(statuses.filter((status) => status === 429)).length(4 * UNDER_WAY);
    // They share the read.
    expect((await heldUp()) - begun).equal(1);
  });
});
