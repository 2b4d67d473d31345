/**
 * Rows from memory as JSON: the values in memory become bytes, without a text in between.
 *
 *     ,"date_done":│"2026-…"    the name, then its value
 *     ,"args":│{"model":…}      the name, then a line of the row's rest
 *
 * The members of a record are compiled once for each layout of rows.
 */
import { invariant } from '../../errors.ts';
import { writeDate } from '../../store/bson/cells.ts';
import type { Output } from '../../store/bson/output.ts';
import type {
  Json,
  MemoryLayout,
  MemoryRow,
  Presenter,
  RecordContext,
} from '../../tables/definition/record.ts';
import { RestText } from '../../textindex/index.ts';

type Members = Readonly<Record<string, Presenter>>;

/** Writes one member of a row, with its name and comma; nothing where the row has none. */
type WriteMember = (out: Output, row: MemoryRow, context: RecordContext) => void;

const [BRACE, BRACE_END] = [0x7b, 0x7d];

/** Writes rows of one layout as such a record. */
export class RowWriter {
  readonly #members: readonly WriteMember[];

  constructor(record: Members, layout: MemoryLayout) {
    const members: WriteMember[] = [];
    let line = 0;
    for (const [name, presenter] of Object.entries(record)) {
      const own = layout.inRest.findIndex((one) => one.name === name);
      invariant(own < 0 || own >= line, 'lines come in the order of members');
      // The record leaves out members between the two.
      for (; line < own; line++) members.push(() => lines.skip());
      if (own >= 0) line = own + 1;
      members.push(memberWriter(name, presenter, layout));
    }
    this.#members = members;
  }

  write(out: Output, row: MemoryRow, context: RecordContext): void {
    const start = out.length;
    lines.begin(row);
    for (const write of this.#members) write(out, row, context);
    if (out.length === start) out.byte(BRACE);
    // In place of the first comma.
    out.bytes[start] = BRACE;
    out.byte(BRACE_END);
  }
}

/** The lines of a row's rest, which are read one after the other. */
class Lines {
  readonly #text = new RestText();
  #at = 0;
  /** Lines that come before the next one and are not written. */
  #skipped = 0;

  begin(row: MemoryRow): void {
    row.memory.rest.read(this.#text);
    this.#at = 0;
    this.#skipped = 0;
  }

  /** Writes the next line after this; nothing at all for an empty one. */
  write(out: Output, head: Buffer): void {
    const { bytes, length: end } = this.#text;
    for (; this.#skipped > 0; this.#skipped--) this.#at = this.#text.endOfLine(this.#at) + 1;
    const before = out.length;
    out.put(head);
    const from = Math.min(this.#at, end);
    this.#at = out.line(bytes, from, end) + 1;
    if (this.#at <= from + 1) out.length = before;
  }

  skip(): void {
    this.#skipped++;
  }
}

/** The lines of the row that is being written. */
const lines = new Lines();

/** The source of a member: a line of JSON, one value, or all that its presenter reads. */
function memberWriter(name: string, presenter: Presenter, layout: MemoryLayout): WriteMember {
  const { when, plain, show, reads } = presenter;
  const head = `,${JSON.stringify(name)}:`;
  if (layout.inRest.some((one) => one.name === name)) return lineWriter(Buffer.from(head), when);
  const [path] = reads;
  const place = layout.paths.indexOf(path!);
  if (!show || (place < 0 && path !== '_id')) return valueWriter(head, presenter);
  const isDated = plain === 'date' || plain === 'value';
  return valueWriter(head, ({ memory, document }) => {
    const value = place < 0 ? document._id : memory.values[place];
    return isDated && value instanceof Date ? value : show(value);
  });
}

function lineWriter(head: Buffer, when: Presenter['when']): WriteMember {
  if (!when) return (out) => lines.write(out, head);
  return (out, row, context) => {
    if (when.holds(row, context)) lines.write(out, head);
    else lines.skip();
  };
}

/** @param value undefined for a member that is left out; a date shows as `toISOString` has it */
function valueWriter(
  head: string,
  value: (row: MemoryRow, context: RecordContext) => Json | Date | undefined,
): WriteMember {
  const name = Buffer.from(head);
  const nothing = Buffer.from(`${head}null`);
  return (out, row, context) => {
    const shown = value(row, context);
    if (shown === null) out.put(nothing);
    else if (shown instanceof Date) {
      out.put(name);
      if (!writeDate(out, shown.getTime())) out.text(JSON.stringify(shown));
    } else if (shown !== undefined) out.text(head + JSON.stringify(shown));
  };
}
