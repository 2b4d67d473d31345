/**
 * A soak of the index: writers and readers for minutes on end.
 *
 *     npx tsx bench/soak/main.ts [--minutes 10] [--tasks 50000] [--changes 500]
 *
 * Passes (exit code 0) when, at the end, memory has stayed flat, every invariant of the tables
 * holds, and nearly all answers came from the index. Each sampled answer has to be the pipeline's
 * at the answer's own moment, and time may never go back. The mongod is the tests'
 * (`TEST_MONGODB_URI` names another one).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient, type Timestamp } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { type Ask, planOf, VIEWS, type ViewName } from '../../test/model/asks.ts';
import { Oracle } from '../../test/model/oracle.ts';
import { startSystem } from '../../test/model/system.ts';
import { mochaGlobalTeardown, testMongoUri } from '../../test/support/mongod.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { percentile } from '../measure.ts';
import { Memory } from './memory.ts';
import { Changes, fill } from './store.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    tasks: { type: 'string', default: '50000' },
    changes: { type: 'string', default: '500' },
    seed: { type: 'string', default: '7' },
  },
});
const MINUTES = Number(values.minutes);
const TASKS = Number(values.tasks);
/** Changed documents a second that are aimed at. */
const CHANGES = Number(values.changes);
const READERS = 4;
/** Milliseconds between a reader's searches. */
const THINK_MS = 5;
/** One answer of so many is compared. */
const SAMPLED = 40;
const SAMPLE_MS = Math.min(5_000, (MINUTES * 60_000) / 20);

const random = randomFrom(Number(values.seed));
const client = await MongoClient.connect(await testMongoUri(), { appName: 'soak' });
const dbName = `soak_${process.pid}`;
const db = client.db(dbName);
const problems: string[] = [];
const seen = { index: 0, pipeline: 0, compared: 0, changes: 0 };
let times: number[] = [];
let over = false;

try {
  await fill(db, TASKS);
  const projects: string[] = await db
    .collection('projects')
    .distinct('identifier', { identifier: { $type: 'string' } });
  const caseFolding = new CaseFolding(db);
  const uri = await testMongoUri();
  const system = await startSystem({
    ...{ uri, dbName, caseFolding },
    // Small, so that it is full before memory is watched.
    maxRestBytes: 2 ** 20,
  });
  while (system.index.state().state !== 'live') await sleep(50);
  console.log(`${TASKS} tasks, ${MINUTES} minutes, seed ${values.seed}`);
  const oracle = new Oracle(client, dbName);
  const memory = new Memory();
  const work = [write(), ...Array.from({ length: READERS }, (_, n) => read(n))];
  await watch();
  over = true;
  await Promise.all(work);
  conclude();
  await system.stop();

  async function write(): Promise<void> {
    const changes = new Changes(client, db, TASKS, random);
    const started = performance.now();
    while (!over) {
      seen.changes += await changes.some();
      const due = started + (seen.changes / CHANGES) * 1_000;
      await sleep(Math.max(0, due - performance.now()));
    }
  }

  async function read(reader: number): Promise<void> {
    const own = randomFrom(1_000 + reader);
    let last: Timestamp | undefined;
    for (let n = 1; !over; n++) {
      const ask = askAt(own, projects);
      const { plan } = planOf(ask, system.fold);
      const started = performance.now();
      const answer = await system.search.run(plan, new Deadline(15_000));
      times.push(performance.now() - started);
      seen[answer.route]++;
      if (last?.greaterThan(answer.asOf)) problems.push(`back in time: ${last}, ${answer.asOf}`);
      last = answer.asOf;
      if (n % SAMPLED === 0) {
        seen.compared++;
        const what = `${ask.view} by ${answer.route}`;
        await oracle
          .check(plan, answer, what)
          .catch((error: Error) => problems.push(error.message));
      }
      await sleep(THINK_MS);
    }
  }

  async function watch(): Promise<void> {
    const end = performance.now() + MINUTES * 60_000;
    while (performance.now() < end) {
      await sleep(SAMPLE_MS);
      const mb = memory.sample();
      const { state, bytes } = system.index.state();
      const p = (share: number) => percentile(times, share).toFixed(2);
      console.log(
        `${mb.toFixed(1)} MB held, tables ${(bytes / 2 ** 20).toFixed(1)} MB, ${state}; ` +
          `${seen.index} by index, ${seen.pipeline} by pipeline, p50 ${p(0.5)} p99 ${p(0.99)} ms; ` +
          `${seen.compared} compared, ${seen.changes} changes, ${problems.length} problems`,
      );
      times = [];
    }
  }

  function conclude(): void {
    const { firstMb, lastMb, riseMb, flat } = memory.trend();
    console.log(
      `memory ${firstMb.toFixed(1)} to ${lastMb.toFixed(1)} MB, trend ${riseMb.toFixed(1)}`,
    );
    if (!flat) problems.push(`memory rose by ${riseMb.toFixed(1)} MB`);
    if (seen.index < 20 * seen.pipeline) problems.push('many answers by pipeline');
    try {
      system.index.check();
    } catch (error) {
      problems.push(`check(): ${String(error)}`);
    }
  }
} finally {
  await db.dropDatabase();
  await client.close();
  await mochaGlobalTeardown();
}
for (const problem of problems.slice(0, 10)) console.log(problem);
console.log(problems.length === 0 ? 'PASSED' : `FAILED: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * A search as people make it: part of an id, an email, a name, a status; any order, early pages.
 */
function askAt(own: () => number, projects: readonly string[]): Ask {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(own() * from.length)]!;
  const view = pick<ViewName>(['tasks', 'tasks', 'tasks', 'project tasks', 'projects', 'users']);
  const piece = Math.floor(own() * 65_536).toString(16);
  const q = pick([piece, `user${Math.floor(own() * 999)}`, 'FAIL', 'example', 'a', 'together', '']);
  const sorting = {
    sort_by: pick(VIEWS[view].view.resource.sorts),
    sort_order: pick(['asc', 'desc'] as const),
  };
  const pagination = { page: pick([1, 1, 1, 2, 50]), per_page: 10 };
  return {
    view,
    projectId: pick(projects),
    memberId: 1,
    body: { filters: { q }, pagination, sorting },
    http: false,
  };
}
