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
  /** Age of the frontier, milliseconds. */
  readonly lag_ms?: number | null;
  /** Memory reserved. */
  readonly bytes?: number;
  /** By collection: documents in the index, and how many a load in progress is to read. */
  readonly collections?: Readonly<
    Record<string, { readonly documents: number; readonly of?: number }>
  >;
}

export interface Health {
  /** Asks the store; answers within a few seconds, and never rejects. */
  store(): Promise<StoreHealth>;
  index(): IndexHealth;
}
