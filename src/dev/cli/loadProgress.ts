/** How far loading fixtures is: a bar on a terminal, a line every few seconds elsewhere. On stderr. */
import { Presets, SingleBar } from 'cli-progress';
import type { LoadProgress } from '../fixtures/load/load.ts';

/** Milliseconds between two plain lines. */
const LINE_EVERY = 2000;
/** What is so quickly written that showing it would be noise. */
const WORTH_SHOWING = 1000;

export interface LoadProgressView {
  readonly onProgress: (progress: LoadProgress) => void;
  /** Ends the bar, so that what is printed next has a line of its own. */
  stop(): void;
}

/** @param stream where it is shown; `process.stderr` is one. */
export function showLoading(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
): LoadProgressView {
  const view = stream.isTTY === true ? new Bars(stream) : new Lines(stream);
  return {
    onProgress: (progress) => {
      if (progress.phase === 'indexes' || progress.total >= WORTH_SHOWING) view.show(progress);
    },
    stop: () => view.stop(),
  };
}

/** One bar for each phase, below those that are done. */
class Bars {
  readonly #stream: NodeJS.WritableStream;
  #bar: SingleBar | undefined;
  #phase = '';

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  show({ phase, done, total }: LoadProgress): void {
    if (phase !== this.#phase) this.#start(phase, total);
    this.#bar?.update(done);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
    this.#phase = '';
  }

  #start(phase: string, total: number): void {
    this.stop();
    this.#phase = phase;
    const format = `${phase.padEnd(9)} {bar} {percentage} %  {value} of {total}  {eta_formatted}`;
    this.#bar = new SingleBar(
      { format, stream: this.#stream, hideCursor: true, etaBuffer: 100 },
      Presets.shades_classic,
    );
    this.#bar.start(total, 0);
  }
}

class Lines {
  readonly #stream: NodeJS.WritableStream;
  #phase = '';
  #next = 0;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  show({ phase, done, total }: LoadProgress): void {
    if (phase === this.#phase && done < total && Date.now() < this.#next) return;
    this.#phase = phase;
    this.#next = Date.now() + LINE_EVERY;
    this.#stream.write(`${phase}: ${done} of ${total}\n`);
  }

  stop(): void {}
}
