/**
 * The fault of a text that is no JSON, in the words of `JSON.parse`.
 *
 *     {"q": "x",}   ──▶   Expected double-quoted property name at line 1, column 11.
 */
import { Worker } from 'node:worker_threads';

/** The fault that `JSON.parse` found, as a sentence. It quotes some twenty characters at most. */
export function jsonFault(error: unknown, text: string): string {
  if (text.startsWith('\ufeff')) return 'It begins with a byte order mark (U+FEFF); send none.';
  // It may quote half a surrogate pair.
  const message = (error as SyntaxError).message.toWellFormed();
  return `${message.replace(PLACE, (_, at) => placeIn(text, Number(at)))}.`;
}

/** `… in JSON at position 7`, `… after JSON at position 7`; since Node 22 with line and column. */
const PLACE = /(?: in JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** Line and column as editors count them, from 1. */
function placeIn(text: string, at: number): string {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return ` at line ${line}, column ${at - start + 1}`;
}

/**
 * The error of `JSON.parse`; undefined for JSON. It parses on a thread of its own: the objects of
 * 400,000 levels would hold the event loop for a second.
 */
export async function parseError(text: string): Promise<unknown> {
  const worker = new Worker(PARSE, { eval: true, workerData: text, execArgv: [] });
  return await new Promise((resolve) => {
    worker.once('error', resolve).once('exit', () => resolve(undefined));
  });
}

const PARSE = "JSON.parse(require('node:worker_threads').workerData)";
