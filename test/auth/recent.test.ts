/** Reads shared for a while: how many are made, and how old their answers may be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Recent } from '../../src/auth/recent.ts';

describe('recent reads', () => {
  it('are shared by all who ask while one is under way, and for a while after', async () => {
    let reads = 0;
    const recent = new Recent(
      async (key: string) => {
        reads += 1;
        await sleep(10);
        return key.length;
      },
      () => true,
      1_000,
    );
    const asked = await Promise.all([recent.get('abc'), recent.get('abc'), recent.get('ab')]);
    expect(asked).eql([3, 3, 2]);
    expect(await recent.get('abc')).equal(3);
    expect(reads).equal(2);
  });

  it('count their age from their start, however slow they are', async () => {
    let stored = 'old';
    const recent = new Recent(
      async () => {
        const seen = stored;
        await sleep(150);
        return seen;
      },
      () => true,
      100,
    );
    const first = recent.get('k');
    await sleep(20);
    stored = 'new';
    // The first read is still under way, but older than 100 ms: it must not serve this caller.
    await sleep(110);
    expect(await recent.get('k')).equal('new');
    expect(await first).equal('old');
  });

  it('are not kept when they fail, or when what they found is not to be kept', async () => {
    let reads = 0;
    const recent = new Recent(
      async (key: string) => {
        reads += 1;
        if (key === 'fails') throw new Error('no');
        return null;
      },
      (found) => found !== null,
      1_000,
    );
    for (let i = 0; i < 2; i++) {
      await recent.get('fails').catch(() => undefined);
      expect(await recent.get('nothing')).equal(null);
    }
    expect(reads).equal(4);
  });
});
