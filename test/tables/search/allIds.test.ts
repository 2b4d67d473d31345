/** All ids of a search, put together from pages: the same as in one page, whatever their types. */
import { expect } from 'chai';
import fc from 'fast-check';
import { allIds } from '../../../src/tables/rows/allIds.ts';
import type { RowId } from '../../../src/textindex/index.ts';
import { SEED } from '../../support/seed.ts';

const pagesOf = (ids: readonly RowId[]) => (page: number, perPage: number) => ({
  total: ids.length,
  page,
  ids: ids.slice((page - 1) * perPage, page * perPage),
});

describe('all ids of a search', () => {
  it('are those of its pages, in their order', () => {
    const anyId = fc.oneof(
      { weight: 20, arbitrary: fc.double({ noNaN: true }) },
      fc.string(),
      fc.bigInt(),
      fc.constant(null),
    );
    const property = fc.property(
      fc.array(anyId, { maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      (ids, atOnce) => {
        expect([...allIds(pagesOf(ids), atOnce)!]).to.deep.equal(ids);
      },
    );
    fc.assert(property, { numRuns: 300, seed: SEED });
  });

  it('that are numbers take eight bytes each', () => {
    expect(allIds(pagesOf([3, 1, 2]), 2)).to.deep.equal(Float64Array.of(3, 1, 2));
  });

  it('are none where a table breaks in between', () => {
    const breaks = (page: number, perPage: number) =>
      page > 1 ? undefined : pagesOf([3, 1, 2])(page, perPage);
    expect(allIds(breaks, 2)).to.equal(undefined);
  });
});
