/**
 * A question to the store, hedged by an answer from memory.
 *
 *     question ──┬─► answered: that          100 ms without an answer, or it failed:
 *                └───────────────────────────► what is known instead, if anything is; else wait on,
 *                                              and where it failed look once more, 100 ms later
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isRefusal } from '../errors.ts';
import { Ended } from './deadline.ts';
import { faultOf } from './faults.ts';

/**
 * The age of a fact known without asking the store:
 *
 * - `now`: certainly less than a second old
 * - `away`: of the store's last sign of life, while the store seems to be away, and not for too long
 */
export type KnownAsOf = 'now' | 'away';

/** @param silentMs since the store's last sign of life; 0 while nothing says that it is away */
export const isAway = (silentMs: number, maxSilentMs: number): boolean =>
  silentMs > 0 && silentMs <= maxSilentMs;

/** How long the store has to answer before memory is tried, milliseconds. */
const HEDGE_MS = 100;
/** How long questions skip a silent store before it is asked again, milliseconds. */
const ASK_AGAIN_MS = 500;

/**
 * Questions of one kind. One unanswered question speaks for its kind: for a while, questions that
 * memory can answer skip the store. So a request with several questions waits only once.
 */
export class Hedge {
  readonly #now: () => number;
  #silentUntil = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds on a clock that never goes back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param instead looked at again and again while the store says nothing; undefined: nothing is known
   * @throws the question's error, when memory has no answer; a refusal by either, at once
   */
  async ask<T>(question: () => Promise<T>, instead: () => NonNullable<T> | undefined): Promise<T> {
    const known = this.#now() < this.#silentUntil ? instead() : undefined;
    if (known !== undefined) return known;
    const asked = question();
    let timer: NodeJS.Timeout | undefined;
    const fromMemory = new Promise<T>((resolve, reject) => {
      timer = setInterval(() => {
        try {
          const value = instead();
          if (value === undefined) return;
          this.#noteSilence();
          resolve(value);
        } catch (error) {
          reject(error);
        }
      }, HEDGE_MS);
    });
    try {
      return await Promise.race([asked, fromMemory]);
    } catch (error) {
      if (isRefusal(error)) throw error;
      const isCut = isBroken(error);
      let value = instead();
      if (value === undefined && isCut) {
        // It may fail before the change stream does, which tells that the store is away.
        await sleep(HEDGE_MS);
        value = instead();
      }
      if (value === undefined) throw error;
      if (isCut) this.#noteSilence();
      return value;
    } finally {
      clearInterval(timer);
      // Memory has answered, so the outcome of the question no longer matters.
      asked.catch(() => {});
    }
  }

  /** The store said nothing, and it is known instead. */
  #noteSilence(): void {
    this.#silentUntil = this.#now() + ASK_AGAIN_MS;
  }
}

/** Whether the way to the store broke, and not the request's own time or caller. */
function isBroken(error: unknown): boolean {
  const met = error instanceof AppError ? error.cause : error;
  return faultOf(met) === 'away' && !(met instanceof Ended);
}
