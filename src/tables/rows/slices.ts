/**
 * The rows of a large page, some at a time.
 *
 *     10,000 rows   read 250 │ others │ read 250 │ others │ …
 *
 * Decoding a reply is one step, at 0.01 ms a document: 10,000 documents at once would delay all
 * other searches by 0.1 s and more.
 */
import { loop } from '../../loop.ts';

const ROWS = 250;

/** Parts of the list, in its order; other work has its turn before each part but the first. */
export async function* inSlices<T>(list: readonly T[]): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < list.length; from += ROWS) {
    if (from > 0) await loop.turn('step');
    yield list.slice(from, from + ROWS);
  }
}
