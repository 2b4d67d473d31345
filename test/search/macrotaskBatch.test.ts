/** Batches by macrotask: side by side within a turn, and no turn for longer than a batch may take. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { inMacrotaskBatch, isBatchLeft } from '../../src/search/macrotaskBatch.ts';

/** Holds the event loop for so many milliseconds. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('a batch', () => {
  it('does the first step of all that wait before the second one of any', async () => {
    const steps: string[] = [];
    const work = (name: string) =>
      inMacrotaskBatch(async () => {
        steps.push(`${name} searches`);
        await undefined;
        steps.push(`${name} answers`);
        return name;
      });
    const answers = await Promise.all([work('a'), work('b')]);
    expect(answers).deep.equal(['a', 'b']);
    expect(steps).deep.equal(['a searches', 'b searches', 'a answers', 'b answers']);
  });

  it('goes on in the next turn when it takes long, and says so meanwhile', async () => {
    const done: number[] = [];
    const works = Array.from({ length: 6 }, (_, n) =>
      inMacrotaskBatch(async () => {
        hold(5);
        done.push(n);
      }),
    );
    expect(isBatchLeft()).equal(false);
    const inTurn: number[] = [];
    for (let before = 0; done.length < 6; before = done.length) {
      await nextTurn();
      inTurn.push(done.length - before);
      expect(isBatchLeft()).equal(done.length < 6);
    }
    expect(inTurn).deep.equal([1, 1, 1, 1, 1, 1]);
    await Promise.all(works);
    expect(done).deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('fails one by one', async () => {
    const wrong = inMacrotaskBatch(async () => {
      throw new Error('wrong');
    });
    const thrown = inMacrotaskBatch((): Promise<void> => {
      throw new Error('thrown in the step itself');
    });
    const right = inMacrotaskBatch(async () => 'right');
    const ends = await Promise.allSettled([wrong, thrown, right]);
    expect(ends.map(({ status }) => status)).deep.equal(['rejected', 'rejected', 'fulfilled']);
    expect(isBatchLeft()).equal(false);
  });
});
