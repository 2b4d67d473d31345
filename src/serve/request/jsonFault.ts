/**
 * The fault of a text that is no JSON, in the words of `JSON.parse`.
 *
 *     {"q": "x",}   ──▶   Expected double-quoted property name in JSON at position 10.
 */
import { Worker } from 'node:worker_threads';

/** The fault that `JSON.parse` found, as a sentence. It quotes some twenty characters at most. */
export function jsonFault(error: unknown, text: string): string {
  if (text.startsWith('\ufeff')) return 'It begins with a byte order mark (U+FEFF); send none.';
  // It may quote half a surrogate pair.
  return `${(error as SyntaxError).message.toWellFormed()}.`;
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
