/**
 * One entry of a log as one line of text, `<ts> <LEVEL> <message>`, or as JSON.
 *
 * ```
 * {ts, level: "error", message: "boom\n  at f()"}  ─▶  2026-11-16T06:00:03.020Z ERROR boom\n  at f()⏎
 * ```
 *
 * Line ends inside a message become `\n` and `\r`, so that an entry is one line for `grep` and
 * `wc`. Every other control except the tab becomes like `\u001b`, so that a message cannot steer
 * the terminal. Backslashes stay as they are: Windows paths are common, and JSON has the exact
 * message.
 *
 * A message may have nearly 16 MB, and six times as much once it is escaped. Both forms come in
 * pieces, so that a large message does not block the event loop.
 */

import { oneLine } from '../../../oneLine.ts';
import { DATE_OR_NULL, fullObject, TEXT_OR_NULL } from '../../../tables/definition/jsonSchema.ts';
import { asDate, asNumber, asText } from '../../../tables/definition/record.ts';
import type { TaskLogDocument } from '../documents.ts';

/** Letters of a message that are escaped at a time. */
const SLICE = 65_536;

/** The line in pieces. A missing moment or level is `-`, so that the columns stay where they are. */
export function* logLine({ ts, level, message }: Partial<TaskLogDocument>): Generator<string> {
  const when = asDate(ts) ?? '-';
  const how = asText(level)?.toUpperCase().replace(/\s+/g, '_') || '-';
  const what = asText(message) ?? '';
  if (what.length <= SLICE) {
    yield `${when} ${oneLine(how, '\t')} ${oneLine(what, '\t')}\n`;
    return;
  }
  yield `${when} ${oneLine(how, '\t')} `;
  for (const slice of slicesOf(what)) yield oneLine(slice, '\t');
  yield '\n';
}

/** The schema of `logJson`'s output. */
export const LOG_LINE = fullObject({
  seq: { type: ['number', 'string', 'null'] },
  ts: DATE_OR_NULL,
  level: TEXT_OR_NULL,
  message: TEXT_OR_NULL,
});

/** The members of an entry without its message, as JSON has them. */
export const entryOf = ({ seq, ts, level }: Partial<TaskLogDocument>) => ({
  ...{ seq: asNumber(seq), ts: asDate(ts), level: asText(level) },
});

/** The entry as JSON, in pieces: `{seq, ts, level, message}`. */
export function* logJson({ message, ...others }: Partial<TaskLogDocument>): Generator<string> {
  const entry = entryOf(others);
  const what = asText(message);
  if (what === null || what.length <= SLICE) {
    yield JSON.stringify({ ...entry, message: what });
    return;
  }
  yield `${JSON.stringify(entry).slice(0, -1)},"message":"`;
  for (const slice of slicesOf(what)) yield JSON.stringify(slice).slice(1, -1);
  yield '"}';
}

/** A text in slices that do not end in the middle of a character. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + SLICE, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last < 0xdc00) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}
