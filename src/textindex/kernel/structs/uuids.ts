/**
 * A segment's UUIDs, which rows have one, and the lists of all windows, with `listed` of `rows` rows. Then
 * which of these are sound (0 for all), and the bitmaps of frequent pieces.
 */
export const bytes = 40;
export const uuids = 0;
export const has = 4;
export const sound = 8;
export const lists = 12;
export const marks = 16;
export const starts = 20;
export const listed = 24;
export const rows = 28;
export const stride = 32;
export const bitmaps = 36;
