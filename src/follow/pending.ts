/**
 * The ids of one collection that changed since its table was exact, for the next advance to read.
 *
 *     event times   ──e1──────e2──│T│──e3──►
 *     id a             ●               ●       read at T, and still pending: e3 is to come
 *     id b                    ●                read at T and settled
 *
 * Nothing is kept of an id once it is settled.
 */

import type { ClusterTime } from '../store/clusterTime.ts';
import type { ChangedId } from './changedId.ts';

interface Entry {
  readonly id: ChangedId;
  last: ClusterTime;
}

export class Pending {
  #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** Whether any of them changed after this time. */
  hasAfter(at: ClusterTime): boolean {
    return [...this.#entries.values()].some(({ last }) => last > at);
  }

  add(id: ChangedId, at: ClusterTime): void {
    const entry = this.#entries.get(id.key);
    if (!entry) this.#entries.set(id.key, { id, last: at });
    else if (at > entry.last) entry.last = at;
  }

  /** All of them now. Reading one whose events are all later returns its unchanged state, which is harmless. */
  ids(): ChangedId[] {
    return Array.from(this.#entries.values(), (entry) => entry.id);
  }

  /** Forgets of these the ids whose last event is not after `at`. */
  settle(ids: readonly ChangedId[], at: ClusterTime): void {
    for (const { key } of ids) {
      const entry = this.#entries.get(key);
      if (entry && entry.last <= at) this.#entries.delete(key);
    }
  }

  clear(): void {
    this.#entries = new Map();
  }
}
