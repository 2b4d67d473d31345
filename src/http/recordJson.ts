/**
 * Answers of searches as UTF-8, each record's bytes made once for as long as its row is the same
 * object.
 *
 *     row ──► record ──► JSON as bytes, kept beside the row
 *     {"data":[ bytes , bytes , … ],"meta": … }          one copy into the answer's buffer
 *
 * The index returns the same row object until something of it changes, and a page's JSON is most of
 * what an answer costs once the search itself takes a tenth of a millisecond. Bytes and not text:
 * a text with letters beyond Latin-1 was measured twice and encoded once for every answer. Of a row from
 * memory, which is a new object each time, the larger members are JSON already; large rows, which come as
 * bytes, are written as exports write them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JoinedRow,
  type Presenter,
  present,
  type RecordContext,
} from '../resources/record.ts';
import type { ExportedRow } from '../search/momentReader.ts';
import { FORMATS } from './export/lines.ts';
import { Output } from './export/output.ts';

/** Milliseconds of work before others have their turn. */
const TURN_MS = 4;

const HEAD = Buffer.from('{"data":[');
const BETWEEN = Buffer.from(',');
const NOTHING = Buffer.alloc(0);
const AFTER = Buffer.from('],');
const LINE_FEED_BYTES = 1;

/** A row of which some members are JSON already. */
type MadeRow = JoinedRow & { readonly json: NonNullable<JoinedRow['json']> };

const isMade = (row: JoinedRow): row is MadeRow => row.json !== undefined;

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  /** Each member with how it begins in JSON. */
  readonly #members: readonly (readonly [name: string, head: string, presenter: Presenter])[];
  /** By the options that were on: they change what a record shows. */
  readonly #known = new Map<string, WeakMap<JoinedRow, Buffer>>();

  constructor(record: Readonly<Record<string, Presenter>>) {
    this.#record = record;
    this.#members = Object.entries(record).map(([name, presenter]) => {
      return [name, `,${JSON.stringify(name)}:`, presenter];
    });
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
    const known = this.#knownWith(context);
    const parts: Buffer[] = [HEAD];
    let turn = performance.now();
    for (const row of rows) {
      let bytes = known.get(row);
      if (bytes === undefined) {
        bytes = Buffer.from(this.text(row, context));
        if (!isMade(row)) known.set(row, bytes);
      }
      if (performance.now() - turn > TURN_MS) {
        await nextTurn();
        turn = performance.now();
      }
      if (parts.length > 1) parts.push(BETWEEN);
      parts.push(bytes);
    }
    // What begins with a brace goes on after the rows with a comma.
    parts.push(AFTER, Buffer.from(JSON.stringify(members).slice(1)));
    return Buffer.concat(parts);
  }

  /** The same, a piece for each piece of the rows. */
  async *pieces(
    rows: AsyncIterable<readonly ExportedRow[]>,
    context: RecordContext,
    members: Readonly<Record<string, object>>,
  ): AsyncGenerator<Buffer, void, void> {
    const record = this.#record;
    const names = Object.keys(record);
    const lines = FORMATS['application/x-ndjson'].writer({
      ...{ record, names, context, keepFormulas: true },
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
    out.put(AFTER);
    out.text(JSON.stringify(members).slice(1));
    yield out.take();
  }

  /** The record of one row. */
  text(row: JoinedRow, context: RecordContext): string {
    return isMade(row)
      ? this.#textOf(row, context)
      : JSON.stringify(present(this.#record, row, context));
  }

  #textOf(row: MadeRow, context: RecordContext): string {
    let text = '';
    for (const [name, head, presenter] of this.#members) {
      const made = row.json.get(name);
      if (made === undefined) {
        const value = presenter(row, context);
        if (value !== undefined) text += head + JSON.stringify(value);
      } else if (made !== '' && (presenter.when?.holds(row, context) ?? true)) {
        text += head + made;
      }
    }
    return `{${text.slice(1)}}`;
  }

  #knownWith({ options }: RecordContext): WeakMap<JoinedRow, Buffer> {
    const names = options.size === 0 ? '' : [...options].sort().join();
    let known = this.#known.get(names);
    if (!known) {
      known = new WeakMap();
      this.#known.set(names, known);
    }
    return known;
  }
}
