/**
 * Answers of searches as UTF-8, each record's bytes made once for as long as its row is the same
 * object.
 *
 *     row ──► record ──► JSON as bytes, kept beside the row
 *     row from memory ──► bytes, without a text in between
 *     {"data":[ bytes , bytes , … ],"meta": … }          one copy into the answer's buffer
 *
 * The index returns the same row object until something of it changes, and a page's JSON is most of what
 * an answer costs once the search itself takes a tenth of a millisecond. Bytes and not text: a text with
 * letters beyond Latin-1 was measured twice and encoded once for every answer. A row from memory is a new
 * object each time, but for those who watch and where it lists related documents; its larger members are JSON already; large rows, which come
 * as bytes, are written as exports write them.
 */
import { loop } from '../../loop.ts';
import { Output } from '../../store/bson/output.ts';
import {
  type JoinedRow,
  type MemoryRow,
  type Presenter,
  present,
  type RecordContext,
} from '../../tables/definition/record.ts';
import type { ExportedRow } from '../../tables/rows/momentReader.ts';
import { WatchedRow } from '../../tables/rows/watchedRow.ts';
import { FORMATS } from '../export/lines.ts';
import { rowWriter } from './memoryRowWriter.ts';

/** Bytes that are kept to write the next answer in. */
const MAX_SPARE = 2 ** 20;
/** What one record is written in. */
const record = new Output(2_048);

const HEAD = Buffer.from('{"data":[');
const BETWEEN = Buffer.from(',');
const COMMA = 0x2c;
const NOTHING = Buffer.alloc(0);
const AFTER = Buffer.from('],');
const LINE_FEED_BYTES = 1;

const isMemoryRow = (row: JoinedRow): row is MemoryRow => row.memory !== undefined;

/** The name of what is kept beside a row. Not in a WeakMap: V8 took 60 to 210 ms to look through it. */
const BESIDE = Symbol('written');

/** A row's record as bytes, and as it was with other options: they change what it shows. */
interface Written {
  readonly record: Readonly<Record<string, Presenter>>;
  readonly options: string;
  readonly bytes: Buffer;
  readonly others: Written | undefined;
}

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  /** What the answer before was written in. */
  #spare: Output | undefined;

  constructor(record: Readonly<Record<string, Presenter>>) {
    this.#record = record;
  }

  /**
   * The whole answer: the rows' records, then the other members, which are `after`. Others have their turn
   * while the records of a large page are made. The labels must be the same always.
   */
  answer(
    rows: readonly JoinedRow[],
    context: RecordContext,
    after: string,
  ): Buffer | Promise<Buffer> {
    const out = this.#spare ?? new Output();
    this.#spare = undefined;
    out.length = 0;
    out.put(HEAD);
    const left = this.#write(out, rows, 0, context);
    return left === 0 ? this.#end(out, after) : this.#inTurns(out, rows, left, context, after);
  }

  async #inTurns(
    out: Output,
    rows: readonly JoinedRow[],
    from: number,
    context: RecordContext,
    after: string,
  ): Promise<Buffer> {
    for (let left = from; left > 0; ) {
      await loop.turn('step');
      left = this.#write(out, rows, rows.length - left, context);
    }
    return this.#end(out, after);
  }

  /** Writes rows for the time of a piece; returns how many are left. */
  #write(out: Output, rows: readonly JoinedRow[], from: number, context: RecordContext): number {
    const options = namesOf(context);
    const mayGoOn = loop.piece();
    for (let at = from; at < rows.length; at++) {
      const row = rows[at]!;
      if (at > 0) out.byte(COMMA);
      if (isMemoryRow(row) && !row.isSame) this.#writeMemoryRow(out, row, context);
      else out.copy(this.#bytesOf(row, context, options)!);
      if (!mayGoOn()) return rows.length - at - 1;
    }
    return 0;
  }

  #end(out: Output, after: string): Buffer {
    finish(out, after);
    const answer = Buffer.allocUnsafe(out.length);
    out.bytes.copy(answer, 0, 0, out.length);
    if (out.bytes.length <= MAX_SPARE) this.#spare = out;
    return answer;
  }

  /**
   * The same in one step, of few rows that are the same objects until they change; with what stands before
   * and after it. Undefined where one has to be read.
   */
  answerNow(
    rows: readonly JoinedRow[],
    context: RecordContext,
    after: string,
    [head, end]: readonly [Buffer, Buffer],
  ): Buffer | undefined {
    const options = namesOf(context);
    const parts = [head, HEAD];
    for (const [i, row] of rows.entries()) {
      const bytes = this.#bytesOf(row, context, options);
      if (!bytes) {
        for (const one of rows) if (one instanceof WatchedRow) one.release();
        return undefined;
      }
      parts.push(i === 0 ? NOTHING : BETWEEN, bytes);
    }
    parts.push(AFTER, Buffer.from(after), end);
    return Buffer.concat(parts);
  }

  /** The same, a piece for each piece of the rows. */
  async *pieces(
    rows: AsyncIterable<readonly ExportedRow[]>,
    context: RecordContext,
    after: string,
  ): AsyncGenerator<Buffer, void, void> {
    const lines = FORMATS['application/x-ndjson'].writer({
      ...{ record: this.#record, names: Object.keys(this.#record), context, keepFormulas: true },
    });
    let out = new Output();
    out.put(HEAD);
    let between = NOTHING;
    for await (const some of rows) {
      for (const row of some) {
        out.put(between);
        between = BETWEEN;
        if (row.bytes) {
          lines.write(out, row);
          out.length -= LINE_FEED_BYTES;
        } else out.text(this.text(row, context));
      }
      yield out.take();
      out = new Output();
    }
    finish(out, after);
    yield out.take();
  }

  /** The record of one row. */
  text(row: JoinedRow, context: RecordContext): string {
    return isMemoryRow(row)
      ? this.#memoryRow(row, context).toString()
      : JSON.stringify(present(this.#record, row, context));
  }

  /** The record of a row from memory; to be read before the next one is made. */
  #memoryRow(row: MemoryRow, context: RecordContext): Buffer {
    record.length = 0;
    this.#writeMemoryRow(record, row, context);
    return record.take();
  }

  /** Of a row that stays the same object until it changes; undefined where memory does not tell it any more. */
  #bytesOf(row: JoinedRow, context: RecordContext, options: string): Buffer | undefined {
    const others = (row as { [BESIDE]?: Written })[BESIDE];
    for (let one = others; one; one = one.others) {
      if (one.record === this.#record && one.options === options) return one.bytes;
    }
    if (row instanceof WatchedRow && !row.make()) return undefined;
    const bytes = exactly(
      isMemoryRow(row) ? this.#memoryRow(row, context) : this.text(row, context),
    );
    const value: Written = { record: this.#record, options, bytes, others };
    // A copy of the row, which may hold something else, does not take it over.
    Object.defineProperty(row, BESIDE, { value, enumerable: false, configurable: true });
    if (row instanceof WatchedRow) row.release();
    return bytes;
  }

  #writeMemoryRow(out: Output, row: MemoryRow, context: RecordContext): void {
    rowWriter(this.#record, row.memory.layout).write(out, row, context);
  }
}

/** In memory of their own: those of a pool stay for as long as any of their neighbours. */
function exactly(bytes: Buffer | string): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes));
  if (typeof bytes === 'string') own.write(bytes);
  else bytes.copy(own);
  return own;
}

const namesOf = ({ options }: RecordContext) =>
  options.size === 0 ? '' : [...options].sort().join();

function finish(out: Output, after: string): void {
  out.put(AFTER);
  out.text(after);
}
