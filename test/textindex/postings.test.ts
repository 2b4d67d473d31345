/** Posting lists, of one row to a bitmap of many, with rows that are not where they should be. */
import { expect } from 'chai';
import { Postings } from '../../src/textindex/dictionary/postings.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

describe('postings', () => {
  const CODE = 3;

  for (const count of [0, 1, 2, 5, 64]) {
    it(`of ${count} rows throw for a row that is not among them, and stay as they were`, () => {
      const postings = new Postings(
        new Space({ ...DEFAULT_LAYOUT, segmentBits: 7, heavyRows: 32 }),
      );
      postings.open(CODE + 1);
      for (let slot = 10; slot < 10 + count; slot++) postings.add(CODE, slot);
      // In the memory right after the list: a search that does not end with the list finds it.
      for (const slot of [100, 101, 102]) postings.add(CODE + 1, slot);
      const before = postings.slotsOf(CODE);
      for (const slot of [0, 9, 100, 101]) {
        expect(() => postings.delete(CODE, slot), String(slot)).to.throw('invariant broken');
      }
      postings.check();
      expect(postings.slotsOf(CODE)).to.deep.equal(before);
      for (const slot of before) postings.delete(CODE, slot);
      expect(postings.slotsOf(CODE)).to.deep.equal([]);
      expect(postings.slotsOf(CODE + 1)).to.have.members([100, 101, 102]);
    });
  }
});
