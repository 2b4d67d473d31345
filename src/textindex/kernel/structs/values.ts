/**
 * A hash table of records, `mask` + 1 slots. A slot is 0, or the place of a record with two bits of its
 * hash in place of the lowest two. Two secrets of 64 bits make the hash another one in each table, so
 * that nobody can choose values that collide.
 */
export const bytes = 32;
export const slots = 0;
export const mask = 4;
export const secrets = 8;
