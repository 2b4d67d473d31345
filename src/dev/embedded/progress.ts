/** How far a download is: a bar on a terminal, a line every few seconds elsewhere. On stderr. */

import { Presets, SingleBar } from 'cli-progress';

const MB = 1e6;
/** Milliseconds between two plain lines. */
const LINE_EVERY = 3000;

export interface Progress {
  /**
   * @param bytes that have arrived so far.
   * @param total of them, once it is known.
   */
  update(bytes: number, total?: number): void;
  stop(): void;
}

/** Where progress is shown; `process.stderr` is one. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** @param what is fetched, for people. */
export function showProgress(what: string, stream: ProgressStream): Progress {
  return stream.isTTY === true ? bar(what, stream) : lines(what, stream);
}

function bar(what: string, stream: ProgressStream): Progress {
  const format = `${what} [{bar}] {percentage} % of {size} MB`;
  const shown = new SingleBar({ format, stream, hideCursor: true }, Presets.shades_classic);
  return {
    update: (bytes, total) => {
      if (total === undefined) return;
      if (!shown.isActive) shown.start(total, 0, { size: inMB(total) });
      shown.update(Math.min(bytes, total));
    },
    stop: () => shown.stop(),
  };
}

function lines(what: string, stream: ProgressStream): Progress {
  let next = 0;
  return {
    update: (bytes, total) => {
      if (bytes < MB || Date.now() < next) return;
      next = Date.now() + LINE_EVERY;
      const ofTotal = total === undefined ? '' : ` of ${inMB(total)}`;
      stream.write(`${what}: ${inMB(bytes)}${ofTotal} MB\n`);
    },
    stop: () => {},
  };
}

const inMB = (bytes: number): string => (bytes / MB).toFixed(0);
