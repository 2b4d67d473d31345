/** Quotas: the most that one caller may hold, the order of the waiting, and the return of holds. */
import { expect } from 'chai';
import fc from 'fast-check';
import { AppError } from '../../src/errors.ts';
import { type Hold, Quota } from '../../src/tables/search/quota.ts';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const refused = (take: () => unknown) => {
  try {
    take();
    return undefined;
  } catch (error) {
    return (error as AppError).code;
  }
};

const patient = { timeoutMs: 10_000 };

describe('a quota', () => {
  it('lets one caller have half, and the others what they ask for', () => {
    const quota = new Quota({ what: 'x', overall: 12 });
    for (let i = 0; i < 6; i++) quota.hold('greedy');
    expect(refused(() => quota.hold('greedy'))).equal('TooManyRequests');
    for (let i = 0; i < 3; i++) quota.hold('second');
    expect(refused(() => quota.hold('second'))).equal('TooManyRequests');
    quota.hold('light');
    expect(quota.held).equal(10);
  });

  it('keeps an eighth for callers who hold nothing', async () => {
    const quota = new Quota({ what: 'x', overall: 16, waiting: 10 });
    const attackers = Array.from({ length: 10 }, (_, n) => `attacker ${n}`);
    const holds = attackers.map((caller) => quota.hold(caller));
    const more = attackers.map((caller) => refused(() => quota.hold(caller)));
    expect(more.filter((code) => code === undefined)).length(4);
    const waits = codeOf(quota.wait(attackers[9]!, patient));
    const light = [quota.hold('light'), quota.hold('other')];
    expect(quota.held).equal(16);
    for (const hold of light) hold.release();
    expect([quota.held, quota.waiting], 'who holds some waits on').eql([14, 1]);
    for (const caller of ['light', 'other']) quota.hold(caller).release();
    expect(quota.waiting).equal(1);
    for (const hold of holds) hold.release();
    expect(await waits).equal('done');
  });

  it('tells excess apart: 429 to a caller who holds some, 503 to one who found all taken', () => {
    const quota = new Quota({ what: 'x', overall: 2 });
    quota.hold('a');
    expect(refused(() => quota.hold('a'))).equal('TooManyRequests');
    quota.hold('b');
    expect(refused(() => quota.hold('c'))).equal('Overloaded');
  });

  it('takes amounts, and gives a hold back once', () => {
    const quota = new Quota({ what: 'bytes', overall: 100, perCaller: 60 });
    expect(refused(() => quota.hold('a', 61))).equal('TooManyRequests');
    const hold = quota.hold('a', 60);
    expect(refused(() => quota.hold('b', 41))).equal('Overloaded');
    hold.release();
    hold.release();
    expect(quota.held).equal(0);
    quota.hold('b', 60);
  });

  it('lets a caller wait for an amount, and callers who want less pass', async () => {
    const quota = new Quota({ what: 'bytes', overall: 100, waiting: 10 });
    const large = await quota.wait('a', { ...patient, units: 50 });
    const order: string[] = [];
    const enter = async (caller: string, units: number) => {
      const hold = await quota.wait(caller, { ...patient, units });
      order.push(`${caller} ${units}`);
      return hold;
    };
    const waiting = [enter('b', 60), enter('a', 10)];
    await enter('c', 25);
    expect([order, quota.waiting]).to.deep.equal([['c 25'], 2]);
    large.release();
    await Promise.all(waiting);
    expect(order).to.have.members(['c 25', 'b 60', 'a 10']);
    expect(quota.held).to.equal(95);
  });

  it('serves next the caller who holds least, in the order of arrival within a line', async () => {
    const quota = new Quota({ what: 'x', overall: 2, waiting: 100 });
    const order: string[] = [];
    const first = quota.hold('greedy');
    const second = quota.hold('other');
    const enter = async (caller: string, name: string) => {
      const hold = await quota.wait(caller, patient);
      order.push(name);
      await Promise.resolve();
      hold.release();
    };
    const all = [
      ...['g1', 'g2', 'g3'].map((name) => enter('greedy', name)),
      ...['l1', 'l2'].map((name) => enter('light', name)),
    ];
    expect(quota.waiting).equal(5);
    second.release();
    await Promise.resolve();
    first.release();
    await Promise.all(all);
    expect(order[0], 'the light caller came later, and is first').equal('l1');
    expect(order.filter((name) => name.startsWith('g'))).eql(['g1', 'g2', 'g3']);
    expect(order.indexOf('l2'), 'turn and turn about').lessThan(3);
    expect([quota.held, quota.waiting]).eql([0, 0]);
  });

  it('bounds the lines as it bounds holds', async () => {
    const quota = new Quota({ what: 'x', overall: 1, waiting: 4 });
    const hold = quota.hold('running');
    const waits = [1, 2].map(() => codeOf(quota.run('greedy', async () => {}, patient)));
    expect(await codeOf(quota.wait('greedy', patient))).equal('TooManyRequests');
    waits.push(codeOf(quota.run('second', async () => {}, patient)));
    waits.push(codeOf(quota.run('third', async () => {}, patient)));
    waits.push(codeOf(quota.run('fourth', async () => {}, patient)));
    expect(await waits[1], 'the last of the longest line').equal('TooManyRequests');
    expect(await codeOf(quota.wait('fifth', patient)), 'no line is longer').equal('Overloaded');
    hold.release();
    expect(await Promise.all(waits)).eql(['done', 'TooManyRequests', 'done', 'done', 'done']);
  });

  it('has a place for the last caller, whoever came before and in whatever order', async () => {
    const quota = new Quota({ what: 'x', overall: 1, waiting: 8 });
    const hold = quota.hold('running');
    const callers = ['a', 'b', 'c', 'd', 'e', 'f'];
    const waits = [...callers, ...callers, ...callers].map((caller) =>
      codeOf(quota.run(caller, async () => {}, patient)),
    );
    const light = codeOf(quota.run('light', async () => {}, patient));
    hold.release();
    expect(await light).equal('done');
    const ends = await Promise.all(waits);
    expect(ends.slice(0, 6), 'one of each').eql(callers.map(() => 'done'));
    expect(quota.held).equal(0);
  });

  it('lets no caller wait beyond their time, or after they have gone', async () => {
    const quota = new Quota({ what: 'x', overall: 1, waiting: 8 });
    const hold = quota.hold('running');
    const gone = new AbortController();
    const late = codeOf(quota.wait('a', { timeoutMs: 5 }));
    const left = codeOf(quota.wait('b', { ...patient, signal: gone.signal }));
    gone.abort(new Error('gone'));
    expect(await late).equal('Overloaded');
    expect(await left).equal('Error: gone');
    expect(await codeOf(quota.wait('b', { ...patient, signal: gone.signal }))).equal('Error: gone');
    expect(quota.waiting).equal(0);
    hold.release();
    expect(await codeOf(quota.run('c', async () => {}, patient))).equal('done');
    expect(await codeOf(quota.run('c', () => Promise.reject(new Error('broken')), patient))).equal(
      'Error: broken',
    );
    expect(quota.held).equal(0);
  });

  it('never lends more than there is, and ends with nothing held, whatever happens', async () => {
    const step = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), release: fc.nat(9) });
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 60 }),
      async (overall, steps) => {
        const quota = new Quota({ what: 'x', overall, waiting: 6 });
        const holds: Hold[] = [];
        const asked: Promise<unknown>[] = [];
        for (const { caller, release } of steps) {
          asked.push(
            quota.wait(caller, patient).then(
              (hold) => holds.push(hold),
              () => undefined,
            ),
          );
          await Promise.resolve();
          expect(quota.held).lessThanOrEqual(overall);
          expect(quota.waiting === 0 || quota.held > 0, 'there is no wait for nothing').equal(true);
          if (release < 5) holds.splice(release % Math.max(1, holds.length), 1)[0]?.release();
        }
        let done = false;
        const all = Promise.all(asked).then(() => {
          done = true;
        });
        while (!done || holds.length > 0) {
          holds.pop()?.release();
          await new Promise(setImmediate);
        }
        await all;
        expect([quota.held, quota.waiting]).eql([0, 0]);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
