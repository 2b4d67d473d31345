/** The state of the index as `/readyz` and the metrics show it. */
import { FOLLOWER_PHASES, type FollowerPhase } from '../../follow/follower.ts';
import type { FailureCounts } from './tableFailures.ts';

export const INDEX_STATES = FOLLOWER_PHASES;

/** `/readyz` shows it unchanged; with `SEARCH_INDEX=off` only state and reason. */
export interface IndexHealth {
  readonly state: FollowerPhase;
  /** Why it is not live. */
  readonly reason?: string;
  /** The cluster time the index shows, `<seconds>.<increment>`; null before the first. */
  readonly frontier?: string | null;
  /** For how long the store has been known to be ahead of the frontier, milliseconds. */
  readonly lag_ms?: number | null;
  /** Memory reserved. */
  readonly bytes?: number;
  /** How often tables have broken, if they have. */
  readonly failures?: FailureCounts;
  readonly collections?: Readonly<Record<string, CollectionHealth>>;
}

/** The health of an index that runs. */
export type RunningIndexHealth = IndexHealth &
  Required<Pick<IndexHealth, 'frontier' | 'lag_ms' | 'bytes' | 'collections'>>;

/** Why searches of a resource have no answer from the index just now. */
export interface Outage {
  readonly reason: string;
  /** While it loads: percent of all rows that it has. */
  readonly loaded?: number;
}

export interface CollectionHealth {
  /**
   * The phase of this collection alone; `off` when its table is too large although other
   * collections are followed.
   */
  readonly phase: string;
  /** Why it is not live, or that its collection is missing. */
  readonly reason?: string;
  /** It, or a table that it has labels of, shows a view or a time series: pipelines answer for good. */
  readonly by_pipelines?: true;
  /** Documents in the index, or read by a load in progress. */
  readonly documents: number;
  /** Memory that its table reserves. */
  readonly bytes: number;
  /** The number of documents that a load in progress will read, as the server estimates. */
  readonly of?: number;
}
