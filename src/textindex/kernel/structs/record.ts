/**
 * A value: its ordinal, and in one number its length in bytes and its kind. The bit `as` says how the
 * value is written, and does not count for equality. The value's bytes follow.
 */
export const bytes = 8;
export const ordinal = 0;
export const what = 4;
export const kindBit = 26;
export const asBit = 31;
