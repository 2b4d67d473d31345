/** A page of a search as the index and the pipeline find it. */
import type { Timestamp } from 'mongodb';
import type { JoinedRow } from '../definition/record.ts';
import type { Counts } from '../explore/counts.ts';
import type { LargePage } from '../rows/largeRows.ts';

export interface Page {
  readonly total: number;
  /** The page shown: the asked one, or the last if the asked one is past the end; 1 for none. */
  readonly page: number;
  /** The page's rows; a large one only has its id. */
  readonly rows: readonly JoinedRow[];
  /** Set if some rows are large: reads them when the page is written. */
  readonly large?: LargePage;
  /** The counts of an explore, at the same moment. */
  readonly counts?: Counts;
  /** The cluster time whose state total and rows show. */
  readonly asOf: Timestamp;
  /** For `Server-Timing` and traces. */
  readonly timing: Timing;
  /** Set if the store was away: milliseconds since its last sign of life. */
  readonly silentMs?: number;
}

/** Milliseconds. */
export interface Timing {
  /** When it began, by `performance.now()`. */
  readonly startedMs: number;
  /** Spent on finding, then on fetching. */
  readonly searchMs: number;
  readonly rowsMs: number;
}
