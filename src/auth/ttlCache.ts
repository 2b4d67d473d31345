/**
 * A TTL cache of reads: callers within `maxAgeMs` of a read's start share it.
 *
 * ```
 * ask ──▶ read starts ─ ─ ─ ─ ▶ answer
 *   ask ───┘   ask ────┘    ask ──┘        ask: older than maxAgeMs ──▶ a new read
 * ```
 *
 * The cache holds promises, from the moment each read starts. So callers share a read under way,
 * and its age counts from before the store was asked. A caller who asks `maxAgeMs` after a change
 * sees it, however slow the read was. (lru-cache's own `fetch` shares a read under way however old
 * it is.) Absence is cached like presence; failed reads are not cached.
 */
import { LRUCache } from 'lru-cache';

export interface TtlCacheLimits {
  readonly maxAgeMs: number;
  /** Answers cached; the least recently used ones go first. */
  readonly max: number;
}

export class TtlCache<K extends string | number, V> {
  readonly #read: (key: K) => Promise<V>;
  readonly #cached: LRUCache<K, Promise<V>>;

  constructor(read: (key: K) => Promise<V>, { maxAgeMs, max }: TtlCacheLimits) {
    this.#read = read;
    // The clock is read each time: a reading cached until the next timer would stand still while the event loop is held.
    this.#cached = new LRUCache({ max, ttl: maxAgeMs, ttlResolution: 0 });
  }

  get(key: K): Promise<V> {
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const read = this.#read(key);
    this.#cached.set(key, read);
    read.catch(() => {
      if (this.#cached.peek(key) === read) this.#cached.delete(key);
    });
    return read;
  }

  /** The caller knows something newer. */
  forget(key: K): void {
    this.#cached.delete(key);
  }
}

/**
 * A `TtlCache` for each caller, so that timing does not show another caller's reads, and a caller
 * who guesses keys evicts only their own answers.
 */
export class TtlCacheByCaller<V> {
  readonly #callers: LRUCache<number, TtlCache<string, V>>;
  readonly #of: (caller: number) => TtlCache<string, V>;

  /** At most `callers` times `limits.max` answers are cached. */
  constructor(
    read: (caller: number, key: string) => Promise<V>,
    limits: TtlCacheLimits,
    callers: number,
  ) {
    this.#callers = new LRUCache({ max: callers });
    this.#of = (caller) => new TtlCache((key) => read(caller, key), limits);
  }

  get(caller: number, key: string): Promise<V> {
    let cache = this.#callers.get(caller);
    if (cache === undefined) {
      cache = this.#of(caller);
      this.#callers.set(caller, cache);
    }
    return cache.get(key);
  }

  /** The caller knows something newer. */
  forget(caller: number, key: string): void {
    this.#callers.peek(caller)?.forget(key);
  }
}
