/** A fault: how it begins and ends, and the answers that it excuses. */
import type { Stage } from './stage.ts';

/**
 * `inject` comes back when the fault has been on for as long as it should be; `heal` ends what is
 * still on.
 */
export interface Fault {
  readonly name: string;
  /** The fault in words. */
  readonly what: string;
  inject(stage: Stage): Promise<void>;
  heal?(stage: Stage): Promise<void>;
  /** Checks, once the store is whole again, that the fault was as meant; returns problems. */
  verify?(stage: Stage): Promise<string[]>;
  /** The index answers while the fault is on, not only after it. */
  readonly indexHolds?: boolean;
  /** The fault may remove documents that clients change. */
  readonly removes?: boolean;
  /** Writes may be undone, or a former primary may tell of them: rights are not judged. */
  readonly clouds?: boolean;
  /**
   * An instance ends at `stage.endsAt`. Requests that come after it was told to need no answer, nor do those
   * under way when it is killed.
   */
  readonly endsInstance?: 'told' | 'killed';
}
