/**
 * Reads that may be a little old: one read serves everybody who asks within `maxAgeMs` of its start.
 *
 * ```
 * ask ──▶ read starts ─ ─ ─ ─ ▶ answer
 *   ask ───┘   ask ────┘    ask ──┘        ask: older than maxAgeMs ──▶ a new read
 * ```
 *
 * What is kept is the promise, from the moment the read starts. So callers share a read under way,
 * and the age counts from before the store was asked: whoever asks `maxAgeMs` after a change sees it,
 * however slow that read was. Failed reads, and those that found nothing, are not kept.
 */
import { LRUCache } from 'lru-cache';

export class Recent<K extends string | number, V> {
  readonly #read: (key: K) => Promise<V>;
  readonly #keeps: (value: V) => boolean;
  readonly #kept: LRUCache<K, Promise<V>>;

  /** `keeps` says whether a value may serve later callers too. */
  constructor(read: (key: K) => Promise<V>, keeps: (value: V) => boolean, maxAgeMs: number) {
    this.#read = read;
    this.#keeps = keeps;
    this.#kept = new LRUCache({ max: 10_000, ttl: maxAgeMs });
  }

  get(key: K): Promise<V> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const read = this.#read(key);
    this.#kept.set(key, read);
    const forget = () => {
      if (this.#kept.peek(key) === read) this.#kept.delete(key);
    };
    read.then((value) => {
      if (!this.#keeps(value)) forget();
    }, forget);
    return read;
  }
}
