/**
 * The moment of a checkpoint, and how a stream goes on from it.
 *
 *     events     … e1 ──── e2 ────│F│──── e3 ──── e4 …
 *     anchor               e2                              the latest event up to F
 *     later      starts at e2, which must come again       then tables of F need e3, e4, …
 *
 * A store in which the anchor comes again has the history that the tables were made of, up to F. A
 * restored backup has it too, or does not have the anchor. A time alone proves nothing: another
 * store passes it as well.
 */
import type { ClusterTime } from '../store/clusterTime.ts';

/** Tables stand still at this moment. */
export interface Moment {
  /** The frontier. */
  readonly at: ClusterTime;
  /** The token of an event at that time or before. */
  readonly anchor: string;
  /** The UUIDs of the collections whose tables are live, by the table's name. */
  readonly uuids: ReadonlyMap<string, string>;
  /** Whether tables have changed since, because a collection is loaded again or not followed. */
  readonly isVoid: () => boolean;
}

/** Tables that show an earlier moment, as their sink has restored them. */
export interface Restored extends Pick<Moment, 'at' | 'anchor'> {
  /** The UUID of its collection and the number of its rows for each table, by the table's name. */
  readonly tables: ReadonlyMap<string, { readonly uuid: string; readonly rows: number }>;
}

/** The store's history is not the one that the tables were made of. */
export class OtherHistory extends Error {
  constructor() {
    super('the store has another history than the tables were made of');
  }
}

/** How far a store may be behind its confirmed writes, as its successor is at first, in cluster time. */
const MOST_BEHIND = 60n << 32n;

/** Whether the store has not come to the tables' moment yet: it would never, or only after hours. */
export const isAhead = ({ at }: Restored, now: ClusterTime): boolean => at - now > MOST_BEHIND;
