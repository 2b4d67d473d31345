/**
 * Lists of related documents in rows from memory, as bytes.
 *
 *     ,"people":[│{"id":7,"email":"ana@…",…│,"role":"owner"│},…]
 *                 └ of person 7, kept beside └ of the element
 */
import type { Output } from '../../store/bson/output.ts';
import { linesOf, membersOf } from '../../tables/definition/joinedList.ts';
import type {
  JoinedList,
  Json,
  MemoryRow,
  StoredDocument,
} from '../../tables/definition/record.ts';

const [COMMA, BRACE_END, BRACKET_END] = [0x2c, 0x7d, 0x5d];

/** The name of what is kept beside a related document, which is the same object in all rows that show it. */
const BESIDE = Symbol('written');

/** Longer texts are written anew, code units: what is kept of documents takes 13 MB at most. */
const MAX_CACHED = 256;

interface Written {
  readonly list: JoinedList;
  readonly literal: Buffer;
}

/** Writes the list of a row, with what stands before it. */
export function listWriter(head: string, list: JoinedList): (out: Output, row: MemoryRow) => void {
  const [start, nothing] = [Buffer.from(`${head}[`), Buffer.from(`${head}[]`)];
  const own = Object.entries(list.own).map(([name, show]) => ownWriter(name, show));
  return (out, row) => {
    const lines = linesOf(list, row);
    if (lines.length === 0) {
      out.put(nothing);
      return;
    }
    out.put(start);
    for (const [document, element] of lines) {
      writeShown(out, list, document);
      for (const write of own) write(out, element);
      out.byte(BRACE_END);
      out.byte(COMMA);
    }
    out.bytes[out.length - 1] = BRACKET_END;
  };
}

/** Writes what is shown of the document, without the last brace. */
function writeShown(out: Output, list: JoinedList, document: StoredDocument): void {
  const cached = (document as { [BESIDE]?: Written })[BESIDE];
  if (cached?.list === list) {
    out.put(cached.literal);
    return;
  }
  const json = JSON.stringify(membersOf(list.related, document)).slice(0, -1);
  out.text(json);
  if (json.length > MAX_CACHED) return;
  const value: Written = { list, literal: Buffer.from(json) };
  Object.defineProperty(document, BESIDE, { value, enumerable: false, configurable: true });
}

function ownWriter(name: string, show: (element: StoredDocument) => Json) {
  const head = `,${JSON.stringify(name)}:`;
  return (out: Output, element: StoredDocument) => out.text(head + JSON.stringify(show(element)));
}
