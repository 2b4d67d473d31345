/** How far the store's clock is, while the store does not answer. */
import { expect } from 'chai';
import { MongoClient, Timestamp } from 'mongodb';
import { Deadline } from '../../src/store/deadline.ts';
import { StoreClock } from '../../src/store/storeClock.ts';

const SELECTION_MS = 3_000;

describe('the clock of a store that is away', () => {
  it('is asked once for a moment that is not known', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', {
      serverSelectionTimeoutMS: SELECTION_MS,
    });
    const deadline = new Deadline(15_000);
    try {
      const clock = new StoreClock(client.db('x'), 'any', () => undefined);
      const began = performance.now();
      const asked = clock.hasReached(new Timestamp({ t: 1, i: 1 }), deadline);
      expect(await asked.catch((error: Error) => error.name)).equal('MongoServerSelectionError');
      expect(performance.now() - began).lessThan(1.8 * SELECTION_MS);
    } finally {
      deadline.close();
      await client.close();
    }
  });
});
