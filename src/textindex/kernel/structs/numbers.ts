/**
 * A double for each row of a segment, at `chunk`. A `width` of 8 says that the doubles are there. Else a row
 * has a code of 4 bytes, and all fifth bytes follow the codes if `width` is 5. The code 0 is -Infinity. Any
 * other one stands for (base + code) / divisor, both doubles.
 */
export const bytes = 24;
export const chunk = 0;
export const width = 4;
export const base = 8;
export const divisor = 16;
