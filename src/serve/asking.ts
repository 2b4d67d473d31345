/** Questions of one kind, so many at once; each waits once, however often it is added. */
export class Asking<T> {
  readonly #atOnce: number;
  readonly #ask: (asked: T) => Promise<void>;
  readonly waiting = new Set<T>();
  #underWay = 0;

  /** @param ask must not reject */
  constructor(atOnce: number, ask: (asked: T) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#ask = ask;
  }

  add(asked: T): void {
    this.waiting.add(asked);
    if (this.#underWay < this.#atOnce) void this.#askAll();
  }

  async #askAll(): Promise<void> {
    this.#underWay += 1;
    for (const asked of this.waiting) {
      this.waiting.delete(asked);
      await this.#ask(asked);
    }
    this.#underWay -= 1;
  }
}
