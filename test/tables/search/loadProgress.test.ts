/** When the first load is over, also where a table cannot be loaded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CollectionPhase } from '../../../src/follow/followedCollection.ts';
import type { FollowerState } from '../../../src/follow/follower.ts';
import { LoadProgress } from '../../../src/tables/index/loadProgress.ts';

const stateOf = (...phases: CollectionPhase[]): FollowerState => ({
  ...{ phase: 'loading', reason: '', frontier: null, lagMs: null, heartbeats: true },
  collections: phases.map((phase, i) => ({
    ...{ name: `c${i}`, phase, reason: '', read: 0, estimated: 0 },
  })),
});

const isOver = ({ firstLoad }: LoadProgress) =>
  Promise.race([firstLoad.then(() => true), sleep(0).then(() => false)]);

describe('the first load', () => {
  it('is over when no collection is loading', async () => {
    const loads = new LoadProgress();
    for (const [phases, over] of [
      [['live', 'loading'], false],
      [['live', 'loaded'], false],
      [['live', 'off'], true],
    ] as const) {
      loads.look(stateOf(...phases), () => 0);
      expect(await isOver(loads), phases.join()).equal(over);
    }
  });

  it('is over after a time, though a collection cannot be loaded', async () => {
    const loads = new LoadProgress(50);
    loads.look(stateOf('live', 'loading'), () => 0);
    expect(await isOver(loads)).equal(false);
    await sleep(60);
    loads.look(stateOf('live', 'loading'), () => 0);
    expect(await isOver(loads)).equal(true);
  });
});
