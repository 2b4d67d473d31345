/** For how long tables that are held still count as recent, and how old the frontier can be at most. */
import { expect } from 'chai';
import { Pulse } from '../../src/follow/pulse.ts';

describe('the pulse', () => {
  const real = performance.now;
  let now = 0;
  before(() => {
    performance.now = () => now;
  });
  after(() => {
    performance.now = real;
  });

  it('is behind where tables are held still for over a minute, and not any more once they are let go', () => {
    const pulse = new Pulse({ frontier: { at: 1n }, awaitMs: 100, isShown: () => true });
    pulse.noteMended(1n);
    pulse.noteDue();
    pulse.noteHeld();
    now = 60_900;
    expect(pulse.behind(1_000)).equal(null);
    now = 61_200;
    expect(pulse.behind(1_000)).a('string');
    pulse.noteLetGo();
    expect(pulse.behind(1_000)).equal(null);
    now += 1_200;
    expect(pulse.behind(1_000)).a('string');
  });

  it('knows a frontier that nobody has asked about as young as one that is asked about', () => {
    const pulse = new Pulse({ frontier: { at: 100n }, awaitMs: 400, isShown: () => true });
    for (let time = 1n; time <= 50n; time++) {
      pulse.noteComplete(time, now);
      now += 400;
    }
    expect(pulse.ageMs).equal(400);
  });
});
