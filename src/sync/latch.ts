/** Something to wait for: `open` lets the next `passed`, or the one that waits, go through once. */
export class Latch {
  #open = false;
  #waiting: (() => void) | null = null;

  open(): void {
    this.#open = true;
    this.#waiting?.();
    this.#waiting = null;
  }

  async passed(): Promise<void> {
    if (!this.#open) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    this.#open = false;
  }
}
