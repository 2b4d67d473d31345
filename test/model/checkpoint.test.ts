/**
 * Starts from checkpoints against the same model as all answers: the pipeline, at their moment.
 *
 *     a life ──► stopped, the file is written ──► writes ──► started from the file ──► a life
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { put } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { useFolder } from '../support/folder.ts';
import { testMongoUri } from '../support/mongod.ts';
import { SEED } from '../support/seed.ts';
import { until } from '../support/until.ts';
import { Life, type Tally } from './life.ts';
import { lives, type Step } from './steps.ts';
import { APP_NAME, type System, startSystem } from './system.ts';
import { change, perform } from './writes.ts';

/** A file whose manifest was changed, with the sum of that. */
function summed(text: string): Buffer {
  const file = Buffer.from(text, 'latin1');
  // The manifest's length and sum, then the mark of seventeen bytes.
  const end = file.length - 25;
  const manifest = file.subarray(end - file.readUInt32LE(end), end);
  file.writeUInt32LE(crc32(manifest), end + 4);
  return file;
}

const LIVES = Number(process.env.MODEL_LIVES ?? 2);

const within = { scope: 'project', project_id: uuid(1) };

describe('a start from a checkpoint', function () {
  this.timeout(300_000);
  let uri: string;
  let client: MongoClient;
  let caseFolding: CaseFolding;
  const folder = useFolder('checkpoints');
  const tally: Tally = {
    ...{ steps: 0, index: 0, pipeline: 0, refused: 0 },
    ...{ compared: 0, fromCopies: 0, unreadable: 0 },
  };

  before(async () => {
    uri = await testMongoUri();
    client = await MongoClient.connect(uri, { appName: 'model' });
    caseFolding = new CaseFolding(client.db('model'));
  });
  after(() => client?.close());

  /** Lives through the steps on one system, which leaves a checkpoint. */
  async function live(
    dbName: string,
    steps: readonly Step[],
    expected: RegExp,
    maxRestBytes = 2 ** 26,
  ): Promise<void> {
    const options = { uri, dbName, caseFolding, checkpoints: folder };
    const system = await startSystem({ ...options, maxRestBytes });
    const life = new Life(system, client, client.db(dbName), tally);
    try {
      await life.live(steps);
      expect(said(system), said(system)).to.match(expected);
      await showWrite(system, client.db(dbName));
    } finally {
      await system.stop();
      await life.close();
    }
    expect(said(system), said(system)).to.include('checkpoint written');
  }

  /** A checkpoint begins at the latest event: an index that has seen none yet writes no file. */
  async function showWrite({ index }: System, db: Db): Promise<void> {
    const time = await client.withSession(async (session) => {
      const users = db.collection<{ _id: number }>('users');
      const one = { upsert: true, session };
      await users.updateOne({ _id: 900_001 }, { $inc: { written: 1 } }, one);
      return session.operationTime!;
    });
    const isShown = () =>
      index.frontier?.greaterThanOrEqual(time) && index.state().state === 'live';
    await until(isShown, 'the write is not shown');
  }

  const said = ({ lines }: System): string =>
    lines.filter((line) => /checkpoint|history/i.test(line)).join('');

  async function inDatabase(run: (dbName: string) => Promise<void>): Promise<void> {
    const dbName = `model_${process.pid}_${randomBytes(4).toString('hex')}`;
    await run(dbName).finally(() => client.db(dbName).dropDatabase());
  }

  it(`answers as the pipeline does, whatever happened before and meanwhile (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(lives(25), lives(12), lives(12), (before, away, after) =>
      inDatabase(async (dbName) => {
        const db = client.db(dbName);
        await live(dbName, before, /there is none/);
        for (const step of away) {
          if (step.kind === 'write') await perform(client, db, step.write);
          if (step.kind === 'ddl') await change(db, step.ddl);
        }
        await live(dbName, after, /checkpoint read/);
      }),
    );
    await fc.assert(property, { seed: SEED, numRuns: LIVES, endOnFailure: true });
    expect(tally.index, JSON.stringify(tally)).to.be.greaterThan(tally.pipeline);
  });

  describe('when the file cannot be used', () => {
    let dbName: string;
    let path: string;
    let whole: Buffer;

    beforeEach(async () => {
      dbName = `model_${process.pid}_${randomBytes(4).toString('hex')}`;
      path = join(folder, `${dbName}.checkpoint`);
      const db = client.db(dbName);
      await put(db, {
        users: [user(1), user(2)],
        projects: [project(1, { name: 'Apollo' })],
        tasks: [1, 2, 3].map((n) => task(n, within)),
        schedules: [schedule(1, within)],
      });
      await live(dbName, [], /there is none/);
      whole = await readFile(path);
    });
    afterEach(async () => {
      await failNone(client);
      await client.db(dbName).dropDatabase();
    });

    it('loads all collections, and says why, where the file is damaged or of other definitions', async () => {
      const damaged = Buffer.from(whole);
      damaged[whole.length >> 1]! ^= 1;
      await writeFile(path, damaged);
      await live(dbName, [], /the sum of its section/);
      // The checkpoint that was written at its end has rests, which another setting does not want.
      await live(dbName, [], /definitions, settings/, 0);
    });

    it('loads all collections where the file contradicts itself', async () => {
      const text = whole.toString('latin1');
      await writeFile(path, summed(text.replace(/"anchor":"82.{8}/, '"anchor":"82FFFFFFF0')));
      await live(dbName, [], /its anchor is after its tables/);
      await writeFile(path, summed(text.replace('"anchor":"82', '"anchor":"00')));
      await live(dbName, [], /a resume token of a known form/);
      await writeFile(path, summed(text.replaceAll('"partitions":1', '"partitions":0')));
      await live(dbName, [], /has another number of rows/);
    });

    it('takes no account of one that was being written when the process was killed', async () => {
      await writeFile(`${path}.new`, whole.subarray(0, whole.length / 2));
      await live(dbName, [], /checkpoint read/);
    });

    it('loads all collections of a store that has another history, or lost the one needed', async () => {
      const other = `${dbName}_other`;
      const rows = await client.db(dbName).collection('tasks').find().toArray();
      await client.db(other).collection('tasks').insertMany(rows.slice(1));
      await writeFile(join(folder, `${other}.checkpoint`), whole);
      await live(other, [], /another history/);
      await client.db(other).dropDatabase();
      await writeFile(path, whole);
      const how = { appName: APP_NAME, failCommands: ['aggregate'], errorCode: 286 };
      await failCommand(client, { times: 1 }, how);
      await live(dbName, [], /ChangeStreamHistoryLost/);
    });
  });
});
