/** The text of dates is what JavaScript's own is, for all that it can hold. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isoTime } from '../../src/store/bson/isoTime.ts';

const FARTHEST_MS = 8.64e15;

describe('the time of a date as text', () => {
  it('is what toISOString makes', () => {
    const anyMs = fc.oneof(
      fc.integer({ min: -FARTHEST_MS, max: FARTHEST_MS }),
      fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }),
      fc.constantFrom(0, -1, 86_399_999, 86_400_000, -86_400_000, FARTHEST_MS, -FARTHEST_MS),
    );
    const property = fc.property(anyMs, (ms) => {
      const date = new Date(ms);
      expect(isoTime(date)).to.equal(date.toISOString());
    });
    fc.assert(property, { numRuns: 20_000, seed: 1 });
  });
});
