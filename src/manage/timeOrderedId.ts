/**
 * Ids whose order is the order of time: UUIDs of version 7 (RFC 9562, 5.7).
 *
 * ```
 * 019aa5c2-7e1f-7 00a-8 f3c-91d2ac40be77
 * └─ milliseconds ┘│└┬┘ └ 62 random bits
 *            version └ counter within the millisecond
 * ```
 *
 * Every writer makes them by itself, so there is no counter in the store that all changes would have
 * to queue for (and, inside transactions, conflict on). Ids of one process rise strictly; those of
 * two are in order as far as their clocks agree, to the millisecond, where an ObjectId knows seconds.
 */
import { randomBytes } from 'node:crypto';

export interface TimeOrderedId {
  /** Lower-case canonical form; text order is time order. */
  readonly id: string;
  /** The moment in the id. */
  readonly at: Date;
}

/** Ids a millisecond has room for; further ones borrow the next. */
const PER_MILLISECOND = 4_096;

export class TimeOrderedIds {
  #lastMs = 0;
  #counter = 0;

  /** A clock that was set back does not take the ids along: they go on from the last one. */
  next(nowMs: number = Date.now()): TimeOrderedId {
    if (nowMs > this.#lastMs) {
      this.#lastMs = nowMs;
      this.#counter = 0;
    } else {
      this.#counter += 1;
      if (this.#counter === PER_MILLISECOND) {
        this.#lastMs += 1;
        this.#counter = 0;
      }
    }
    return { id: this.#print(), at: new Date(this.#lastMs) };
  }

  #print(): string {
    const time = this.#lastMs.toString(16).padStart(12, '0');
    const counter = this.#counter.toString(16).padStart(3, '0');
    const random = randomBytes(8);
    random[0] = (random[0]! & 0x3f) | 0x80;
    const tail = random.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  }
}
