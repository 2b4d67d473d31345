import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Db, MongoClient } from 'mongodb';
import { randomFrom } from '../worlds/random.ts';
import { until, untilLive, untilReached } from './support/following.ts';
import { useFollowed } from './support/useFollowed.ts';
import { WRITES } from './support/writers.ts';

/** Enough for several batches of a scan, and for a round of catching up. */
const DOCUMENTS = 9_000;

const APP = 'sync-load';

/** Steps of a kind between which is written. */
const WRITTEN_BETWEEN = 4;

describe('first load', function suite() {
  this.timeout(120_000);
  const { database, start, startWriters, fail, here, refill, expectTrue } = useFollowed(APP);
  beforeEach(() => refill(40, DOCUMENTS));

  it('loses nothing that is written between any two of its steps', async () => {
    const random = randomFrom(5);
    const steps = new Map<string, number>();
    const { sink, specs } = await start.live({
      ...here(),
      options: {
        async step(step, collection) {
          const times = (steps.get(`${collection} ${step}`) ?? 0) + 1;
          steps.set(`${collection} ${step}`, times);
          // A busy machine takes many more slices, with less in each.
          if (times > WRITTEN_BETWEEN) return;
          await everyWrite(database.db, database.client, random);
          await ahead(database.db, random);
        },
      },
    });
    await expectTrue({ sink, specs }, 1);
    expect([...steps.keys()]).to.include.members([
      'users begun',
      'users described',
      'users scanned',
      'users caught up',
      'tasks begun',
      'tasks described',
      'tasks batch',
      'tasks scanned',
      'tasks caught up',
    ]);
  });

  it('reads again what changed a lot during the scan, and still gets it right', async () => {
    let changed = false;
    const { sink, specs } = await start.live({
      ...here(),
      options: {
        async step(step, collection) {
          if (collection !== 'tasks' || step !== 'batch' || changed) return;
          changed = true;
          const tasks = database.db.collection('tasks');
          await tasks.updateMany({ _id: { $lt: 5_000 as never } }, { $inc: { v: 1 } });
          await tasks.deleteMany({ _id: { $gte: 1_000 as never, $lt: 2_000 as never } });
          await tasks.insertMany([{ _id: 1_500 as never, v: 'back' }]);
          // The stream should have said it all before the scan ends.
          await sleep(500);
        },
      },
    });
    await expectTrue({ sink, specs });
    expect(sink.tables.get('tasks')!.size).to.equal(DOCUMENTS - 1_000 + 1);
  });

  it('comes live under writers who never pause', async () => {
    const writers = startWriters(database.client, database.db, 4, randomFrom(9), undefined, 0);
    const { sink, specs } = await start.live(here());
    await writers.stop();
    await expectTrue({ sink, specs });
  });

  for (const step of ['begun', 'described', 'arrived', 'batch', 'scanned', 'caught up'] as const) {
    it(`begins again when the collection is replaced after "${step}"`, async () => {
      let replaced = false;
      const { follower, sink, specs } = await start.live({
        ...here(),
        options: {
          async step(at, collection) {
            if (replaced || at !== step || collection !== 'tasks') return;
            replaced = true;
            await database.db.collection('fresh').insertMany([{ _id: 5 as never, v: 'fresh' }]);
            await database.db.collection('fresh').rename('tasks', { dropTarget: true });
          },
        },
      });
      await untilReached(follower, (await database.db.command({ ping: 1 })).operationTime);
      await untilLive(follower);
      const rows = [...sink.tables.get('tasks')!.values()].map(({ cells }) => cells.slice(0, 2));
      expect(rows).to.deep.equal([[5, 'fresh']]);
      // Nothing that mixes the two was ever shown.
      for (const { tables } of sink.shown) {
        expect([undefined, 1, DOCUMENTS]).to.include(tables.get('tasks')?.size);
      }
      sink.shown.splice(0, sink.shown.length - 1);
      await expectTrue({ sink, specs });
    });
  }

  it('puts nothing of the old collection into the new table, however late it comes', async () => {
    // Renamed away and not dropped: the scan's cursor lives on.
    const replace = async () => {
      await database.db.collection('fresh').insertMany([{ _id: 5 as never, v: 'fresh' }]);
      await database.db.collection('tasks').rename('old');
      await database.db.collection('fresh').rename('tasks');
    };
    let replaced: Promise<void> | undefined;
    // The second batch of the scan is held up until the stream has told of the rename.
    const late = { failCommands: ['getMore'], blockConnection: true, blockTimeMS: 1_000 };
    await fail({ ...late, namespace: `${database.name}.tasks` }, 1);
    const { follower, sink } = await start.live({
      ...here(),
      appName: APP,
      options: {
        step(step, collection) {
          if (collection === 'tasks' && step === 'batch') replaced ??= replace();
        },
      },
    });
    await replaced;
    await until(follower, () => sink.tables.get('tasks')?.size === 1);
    await untilLive(follower);
    expect([...sink.tables.get('tasks')!.keys()]).to.deep.equal(['n5']);
  });

  for (const [step, read] of [
    ['described', 'what the scan saw'],
    ['scanned', 'what was read again'],
  ] as const) {
    it(`does not go live before the stream has passed ${read}`, async () => {
      const held = { failCommands: ['getMore'], blockConnection: true, blockTimeMS: 1_500 };
      const setAll = (v: number) => database.db.collection('tasks').updateMany({}, { $set: { v } });
      let told = false;
      const { sink, specs } = await start.live({
        ...here(),
        appName: APP,
        options: {
          awaitMs: 50,
          staleMs: 10_000,
          async step(at, collection) {
            if (collection !== 'tasks') return;
            if (step === 'scanned' && at === 'batch' && !told) {
              // Something to read again, of which the stream has told when the scan ends.
              told = true;
              await setAll(5);
              await sleep(1_000);
            }
            if (at !== step) return;
            // The stream is held up, so the load sees these writes first.
            await fail(held, 1);
            await sleep(200);
            await setAll(7);
          },
        },
      });
      await expectTrue({ sink, specs }, 1);
      expect(sink.tables.get('tasks')!.get('n1')!.cells[1]).to.equal(7);
    });
  }

  it('waits for writes that the majority did not have when the stream was opened', async () => {
    // A primary that is slow to make its writes durable is behind in majority reads: the scan must
    // not read the state of before.
    for (let round = 0; round < 10; round++) {
      const _id = `early ${round}`;
      await database.db
        .collection('users')
        .insertOne({ _id: _id as never, v: round }, { writeConcern: { w: 1, journal: false } });
      const { follower, sink } = await start.live(here());
      expect(sink.tables.get('users')!.has(`s${_id}`), _id).to.equal(true);
      await follower.stop();
    }
  });
});

async function everyWrite(db: Db, client: MongoClient, random: () => number): Promise<void> {
  for (const write of Object.values(WRITES)) await write(db, client, random).catch(() => {});
}

/** Changes to documents that the scan may have passed, and to ones it has yet to come to. */
async function ahead(db: Db, random: () => number): Promise<void> {
  const tasks = db.collection('tasks');
  for (let i = 0; i < 6; i++) {
    const _id = Math.floor(random() * DOCUMENTS) as never;
    await tasks.updateOne({ _id }, { $inc: { v: 1 } });
    const other = Math.floor(random() * DOCUMENTS) as never;
    await tasks.deleteOne({ _id: other });
    if (i % 2 === 0) await tasks.insertOne({ _id: other, v: 'again' });
  }
}
