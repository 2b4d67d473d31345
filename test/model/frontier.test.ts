/** Tables and frontier move in one step: nothing that runs in between finds one without the other. */
import { expect } from 'chai';
import type { Follower } from '../../src/follow/follower.ts';
import type { Advance } from '../../src/follow/sink.ts';
import { untilLive, useFollowing } from '../follow/support/following.ts';
import { MapSink } from '../follow/support/mapSink.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Notes the frontier that the very next piece of work meets after an advance. */
class Watched extends MapSink {
  readonly met: { readonly advancedTo: string; readonly frontier: string }[] = [];
  follower: Follower | undefined;

  override apply(advance: Advance): void {
    super.apply(advance);
    queueMicrotask(() => {
      const frontier = String(this.follower?.frontier);
      this.met.push({ advancedTo: String(advance.at), frontier });
    });
  }
}

describe('an advance', () => {
  const database = useDatabase();
  const start = useFollowing();

  it('takes the frontier along before anything else runs', async () => {
    const sink = new Watched();
    const { follower } = await start({ uri: database.uri, dbName: database.name, sink });
    sink.follower = follower;
    await untilLive(follower);
    sink.met.length = 0;
    for (let n = 0; n < 5; n++) {
      await database.db.collection('users').insertOne({ v: n });
      await until(() => sink.met.length > n);
    }
    expect(sink.met.length).to.be.greaterThan(2);
    for (const { advancedTo, frontier } of sink.met) expect(frontier).to.equal(advancedTo);
  });
});
