/** How long storms last: `SYNC_STORM=10` makes them ten times as long as in the ordinary suite. */
export const effort = Number(process.env.SYNC_STORM ?? 1);

/**
 * Pauses of writers, milliseconds at most; none in long storms. Each state that was shown is read again from
 * the store, which takes more time than what is tried.
 */
export const PAUSE_MS = effort > 1 ? 0 : 8;
