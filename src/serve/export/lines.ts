/**
 * Rows as lines of a format: what shows a member as it is stored goes from bytes to bytes, the others
 * by its presenter.
 *
 *     row ──► where its members lie ──► column, column, …  ──► one more line
 */

import { type CellWriter, csvCells, jsonCells, writeNumber } from '../../store/bson/cells.ts';
import { writeJsonText } from '../../store/bson/jsonText.ts';
import { Members } from '../../store/bson/members.ts';
import type { Output } from '../../store/bson/output.ts';
import type {
  JoinedRow,
  Presenter,
  RecordContext,
  StoredDocument,
} from '../../tables/definition/record.ts';
import type { ExportedRow } from '../../tables/rows/momentReader.ts';
import { csvCell, csvHeader } from './csv.ts';

/** What is asked for: members of a record, in this order. */
export interface Columns {
  readonly record: Readonly<Record<string, Presenter>>;
  readonly names: readonly string[];
  readonly context: RecordContext;
  /** In CSV: whether text stays that spreadsheets would take for formulas. */
  readonly keepFormulas: boolean;
}

/** A form in which rows are written. */
export interface Format {
  readonly type: string;
  readonly extension: string;
  /** What comes before the first row. */
  head(names: readonly string[]): string;
  writer(columns: Columns): LineWriter;
}

export interface LineWriter {
  write(out: Output, row: ExportedRow): void;
}

interface Column {
  readonly present: Presenter;
  /** The member that it shows for what it is; -1 where it does not. */
  readonly place: number;
  /** `,"name":` */
  readonly member: Buffer;
}

const COMMA = 0x2c;
const [OPEN, CLOSE] = [0x7b, 0x7d];
const LINE_FEED = 0x0a;

/** What the lines of both formats have in common: the columns, and the members they show. */
class Lines {
  readonly columns: readonly Column[];
  readonly members: Members;
  readonly #context: RecordContext;
  /** The row that is written, as presenters see it: each value is made when one looks at it. */
  readonly #shown: { document: StoredDocument; joined: JoinedRow['joined'] };
  #bytes: Uint8Array = NO_BYTES;

  constructor({ record, names, context }: Columns) {
    const presenters = names.map((name) => record[name]!);
    this.members = new Members([...new Set(presenters.flatMap(({ reads }) => reads))]);
    this.columns = presenters.map((present, i) => ({
      present,
      place: present.plain ? this.members.names.indexOf(present.reads[0]!) : -1,
      member: Buffer.from(`,${JSON.stringify(names[i])}:`),
    }));
    this.#context = context;
    this.#shown = { document: this.#viewed(), joined: {} };
  }

  /** A document whose members are those of the row's bytes. */
  #viewed(): StoredDocument {
    const view = {};
    for (const [place, name] of this.members.names.entries()) {
      const get = () => this.members.value(this.#bytes, place);
      Object.defineProperty(view, name, { get, enumerable: true });
    }
    return view;
  }

  read({ bytes, joined }: ExportedRow): void {
    if (!bytes) return;
    this.members.read(bytes);
    this.#bytes = bytes;
    this.#shown.joined = joined;
  }

  /** Writes the column's value from the row's bytes, where that can be done. */
  writeStored(out: Output, cells: CellWriter, column: Column, row: ExportedRow): boolean {
    const { place, present } = column;
    if (place < 0 || !row.bytes) return false;
    const { types, starts, ends } = this.members;
    const type = types[place]!;
    return cells.write(out, present.plain!, type, row.bytes, starts[place]!, ends[place]!);
  }

  valueOf({ present }: Column, row: ExportedRow) {
    return present(row.bytes ? this.#shown : row, this.#context);
  }
}

const NO_BYTES = new Uint8Array();

/** A record a line. */
class JsonLines extends Lines implements LineWriter {
  write(out: Output, row: ExportedRow): void {
    this.read(row);
    const start = out.length;
    for (const column of this.columns) {
      const before = out.length;
      out.put(column.member);
      if (this.writeStored(out, jsonCells, column, row)) continue;
      const value = this.valueOf(column, row);
      if (value === undefined) out.length = before;
      else if (typeof value === 'string') writeJsonText(out, value);
      else if (typeof value === 'number') writeNumber(out, value);
      else out.text(JSON.stringify(value));
    }
    if (out.length === start) out.byte(COMMA);
    // In place of the first comma.
    out.bytes[start] = OPEN;
    out.byte(CLOSE);
    out.byte(LINE_FEED);
  }
}

const END_OF_LINE = Buffer.from('\r\n');
const NOTHING = Buffer.from('""');

class CsvLines extends Lines implements LineWriter {
  readonly #cells: CellWriter;
  readonly #keepFormulas: boolean;

  constructor(columns: Columns) {
    super(columns);
    this.#cells = csvCells(columns);
    this.#keepFormulas = columns.keepFormulas;
  }

  write(out: Output, row: ExportedRow): void {
    this.read(row);
    const start = out.length;
    for (const column of this.columns) {
      if (column !== this.columns[0]) out.byte(COMMA);
      if (this.writeStored(out, this.#cells, column, row)) continue;
      out.text(csvCell(this.valueOf(column, row), this.#keepFormulas));
    }
    // A line of nothing at all would be no line to many readers.
    if (out.length === start) out.put(NOTHING);
    out.put(END_OF_LINE);
  }
}

export const FORMATS = {
  'application/x-ndjson': {
    type: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    writer: (columns) => new JsonLines(columns),
  },
  'text/csv': {
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvHeader,
    writer: (columns) => new CsvLines(columns),
  },
} as const satisfies Readonly<Record<string, Format>>;
