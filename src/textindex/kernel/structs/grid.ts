/**
 * Buckets of [from, to), all three of them and `scale` doubles: `boundaries` are `buckets` + 1 ascending
 * doubles. The number x is in bucket `cells[min((x - boundaries[0]) * scale, lastCell)]`, rounded, or in one
 * after it; in this one where the cell's highest bit, `SURE`, is set.
 */
export const bytes = 40;
export const from = 0;
export const to = 8;
export const scale = 16;
export const boundaries = 24;
export const buckets = 28;
export const cells = 32;
export const lastCell = 36;
