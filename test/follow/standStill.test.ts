/** The events at which a moment can be anchored, while the frontier does not move. */
import { expect } from 'chai';
import type { FollowedCollection } from '../../src/follow/followedCollection.ts';
import { StandStill } from '../../src/follow/standStill.ts';

const EVENTS = 50_000;

describe('tables that stand still', () => {
  it('need few of the events that came before the frontier moved, and are anchored at the latest', async () => {
    const frontier: { at: bigint | null } = { at: null };
    const live = { phase: 'live', name: 'users', uuid: null, generation: 0 };
    const standStill = new StandStill([live as unknown as FollowedCollection], frontier);
    let looks = 0;
    for (let n = 1n; n <= EVENTS; n++) {
      standStill.note({
        ...{ data: `event ${n}`, highWaterMark: false },
        get time() {
          looks += 1;
          return n;
        },
      });
    }
    const anchorAt = async (at: number) => {
      frontier.at = BigInt(at);
      const anchor = standStill.ask(async (moment) => moment.anchor);
      await standStill.next({ noteHeld() {}, noteLetGo() {} });
      return await anchor;
    };
    expect(await anchorAt(EVENTS / 2), 'the event before is not known any more').equal(undefined);
    looks = 0;
    expect(await anchorAt(EVENTS)).equal(`event ${EVENTS}`);
    // Each event that is kept is looked at.
    expect(looks).below(2_500);
  });
});
