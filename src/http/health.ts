/** What the operations routes ask of the service: the state of the store and of the index. */

export const INDEX_STATES = ['off', 'loading', 'live', 'behind', 'reloading'] as const;
export type IndexState = (typeof INDEX_STATES)[number];

export interface StoreHealth {
  readonly state: 'up' | 'down';
  /** Why it is down; shown to anybody who asks, so no addresses. */
  readonly reason?: string;
}

/** Shown by `/readyz` as it is. What a member does not apply to is null or absent. */
export interface IndexHealth {
  readonly state: IndexState;
  /** Why it is not live. */
  readonly reason?: string;
  /** The cluster time the index shows, `<seconds>.<increment>`. */
  readonly frontier?: string | null;
  /** For how long the store has been known to be ahead of the frontier, milliseconds. */
  readonly lag_ms?: number | null;
  /** Memory reserved. */
  readonly bytes?: number;
  /** How often tables have broken, if they have: by collection, then by what they broke in. */
  readonly failures?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly collections?: Readonly<Record<string, CollectionHealth>>;
}

export interface CollectionHealth {
  /** Of this collection alone; `off` while the others are followed when it is too large. */
  readonly phase: string;
  /** Why it is not live. */
  readonly reason?: string;
  /** Documents in the index, or read by a load in progress. */
  readonly documents: number;
  /** How many a load in progress is to read. */
  readonly of?: number;
}

export interface Health {
  /** From memory: nothing is asked, however often it is called. */
  store(): StoreHealth;
  index(): IndexHealth;
  /** How many searches the index has left to the pipeline since the start, by reason. */
  leftByIndex(): Readonly<Record<string, number>>;
}
