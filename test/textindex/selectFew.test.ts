/** A page that is selected among few hits, against whoever chooses the values. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { selectFew } from '../../src/textindex/order/selectFew.ts';
import type { RowNumber } from '../../src/textindex/storage/brands.ts';

const ROWS = 2_000;
const PAGE = { first: ROWS / 2, end: ROWS / 2 + 10 };

/** Selects the page among rows whose keys tie, and counts how often two of them are compared. */
function selected(compare: (a: RowNumber, b: RowNumber) => number): [number[], number] {
  let compared = 0;
  const order = {
    keys: { at: () => 0, read: (_: Uint32Array, to: Float64Array) => to.fill(0), decide: () => 0 },
    compare(a: RowNumber, b: RowNumber) {
      compared++;
      return compare(a, b);
    },
  };
  const rows = Uint32Array.from({ length: ROWS }, (_, row) => row);
  return [selectFew(order, rows, PAGE), compared];
}

/** The values that a selection of known pivots likes least (McIlroy, A killer adversary for quicksort, 1999). */
function worstValues(): Int32Array {
  const OPEN = ROWS;
  const values = new Int32Array(ROWS).fill(OPEN);
  let [next, candidate] = [0, 0];
  selected((a, b) => {
    if (a !== b && values[a] === OPEN && values[b] === OPEN)
      values[a === candidate ? a : b] = next++;
    if (values[a] === OPEN) candidate = a;
    else if (values[b] === OPEN) candidate = b;
    return values[a]! - values[b]! || a - b;
  });
  return values;
}

describe('a page among few hits', () => {
  it('takes no more comparisons where somebody has chosen the values for it', () => {
    const values = worstValues();
    const compare = (a: RowNumber, b: RowNumber) => values[a]! - values[b]! || a - b;
    const [page, compared] = selected(compare);
    const rows = Array.from({ length: ROWS }, (_, row) => row as RowNumber).sort(compare);
    expect(page).to.deep.equal(rows.slice(PAGE.first, PAGE.end));
    expect(compared).to.be.below(40 * ROWS);
  });
});
