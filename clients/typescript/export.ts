/**
 * All rows of one moment as a stream: row by row, or as the bytes of a file.
 *
 * The service cuts the connection when it cannot show them all. A part is never taken for the whole:
 * a cut is an error, and so are rows that are fewer than were promised.
 */
import { bytesOf } from './bytes.ts';
import { type AnswerInfo, infoOf } from './connection.ts';
import { CutStreamError } from './errors.ts';
import { linesOf } from './lines.ts';

interface Exported {
  /** How many rows come. */
  readonly total: number;
  /** A name for a file of them. */
  readonly fileName: string;
  readonly info: AnswerInfo;
}

/** Rows can be read once. */
export interface ExportedRows<R> extends Exported, AsyncIterable<R> {}

export interface ExportedFile extends Exported {
  /** It errors with a `CutStreamError` when the connection is cut. */
  readonly stream: ReadableStream<Uint8Array>;
}

export function rowsOf<R>(response: Response, signal: AbortSignal | undefined): ExportedRows<R> {
  const head = headOf(response);
  return { ...head, [Symbol.asyncIterator]: () => parsed<R>(response, head.total, signal) };
}

export const fileOf = (response: Response, signal: AbortSignal | undefined): ExportedFile => ({
  ...headOf(response),
  stream: bytesOf(response, signal),
});

/** @throws CutStreamError when fewer rows come than were promised */
async function* parsed<R>(
  response: Response,
  total: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<R, void, void> {
  let count = 0;
  for await (const line of linesOf(response, signal)) {
    yield rowOf<R>(line, count);
    count += 1;
  }
  if (count !== total) throw cut(`${count} of ${total} rows came.`);
}

function rowOf<R>(line: string, count: number): R {
  try {
    return JSON.parse(line) as R;
  } catch {
    throw cut(`Row ${count + 1} is not whole.`);
  }
}

const cut = (what: string) =>
  new CutStreamError(`The export was cut before its end: ${what} What came is no answer.`);

function headOf(response: Response): Exported {
  const { headers } = response;
  const [, fileName = 'export'] =
    /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return { total: Number(headers.get('search-total')), fileName, info: infoOf(response) };
}

const QUOTE = 0x22;
const LINE_END = 0x0a;

/** Counts the rows of a file as its bytes go by. */
export class RowCounter {
  readonly #hasQuotes: boolean;
  #ends: number;
  #isQuoted = false;

  constructor(format: 'csv' | 'ndjson') {
    this.#hasQuotes = format === 'csv';
    // The header line of CSV is no row.
    this.#ends = format === 'csv' ? -1 : 0;
  }

  /** Whole rows so far. */
  get rows(): number {
    return Math.max(0, this.#ends);
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // Doubled quotes inside a cell turn it off and on again.
      if (byte === QUOTE && this.#hasQuotes) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_END && !this.#isQuoted) this.#ends += 1;
    }
  }
}
