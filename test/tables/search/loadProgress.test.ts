/** When the first load is over, also where a table cannot be loaded; and how long it still takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CollectionPhase } from '../../../src/follow/followedCollection.ts';
import type { FollowerState } from '../../../src/follow/follower.ts';
import { LoadProgress } from '../../../src/tables/index/loadProgress.ts';

const stateOf = (...phases: CollectionPhase[]): FollowerState => ({
  ...{ phase: 'loading', reason: '', frontier: null, lagMs: null, heartbeats: true },
  collections: phases.map((phase, i) => ({
    ...{
      name: `c${i}`,
      phase,
      reason: '',
      isView: false,
      read: 0,
      estimated: 0,
      isRestored: false,
    },
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

describe('the time that loads still take', () => {
  const stateAt = (read: number): FollowerState => {
    const [loading, restored] = stateOf('loading', 'loading').collections;
    return {
      ...stateOf(),
      collections: [
        { ...loading!, read, estimated: 1_000_000 },
        { ...restored!, read: read > 0 ? 5_000_000 : 0, estimated: 5_000_000, isRestored: true },
      ],
    };
  };

  it('goes by documents that are read, not by the rows of a checkpoint', async () => {
    const loads = new LoadProgress();
    loads.look(stateAt(0), () => 0);
    const before = loads.leftMs(stateAt(1_000));
    await sleep(510);
    loads.look(stateAt(1_000), () => 0);
    // Two documents a millisecond are fewer than it took for granted.
    expect(loads.leftMs(stateAt(1_000))).greaterThan(before);
  });
});
