/**
 * A trie of byte strings. `root` has the child of node 0 for each byte; a hash table of `mask` + 1
 * slots has the others. A slot has a key, node * 256 + byte, and a child, 0 if the slot is free.
 * The key is in the slot ((key * 0x9e3779b1 mod 2^32) >> 7) & mask or in one after it. Each
 * entry that is walked has the next `stamp`, and is counted as `counting`, 1 or 0.
 */
export const bytes = 28;
export const root = 0;
export const slots = 4;
export const mask = 8;
export const nodes = 12;
export const classes = 16;
export const stamp = 20;
export const counting = 24;
