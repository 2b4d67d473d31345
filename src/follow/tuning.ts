/** The times and amounts by which a store is followed. Tests use others. */
import type { StepHook } from './load.ts';

export interface Tuning {
  /** Whether heartbeats may be written. */
  readonly heartbeats: boolean;
  /** How long an idle stream may hold back its answer, milliseconds. Left out, 400; 100 without heartbeats. */
  readonly awaitMs?: number;
  /** A frontier that has not moved for this long though it should is `behind`, milliseconds. */
  readonly staleMs: number;
  /**
   * If more documents of a collection than this would change in one step, it is loaded again instead. A very
   * large transaction or a long unreadable time does that.
   */
  readonly maxAdvance: number;
  /** The longest step of the frontier in which rows leave a window at once, seconds. */
  readonly maxStepS: number;
  /** After so long without an event a heartbeat makes one, seconds. */
  readonly quietS: number;
  /**
   * When an account tries again that may not follow, or not read a collection: it may be allowed to by then,
   * milliseconds.
   */
  readonly deniedMs: number;
  /** Waited for between the steps of a load: for tests. */
  readonly step: StepHook;
}

export const USUAL: Tuning = {
  heartbeats: true,
  staleMs: 1_000,
  // It takes one to two seconds, in which the event loop does nothing else.
  maxAdvance: 100_000,
  maxStepS: 600,
  quietS: 600,
  deniedMs: 60_000,
  step: () => {},
};
