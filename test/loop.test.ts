/** The scheduler: waiting work begins in turn, no turn is long, and no lane waits for ever. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Lane, Loop } from '../src/loop.ts';

describe('the loop', () => {
  let ms = 0;
  let begun: string[] = [];
  let loop: Loop;
  beforeEach(() => {
    ms = 0;
    begun = [];
    loop = new Loop(() => ms);
  });

  /** Each piece of work moves the clock on by half a millisecond, half of it after its wait. */
  const come = (caller: string, count: number, lane: 'probe' | 'request' = 'request') => {
    for (let n = 0; n < count; n++) {
      loop.begin(lane, caller, async () => {
        begun.push(caller);
        ms += 0.25;
        await undefined;
        await undefined;
        ms += 0.25;
      });
    }
  };
  const of = (caller: string) => begun.filter((one) => one === caller).length;

  describe('begins requests that come at once', () => {
    it('at once where they are few', () => {
      come('a', 3);
      come('b', 2);
      expect(begun).to.deep.equal(['a', 'a', 'a', 'b', 'b']);
    });

    it('for no longer than a turn has time, with what they go on with after a wait', async () => {
      come('a', 100);
      expect(begun.length).to.be.below(20);
      for (let turn = 1; begun.length < 100; turn++) {
        const before = ms;
        await nextTurn();
        expect(ms - before, `turn ${turn}`).to.be.within(1, 12);
      }
    });

    it('a caller at a time: one waits for one of each other', async () => {
      come('a', 100);
      come('b', 100);
      come('c', 1);
      while (of('c') === 0) await nextTurn();
      const earlier = begun.slice(0, begun.indexOf('c'));
      expect(earlier.filter((one) => one === 'b')).to.have.length.below(3);
      while (begun.length < 201) await nextTurn();
      expect([of('a'), of('b'), of('c')]).to.deep.equal([100, 100, 1]);
    });

    it('in the order of one caller', async () => {
      const order: number[] = [];
      for (let n = 0; n < 50; n++) {
        loop.begin('request', 'a', () => {
          order.push(n);
          ms += 0.5;
        });
      }
      while (order.length < 50) await nextTurn();
      expect(order).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
    });

    it('one in a turn while answers are left over, and probes at once', async () => {
      const long = Array.from({ length: 10 }, () =>
        loop.run('answer', 'x', () => {
          ms += 5;
        }),
      );
      await nextTurn();
      come('a', 3);
      come('probe', 1, 'probe');
      expect(begun).to.deep.equal(['probe']);
      for (let turn = 1; turn <= 3; turn++) {
        await nextTurn();
        expect(of('a')).to.equal(turn);
      }
      await Promise.all(long);
    });

    it('after probes, of which a flood keeps no others out', async () => {
      come('a', 100);
      const before = of('a');
      come('probe', 40, 'probe');
      while (begun.length < before + 1) await nextTurn();
      expect(begun[before]).to.equal('probe');
      while (begun.length < 140) await nextTurn();
      const whileProbed = begun.slice(before, begun.lastIndexOf('probe'));
      expect(whileProbed.filter((one) => one === 'a')).to.have.length.above(8);
      expect([of('a'), of('probe')]).to.deep.equal([100, 40]);
    });
  });

  describe('makes answers', () => {
    it('side by side: the first step of all comes before the second one of any', async () => {
      const steps: string[] = [];
      const work = (name: string) =>
        loop.run('answer', name, async () => {
          steps.push(`${name} searches`);
          await undefined;
          steps.push(`${name} answers`);
          return name;
        });
      expect(await Promise.all([work('a'), work('b')])).deep.equal(['a', 'b']);
      expect(steps).deep.equal(['a searches', 'b searches', 'a answers', 'b answers']);
    });

    it('in a later turn where they take long', async () => {
      const done: number[] = [];
      for (let n = 0; n < 6; n++) {
        void loop.run('answer', 'a', () => {
          ms += 2.5;
          done.push(n);
        });
      }
      for (const most of [2, 4, 6]) {
        await nextTurn();
        expect(done).to.have.length(most);
      }
      expect(done).deep.equal([0, 1, 2, 3, 4, 5]);
    });

    it('that fail one by one', async () => {
      const wrong = loop.run('answer', 'a', async () => {
        throw new Error('wrong');
      });
      const thrown = loop.run('answer', 'b', (): Promise<void> => {
        throw new Error('thrown in the step itself');
      });
      const right = loop.run('answer', 'c', async () => 'right');
      const ends = await Promise.allSettled([wrong, thrown, right]);
      expect(ends.map(({ status }) => status)).deep.equal(['rejected', 'rejected', 'fulfilled']);
    });
  });

  describe('has lanes', () => {
    const work = async (lane: Exclude<Lane, 'answer'>, caller: string, took: number) => {
      await loop.turn(lane, caller);
      begun.push(caller);
      await undefined;
      ms += took;
    };

    it('in their order', async () => {
      const all = (['maintenance', 'watch', 'step', 'request', 'probe'] as const).map((lane) =>
        work(lane, lane, 0.1),
      );
      await Promise.all(all);
      expect(begun).deep.equal(['probe', 'request', 'step', 'watch', 'maintenance']);
    });

    it('each of which gets one in a turn, however many wait in the others', async () => {
      for (let n = 0; n < 50; n++) {
        void loop.run('answer', 'answer', () => {
          begun.push('answer');
          ms += 3;
        });
        void work('step', 'step', 3);
      }
      const rare = ['watch', 'maintenance'] as const;
      await Promise.all(rare.map((lane) => work(lane, lane, 1)));
      expect(of('answer')).equal(2);
      expect(of('step')).equal(1);
    });

    it('in which callers take turns', async () => {
      for (let n = 0; n < 20; n++) void work('step', 'a', 1);
      await work('step', 'b', 1);
      expect(of('a')).equal(1);
    });
  });

  it('gives a piece of work a millisecond', () => {
    const mayGoOn = loop.piece();
    expect(mayGoOn()).equal(true);
    ms += 0.9;
    expect(mayGoOn()).equal(true);
    ms += 0.1;
    expect(mayGoOn()).equal(false);
  });
});
