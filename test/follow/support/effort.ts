/** How long storms last: `SYNC_STORM=10` makes them ten times as long as in the ordinary suite. */
export const effort = Number(process.env.SYNC_STORM ?? 1);

/**
 * Pauses of writers, milliseconds at most; none in long storms. The test reads each shown state
 * again from the store, which takes more time than the writes.
 */
export const PAUSE_MS = effort > 1 ? 0 : 8;
