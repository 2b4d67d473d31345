/**
 * One entry of a log as one line of text: `<ts> <LEVEL> <message>`.
 *
 * ```
 * {ts, level: "error", message: "boom\n  at f()"}  ─▶  2026-11-16T06:00:03.020Z ERROR boom\n  at f()⏎
 * ```
 *
 * Line ends inside a message are written as `\n` and `\r`, so that an entry is one line for `grep`
 * and `wc`, and every other control but the tab as `\u001b`, so that a message cannot steer the
 * terminal it is shown on. Backslashes stay as they are: Windows paths are common, and whoever needs
 * the exact message asks for JSON.
 */
import type { TaskLogDocument } from '../mongo/documents.ts';
import { asDate, asText } from '../resources/record.ts';

/**
 * C0 but tab, DEL, C1, the two separators that count as line ends in Unicode, and the marks that turn
 * the direction of text or cannot be seen.
 */
const UNSAFE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A missing moment or level is `-`, so that the columns stay where they are. */
export function logLine({ ts, level, message }: Partial<TaskLogDocument>): string {
  const when = asDate(ts) ?? '-';
  const how = asText(level)?.toUpperCase().replace(/\s+/g, '_') || '-';
  return `${when} ${oneLine(how)} ${oneLine(asText(message) ?? '')}\n`;
}

function oneLine(text: string): string {
  return text.replace(UNSAFE, (c) => {
    if (c === '\n') return '\\n';
    if (c === '\r') return '\\r';
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
