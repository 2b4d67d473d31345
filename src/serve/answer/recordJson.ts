/**
 * Answers of searches as UTF-8.
 *
 *     row from memory    ──► its members, from what memory has to bytes     memoryRowWriter.ts
 *     row of the store   ──► its record, as presenters show it
 *     {"data":[ record , record , … ],"meta": … }      one buffer
 */
import { loop } from '../../loop.ts';
import { Output } from '../../store/bson/output.ts';
import {
  type JoinedRow,
  type MemoryLayout,
  type MemoryRow,
  type Presenter,
  present,
  type RecordContext,
} from '../../tables/definition/record.ts';
import { RowWriter } from './memoryRowWriter.ts';

/** Bytes that are kept to write the next answer in. */
const MAX_SPARE = 2 ** 20;

const HEAD = Buffer.from('{"data":[');
const COMMA = 0x2c;
const AFTER = Buffer.from('],');

const isMemoryRow = (row: JoinedRow): row is MemoryRow => row.memory !== undefined;

const ALWAYS = () => true;

/** Writes one record. */
type WriteRecord = (out: Output, row: JoinedRow) => void;

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  readonly #writers = new WeakMap<MemoryLayout, RowWriter>();
  /** The output of the answer before, for the next one to reuse. */
  #spare: Output | undefined;

  constructor(record: Readonly<Record<string, Presenter>>) {
    this.#record = record;
  }

  /**
   * The whole answer: the rows' records, then the other members, which are `after`. Others have their turn
   * while the records of a large page are made.
   */
  answer(
    rows: readonly JoinedRow[],
    context: RecordContext,
    after: string,
  ): Buffer | Promise<Buffer> {
    const out = this.#begin();
    const write = this.#writer(context);
    out.put(HEAD);
    const left = writeRows(out, rows, 0, write, loop.piece());
    return left === 0 ? this.#end(out, after) : this.#inTurns(out, rows, left, write, after);
  }

  async #inTurns(
    out: Output,
    rows: readonly JoinedRow[],
    from: number,
    write: WriteRecord,
    after: string,
  ): Promise<Buffer> {
    for (let left = from; left > 0; ) {
      await loop.turn('step');
      left = writeRows(out, rows, rows.length - left, write, loop.piece());
    }
    return this.#end(out, after);
  }

  /** The same in one step, with the bytes before and after it. */
  answerNow(
    rows: readonly JoinedRow[],
    context: RecordContext,
    after: string,
    [before, end]: readonly [Buffer, Buffer],
  ): Buffer {
    const out = this.#begin();
    out.put(before);
    out.put(HEAD);
    writeRows(out, rows, 0, this.#writer(context), ALWAYS);
    return this.#end(out, after, end);
  }

  /** The same, a piece for each piece of the rows. */
  async *pieces(
    rows: AsyncIterable<readonly JoinedRow[]>,
    context: RecordContext,
    after: string,
  ): AsyncGenerator<Buffer, void, void> {
    const write = this.#writer(context);
    let out = new Output();
    out.put(HEAD);
    let isFirst = true;
    for await (const some of rows) {
      if (!isFirst && some.length > 0) out.byte(COMMA);
      writeRows(out, some, 0, write, ALWAYS);
      isFirst &&= some.length === 0;
      yield out.take();
      out = new Output();
    }
    finish(out, after);
    yield out.take();
  }

  #begin(): Output {
    const out = this.#spare ?? new Output();
    this.#spare = undefined;
    out.length = 0;
    return out;
  }

  #end(out: Output, after: string, end?: Buffer): Buffer {
    finish(out, after);
    if (end) out.put(end);
    const answer = Buffer.allocUnsafe(out.length);
    out.bytes.copy(answer, 0, 0, out.length);
    if (out.bytes.length <= MAX_SPARE) this.#spare = out;
    return answer;
  }

  #writer(context: RecordContext): WriteRecord {
    const record = this.#record;
    return (out, row) => {
      if (isMemoryRow(row)) this.#writerOf(row.memory.layout).write(out, row, context);
      else out.copy(Buffer.from(JSON.stringify(present(record, row, context))));
    };
  }

  #writerOf(layout: MemoryLayout): RowWriter {
    const known = this.#writers.get(layout);
    if (known) return known;
    const writer = new RowWriter(this.#record, layout);
    this.#writers.set(layout, writer);
    return writer;
  }
}

/** Writes rows while it may go on; returns how many are left. */
function writeRows(
  out: Output,
  rows: readonly JoinedRow[],
  from: number,
  write: WriteRecord,
  mayGoOn: () => boolean,
): number {
  for (let at = from; at < rows.length; at++) {
    if (at > 0) out.byte(COMMA);
    write(out, rows[at]!);
    if (!mayGoOn()) return rows.length - at - 1;
  }
  return 0;
}

function finish(out: Output, after: string): void {
  out.put(AFTER);
  out.text(after);
}
