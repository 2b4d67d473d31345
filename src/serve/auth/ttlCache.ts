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
 *
 * A caller may ask for a moment of the store. A new read then shows the latest known moment,
 * so that it also serves callers who ask for other moments.
 */
import { LRUCache } from 'lru-cache';
import type { Timestamp } from 'mongodb';
import { laterOf } from '../../store/clusterTime.ts';

export interface TtlCacheLimits {
  readonly maxAgeMs: number;
  /** Answers cached; the least recently used ones go first. */
  readonly max: number;
  /** The latest known moment that a read may ask for. */
  readonly latest?: (() => Timestamp | undefined) | undefined;
}

interface Cached<V> {
  readonly read: Promise<V>;
  /** A moment that the read shows, or a later one; undefined if nobody knows. */
  readonly moment: Timestamp | undefined;
}

export class TtlCache<K extends string | number, V> {
  readonly #read: (key: K, notBefore?: Timestamp) => Promise<V>;
  readonly #latest: () => Timestamp | undefined;
  readonly #cached: LRUCache<K, Cached<V>>;

  constructor(
    read: (key: K, notBefore?: Timestamp) => Promise<V>,
    { maxAgeMs, max, latest = () => undefined }: TtlCacheLimits,
  ) {
    this.#read = read;
    this.#latest = latest;
    // The clock is read each time: a reading cached until the next timer would stand still while the event loop is held.
    this.#cached = new LRUCache({ max, ttl: maxAgeMs, ttlResolution: 0 });
  }

  /** @param notBefore a moment that the answer must show */
  get(key: K, notBefore?: Timestamp): Promise<V> {
    const cached = this.#cached.get(key);
    if (cached && (!notBefore || cached.moment?.greaterThanOrEqual(notBefore))) return cached.read;
    const moment = notBefore && laterOf(this.#latest(), notBefore);
    const read = this.#read(key, moment);
    this.#cached.set(key, { read, moment });
    read.catch(() => {
      if (this.#cached.peek(key)?.read === read) this.#cached.delete(key);
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
    read: (caller: number, key: string, notBefore?: Timestamp) => Promise<V>,
    limits: TtlCacheLimits,
    callers: number,
  ) {
    this.#callers = new LRUCache({ max: callers });
    this.#of = (caller) => new TtlCache((key, notBefore) => read(caller, key, notBefore), limits);
  }

  get(caller: number, key: string, notBefore?: Timestamp): Promise<V> {
    let cache = this.#callers.get(caller);
    if (cache === undefined) {
      cache = this.#of(caller);
      this.#callers.set(caller, cache);
    }
    return cache.get(key, notBefore);
  }

  /** The caller knows something newer. */
  forget(caller: number, key: string): void {
    this.#callers.peek(caller)?.forget(key);
  }
}
