/**
 * A store that is replaced by an older copy of its data while it is followed. The copy takes the resume
 * token of the stream: only its lack of an event tells that it has another history.
 */
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { type Embedded, startEmbedded } from '../../src/dev/embedded/server.ts';
import { scalarKey } from '../../src/textindex/index.ts';
import { until as untilSo } from '../support/until.ts';
import {
  Said,
  type StartOptions,
  untilLive,
  untilReached,
  useFollowing,
} from './support/following.ts';

describe('a store that is restored from a backup under the stream', function suite() {
  this.timeout(120_000);
  const start = useFollowing();
  const dbName = 'backup';
  let dataDir: string;
  let store: Embedded | undefined;
  let client: MongoClient;

  const up = async () => {
    store = await startEmbedded({ dataDir, log: new Said() });
    client = await MongoClient.connect(store.uri);
  };
  const down = async () => {
    await client.close();
    await store?.stop();
    store = undefined;
  };
  const file = (name: string) => join(dataDir, name);
  const users = () => client.db(dbName).collection<{ _id: number; v: number }>('users');

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'table-search-backup-'));
    await up();
    await users().insertMany([1, 2, 3].map((_id) => ({ _id, v: 0 })));
  });
  afterEach(async () => {
    await down();
    await rm(dataDir, { recursive: true });
  });

  /** Ends the store, does something to its files, and starts it again at the same port. */
  const between = async (work: () => Promise<unknown>) => {
    const { port } = store!;
    await down();
    await work();
    await up();
    expect(store!.port, 'the port of before').equal(port);
  };
  const change = async (work: (of: ReturnType<typeof users>) => Promise<unknown>) => {
    const session = client.startSession();
    await work(users());
    await users().updateOne({ _id: 2 }, { $inc: { v: 1 } }, { session });
    await session.endSession();
    return session.operationTime!;
  };
  /** The stream's token names a time alone after two of its empty answers. */
  const passEvent = async () => {
    await client.db(dbName).collection('elsewhere').insertOne({});
    await sleep(1_000);
  };
  /** Asked when the stream is open again, before the store is known to be the one of before. */
  let resumed: () => Promise<unknown>;
  const follow = (options?: StartOptions['options']) => {
    const tablesFit = async () => {
      await resumed();
      return true;
    };
    resumed = async () => {};
    return start({
      uri: store!.uri,
      dbName,
      collections: ['users'],
      tablesFit,
      ...(options && { options }),
    });
  };

  it('is loaded again', async () => {
    await between(() => cp(file('db'), file('copy'), { recursive: true }));
    const { follower, sink, said } = await follow();
    await untilLive(follower);
    await untilReached(
      follower,
      await change(async (all) => {
        await all.deleteOne({ _id: 1 });
        await all.insertOne({ _id: 4, v: 0 });
      }),
    );
    await passEvent();
    const shown = () => [...sink.tables.get('users')!.keys()].sort();
    const keys = (...ids: number[]) => ids.map((id) => scalarKey(id)).sort();
    expect(shown()).eql(keys(2, 3, 4));

    const shownAs: string[] = [];
    const frontier = () => String(follower.frontier);
    resumed = async () => {
      await sleep(500);
      shownAs.push(frontier());
    };
    let before = '';
    await between(async () => {
      before = frontier();
      await rename(file('db'), file('lost'));
      await rename(file('copy'), file('db'));
    });
    await untilSo(async () => {
      await untilReached(follower, await change(async () => {}));
      await untilLive(follower);
      return JSON.stringify(shown()) === JSON.stringify(keys(1, 2, 3));
    }, 'the rows of the backup do not show');
    expect(said.lines.join('\n')).include('has to begin again');
    expect(shownAs[0], 'no moment of the backup is shown with rows of the store').equal(before);
  });

  it('is followed on where the backup has all that was seen', async () => {
    const { follower, sink, said } = await follow();
    await untilLive(follower);
    await untilReached(follower, await change((all) => all.insertOne({ _id: 4, v: 0 })));
    await passEvent();
    await between(async () => {});
    await untilReached(follower, await change((all) => all.insertOne({ _id: 5, v: 0 })));
    await untilLive(follower);
    expect(sink.tables.get('users')!.size).equal(5);
    expect(said.lines.filter((line) => line.includes('has to begin again'))).eql([]);
  });
});
