/** When a watched explore is asked again that the store sorts, or whose table was loaded again. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import { tasks } from '../../src/apps/admin/resources/tasks.ts';
import {
  type ExploreAnswers,
  WatchedExplore,
  type WatchedExploreDeps,
} from '../../src/serve/live/watchedExplore.ts';
import type { Watcher } from '../../src/serve/live/watcher.ts';
import type { Outage } from '../../src/tables/index/indexHealth.ts';
import type { Answer } from '../../src/tables/search/search.ts';
import { until } from '../support/until.ts';

const answer = {
  ...{ route: 'pipeline', asOf: new Timestamp({ t: 1, i: 1 }), rows: [] },
  timing: { searchMs: 1 },
} as unknown as Answer;

/** An explore that one client watches, in the order of a field, and a store that takes so many milliseconds. */
function sortedByStore({ storeMs, by = 'args' }: { readonly storeMs: number; by?: string }) {
  const world = {
    outage: undefined as Outage | undefined,
    /** The times at which the store was asked, and the outages that the client was told of. */
    asked: [] as number[],
    told: [] as (string | undefined)[],
    /** How often the explore asked for a turn of the index. */
    wanted: 0,
  };
  const settings = {} as never;
  const explore: WatchedExplore = new WatchedExplore(
    {
      parse: () => ({ plan: { resource: tasks, sorting: [{ by }], perPage: 1 } }),
      page: () => ({ answer, records: { answer: async () => Buffer.from('{}') } }),
    } as unknown as ExploreAnswers,
    settings,
    {
      search: { run: () => delay(storeMs, answer) },
      parseSettings: () => settings,
      unavailable: () => world.outage,
      timeoutMs: 10_000,
      turns: {
        want: () => {
          if (by === 'args') expect.fail('the index has no column');
          world.wanted++;
        },
        wantStore: () => {
          world.asked.push(performance.now());
          void explore.askStore();
        },
      },
    } as unknown as WatchedExploreDeps,
  );
  const offer = ({ outage }: { outage?: Outage }) => world.told.push(outage?.reason);
  explore.watchers.add({ offer } as unknown as Watcher);
  return { world, explore };
}

describe('a watched explore that the store sorts', () => {
  it('is asked once more when the index is back, since it was told of no changes until then', async () => {
    const { world, explore } = sortedByStore({ storeMs: 1 });
    world.outage = { reason: 'The index is loading.' };
    world.told.push((await explore.share(answer)).outage?.reason);
    // It comes back before anyone has looked again.
    world.outage = undefined;
    explore.look(world.outage);
    await until(() => world.asked.length === 1, 'it is not asked');
    for (let looks = 0; looks < 8; looks++) {
      await delay(100);
      explore.look(world.outage);
    }
    expect(world.asked).length(1);
    expect(world.told).eql(['The index is loading.', 'The database sorts by this column.']);
    explore.close();
  });

  it('leaves the store four times as long alone as that took', async () => {
    const storeMs = 1_500;
    const { world, explore } = sortedByStore({ storeMs });
    explore.touch();
    await until(() => world.told.length === 1, 'it is not answered');
    explore.touch();
    await until(() => world.asked.length === 2, 'it is not asked again');
    const [first, second] = world.asked as [number, number];
    expect(second - first).at.least(4.9 * storeMs);
    explore.close();
  });
});

describe('a watched explore whose table was loaded again', () => {
  it('is asked at once, although it was touched before the index was back', async () => {
    const { world, explore } = sortedByStore({ storeMs: 1, by: 'id' });
    await explore.share({ ...answer, route: 'index' });
    // As the collection is dropped: its table is renewed within the step that takes it live.
    world.outage = { reason: 'The index is loading.' };
    explore.touch();
    world.outage = undefined;
    explore.look(world.outage);
    await until(() => world.wanted === 1, 'it is not asked', 2_000);
    explore.close();
  });
});
