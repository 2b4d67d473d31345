/**
 * Rows that are large are counted before they are read.
 *
 *     ids ──► small ones, whole │ of the large ones how large they are
 *                 └─► pieces: rows as they are, or as many large ones as make a megabyte
 *                        └─► room for so many bytes, a turn ─► read ─► taken ─► the next piece
 *
 * The only limit in bytes that the store knows for a reply is its own 16 MB. So the first read
 * leaves out rows beyond `SMALL_ROW`, which bounds its reply by the number of ids. The sizes of
 * large rows, and so the memory that a caller will need, are known before any of them is read.
 *
 * A row is as large as the parts that its record shows. Callers can tell large rows from small ones, by
 * how they are sent and by a refusal, so hidden fields must not count. A row that is large by these
 * alone is read with the small ones, after its size.
 */
import { AppError } from '../../errors.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Hold } from '../search/quota.ts';

/** Rows of more stored bytes are large. Memory keeps none of them: no page of small rows has many megabytes. */
export const SMALL_ROW = 16_384;

/** Bytes of large rows that one read fetches; a larger row is read by itself. */
export const READ_BYTES = 2 ** 20;

export const SIZE = { $bsonSize: '$$ROOT' } as const;

/** A condition that matches documents that are small as a whole: it costs least. */
export const IS_SMALL = { $expr: { $lte: [SIZE, SMALL_ROW] } } as const;

export const IS_LARGE = { $expr: { $gt: [SIZE, SMALL_ROW] } } as const;

/** A row of a large document, of which only its id and size are known. */
export interface LargeRow {
  readonly id: unknown;
  /** Bytes that a read of it takes: few, where the rest of the document is not shown. */
  readonly size: number;
}

/** Thrown where rows of a moment are missing that were there. */
export const gone = () =>
  new AppError('StoreUnavailable', 'A collection was dropped or renamed while it was read.');

export const isLarge = (row: object): row is LargeRow => 'size' in row;

/** The rows of a page some of which are large, at the page's moment. */
export interface LargePage {
  readonly rows: readonly (JoinedRow | LargeRow)[];
  /** The large rows that still exist, in the order of the ids, each with its bytes. */
  read(ids: readonly unknown[], deadline: Deadline): Promise<readonly JoinedRow[]>;
}

/** The rows of a page, with a placeholder for each large one, and how these are read. */
export const pageOfRows = (
  rows: LargePage['rows'],
  read: LargePage['read'],
): { readonly rows: readonly JoinedRow[]; readonly large?: LargePage } => ({
  rows: rows.map((row) => (isLarge(row) ? { document: { _id: row.id }, joined: {} } : row)),
  ...(rows.some(isLarge) && { large: { rows, read } }),
});

/** On whose account large rows are read. */
export interface LargeRowTaker {
  /**
   * Reads about this many bytes when there is room for them, in turn. The room is its own until the
   * hold is released.
   */
  readLarge<T>(
    bytes: number,
    read: () => Promise<T>,
  ): Promise<{ readonly read: T; readonly hold: Hold }>;
}

/**
 * All rows in their order, piece by piece. A piece's room is given back when the caller takes the
 * next one.
 *
 * @param read the rows of these ids, in their order; throws when one is not there
 */
export async function* inPieces<R extends object>(
  rows: readonly (R | LargeRow)[],
  read: (ids: readonly unknown[]) => Promise<readonly R[]>,
  taker: LargeRowTaker,
): AsyncGenerator<readonly R[], void, void> {
  for (const piece of piecesOf(rows)) {
    const large = piece.filter(isLarge);
    if (large.length === 0) {
      yield piece as R[];
      continue;
    }
    const ids = large.map(({ id }) => id);
    const { read: come, hold } = await taker.readLarge(bytesOf(large), () => read(ids));
    try {
      let next = 0;
      yield piece.map((row) => (isLarge(row) ? come[next++]! : row));
    } finally {
      hold.release();
    }
  }
}

export const bytesOf = (rows: readonly object[]): number =>
  rows.reduce((sum, row) => sum + (isLarge(row) ? row.size : 0), 0);

function* piecesOf<R extends object>(
  rows: readonly (R | LargeRow)[],
): Generator<readonly (R | LargeRow)[], void, void> {
  let piece: (R | LargeRow)[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = isLarge(row) ? row.size : 0;
    if (bytes > 0 && bytes + size > READ_BYTES) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(row);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}
