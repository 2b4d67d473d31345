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
 * object each time, but for those who watch; its larger members are JSON already; large rows, which come
 * as bytes, are written as exports write them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invariant } from '../errors.ts';
import { writeDate, writeJsonText, writeNumber } from '../mongo/bson/cells.ts';
import { Known, Output } from '../mongo/bson/output.ts';
import {
  type JoinedRow,
  type MadeLayout,
  type MadeRow,
  type Plain,
  type Presenter,
  present,
  type RecordContext,
} from '../resources/record.ts';
import { KeptRow } from '../search/keptRow.ts';
import type { ExportedRow } from '../search/momentReader.ts';
import { RestText } from '../search/rests/memoryRows.ts';
import { FORMATS } from './export/lines.ts';

/** Bytes that are kept to write the next answer in. */
const MAX_SPARE = 2 ** 20;
/** What one record is written in. */
const record = new Output(2_048);

/** Milliseconds of work before others have their turn. */
const TURN_MS = 4;

const HEAD = Buffer.from('{"data":[');
const BETWEEN = Buffer.from(',');
const COMMA = 0x2c;
const [BRACE, BRACE_END] = [0x7b, 0x7d];
const NOTHING = Buffer.alloc(0);
const AFTER = Buffer.from('],');
const [NULL, TRUE, FALSE] = [new Known('null'), new Known('true'), new Known('false')];
const LINE_FEED = 0x0a;
const LINE_FEED_BYTES = 1;

const isMade = (row: JoinedRow): row is MadeRow => row.made !== undefined;

/** Writes one member of a row from memory as JSON; false, with nothing written, where the row has none. */
type WriteValue = (out: Output, row: MadeRow, context: RecordContext) => boolean;

/** The lines of a row's rest, which are read one after the other. */
class Lines {
  readonly #text = new RestText();
  #at = 0;

  begin(row: MadeRow): void {
    row.made.rest.read(this.#text);
    this.#at = 0;
  }

  /** Writes the next line; false for an empty one. */
  write(out: Output): boolean {
    const { bytes, length: end } = this.#text;
    let from = this.#at;
    out.reserve(end - from);
    const to = out.bytes;
    let at = out.length;
    for (; from < end; from++) {
      const byte = bytes[from]!;
      if (byte === LINE_FEED) break;
      to[at++] = byte;
    }
    this.#at = from + 1;
    const isThere = at > out.length;
    out.length = at;
    return isThere;
  }

  skip(): void {
    const { bytes, length } = this.#text;
    let at = this.#at;
    while (at < length && bytes[at] !== LINE_FEED) at++;
    this.#at = at + 1;
  }
}

const lines = new Lines();

/** The name of what is kept beside a row. Not in a WeakMap: V8 took 60 to 210 ms to look through it. */
const BESIDE = Symbol('written');

/** A row's record as bytes, and as it was with other options: they change what it shows. */
interface Written {
  readonly record: Readonly<Record<string, Presenter>>;
  readonly options: string;
  readonly bytes: Buffer;
  readonly others: Written | undefined;
}

interface WrittenMember {
  /** What stands before its value: a comma, its name. */
  readonly head: Known;
  readonly write: WriteValue;
}

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  /** The same members for rows of one layout: where each comes from. */
  #written: { readonly layout: MadeLayout; readonly members: readonly WrittenMember[] } | undefined;
  /** What the answer before was written in. */
  #spare: Output | undefined;

  constructor(record: Readonly<Record<string, Presenter>>) {
    this.#record = record;
  }

