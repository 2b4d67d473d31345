/**
 * A needle of at least one byte, and the entry where the search begins. `rare`, `rarer` and `third` are the
 * offsets of bytes that are rare in the texts; those of a short needle may be the same.
 */
export const bytes = 24;
export const needle = 0;
export const length = 4;
export const rare = 8;
export const rarer = 12;
export const third = 16;
export const from = 20;
