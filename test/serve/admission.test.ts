/** Requests that come together begin in turns: no caller waits for all of another's, probes for none. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Admission, PROBE } from '../../src/serve/server/admission.ts';

describe('requests that come at once', () => {
  /** A clock that every request moves on by half a millisecond, half of it after what it waits for. */
  let ms = 0;
  let begun: string[] = [];
  let isBehind = false;
  let admission: Admission;
  beforeEach(() => {
    ms = 0;
    begun = [];
    isBehind = false;
    admission = new Admission(
      () => isBehind,
      () => ms,
    );
  });

  const come = (key: string | typeof PROBE, count: number) => {
    for (let n = 0; n < count; n++) {
      admission.admit(key, async () => {
        begun.push(key === PROBE ? 'probe' : key);
        ms += 0.25;
        await undefined;
        await undefined;
        ms += 0.25;
      });
    }
  };
  const of = (key: string) => begun.filter((one) => one === key).length;

  it('begin at once where they are few', () => {
    come('a', 3);
    come('b', 2);
    expect(begun).to.deep.equal(['a', 'a', 'a', 'b', 'b']);
  });

  it('begin no longer than a turn has time, whatever they go on with after a wait is counted', async () => {
    come('a', 100);
    const atOnce = begun.length;
    expect(atOnce).to.be.below(20);
    for (let turn = 1; begun.length < 100; turn++) {
      const before = ms;
      await nextTurn();
      expect(ms - before, `turn ${turn}`).to.be.within(1, 12);
    }
  });

  it('begin a caller at a time: one waits for one of each other', async () => {
    come('a', 100);
    come('b', 100);
    come('c', 1);
    while (of('c') === 0) await nextTurn();
    const earlier = begun.slice(0, begun.indexOf('c'));
    expect(earlier.filter((one) => one === 'b')).to.have.length.below(3);
    while (begun.length < 201) await nextTurn();
    expect([of('a'), of('b'), of('c')]).to.deep.equal([100, 100, 1]);
  });

  it('begin in the order of one caller', async () => {
    const order: number[] = [];
    for (let n = 0; n < 50; n++) {
      admission.admit('a', () => {
        order.push(n);
        ms += 0.5;
      });
    }
    while (order.length < 50) await nextTurn();
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
  });

  it('begin after what is left over from an earlier turn, probes before that', async () => {
    isBehind = true;
    come('a', 2);
    come(PROBE, 1);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    come(PROBE, 1);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    expect(begun).to.deep.equal(['probe', 'probe']);
    isBehind = false;
    while (begun.length < 4) await nextTurn();
    expect(of('a')).to.equal(2);
  });

  it('begin after probes, of which a flood keeps no others out', async () => {
    come('a', 100);
    const before = of('a');
    come(PROBE, 40);
    while (begun.length < before + 1) await nextTurn();
    expect(begun[before]).to.equal('probe');
    while (begun.length < 140) await nextTurn();
    const whileProbed = begun.slice(before, begun.lastIndexOf('probe'));
    expect(whileProbed.filter((one) => one === 'a')).to.have.length.above(8);
    expect([of('a'), of('probe')]).to.deep.equal([100, 40]);
  });
});
