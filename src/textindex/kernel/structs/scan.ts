/**
 * A window's number, its buckets from low to high, a mark and its mask, a pattern or 0. `pair`: the place of a
 * bitmap among a segment's in which all rows are that fit the pattern, or 0.
 */
export const bytes = 28;
export const window = 0;
export const low = 4;
export const high = 8;
export const mark = 12;
export const mask = 16;
export const pattern = 20;
export const pair = 24;
