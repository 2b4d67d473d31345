/** The state of the store and of the index, for the operations routes. */
import type { StoreState } from '../store/storeVerdict.ts';
import type { IndexHealth } from '../tables/index/indexHealth.ts';

export interface Health {
  /** From memory: nothing is asked, however often it is called. */
  store(): StoreState;
  /** Whether searches are answered in time. */
  isReady(): boolean;
  index(): IndexHealth;
  /** Up to when the checkpoint has all changes, `Date.now()`; undefined without one. */
  checkpointUpTo(): number | undefined;
  /** How many searches have fallen back from the index to the pipeline since the start, by reason. */
  fallbacks(): Readonly<Record<string, number>>;
}
