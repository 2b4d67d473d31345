/**
 * A page of thousands of rows does not hold others up: it is read and written in slices.
 *
 *     a page of 2,000 rows, from the search to the answer's bytes ──► the longest step of all, as a
 *     share of the whole: in one piece it was 0.2 and more by pipeline. By the index rows are taken from
 *     memory in one step, about half of the whole; in one piece it would be nearly all of it
 */
import { expect } from 'chai';
import { RecordJson } from '../../src/http/recordJson.ts';
import { CaseFolding } from '../../src/mongo/caseFolding.ts';
import { Deadline } from '../../src/mongo/deadline.ts';
import { RESOURCES } from '../../src/resources/index.ts';
import { taskCatalogue } from '../../src/resources/taskTypes.ts';
import { project, task, user, uuid } from '../conformance/documents.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { type Ask, planOf } from './asks.ts';
import { type System, startSystem } from './system.ts';

const ROWS = 2_000;

/** Runs the work; returns the longest time in which nothing else had its turn, as a share of it all. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let tick: NodeJS.Immediate;
  const next = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    tick = setImmediate(next);
  };
  tick = setImmediate(next);
  const began = performance.now();
  await work();
  clearImmediate(tick);
  const ended = performance.now();
  return Math.max(longest, ended - last) / (ended - began);
}

describe('a large page', function large() {
  this.timeout(60_000);
  const database = useDatabase();
  let system: System;

  before(async () => {
    const { db, uri, name: dbName } = database;
    await db.collection('users').insertMany([user(1)] as never[]);
    await db.collection('projects').insertMany([project(1), project(2)] as never[]);
    const tasks = Array.from({ length: ROWS }, (_, n) =>
      task(n + 1, {
        ...{ scope: 'project', project_id: uuid(1 + (n % 2)), traceback: 'line\n'.repeat(200) },
        args: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`arg${i}`, n + i])),
      }),
    );
    await db.collection('tasks').insertMany(tasks as never[]);
    system = await startSystem({ uri, dbName, table: 'index', caseFolding: new CaseFolding(db) });
  });
  after(() => system.stop());

  const body = { filters: {}, sorting: { sort_by: 'id', sort_order: 'asc' } };
  const ask = { view: 'tasks', projectId: uuid(1), memberId: 1, http: false, body };

  /** From the search to the answer's bytes. */
  async function page(route: 'index' | 'pipeline') {
    const plan = { ...planOf(ask as unknown as Ask, system.fold).plan, perPage: ROWS };
    const deadline = new Deadline(30_000);
    const answer =
      route === 'index'
        ? await system.search.run(plan, deadline)
        : { ...(await system.pipeline.run(plan, undefined, deadline)), route };
    const records = new RecordJson(RESOURCES.tasks.record);
    const context = { catalogue: taskCatalogue(), options: new Set<string>() };
    const bytes = await records.answer(answer.rows, context, '"meta":{"page":1}}');
    return { route: answer.route, bytes };
  }

  for (const [route, bound] of [
    ['pipeline', 0.15],
    // Rows from memory are taken in the step in which they are found, and are half of the work.
    ['index', 0.65],
  ] as const) {
    it(`by ${route} lets others have their turn all the while`, async () => {
      await until(() => system.index.state().state === 'live');
      const shares: number[] = [];
      // A machine that is busy elsewhere may hold any one of them.
      await until(async () => {
        // No row is cached any more.
        await database.db.collection('tasks').updateMany({}, { $inc: { retries: 1 } });
        let found: Awaited<ReturnType<typeof page>> | undefined;
        const share = await longestHold(async () => {
          found = await page(route);
        });
        expect(JSON.parse(String(found!.bytes)).data).length(ROWS);
        return found!.route === route && shares.push(share) >= 3;
      }, 'three pages');
      expect(Math.min(...shares), shares.join(' ')).lessThan(bound);
    });
  }
});
