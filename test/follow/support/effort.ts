/** How long storms last: `SYNC_STORM=10` makes them ten times as long as in the ordinary suite. */
export const effort = Number(process.env.SYNC_STORM ?? 1);
/**
 * Pauses of writers, milliseconds at most; none in long storms. Each state that was shown is
 * read again from the store, and dozens of states a test find what hundreds do.
 */
export const pauseMs = effort > 1 ? 0 : 8;
