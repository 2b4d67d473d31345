/** How long storms last: `SYNC_STORM=10` makes them ten times as long as in the ordinary suite. */
export const effort = Number(process.env.SYNC_STORM ?? 1);
