/** Posting lists, of one row to a bitmap of many, with rows that are not where they should be. */
import { expect } from 'chai';
import { Postings } from '../../src/textindex/dictionary/postings.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

describe('postings', () => {
  const CODE = 3;

  for (const count of [0, 1, 2, 5, 64]) {
    it(`of ${count} rows throw for a row that is not among them, and stay as they were`, () => {
      const postings = new Postings(
        new Space({ ...DEFAULT_LAYOUT, segmentBits: 7, denseRows: 32 }),
      );
      postings.open(CODE + 1);
      for (let row = 10; row < 10 + count; row++) postings.add(CODE, row);
      // In the memory right after the list: a search that does not end with the list finds it.
      for (const row of [100, 101, 102]) postings.add(CODE + 1, row);
      const before = postings.rowsOf(CODE);
      for (const row of [0, 9, 100, 101]) {
        expect(() => postings.delete(CODE, row), String(row)).to.throw('invariant broken');
      }
      postings.check();
      expect(postings.rowsOf(CODE)).to.deep.equal(before);
      for (const row of before) postings.delete(CODE, row);
      expect(postings.rowsOf(CODE)).to.deep.equal([]);
      expect(postings.rowsOf(CODE + 1)).to.have.members([100, 101, 102]);
    });
  }
});
