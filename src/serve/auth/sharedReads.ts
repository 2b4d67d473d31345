/**
 * Reads of the store, shared by requests of one caller within `maxAgeMs` of a read's start.
 *
 * ```
 * ask ──▶ read starts ─ ─ ─ ─ ▶ answer
 *   ask ───┘   ask ────┘    ask ──┘        ask: older than maxAgeMs ──▶ a new read
 * ```
 *
 * The cache holds promises, so an answer's age counts from before the store was asked, however slow
 * the read was. (lru-cache's own `fetch` shares a read under way however old it is.) Absence is
 * cached like presence; failed reads are not cached. Callers share nothing with each other: timing
 * does not show another caller's reads, and guesses evict only the guesser's answers.
 *
 * A request may ask for a moment of the store. A new read then shows the latest known moment, so
 * that it also serves requests for other moments.
 */
import { LRUCache } from 'lru-cache';
import type { Timestamp } from 'mongodb';
import { laterOf } from '../../store/clusterTime.ts';
import type { Fact } from './policy.ts';

interface Shared {
  readonly read: Promise<unknown>;
  /** A moment that the read shows, or a later one; undefined if nobody knows. */
  readonly moment: Timestamp | undefined;
}

/** Callers whose answers are cached, and answers of one caller. */
const MAX_CALLERS = 2_000;
const MAX_OF_CALLER = 100;

export class SharedReads {
  readonly #maxAgeMs: number;
  readonly #latest: () => Timestamp | undefined;
  readonly #callers = new LRUCache<string, LRUCache<string, Shared>>({ max: MAX_CALLERS });

  /** @param latest the latest known moment that a read may ask for */
  constructor(maxAgeMs: number, latest: () => Timestamp | undefined = () => undefined) {
    this.#maxAgeMs = maxAgeMs;
    this.#latest = latest;
  }

  /** @param notBefore a moment that the answer must show */
  get<T>(caller: string, { name, read }: Fact<T>, notBefore?: Timestamp): Promise<T> {
    const reads = this.#of(caller);
    const shared = reads.get(name);
    if (shared && (!notBefore || shared.moment?.greaterThanOrEqual(notBefore))) {
      return shared.read as Promise<T>;
    }
    const moment = notBefore && laterOf(this.#latest(), notBefore);
    const begun = read(moment);
    reads.set(name, { read: begun, moment });
    begun.catch(() => {
      if (reads.peek(name)?.read === begun) reads.delete(name);
    });
    return begun;
  }

  /** Drops an answer, since something newer is known. */
  forget(caller: string, { name }: Fact): void {
    this.#callers.peek(caller)?.delete(name);
  }

  #of(caller: string): LRUCache<string, Shared> {
    const known = this.#callers.get(caller);
    if (known) return known;
    // The clock is read each time: a cached reading would stand still while the event loop is held.
    const reads = new LRUCache<string, Shared>({
      max: MAX_OF_CALLER,
      ttl: this.#maxAgeMs,
      ttlResolution: 0,
    });
    this.#callers.set(caller, reads);
    return reads;
  }
}
