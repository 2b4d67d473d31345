/** An event for one that waits: `set` lets the `wait` under way, or the next one, go on once. */
export class AutoResetEvent {
  #isSet = false;
  #waiting: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#waiting?.();
    this.#waiting = null;
  }

  async wait(): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    this.#isSet = false;
  }
}
