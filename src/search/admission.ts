/**
 * A door for work that is expensive for the store: so many at once, so many waiting, and nobody
 * after that. A queue without an end would make everybody wait for answers that nobody awaits any
 * more.
 */
import { AppError } from '../errors.ts';

export class Admission {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** At most `limit` at once, and `maxWaiting` in line, first come first served. */
  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs the work when there is room.
   *
   * @throws AppError `Overloaded` when the line is full, or when the turn has not come in time.
   */
  async run<T>(work: () => Promise<T>, patienceMs: number): Promise<T> {
    if (this.#running >= this.#limit) await this.#wait(patienceMs);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Resolves when a place was handed over: the count of those running stays as it is. */
  #wait(patienceMs: number): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) throw overloaded();
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(overloaded());
      }, patienceMs);
      this.#waiting.push(admit);
    });
  }
}

const overloaded = () =>
  new AppError('Overloaded', 'Too many searches are waiting; try again shortly.', {
    headers: { 'Retry-After': '1' },
  });

/** A bound on what one caller has under way at once, so that nobody fills the line for all. */
export class PerCaller {
  readonly #limit: number;
  readonly #underWay = new Map<number, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs the work; 429 `TooManyRequests` when the caller has too much under way already. */
  async run<T>(caller: number, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(caller) ?? 0;
    if (before >= this.#limit) {
      const detail = `No more than ${this.#limit} searches of one user run at once.`;
      throw new AppError('TooManyRequests', detail, { headers: { 'Retry-After': '1' } });
    }
    this.#underWay.set(caller, before + 1);
    try {
      return await work();
    } finally {
      const left = this.#underWay.get(caller)! - 1;
      if (left === 0) this.#underWay.delete(caller);
      else this.#underWay.set(caller, left);
    }
  }
}
