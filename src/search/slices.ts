/**
 * The rows of a large page, some at a time.
 *
 *     10,000 rows   read 250 │ others │ read 250 │ others │ …
 *
 * A reply is taken apart in one step, a hundredth of a millisecond a document: 10,000 at once would hold
 * all other searches up for a tenth of a second and more.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const ROWS = 250;

/** Parts of the list, in its order; others have their turn before each but the first. */
export async function* inSlices<T>(list: readonly T[]): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < list.length; from += ROWS) {
    if (from > 0) await nextTurn();
    yield list.slice(from, from + ROWS);
  }
}
