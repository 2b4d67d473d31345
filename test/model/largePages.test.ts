/**
 * A page of thousands of rows does not hold others up: it is read and written in slices.
 *
 *     2,000 rows by pipeline, from the search to the answer's bytes ──► the longest step, as a share of
 *     the whole: in one piece 0.2 and more
 *     2,000 rows from memory, 20 times over, while they are written ──► the same: in one piece nearly 1.
 *     They are found and taken from memory in one step before that
 */
import { expect } from 'chai';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import type { JoinedRow } from '../../src/tables/definition/record.ts';
import { INSIDE } from '../../src/tables/search/quota.ts';
import { project, task, user, uuid } from '../conformance/documents.ts';
import { put, useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { threadMs } from '../support/usage.ts';
import { type Ask, planOf } from './asks.ts';
import { type System, startSystem } from './system.ts';

const ROWS = 2_000;
const TIMES = 20;

/** Time on a processor where the system tells it, so that a busy machine does not count, milliseconds. */
const clock = threadMs() > 0 ? threadMs : () => performance.now();

/** Runs the work; returns the longest time in which nothing else had its turn, as a share of it all. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = clock();
  let tick: NodeJS.Immediate;
  const next = () => {
    const now = clock();
    longest = Math.max(longest, now - last);
    last = now;
    tick = setImmediate(next);
  };
  tick = setImmediate(next);
  const began = clock();
  await work();
  clearImmediate(tick);
  const ended = clock();
  return Math.max(longest, ended - last) / (ended - began);
}

const recordsOf = (answer: Buffer | undefined) => JSON.parse(String(answer)).data;

describe('a large page', function large() {
  this.timeout(60_000);
  const database = useDatabase();
  let system: System;

  before(async () => {
    const { db, uri, name: dbName } = database;
    await put(db, { users: [user(1)], projects: [project(1), project(2)] });
    const tasks = Array.from({ length: ROWS }, (_, n) =>
      task(n + 1, {
        ...{ scope: 'project', project_id: uuid(1 + (n % 2)), traceback: 'line\n'.repeat(200) },
        args: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`arg${i}`, n + i])),
      }),
    );
    await db.collection('tasks').insertMany(tasks as never[]);
    system = await startSystem({ uri, dbName, caseFolding: new CaseFolding(db) });
  });
  after(() => system.stop());

  const body = { filters: {}, sorting: { sort_by: 'id', sort_order: 'asc' } };
  const ask = { view: 'tasks', projectId: uuid(1), memberId: 1, http: false, body };
  const plan = () => ({ ...planOf(ask as unknown as Ask, system.fold).plan, perPage: ROWS });

  async function write(rows: readonly JoinedRow[]) {
    const records = new RecordJson(RESOURCES.tasks.record);
    const context = { labels: taskCatalogue().labels, options: new Set<string>() };
    return await records.answer(rows, context, '"meta":{"page":1}}');
  }

  /** Whether one share of five is below the bound: a machine that is busy elsewhere may hold any of them. */
  async function expectBelow(bound: number, share: () => Promise<number>) {
    const shares: number[] = [];
    while (shares.length < 5 && !shares.some((one) => one < bound)) shares.push(await share());
    expect(Math.min(...shares), shares.join(' ')).lessThan(bound);
  }

  it('by pipeline lets others have their turn all the while', async () => {
    await expectBelow(0.15, async () => {
      let written: Buffer | undefined;
      const share = await longestHold(async () => {
        const page = await system.pipeline.run(plan(), undefined, new Deadline(30_000), INSIDE);
        written = await write(page.rows);
      });
      expect(recordsOf(written)).length(ROWS);
      return share;
    });
  });

  it('from memory lets others have their turn while it is written', async () => {
    await until(() => system.index.state().state === 'live');
    await expectBelow(0.5, async () => {
      const page = await system.search.run(plan(), new Deadline(30_000));
      expect(page.route).equal('index');
      // Enough to be written in several turns on a quick machine too.
      const rows = Array.from({ length: TIMES }, () => page.rows).flat();
      let written: Buffer | undefined;
      const share = await longestHold(async () => {
        written = await write(rows);
      });
      expect(recordsOf(written)).length(ROWS * TIMES);
      return share;
    });
  });
});
