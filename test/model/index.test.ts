/**
 * The index against its model: the pipeline, run at the answer's own moment.
 *
 *     MODEL_STEPS=5000 SEED=random npx mocha test/model/index.test.ts
 *
 * Random lives of a store with searchers (steps.ts), each in a database of its own. A life that
 * goes wrong is shrunk to the few steps that matter and printed with its seed.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { testMongoUri } from '../support/mongod.ts';
import { SEED } from '../support/seed.ts';
import { Life, type Tally } from './life.ts';
import { lives, type Step } from './steps.ts';
import { startSystem } from './system.ts';

/** Steps that the index is put through: the same work on every machine. */
const STEPS = Number(process.env.MODEL_STEPS ?? 120);
/** Steps of one life at most, and lives at most. */
const LONGEST = 80;
const LIVES = Math.ceil((4 * STEPS) / LONGEST);
/** None of the rows are in memory; those that few bytes hold, which keep being dropped; all of them. */
const REST_BYTES = [0, 2 ** 19, 2 ** 26];
/** A step takes some 10 ms on an idle machine; shrinking has to end too. */
const LIMIT_MS = 120_000 + STEPS * 200;

describe('the index answers as the pipeline would have', () => {
  let uri: string;
  let client: MongoClient;
  let caseFolding: CaseFolding;

  before(async function start() {
    this.timeout(300_000);
    uri = await testMongoUri();
    client = await MongoClient.connect(uri, { appName: 'model' });
    caseFolding = new CaseFolding(client.db('model'));
  });
  after(() => client?.close());

  async function run(steps: readonly Step[], tally: Tally): Promise<void> {
    const dbName = `model_${process.pid}_${randomBytes(4).toString('hex')}`;
    const db = client.db(dbName);
    const maxRestBytes = REST_BYTES[steps.length % REST_BYTES.length]!;
    const system = await startSystem({ uri, dbName, caseFolding, maxRestBytes });
    const life = new Life(system, client, db, tally);
    try {
      await life.live(steps);
    } finally {
      await system.stop();
      await life.close();
      await db.dropDatabase();
    }
  }

  it(`through random lives of the store (seed ${SEED})`, async function test() {
    this.timeout(LIMIT_MS + 30_000);
    const tally: Tally = {
      ...{ steps: 0, index: 0, pipeline: 0, refused: 0 },
      ...{ compared: 0, fromCopies: 0, unreadable: 0 },
    };
    let failed = false;
    const property = fc.asyncProperty(lives(LONGEST), async (steps) => {
      if (!failed && tally.steps >= STEPS) return;
      failed = true;
      await run(steps, tally);
      failed = false;
    });
    await fc.assert(property, { seed: SEED, numRuns: LIVES, interruptAfterTimeLimit: LIMIT_MS });
    if (process.env.MODEL_STEPS) process.stdout.write(`${JSON.stringify(tally)}\n`);
    expect(tally.index, JSON.stringify(tally)).to.be.greaterThan(tally.pipeline);
  });
});
