/**
 * The window of a table: only rows whose date is not older than a span.
 *
 *     answer of 2026-11-25 10:15:42, span of 90 days  ──►  rows dated from 2026-08-27 10:15:00 on
 *
 * The start follows from the moment that an answer shows, in whole minutes of the store's clock. So index
 * and pipeline show the same rows at the same moment, and no other clock matters.
 */
import type { Timestamp } from 'mongodb';

export interface Window {
  /** The field, as the index names its column. */
  readonly field: string;
  /** Where the date is stored. */
  readonly path: string;
  readonly spanMs: number;
}

const MINUTE_S = 60;

/** The first date that is in the window of an answer of this moment. */
export function windowStart({ spanMs }: Window, at: Timestamp): Date {
  const seconds = at.getHighBitsUnsigned();
  return new Date((seconds - (seconds % MINUTE_S)) * 1_000 - spanMs);
}
