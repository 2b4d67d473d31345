/** Reads shared for a while: how many are made, and how old their answers may be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import { TtlCache, TtlCacheByCaller } from '../../../src/serve/auth/ttlCache.ts';

describe('TTL cache of reads', () => {
  it('are shared by all who ask while one is under way, and for a while after', async () => {
    let reads = 0;
    const cache = new TtlCache(
      async (key: string) => {
        reads += 1;
        await sleep(10);
        return key.length;
      },
      { maxAgeMs: 60_000, max: 10 },
    );
    const asked = await Promise.all([cache.get('abc'), cache.get('abc'), cache.get('ab')]);
    expect(asked).eql([3, 3, 2]);
    expect(await cache.get('abc')).equal(3);
    expect(reads).equal(2);
  });

  it('count their age from their start, however slow they are', async () => {
    let stored = 'old';
    const cache = new TtlCache(
      async () => {
        const seen = stored;
        await sleep(150);
        return seen;
      },
      { maxAgeMs: 100, max: 10 },
    );
    const first = cache.get('k');
    await sleep(20);
    stored = 'new';
    // The first read is still under way, but older than 100 ms: it must not serve this caller.
    await sleep(110);
    expect(await cache.get('k')).equal('new');
    expect(await first).equal('old');
  });

  it('are not kept when they fail, and kept when they find nothing', async () => {
    const reads = { fails: 0, nothing: 0 };
    const cache = new TtlCache(
      async (key: keyof typeof reads) => {
        reads[key] += 1;
        if (key === 'fails') throw new Error('no');
        return null;
      },
      { maxAgeMs: 60_000, max: 10 },
    );
    for (let i = 0; i < 2; i++) {
      await cache.get('fails').catch(() => undefined);
      expect(await cache.get('nothing')).equal(null);
    }
    expect(reads).eql({ fails: 2, nothing: 1 });
  });

  it('are shared by all who ask for moments that the store was known to have reached', async () => {
    const at = (t: number) => new Timestamp({ t, i: 0 });
    const asked: (number | undefined)[] = [];
    let latest = at(100);
    const cache = new TtlCache(
      async (_key: string, notBefore?: Timestamp) => asked.push(notBefore?.getHighBitsUnsigned()),
      { maxAgeMs: 60_000, max: 10, latest: () => latest },
    );
    await cache.get('k');
    // Nobody knows which moment the first read shows.
    for (let t = 1; t <= 100; t++) await cache.get('k', at(t));
    await cache.get('k');
    expect(asked).eql([undefined, 100]);
    latest = at(200);
    for (const t of [101, 102, 200]) await cache.get('k', at(t));
    expect(asked).eql([undefined, 100, 200]);
  });

  it("of one caller show nothing of another's, and push none of them out", async () => {
    const asked: string[] = [];
    const cache = new TtlCacheByCaller(
      async (caller, key) => asked.push(`${caller} ${key}`),
      { maxAgeMs: 60_000, max: 3 },
      10,
    );
    await cache.get(1, 'mine');
    for (let guess = 0; guess < 50; guess++) await cache.get(2, `guess ${guess}`);
    await cache.get(2, 'mine');
    expect(asked.at(-1), 'a read of its own').equal('2 mine');
    const reads = asked.length;
    await cache.get(1, 'mine');
    expect(asked, 'still kept').length(reads);
    await cache.get(2, 'guess 0');
    expect(asked, 'pushed out by the caller itself').length(reads + 1);
  });
});
