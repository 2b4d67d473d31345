/** The order in which watched explores are asked again: the cheap first, nobody never. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Asked, Turns } from '../../src/serve/live/turns.ts';
import { until } from '../support/until.ts';

const nothing = async () => {};

/** Something that takes so long and notes when it is asked. */
function asking(cost: number, onAsk: (self: Asked) => void): Asked {
  const self: Asked = {
    cost,
    askNow() {
      for (const ends = performance.now() + cost; performance.now() < ends; );
      onAsk(self);
      return true;
    },
    ask: () => Promise.reject(new Error('it was answered')),
    askStore: nothing,
  };
  return self;
}

/** Questions that end when they are told to. */
function waiting() {
  const ends: (() => void)[] = [];
  const ask = () => new Promise<void>((resolve) => ends.push(resolve));
  const one = (): Asked => ({ cost: 1, askNow: () => false, ask, askStore: ask });
  return { ends, one };
}

describe('turns of watched explores', () => {
  it('come to the cheap first', async () => {
    const asked: number[] = [];
    const turns = new Turns();
    const note = ({ cost }: Asked) => asked.push(cost);
    for (const cost of [7, 1, 7, 1, 1, 5]) turns.want(asking(cost, note));
    await until(() => asked.length === 6);
    expect(asked.slice(0, 3)).to.deep.equal([1, 1, 1]);
    expect(asked.slice(3).sort()).to.deep.equal([5, 7, 7]);
  });

  it('come to the dear too, while cheap ones come again and again', async () => {
    const turns = new Turns();
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

  it('leave time to others: sockets are read after a few of them', async () => {
    const turns = new Turns();
    let asked = 0;
    for (let n = 0; n < 10; n++) {
      const one = asking(3, () => {
        asked += 1;
      });
      turns.want(one);
    }
    for (let before = 0; asked < 10; before = asked) {
      await turn();
      expect(asked - before).to.be.at.most(2);
    }
  });

  it('come to those in memory while others are read, and eight are read at once', async () => {
    const turns = new Turns();
    const { ends, one } = waiting();
    for (let n = 0; n < 12; n++) turns.want(one());
    await until(() => ends.length === 8);
    let asked = 0;
    for (let n = 0; n < 10; n++) {
      turns.want(
        asking(0.1, () => {
          asked += 1;
        }),
      );
    }
    await until(() => asked === 10);
    expect(ends).to.have.length(8);
    for (const end of ends.splice(0)) end();
    await until(() => ends.length === 4);
    for (const end of ends) end();
  });

  it('come to one once, however often it is wanted', async () => {
    const turns = new Turns();
    let asked = 0;
    const one = asking(1, () => {
      asked += 1;
    });
    for (let n = 0; n < 3; n++) turns.want(one);
    for (let n = 0; n < 5; n++) await turn();
    expect(asked).to.equal(1);
  });

  it('come to none that left, whether it stood in line or waited to be read', async () => {
    const turns = new Turns();
    const { ends, one } = waiting();
    const read = Array.from({ length: 10 }, one);
    let asked = 0;
    const inLine = asking(0.1, () => {
      asked += 1;
    });
    for (const each of read) turns.want(each);
    for (let n = 0; n < 20; n++) await turn();
    expect(ends).to.have.length(8);
    turns.want(inLine);
    for (const left of [inLine, read[9]!]) turns.delete(left);
    for (const end of ends.splice(0)) end();
    for (let n = 0; n < 20; n++) await turn();
    expect([asked, ends.length]).to.deep.equal([0, 1]);
    for (const end of ends) end();
  });

  it('are two at once where the store answers, and never come to those who left', async () => {
    const turns = new Turns();
    const { ends, one } = waiting();
    const all = [one(), one(), one(), one()];
    for (const each of all) turns.wantStore(each);
    await turn();
    expect(ends).to.have.length(2);
    turns.delete(all[2]!);
    for (const end of ends.splice(0)) end();
    await until(() => ends.length === 1);
    for (let n = 0; n < 5; n++) await turn();
    expect(ends).to.have.length(1);
  });
});
