/**
 * Texts of values, one after the other in a heap of `length` bytes. Entry i starts at `starts[i]` and
 * belongs to `ordinals[i]`. Ordinal c has the entries numbered `newest[c]`, `older[newest[c] - 1]` and
 * so on, from 1, until a 0.
 */
export const bytes = 28;
export const heap = 0;
export const length = 4;
export const starts = 8;
export const entries = 12;
export const ordinals = 16;
export const newest = 20;
export const older = 24;
