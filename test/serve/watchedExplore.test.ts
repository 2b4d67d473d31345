/** When a watched explore is asked again. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import { tasks } from '../../src/apps/admin/resources/tasks.ts';
import type { ExploreAnswers, WatchedExploreDeps } from '../../src/serve/live/watchedExplore.ts';
import { WatchedExplore } from '../../src/serve/live/watchedExplore.ts';
import type { Watcher } from '../../src/serve/live/watcher.ts';
import type { Outage } from '../../src/tables/index/indexHealth.ts';
import type { Answer } from '../../src/tables/search/search.ts';
import { until } from '../support/until.ts';

const answer = {
  ...{ route: 'pipeline', asOf: new Timestamp({ t: 1, i: 1 }), rows: [] },
  timing: { searchMs: 1 },
} as unknown as Answer;

describe('a watched explore that the store sorts', () => {
  it('is asked once more when the index is back, since it was told of no changes until then', async () => {
    let outage: Outage | undefined = { reason: 'The index is loading.' };
    let asked = 0;
    const told: (string | undefined)[] = [];
    const settings = {} as never;
    const explore: WatchedExplore = new WatchedExplore(
      {
        parse: () => ({ plan: { resource: tasks, sorting: [{ by: 'args' }], perPage: 1 } }),
        page: () => ({ answer, records: { answer: async () => Buffer.from('{}') } }),
      } as unknown as ExploreAnswers,
      settings,
      {
        search: { run: async () => answer },
        parseSettings: () => settings,
        unavailable: () => outage,
        timeoutMs: 1_000,
        turns: {
          want: () => expect.fail('the index has no column'),
          wantStore: () => {
            asked += 1;
            void explore.askStore();
          },
        },
      } as unknown as WatchedExploreDeps,
    );
    const watcher = { offer: (shared: { outage?: Outage }) => told.push(shared.outage?.reason) };
    explore.watchers.add(watcher as unknown as Watcher);
    told.push((await explore.share(answer)).outage?.reason);
    // It comes back before anyone has looked again.
    outage = undefined;
    explore.look(outage);
    await until(() => asked === 1, 'it is not asked');
    for (let looks = 0; looks < 8; looks++) {
      await delay(100);
      explore.look(outage);
    }
    expect(asked).equal(1);
    expect(told).eql(['The index is loading.', 'The database sorts by this column.']);
    explore.close();
  });
});
