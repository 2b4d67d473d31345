/** A look now and then, for as long as there is something to look at. */

const EVERY_MS = 400;

export class Looking {
  readonly #look: () => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(look: () => void, everyMs = EVERY_MS) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /** Starts unless it has started. */
  start(): void {
    this.#timer ??= setInterval(this.#look, this.#everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
