/**
 * Searches while the primary of a replica set of three steps down and is killed. Each answer is the
 * state of its moment in the majority's history, read again when all is quiet.
 *
 *     writers (w: 1, so that some of it is rolled back) │ searchers ──► answers, kept
 *     step down, kill -9 │ quiet ──► each answer compared with the pipeline at its F
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { MongoClient, type Timestamp } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { isOutOfTime } from '../../src/store/faults.ts';
import type { Answer } from '../../src/tables/search/search.ts';
import { ReplicaSet, stepDownTwice } from '../support/replicaSet.ts';
import { SEED } from '../support/seed.ts';
import { until } from '../support/until.ts';
import { type Ask, ask, planOf } from './asks.ts';
import { Oracle } from './oracle.ts';
import { write } from './steps.ts';
import { type System, startSystem } from './system.ts';
import { perform } from './writes.ts';

const DB = 'failover';

interface Kept {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** The store is away, or was for as long as the search had time. */
const isRefusal = (error: unknown): boolean =>
  isOutOfTime(error) || (error instanceof Error && error.name.startsWith('Mongo'));

describe('searches while primaries come and go', function suite() {
  this.timeout(120_000);
  let set: ReplicaSet;
  let client: MongoClient;
  let system: System;

  before(async () => {
    set = await ReplicaSet.start();
    client = await MongoClient.connect(set.uri);
    const first = fc.sample(write, { numRuns: 60, seed: 1 });
    for (const one of first) await perform(client, client.db(DB), one);
    const caseFolding = new CaseFolding(client.db(DB));
    system = await startSystem({ uri: set.uri, dbName: DB, caseFolding });
  });
  after(async () => {
    await system?.stop();
    await client?.close();
    await set?.stop();
  });

  async function live(): Promise<void> {
    const state = () => system.index.state();
    await until(
      () => state().state === 'live',
      () => JSON.stringify(state()),
      40_000,
    );
  }

  /** One client that asks one search after the other, and never sees an earlier moment. */
  async function searcher(seed: number, over: () => boolean, kept: Kept[]): Promise<number> {
    let last: Timestamp | undefined;
    let refused = 0;
    for (let i = 0; !over(); i++) {
      const one = fc.sample(ask, { numRuns: 1, seed: seed + i })[0]!;
      try {
        const answer = await system.search.run(planOf(one, system.fold).plan, new Deadline(15_000));
        if (last) expect(answer.asOf.lessThan(last), 'back in time').to.equal(false);
        last = answer.asOf;
        kept.push({ ask: one, answer });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused++;
      }
      await sleep(20);
    }
    return refused;
  }

  async function writer(seed: number, over: () => boolean): Promise<void> {
    const own = await MongoClient.connect(set.uri, { writeConcern: { w: 1 } });
    for (let i = 0; !over(); i++) {
      const one = fc.sample(write, { numRuns: 1, seed: seed + i })[0]!;
      await perform(own, own.db(DB), one).catch(() => sleep(20));
      await sleep(5);
    }
    await own.close();
  }

  async function storm(fault: () => Promise<unknown>): Promise<void> {
    await live();
    let over = false;
    const kept: Kept[] = [];
    const byIndex = () => kept.filter(({ answer }) => answer.route === 'index').length;
    const seed = SEED & 0xffffff;
    const workers = [1, 2].map((n) => searcher(seed + n * 1e5, () => over, kept));
    const writers = [3, 4].map((n) => writer(seed + n * 1e5, () => over));
    await sleep(300);
    await fault();
    await live();
    await sleep(500);
    const isEnough = () => kept.length > 60 && byIndex() > kept.length / 3;
    await until(isEnough, 'there are few answers, or few of the index', 30_000);
    over = true;
    await Promise.all([...workers, ...writers]);
    await live();
    const oracle = new Oracle(client, DB);
    for (const { ask: one, answer } of kept) {
      const { plan } = planOf(one, system.fold);
      await oracle.check(plan, answer, `${one.view} by ${answer.route} (seed ${seed})`);
    }
    system.index.check();
    expect(kept.length, 'answers').to.be.greaterThan(60);
    expect(oracle.compared, 'answers compared').to.be.greaterThan(kept.length / 2);
    expect(byIndex()).to.be.greaterThan(kept.length / 4);
  }

  it('one steps down, twice', () => storm(() => stepDownTwice(client)));

  it('one is killed with -9, and comes back', () => storm(() => set.killPrimary(client, 2_000)));
});
