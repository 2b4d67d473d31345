/**
 * One followed collection, for one table, and how far it is.
 *
 *     loading ──► loaded ──► live             restart: from any of them back to loading,
 *        │           (waits for F ≥ readyAt)          under a new generation
 *        └──► off
 *
 * Work that takes its time (a scan, a read) notes the generation it began under and is void when
 * that has passed.
 */
import type { Document, Timestamp, UUID } from 'mongodb';
import type { ClusterTime } from '../store/clusterTime.ts';
import type { ChangedId } from './changedId.ts';
import type { Extract } from './extract.ts';

export interface CollectionSpec {
  /** The table that its rows go to. */
  readonly name: string;
  /** The collection in the store, which several tables may show; the table's name when left out. */
  readonly collection?: string;
  readonly extract: Extract;
  /** The members that `extract` reads, see `projectionOf`. */
  readonly projection: Document;
  /**
   * The documents that are rows at a moment; later moments have no others, unless these change. Left out,
   * all are rows.
   */
  readonly filter?: ((at: Timestamp) => Document) | undefined;
  /** Whether the collection should be there from the start; false when left out. */
  readonly isExpected?: boolean;
}

export type CollectionPhase = 'loading' | 'loaded' | 'live' | 'off';

/** Why a table is not live at first. */
export const NOT_BEGUN = 'the load of this table has not begun';

/** The reason of a live table without a collection. */
export const MISSING = 'the collection is missing: its table is empty until it is there';

export class FollowedCollection {
  readonly spec: CollectionSpec;
  phase: CollectionPhase = 'loading';
  /** Why it is not live, or shows nothing; empty when all is well. */
  reason = NOT_BEGUN;
  generation = 0;
  /** The collection behind the name; null when there is none. */
  uuid: UUID | null = null;
  /** Whether the latest load found a view or a time series: neither has change events. */
  isView = false;
  readonly pending = new Pending();
  /** A table that is being loaded is right at no time before this one. */
  readyAt: ClusterTime = 0n;
  /** Documents read by the load that is under way, or was. */
  read = 0;
  /** The number of documents when the load began, as the server estimates. */
  estimated = 0;
  /** Loads that failed in a row: the others have their turn first. */
  failedLoads = 0;
  /**
   * The table as of a checkpoint, or of a pause; undefined where the load reads all documents. `rows` is
   * for the progress alone: after a pause it is the number that the load had read.
   */
  restored: { readonly uuid: string; readonly at: ClusterTime; readonly rows: number } | undefined;
  /** Whether it was there, or should be: the log warns once when it is not. */
  isExpected: boolean;
  /** Reads refused in a row because the state at their time could not be read. */
  refusals = 0;

  constructor(spec: CollectionSpec) {
    this.spec = spec;
    this.isExpected = spec.isExpected ?? false;
  }

  get name(): string {
    return this.spec.name;
  }

  /** The collection in the store. */
  get collection(): string {
    return this.spec.collection ?? this.spec.name;
  }

  /** Back to the start; the caller begins a new table. */
  restart(reason: string): void {
    this.generation++;
    this.phase = 'loading';
    this.reason = reason;
    this.uuid = null;
    this.pending.clear();
    this.readyAt = 0n;
    this.read = 0;
    this.estimated = 0;
    this.restored = undefined;
    this.refusals = 0;
  }

  /** Back to loading, but with the table that it has, which is the state at the frontier. */
  pause(at: ClusterTime, reason: string): void {
    this.generation++;
    this.phase = 'loading';
    this.reason = reason;
    this.restored = { uuid: String(this.uuid), at, rows: this.read };
  }

  /** Not followed until something restarts it. */
  turnOff(reason: string): void {
    this.restart(reason);
    this.phase = 'off';
  }
}

/**
 * The next one to load: those with the fewest failed loads first, and of these the restored ones, which
 * need milliseconds; then in their order.
 */
export const nextToLoad = (
  all: readonly FollowedCollection[],
  pausing: ReadonlySet<FollowedCollection>,
): FollowedCollection | undefined =>
  all
    .filter((one) => one.phase === 'loading' && !pausing.has(one))
    .toSorted(
      (a, b) =>
        a.failedLoads - b.failedLoads ||
        Number(a.restored === undefined) - Number(b.restored === undefined),
    )[0];

/** The collections of the store that are followed, each with the tables that show it. */
export function byCollection(
  all: readonly FollowedCollection[],
): ReadonlyMap<string, readonly FollowedCollection[]> {
  const showing = new Map<string, FollowedCollection[]>();
  for (const followed of all) {
    const others = showing.get(followed.collection);
    if (others) others.push(followed);
    else showing.set(followed.collection, [followed]);
  }
  return showing;
}

/**
 * The ids of one collection that changed since its table was exact, for the next advance to read.
 *
 *     event times   ──e1──────e2──│T│──e3──►
 *     id a             ●               ●       read at T, and still pending: e3 is to come
 *     id b                    ●                read at T and settled
 *
 * Nothing is kept of an id once it is settled.
 */
class Pending {
  readonly #entries = new Map<string, { readonly id: ChangedId; last: ClusterTime }>();

  get size(): number {
    return this.#entries.size;
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
    this.#entries.clear();
  }
}
