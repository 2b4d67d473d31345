/** Batches by macrotask: side by side within a turn, and no turn for longer than a batch may take. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { MacrotaskBatch } from '../../../src/tables/search/macrotaskBatch.ts';

describe('a batch', () => {
  let ms = 0;
  let batch: MacrotaskBatch;
  beforeEach(() => {
    ms = 0;
    batch = new MacrotaskBatch(() => ms);
  });

  it('does the first step of all that wait before the second one of any', async () => {
    const steps: string[] = [];
    const work = (name: string) =>
      batch.run(async () => {
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
      batch.run(async () => {
        ms += 2.5;
        done.push(n);
      }),
    );
    expect(batch.hasMore).equal(false);
    const inTurn: number[] = [];
    for (let before = 0; done.length < 6; before = done.length) {
      await nextTurn();
      inTurn.push(done.length - before);
      expect(batch.hasMore).equal(done.length < 6);
    }
    expect(inTurn).deep.equal([2, 2, 2]);
    await Promise.all(works);
    expect(done).deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('fails one by one', async () => {
    const wrong = batch.run(async () => {
      throw new Error('wrong');
    });
    const thrown = batch.run((): Promise<void> => {
      throw new Error('thrown in the step itself');
    });
    const right = batch.run(async () => 'right');
    const ends = await Promise.allSettled([wrong, thrown, right]);
    expect(ends.map(({ status }) => status)).deep.equal(['rejected', 'rejected', 'fulfilled']);
    expect(batch.hasMore).equal(false);
  });
});
