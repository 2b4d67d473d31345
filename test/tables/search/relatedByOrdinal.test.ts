/** What is kept of a value is that of the value and the version asked for, or nothing. */
import { expect } from 'chai';
import { RelatedByOrdinal } from '../../../src/tables/rows/rests/relatedByOrdinal.ts';

describe('documents that values lead to', () => {
  it('are those that were set last for the number, the value and the version', () => {
    const kept = new RelatedByOrdinal();
    const [first, second] = [[{ name: 'first' }], [{ name: 'second' }]];
    kept.set(5, 'a', 1, first);
    expect(kept.get(5, 'a', 1)).to.equal(first);
    expect(kept.get(4, 'a', 1)).to.equal(undefined);
    expect(kept.get(6, 'a', 1)).to.equal(undefined);
    expect(kept.get(5, 'a', 2)).to.equal(undefined);
    // The number stands for another value now.
    expect(kept.get(5, 'b', 1)).to.equal(undefined);
    kept.set(5, 'b', 1, second);
    expect(kept.get(5, 'b', 1)).to.equal(second);
    expect(kept.get(5, 'a', 1)).to.equal(undefined);
  });

  it('are not kept of values without a number, nor of the many past a bound', () => {
    const kept = new RelatedByOrdinal();
    for (const number of [0, 16_384, 1e9]) {
      kept.set(number, 'a', 1, []);
      expect(kept.get(number, 'a', 1)).to.equal(undefined);
    }
    kept.set(16_383, 'a', 1, []);
    expect(kept.get(16_383, 'a', 1)).to.deep.equal([]);
  });
});
