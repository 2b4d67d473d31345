/** What a fault is. */
import type { Stage } from './stage.ts';

/**
 * `inject` comes back when the fault has been on for as long as it should be; `heal` ends what is
 * still on.
 */
export interface Fault {
  readonly name: string;
  /** What happens. */
  readonly what: string;
  inject(stage: Stage): Promise<void>;
  heal?(stage: Stage): Promise<void>;
  /** Once the store is whole again: whether the fault was what it is meant to be, as problems. */
  verify?(stage: Stage): Promise<string[]>;
  /** The index answers while the fault is on, not only after it. */
  readonly indexHolds?: boolean;
  /** What clients change may be gone. */
  readonly removes?: boolean;
  /** What is written may be undone, or told by a primary that is none any more: rights are not judged. */
  readonly clouds?: boolean;
  /** An instance ends: requests that come after it was told to need no answer. */
  readonly endsInstance?: boolean;
}
