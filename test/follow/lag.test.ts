/** How far behind the index says it is: nothing when nothing is outstanding, else since when. */
import { expect } from 'chai';
import { NetworkProxy } from '../support/networkProxy.ts';
import { until } from '../support/until.ts';
import { untilLive } from './support/following.ts';
import { useFollowed } from './support/useFollowed.ts';

const APP = 'sync-lag';

describe('the lag', () => {
  const { database, start, fail, here } = useFollowed(APP);
  let proxy: NetworkProxy;

  before(async () => {
    proxy = await NetworkProxy.to(database.uri);
  });
  after(() => proxy.close());
  beforeEach(() => database.db.collection('users').insertOne({ v: 0 }));

  it('is 0 on an idle store, however old the frontier is', async () => {
    const { follower } = await start(here());
    expect(follower.state.lagMs).to.equal(null);
    await untilLive(follower);
    const ageMs = () => Date.now() - follower.frontier!.getHighBitsUnsigned() * 1_000;
    await until(() => ageMs() > 2_500);
    // A reply that a busy machine delays by a quarter of a second makes the store look silent for a moment.
    await until(() => follower.state.lagMs === 0 && ageMs() > 2_500);
  });

  it('grows while a change is there and cannot be read, and ends with it', async () => {
    const { follower } = await start.live({ ...here(), appName: APP });
    const held = { failCommands: ['find'], blockConnection: true, blockTimeMS: 3_000 };
    const read = await fail(held, 1);
    await database.db.collection('users').updateMany({}, { $inc: { v: 1 } });
    await read.met();
    await until(() => follower.state.lagMs! > 500);
    await until(() => follower.state.lagMs === 0);
    expect(follower.isLive(['users', 'tasks'])).to.equal(true);
  });

  it('grows for as long as the stream is interrupted, and ends when it has caught up', async () => {
    const { follower } = await start.live({ ...here(), uri: proxy.uri });
    expect(follower.state.lagMs).to.equal(0);
    proxy.cut();
    const first = await until(() => follower.state.lagMs! > 300 && follower.state.lagMs!);
    await until(() => follower.state.lagMs! > first + 300);
    proxy.restore();
    await until(() => follower.state.lagMs === 0);
    await untilLive(follower);
  });

  it('grows when the stream falls silent, though nothing says so', async () => {
    const options = { awaitMs: 100 };
    const { follower } = await start.live({ ...here(), uri: proxy.uri, options });
    proxy.silence();
    await until(() => follower.state.lagMs! > 1_200);
    proxy.restore();
    await until(() => follower.state.lagMs === 0);
  });

  it('is told after a second of silence, also while a checkpoint waits for the first event', async () => {
    const options = { awaitMs: 100, heartbeats: false };
    const { follower } = await start.live({ ...here(), uri: proxy.uri, options });
    proxy.silence();
    await until(async () => {
      expect(await follower.standStill(async () => true)).equal(undefined);
      return follower.state.phase === 'behind';
    });
    expect(follower.state.reason).equal('the change stream does not answer');
    proxy.restore();
    await untilLive(follower);
  });
});
