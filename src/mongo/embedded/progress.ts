/** How far a download is: a bar on a terminal, a line every few seconds elsewhere. On stderr. */

import { Presets, SingleBar } from 'cli-progress';

const MB = 1e6;
/** Milliseconds between two plain lines. */
const LINE_EVERY = 3000;

export interface Progress {
  /** @param bytes that have arrived so far. */
  update(bytes: number): void;
  stop(): void;
}

/** Where progress is shown; `process.stderr` is one. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/**
 * @param what is fetched, for people.
 * @param total size in bytes, when it is known beforehand.
 */
export function showProgress(
  what: string,
  total: number | undefined,
  stream: ProgressStream,
): Progress {
  return stream.isTTY === true && total !== undefined
    ? bar(what, total, stream)
    : lines(what, total, stream);
}

function bar(what: string, total: number, stream: ProgressStream): Progress {
  const shown = new SingleBar(
    { format: `${what} [{bar}] {percentage} % of ${inMB(total)} MB`, stream, hideCursor: true },
    Presets.shades_classic,
  );
  shown.start(total, 0);
  return {
    update: (bytes) => shown.update(Math.min(bytes, total)),
    stop: () => shown.stop(),
  };
}

function lines(what: string, total: number | undefined, stream: ProgressStream): Progress {
  const ofTotal = total === undefined ? '' : ` of ${inMB(total)}`;
  let next = 0;
  return {
    update: (bytes) => {
      if (Date.now() < next) return;
      next = Date.now() + LINE_EVERY;
      stream.write(`${what}: ${inMB(bytes)}${ofTotal} MB\n`);
    },
    stop: () => {},
  };
}

const inMB = (bytes: number): string => (bytes / MB).toFixed(0);
