/**
 * The rows of a segment that are both in `bits` and in `dates`. `zones` has the least and the greatest
 * number of each 64 rows, doubles, `numbers` that of each, as NUMBERS; `ordinals` those of the segment,
 * of `ordinalWidth` bits.
 */
export const bytes = 24;
export const bits = 0;
export const dates = 4;
export const zones = 8;
export const ordinals = 12;
export const ordinalWidth = 16;
export const numbers = 20;
