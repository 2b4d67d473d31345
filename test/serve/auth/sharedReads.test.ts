/** Reads shared for a while: how many are made, and how old their answers may be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import type { Fact } from '../../../src/serve/auth/policy.ts';
import { SharedReads } from '../../../src/serve/auth/sharedReads.ts';
import { gate } from '../../support/until.ts';

const fact = <T>(name: string, read: Fact<T>['read']): Fact<T> => ({
  ...{ name, read },
  inMemory: () => undefined,
});

describe('shared reads', () => {
  it('serve all requests of a caller while one is under way, and for a while after', async () => {
    let reads = 0;
    const shared = new SharedReads(60_000);
    const get = (name: string) =>
      shared.get(
        'me',
        fact(name, async () => {
          reads += 1;
          await sleep(10);
          return name.length;
        }),
      );
    expect(await Promise.all([get('abc'), get('abc'), get('ab')])).eql([3, 3, 2]);
    expect(await get('abc')).equal(3);
    expect(reads).equal(2);
  });

  it('count their age from their start, however slow they are', async () => {
    let stored = 'old';
    const shared = new SharedReads(100);
    const slow = fact('k', async () => {
      const seen = stored;
      await sleep(150);
      return seen;
    });
    const first = shared.get('me', slow);
    await sleep(20);
    stored = 'new';
    // The first read is still under way, but older than 100 ms: it must not serve this request.
    await sleep(110);
    expect(await shared.get('me', slow)).equal('new');
    expect(await first).equal('old');
  });

  it('are not kept when they fail or are forgotten, and kept when they find nothing', async () => {
    const reads = { fails: 0, nothing: 0, forgotten: 0 };
    const shared = new SharedReads(60_000);
    const counted = (name: keyof typeof reads) =>
      fact(name, async () => {
        reads[name] += 1;
        if (name === 'fails') throw new Error('no');
        return null;
      });
    for (let i = 0; i < 2; i++) {
      await shared.get('me', counted('fails')).catch(() => undefined);
      expect(await shared.get('me', counted('nothing'))).equal(null);
      await shared.get('me', counted('forgotten'));
      shared.forget('me', counted('forgotten'));
    }
    expect(reads).eql({ fails: 2, nothing: 1, forgotten: 2 });
  });

  it('stay when one that was begun before them fails late', async () => {
    const shared = new SharedReads(60_000);
    const late = gate();
    let reads = 0;
    const failsFirst = fact('k', async () => {
      reads += 1;
      if (reads > 1) return reads;
      await late.passed;
      throw new Error('no');
    });
    const first = shared.get('me', failsFirst).catch(() => 'failed');
    shared.forget('me', failsFirst);
    expect(await shared.get('me', failsFirst)).equal(2);
    late.open();
    expect(await first).equal('failed');
    expect(await shared.get('me', failsFirst)).equal(2);
  });

  it('serve all requests for moments that the store was known to have reached', async () => {
    const at = (t: number) => new Timestamp({ t, i: 0 });
    const asked: (number | undefined)[] = [];
    let latest = at(100);
    const shared = new SharedReads(60_000, () => latest);
    const noted = fact('k', async (notBefore) => asked.push(notBefore?.getHighBitsUnsigned()));
    await shared.get('me', noted);
    // Nobody knows which moment the first read shows.
    for (let t = 1; t <= 100; t++) await shared.get('me', noted, at(t));
    await shared.get('me', noted);
    expect(asked).eql([undefined, 100]);
    latest = at(200);
    for (const t of [101, 102, 200]) await shared.get('me', noted, at(t));
    expect(asked).eql([undefined, 100, 200]);
  });

  it("of one caller show nothing of another's, and push none of them out", async () => {
    const asked: string[] = [];
    const shared = new SharedReads(60_000);
    const get = (caller: string, name: string) =>
      shared.get(
        caller,
        fact(name, async () => asked.push(`${caller} ${name}`)),
      );
    await get('a', 'mine');
    for (let guess = 0; guess < 200; guess++) await get('b', `guess ${guess}`);
    await get('b', 'mine');
    expect(asked.at(-1), 'a read of its own').equal('b mine');
    const reads = asked.length;
    await get('a', 'mine');
    expect(asked, 'still kept').length(reads);
    await get('b', 'guess 0');
    expect(asked, 'pushed out by the caller itself').length(reads + 1);
  });
});
