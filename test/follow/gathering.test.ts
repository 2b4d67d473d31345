/** Changes gather while the event loop is busy, and never for those who wait for the frontier. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Frontier } from '../../src/follow/frontier.ts';
import { Gathering, type GatheringOptions } from '../../src/follow/gathering.ts';
import { useDatabase } from '../support/database.ts';
import { untilLive, untilReached, useFollowing } from './support/following.ts';

const FOREVER_MS = 2 ** 30;

describe('changes gather', () => {
  const database = useDatabase();
  const start = useFollowing();

  function gathering(busy: number, options: Partial<GatheringOptions> = {}) {
    const frontier = new Frontier(() => {});
    const abort = new AbortController();
    const one = new Gathering({
      ...{ frontier, signal: abort.signal, busy: () => busy, mostMs: FOREVER_MS },
      ...options,
    });
    return { frontier, abort, one };
  }

  it('not at all while the event loop is idle half of the time', async () => {
    for (const busy of [0, 0.3, 0.5]) await gathering(busy).one.pause();
  });

  it('the longer the busier it is', async () => {
    const took = async (busy: number) => {
      const began = performance.now();
      await gathering(busy, { mostMs: 200 }).one.pause();
      return performance.now() - began;
    };
    expect(await took(0.75)).to.be.at.least(99);
    expect(await took(1)).to.be.at.least(199);
  });

  it('until someone waits for the frontier, or waits already', async () => {
    const { frontier, one } = gathering(1);
    const pause = one.pause();
    const wait = frontier.waitFor(5n, 60_000);
    await pause;
    await one.pause();
    frontier.moveTo(5n);
    expect(await wait).to.equal(true);
  });

  it('until the stream is left', async () => {
    const { abort, one } = gathering(1);
    const pause = one.pause();
    abort.abort();
    await pause;
    await one.pause();
  });

  it('by how busy the event loop of this thread was of late', async () => {
    const abort = new AbortController();
    const frontier = new Frontier(() => {});
    const one = new Gathering({ frontier, signal: abort.signal, mostMs: FOREVER_MS });
    for (const ends = performance.now() + 400; performance.now() < ends; );
    let over = false;
    const pause = one.pause().then(() => {
      over = true;
    });
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(over).to.equal(false);
    abort.abort();
    await pause;
  });

  it('in the store, too: a stream that pauses tells of all of them at once', async () => {
    const users = database.db.collection<{ _id: number; v: number }>('users');
    await database.db.dropDatabase();
    await users.insertOne({ _id: 1, v: 0 });
    let busy = 0;
    const { follower, sink } = await start({
      ...{ uri: database.uri, dbName: database.name },
      options: { staleMs: 600_000, gathering: { busy: () => busy, mostMs: 600_000 } },
    });
    await untilLive(follower);
    const change = async (v: number) => {
      const session = database.client.startSession();
      await users.updateOne({ _id: 1 }, { $set: { v } }, { session });
      const { operationTime } = session;
      await session.endSession();
      return operationTime!;
    };
    busy = 1;
    await untilReached(follower, await change(1));
    let last = await change(2);
    for (let v = 3; v <= 20; v++) last = await change(v);
    await untilReached(follower, last);
    const shown = sink.shown.map(({ tables }) => tables.get('users')?.get(1)?.cells[1]);
    expect(shown.at(-1)).to.equal(20);
    // The first of them may end the stream's wait for news, and a heartbeat that of another one.
    expect(new Set(shown).size).to.be.below(10);
  });
});
