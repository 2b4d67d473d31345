/** The doors before expensive work. */
import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { Admission, PerCaller } from '../../src/search/admission.ts';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Work that goes on until it is told to end. */
function pending() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => done, end };
}

describe('admission', () => {
  it('runs so many at once, lets so many wait in order, and refuses the rest', async () => {
    const admission = new Admission(1, 2);
    const first = pending();
    const order: string[] = [];
    const running = admission.run(first.work, 1_000);
    const second = admission.run(async () => void order.push('second'), 1_000);
    const third = admission.run(async () => void order.push('third'), 1_000);
    expect(await codeOf(admission.run(async () => {}, 1_000))).to.equal('Overloaded');
    first.end();
    await Promise.all([running, second, third]);
    expect(order).to.deep.equal(['second', 'third']);
  });

  it('lets nobody wait beyond their time, and gives the place to the next', async () => {
    const admission = new Admission(1, 2);
    const first = pending();
    const running = admission.run(first.work, 1_000);
    const late = codeOf(admission.run(async () => {}, 5));
    const patient = codeOf(admission.run(async () => {}, 5_000));
    expect(await late).to.equal('Overloaded');
    first.end();
    await running;
    expect(await patient).to.equal('done');
    expect(await codeOf(admission.run(async () => {}, 5))).to.equal('done');
  });

  it('goes on after work that failed', async () => {
    const admission = new Admission(1, 0);
    const failing = admission.run(() => Promise.reject(new Error('broken')), 5);
    expect(await codeOf(failing)).to.equal('Error: broken');
    expect(await codeOf(admission.run(async () => {}, 5))).to.equal('done');
  });

  it('bounds what one caller has under way, not what others have', async () => {
    const perCaller = new PerCaller(1);
    const first = pending();
    const running = perCaller.run(1, first.work);
    expect(await codeOf(perCaller.run(1, async () => {}))).to.equal('TooManyRequests');
    expect(await codeOf(perCaller.run(2, async () => {}))).to.equal('done');
    first.end();
    await running;
    expect(await codeOf(perCaller.run(1, async () => {}))).to.equal('done');
  });
});
