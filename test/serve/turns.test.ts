/** Whose turn it is among those who watch: the cheap first, nobody never, and not all of the time. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Asked, Turns } from '../../src/serve/live/turns.ts';
import { until } from '../support/until.ts';

/** Something that costs so much and notes when it is asked. */
function asking(cost: number, onAsk: (self: Asked) => void): Asked {
  const self: Asked = {
    cost,
    askNow: () => false,
    ask: async () => onAsk(self),
    askStore: async () => onAsk(self),
  };
  return self;
}

const never = () => false;

describe('turns of those who watch', () => {
  it('come to the cheap first, and side by side as far as a round goes', async () => {
    const asked: number[] = [];
    const sizes: number[] = [];
    const turns = new Turns(never);
    const note = ({ cost }: Asked) => {
      if (asked.length === 0) setImmediate(() => sizes.push(asked.length));
      asked.push(cost);
    };
    let first = false;
    turns.want(
      asking(5, () => {
        first = true;
      }),
    );
    await until(() => first);
    // In line together, while what was asked before has its rest.
    for (const cost of [7, 1, 7, 1, 1, 5]) turns.want(asking(cost, note));
    await until(() => asked.length === 6);
    expect(asked.slice(0, 3)).to.deep.equal([1, 1, 1]);
    expect(asked.slice(3).sort()).to.deep.equal([5, 7, 7]);
    expect(sizes[0]).to.be.at.least(3);
  });

  it('come a little later to who follows another, so that more are asked side by side', async () => {
    let now = 1_000;
    const turns = new Turns(never, () => now);
    let asked = 0;
    let atOnce = 0;
    const one = () =>
      asking(0.1, () => {
        const before = asked++;
        queueMicrotask(() => {
          atOnce = Math.max(atOnce, asked - before);
        });
      });
    turns.want(one());
    await until(() => asked === 1);
    turns.want(one());
    now += 45;
    await sleep(60);
    expect(asked).to.equal(1);
    turns.want(one());
    now += 10;
    await until(() => asked === 3);
    expect(atOnce).to.equal(2);
    // A clock that stood still would keep the turns waiting, and the process with them.
    now += 1_000;
  });

  it('come to the dear too, while cheap ones come again and again', async () => {
    const turns = new Turns(never);
    let cheap = 0;
    let dear = 0;
    const often = Array.from({ length: 8 }, () =>
      asking(1, (self) => {
        cheap += 1;
        if (dear < 3) turns.want(self);
      }),
    );
    for (const one of often) turns.want(one);
    const rare = asking(20, (self) => {
      dear += 1;
      if (dear < 3) turns.want(self);
    });
    turns.want(rare);
    await until(() => dear >= 3);
    expect(cheap).to.be.above(8);
  });

  it('take three quarters of the time at most', async () => {
    const turns = new Turns(never);
    const began = performance.now();
    let cost = 0;
    for (let n = 0; n < 20; n++) {
      turns.want(
        asking(4, (self) => {
          cost += self.cost;
        }),
      );
    }
    await until(() => cost === 80);
    // Of the last two rounds nothing waits for the rest.
    expect(performance.now() - began).to.be.at.least((80 - 12) / 0.75);
  });

  it('are asked in one step where that is possible, for as long as a round takes', async () => {
    const turns = new Turns(never);
    const rounds: number[] = [];
    let waited = 0;
    const quick = (): Asked => ({
      cost: 0.1,
      askNow() {
        for (const ends = performance.now() + 3; performance.now() < ends; );
        rounds[rounds.length - 1]! += 1;
        return true;
      },
      ask: () => Promise.reject(new Error('it was answered')),
      askStore: async () => {},
    });
    const slow = asking(0.1, () => {
      waited += 1;
    });
    for (let n = 0; n < 6; n++) turns.want(quick());
    turns.want(slow);
    while (waited === 0 || rounds.reduce((sum, n) => sum + n, 0) < 6) {
      rounds.push(0);
      await turn();
    }
    // Each costs far more than was expected of it: two are more than a round has. Two rounds may fall between
    // two looks.
    expect(Math.max(...rounds)).to.be.at.most(4);
    expect(waited).to.equal(1);
  });

  it('come to those in memory while others are read, and two reads are under way', async () => {
    const turns = new Turns(never);
    const ends: (() => void)[] = [];
    const read = (): Asked => ({
      cost: 5,
      askNow: () => false,
      ask: () => new Promise<void>((resolve) => ends.push(resolve)),
      askStore: async () => {},
    });
    for (let n = 0; n < 4; n++) turns.want(read());
    await until(() => ends.length === 2);
    let asked = 0;
    for (let n = 0; n < 10; n++) {
      const one: Asked = { ...read(), cost: 0.1 };
      turns.want({ ...one, askNow: () => ++asked > 0 });
    }
    await until(() => asked === 10);
    expect(ends).to.have.length(2);
    for (const end of ends.splice(0)) end();
    await until(() => ends.length === 2);
    for (const end of ends) end();
  });

  it('come to those who read, while others are asked in one step again and again', async () => {
    const turns = new Turns(never);
    let reads = 0;
    const nothing = async () => {};
    const again = (): Asked => {
      const self: Asked = {
        ...{ cost: 2, ask: nothing, askStore: nothing },
        askNow() {
          const ends = performance.now() + 2;
          while (performance.now() < ends);
          if (reads < 3) setImmediate(() => turns.want(self));
          return true;
        },
      };
      return self;
    };
    for (let n = 0; n < 8; n++) turns.want(again());
    const reader: Asked = {
      ...{ cost: 5, askNow: () => false, askStore: nothing },
      async ask() {
        reads += 1;
        if (reads < 3) setImmediate(() => turns.want(reader));
      },
    };
    turns.want(reader);
    await until(() => reads >= 3, 'it is not read');
  });

  it('come after searches of requests, for a while', async () => {
    let given = 0;
    const turns = new Turns(() => {
      given += 1;
      return true;
    });
    let asked = false;
    turns.want(
      asking(1, () => {
        asked = true;
      }),
    );
    for (let n = 0; n < 5; n++) await turn();
    expect(asked).to.equal(false);
    await until(() => asked);
    expect(given).to.be.above(5).and.below(100);
  });

  it('are two at once where the store answers, and never come to those who left', async () => {
    const turns = new Turns(never);
    const ends: (() => void)[] = [];
    const slow = (): Asked => ({
      cost: 1,
      askNow: () => false,
      ask: async () => {},
      askStore: () => new Promise<void>((resolve) => ends.push(resolve)),
    });
    const all = [slow(), slow(), slow(), slow()];
    for (const one of all) turns.wantStore(one);
    await turn();
    expect(ends).to.have.length(2);
    turns.delete(all[2]!);
    for (const end of ends.splice(0)) end();
    await until(() => ends.length === 1);
    for (let n = 0; n < 5; n++) await turn();
    expect(ends).to.have.length(1);
  });
});