  /**
   * The whole answer: the rows' records, then the other members in their order. Others have their turn
   * while the records of a large page are made. The catalogue must be the same one always.
   */
  async answer(
    rows: readonly JoinedRow[],
    context: RecordContext,
    members: Readonly<Record<string, object>>,
  ): Promise<Buffer> {
    const options = namesOf(context);
    const out = this.#spare ?? new Output();
    this.#spare = undefined;
    out.length = 0;
    out.put(HEAD);
    let turn = performance.now();
    for (const row of rows) {
      if (out.length > HEAD.length) out.byte(COMMA);
      if (isMade(row)) this.#writeMade(out, row, context);
      else out.copy(this.#bytesOf(row, context, options)!);
      if (performance.now() - turn > TURN_MS) {
        await nextTurn();
        turn = performance.now();
      }
    }
    finish(out, members);
    const answer = Buffer.from(out.take());
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
    members: Readonly<Record<string, object>>,
    [before, after]: readonly [Buffer, Buffer],
  ): Buffer | undefined {
    const options = namesOf(context);
    const parts = [before, HEAD];
    for (const [i, row] of rows.entries()) {
      const bytes = this.#bytesOf(row, context, options);
      if (!bytes) {
        for (const one of rows) if (one instanceof KeptRow) one.release();
        return undefined;
      }
      parts.push(i === 0 ? NOTHING : BETWEEN, bytes);
    }
    parts.push(AFTER, Buffer.from(JSON.stringify(members).slice(1)), after);
    return Buffer.concat(parts);
  }

  /** The same, a piece for each piece of the rows. */
  async *pieces(
    rows: AsyncIterable<readonly ExportedRow[]>,
    context: RecordContext,
    members: Readonly<Record<string, object>>,
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
    finish(out, members);
    yield out.take();
  }

  /** The record of one row. */
  text(row: JoinedRow, context: RecordContext): string {
    return isMade(row)
      ? this.#made(row, context).toString()
      : JSON.stringify(present(this.#record, row, context));
  }

  /** The record of a row from memory; to be read before the next one is made. */
  #made(row: MadeRow, context: RecordContext): Buffer {
    record.length = 0;
    this.#writeMade(record, row, context);
    return record.take();
  }

  /** Of a row that stays the same object until it changes; undefined where memory does not tell it any more. */
  #bytesOf(row: JoinedRow, context: RecordContext, options: string): Buffer | undefined {
    const others = (row as { [BESIDE]?: Written })[BESIDE];
    for (let one = others; one; one = one.others) {
      if (one.record === this.#record && one.options === options) return one.bytes;
    }
    if (row instanceof KeptRow && !row.make()) return undefined;
    const bytes = exactly(isMade(row) ? this.#made(row, context) : this.text(row, context));
    const value: Written = { record: this.#record, options, bytes, others };
    // A copy of the row, which may hold something else, does not take it over.
    Object.defineProperty(row, BESIDE, { value, enumerable: false, configurable: true });
    if (row instanceof KeptRow) row.release();
    return bytes;
  }

  #writeMade(out: Output, row: MadeRow, context: RecordContext): void {
    const start = out.length;
    lines.begin(row);
    for (const { head, write } of this.#membersOf(row.made.layout)) {
      const before = out.length;
      out.known(head);
      if (!write(out, row, context)) out.length = before;
    }
    if (out.length === start) out.byte(BRACE);
    // In place of the first comma.
    out.bytes[start] = BRACE;
    out.byte(BRACE_END);
  }

  #membersOf(layout: MadeLayout): readonly WrittenMember[] {
    if (this.#written?.layout !== layout) {
      const made = Object.keys(this.#record).filter((name) =>
        layout.made.some((one) => one.name === name),
      );
      invariant(
        made.every((name, line) => layout.made[line]!.name === name),
        'lines come in the order of members',
      );
      const members = Object.entries(this.#record).map(([name, presenter]) => {
        const head = new Known(`,${JSON.stringify(name)}:`);
        return { head, write: writerOf(name, presenter, layout) };
      });
      this.#written = { layout, members };
    }
    return this.#written.members;
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

/** What begins with a brace goes on after the rows with a comma. */
function finish(out: Output, members: Readonly<Record<string, object>>): void {
  out.put(AFTER);
  out.text(JSON.stringify(members).slice(1));
}

/** Where a member of a row from memory comes from: its JSON, one value, or whatever its presenter reads. */
function writerOf(name: string, presenter: Presenter, { made, paths }: MadeLayout): WriteValue {
  const { when, plain, show, reads } = presenter;
  if (made.some((one) => one.name === name)) {
    if (!when) return (out) => lines.write(out);
    return (out, row, context) => {
      if (when.holds(row, context)) return lines.write(out);
      lines.skip();
      return false;
    };
  }
  const place = paths.indexOf(reads[0]!);
  if (plain !== undefined && show && place >= 0) {
    const nothing = new Known(JSON.stringify(show(null)));
    const writePlain = WRITERS[plain];
    return (out, row) => {
      const value = row.made.values[place];
      if (value === null) out.known(nothing);
      else if (!writePlain(out, value)) out.text(JSON.stringify(show(value)));
      return true;
    };
  }
  return (out, row, context) => {
    const value = presenter(row, context);
    if (typeof value === 'string') writeJsonText(out, value);
    else if (typeof value === 'number' && Number.isFinite(value)) writeNumber(out, value);
    else if (value === null) out.known(NULL);
    else if (value !== undefined) out.text(JSON.stringify(value));
    return value !== undefined;
  };
}

/** Writes what is most often there; false, with nothing written, for what its presenter has to show. */
type WritePlain = (out: Output, value: unknown) => boolean;

const writeText: WritePlain = (out, value) => {
  if (typeof value === 'string') writeJsonText(out, value);
  return typeof value === 'string';
};

const writeBoolean: WritePlain = (out, value) => {
  if (typeof value !== 'boolean') return false;
  out.known(value ? TRUE : FALSE);
  return true;
};

const writeInteger: WritePlain = (out, value) => {
  if (!Number.isSafeInteger(value)) return false;
  writeNumber(out, value as number);
  return true;
};

const WRITERS: Readonly<Record<Plain, WritePlain>> = {
  text: writeText,
  boolean: writeBoolean,
  number: writeInteger,
  date: (out, value) => value instanceof Date && writeDate(out, value.getTime(), true),
  json: (out, value) => writeText(out, value) || writeInteger(out, value),
};
