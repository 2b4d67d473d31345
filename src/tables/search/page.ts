/** A page of a search as the index and the pipeline find it. */
import type { Timestamp } from 'mongodb';
import type { Deadline } from '../../store/deadline.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Counts } from '../explore/counts.ts';
import type { LargeRow } from '../rows/largeRows.ts';

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

/** The rows of a page some of which are large, at the page's moment. */
export interface LargePage {
  readonly rows: readonly (JoinedRow | LargeRow)[];
  /** The large rows that still exist, in the order of the ids, each with its bytes. */
  read(ids: readonly unknown[], deadline: Deadline): Promise<readonly JoinedRow[]>;
}
