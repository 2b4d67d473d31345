/** How far some work is: a bar on a terminal, a line every two seconds elsewhere. */

const LINE_EVERY = 2_000;
const BAR_EVERY = 100;
const BAR_WIDTH = 30;

export class Progress {
  readonly #stream: NodeJS.WritableStream;
  readonly #isBar: boolean;
  #what = '';
  #next = 0;

  /** @param stream where it is shown; `process.stderr` is one. */
  constructor(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }) {
    this.#stream = stream;
    this.#isBar = stream.isTTY === true;
  }

  /** Work that is complete in its first report is too short to show. */
  show(what: string, done: number, total: number): void {
    const now = Date.now();
    if (what === this.#what ? done < total && now < this.#next : done === total) return;
    this.#what = what;
    this.#next = now + (this.#isBar ? BAR_EVERY : LINE_EVERY);
    const count = `${done} of ${total}`;
    const text = this.#isBar
      ? `\r${what} ${barOf(done / total)} ${count}\x1b[K`
      : `${what}: ${count}\n`;
    this.#stream.write(text);
  }

  /** Removes the bar: text may follow. */
  end(): void {
    if (this.#isBar && this.#what !== '') this.#stream.write('\r\x1b[K');
    this.#what = '';
  }
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.floor(share * 100)} %`;
}
