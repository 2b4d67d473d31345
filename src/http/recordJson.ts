/**
 * Answers of searches as UTF-8, each record's bytes made once for as long as its row is the same
 * object.
 *
 *     row ──► record ──► JSON as bytes, kept beside the row
 *     {"data":[ bytes , bytes , … ],"meta": … }          one copy into the answer's buffer
 *
 * The index returns the same row object until something of it changes, and a page's JSON is most of
 * what an answer costs once the search itself takes a tenth of a millisecond. Bytes and not text:
 * a text with letters beyond Latin-1 was measured twice and encoded once for every answer. A row from
 * memory is a new object each time, but for those who watch; its larger members are JSON already; large rows, which come as
 * bytes, are written as exports write them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Output } from '../mongo/bson/output.ts';
import {
  asDate,
  type JoinedRow,
  type MadeLayout,
  type MadeMembers,
  type Plain,
  type Presenter,
  present,
  type RecordContext,
} from '../resources/record.ts';
import type { ExportedRow } from '../search/momentReader.ts';
import { FORMATS } from './export/lines.ts';

/** Milliseconds of work before others have their turn. */
const TURN_MS = 4;

const HEAD = Buffer.from('{"data":[');
const BETWEEN = Buffer.from(',');
const NOTHING = Buffer.alloc(0);
const AFTER = Buffer.from('],');
const LINE_FEED_BYTES = 1;

function partsOf(records: readonly Buffer[], members: Readonly<Record<string, object>>): Buffer[] {
  const parts: Buffer[] = [HEAD];
  for (const bytes of records) {
    if (parts.length > 1) parts.push(BETWEEN);
    parts.push(bytes);
  }
  // What begins with a brace goes on after the rows with a comma.
  parts.push(AFTER, Buffer.from(JSON.stringify(members).slice(1)));
  return parts;
}

/** A row from memory. */
type MadeRow = JoinedRow & { readonly made: MadeMembers };

const isMade = (row: JoinedRow): row is MadeRow => row.made !== undefined;

/** The JSON of one member of a row from memory; '' where the row has none. */
type MemberJson = (row: MadeRow, context: RecordContext) => string;

/** The name of what is kept beside a row. Not in a WeakMap: V8 took 60 to 210 ms to look through it. */
const BESIDE = Symbol('written');

/** A row's record as bytes, by the options that were on: they change what it shows. */
interface Written {
  readonly record: Readonly<Record<string, Presenter>>;
  readonly bytes: Map<string, Buffer>;
}

interface WrittenMember {
  readonly head: string;
  readonly json: MemberJson;
}

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  /** Each member with how it begins in JSON. */
  readonly #members: readonly (readonly [name: string, head: string, presenter: Presenter])[];
  /** The same members for rows of one layout: where each comes from. */
  #written: { readonly layout: MadeLayout; readonly members: readonly WrittenMember[] } | undefined;

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
    const options = namesOf(context);
    const records: Buffer[] = [];
    let turn = performance.now();
    for (const row of rows) {
      records.push(this.#bytesOf(row, context, options, !isMade(row)));
      if (performance.now() - turn > TURN_MS) {
        await nextTurn();
        turn = performance.now();
      }
    }
    return Buffer.concat(partsOf(records, members));
  }

  /**
   * The same in one step, of few rows that are the same objects until they change; with what stands before
   * and after it.
   */
  answerNow(
    rows: readonly JoinedRow[],
    context: RecordContext,
    members: Readonly<Record<string, object>>,
    [before, after]: readonly [Buffer, Buffer],
  ): Buffer {
    const options = namesOf(context);
    const records = rows.map((row) => this.#bytesOf(row, context, options, true));
    return Buffer.concat([before, ...partsOf(records, members), after]);
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

  /** @param isSame whether the row stays the same object until it changes: then its bytes are kept */
  #bytesOf(row: JoinedRow, context: RecordContext, options: string, isSame: boolean): Buffer {
    const kept = (row as { [BESIDE]?: Written })[BESIDE];
    const written = kept?.record === this.#record ? kept : undefined;
    const before = written?.bytes.get(options);
    if (before) return before;
    const bytes = Buffer.from(this.text(row, context));
    if (written) written.bytes.set(options, bytes);
    else if (isSame) {
      const value: Written = { record: this.#record, bytes: new Map([[options, bytes]]) };
      // A copy of the row, which may hold something else, does not take it over.
      Object.defineProperty(row, BESIDE, { value, enumerable: false, configurable: true });
    }
    return bytes;
  }

  #textOf(row: MadeRow, context: RecordContext): string {
    const { layout } = row.made;
    if (this.#written?.layout !== layout) {
      const members = this.#members.map(([name, head, presenter]) => {
        return { head, json: memberJson(name, presenter, layout) };
      });
      this.#written = { layout, members };
    }
    let text = '';
    for (const { head, json } of this.#written.members) {
      const made = json(row, context);
      if (made !== '') text += head + made;
    }
    return `{${text.slice(1)}}`;
  }
}

const namesOf = ({ options }: RecordContext) =>
  options.size === 0 ? '' : [...options].sort().join();

/** Where a member of a row from memory comes from: its JSON, one value, or whatever its presenter reads. */
function memberJson(name: string, presenter: Presenter, { made, paths }: MadeLayout): MemberJson {
  const { when, plain, show, reads } = presenter;
  const line = made.findIndex((one) => one.name === name);
  if (line >= 0 && when) {
    return (row, context) => (when.holds(row, context) ? row.made.lines[line]! : '');
  }
  if (line >= 0) return (row) => row.made.lines[line]!;
  const place = paths.indexOf(reads[0]!);
  if (plain !== undefined && show && place >= 0) {
    const text = WRITTEN[plain] ?? ((value: unknown) => JSON.stringify(show(value)));
    return (row) => text(row.made.values[place]);
  }
  return (row, context) => {
    const value = presenter(row, context);
    return value === undefined ? '' : JSON.stringify(value);
  };
}

/** JSON of what is most often there, as its presenter shows it. */
const WRITTEN: { readonly [plain in Plain]?: (value: unknown) => string } = {
  text: (value) => (typeof value === 'string' ? JSON.stringify(value) : 'null'),
  boolean: (value) => (typeof value === 'boolean' ? String(value) : 'null'),
  date(value) {
    const text = asDate(value);
    return text === null ? 'null' : `"${text}"`;
  },
};
