/**
 * The time of a request: its end and the cause of it, the signal, and the work that does not count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Deadline, Ended } from '../../src/store/deadline.ts';

const never = new Promise<never>(() => undefined);

async function endOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Ended ? error.end : `no end: ${error}`;
}

describe('a deadline', () => {
  it('ends what waits when the time is over, and says so by its signal', async () => {
    const deadline = new Deadline(20);
    const { signal } = deadline;
    expect(await endOf(deadline.wait(never))).equal('time');
    expect(signal.aborted).equal(true);
    expect(signal.reason).instanceOf(Ended);
    expect(await endOf(deadline.wait(Promise.resolve(1)))).equal('time');
    expect(() => deadline.check()).throw(Ended);
    expect(deadline.left).equal(1);
  });

  it('returns what came in time, whatever it is', async () => {
    const deadline = new Deadline(10_000);
    expect(await deadline.wait(Promise.resolve(7))).equal(7);
    expect(await endOf(deadline.wait(Promise.reject(new Error('x'))))).equal('no end: Error: x');
    expect(deadline.left).within(1, 10_000);
    deadline.close();
  });

  it('is ended by the first cause that comes', async () => {
    const deadline = new Deadline(10_000);
    const waiting = [deadline.wait(never), deadline.pause(9_000)].map(endOf);
    deadline.stop('stopping');
    deadline.stop('client');
    expect(await Promise.all(waiting)).eql(['stopping', 'stopping']);
    expect(deadline.isOver).equal(true);
  });

  it('takes another length from the same beginning', async () => {
    const deadline = new Deadline(10_000);
    const waiting = endOf(deadline.wait(never));
    deadline.allow(10);
    expect(await waiting).equal('time');
    const endless = new Deadline(1);
    endless.allow(Number.POSITIVE_INFINITY);
    expect(endless.left).equal(2 ** 31 - 1);
  });

  it('does not count what others take', async () => {
    const deadline = new Deadline(200);
    const waiting = endOf(deadline.wait(never));
    await deadline.outside(() => sleep(700));
    expect(deadline.isOver).equal(false);
    expect(deadline.left).greaterThan(50);
    expect(await waiting).equal('time');
  });

  it('ends its parts, which end by themselves without it', async () => {
    const whole = new Deadline(10_000);
    const short = whole.within(10);
    expect(await endOf(short.wait(never))).equal('time');
    expect(whole.isOver).equal(false);
    const part = whole.within(60_000);
    expect(part.left).lessThan(10_001);
    const waiting = endOf(part.wait(never));
    whole.stop('client');
    expect(await waiting).equal('client');
  });

  it('closes a part when its work is done or has failed', async () => {
    const whole = new Deadline(10_000);
    let part = whole;
    const work = async (given: Deadline) => {
      part = given;
      expect(given.left).within(1, 60);
      return 7;
    };
    expect(await whole.during(60, work)).equal(7);
    expect(part.isClosed).equal(true);
    const failing = (given: Deadline) => {
      part = given;
      throw new Error('failed');
    };
    expect(await whole.during(60, failing).catch(({ message }) => message)).equal('failed');
    expect(part.isClosed).equal(true);
    expect(whole.isClosed).equal(false);
  });
});
