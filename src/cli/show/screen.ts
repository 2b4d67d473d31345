/**
 * A terminal's screen that shows one text: redrawn for a new text and for a new size of the window.
 *
 * A text taller than the window would scroll, and leave its head above the screen; its last lines
 * give way to one that counts them.
 */
import type { WriteStream } from 'node:tty';

/** The upper left corner, and nothing below. */
const CLEAR = '\u001b[H\u001b[2J';

export class Screen {
  readonly #terminal: WriteStream;
  #text: (() => string) | undefined;

  constructor(terminal: WriteStream) {
    this.#terminal = terminal;
    terminal.on('resize', () => this.#draw());
  }

  /** @param text made again for each width of the window */
  show(text: () => string): void {
    this.#text = text;
    this.#draw();
  }

  #draw(): void {
    if (this.#text === undefined) return;
    const lines = this.#text().trimEnd().split('\n');
    const room = Math.max(2, (this.#terminal.rows || 24) - 1);
    const hidden = lines.length - room;
    const shown = hidden > 0 ? [...lines.slice(0, room - 1), `… ${hidden + 1} more lines`] : lines;
    this.#terminal.write(`${CLEAR}${shown.join('\n')}\n`);
  }
}
