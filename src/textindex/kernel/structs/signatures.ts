/**
 * Signatures of the first `signed` blocks of texts. `chunks` lists where their chunks are. A chunk has 512 bits,
 * one a block, for each of 2^12 buckets, so that reading a bucket is one line of the cache. A trigram with
 * the bytes a, b, c (255 for a bigram) has the hash h = (a + 2^8 b + 2^16 c) * 0x9e3779b1 mod 2^32. It
 * is in two buckets, h >> 20 and (h >> 8) mod 2^12. A 4-gram, with its fourth byte times 2^24 more, is in
 * the first of them. A text of more than 16 kB is in all. `firsts` has the first entry of each block, and the first entry in none. `buckets` lists
 * `asked` buckets. A block has 2^`blockBits` bytes of the heap.
 */
export const bytes = 24;
export const chunks = 0;
export const signed = 4;
export const firsts = 8;
export const buckets = 12;
export const asked = 16;
export const blockBits = 20;
