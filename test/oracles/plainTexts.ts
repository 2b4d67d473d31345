/** The oracle's part for texts of values; see plainKernel.ts. It finds texts without signatures. */
import {
  SIGNATURE_BLOCKS,
  SIGNATURE_BUCKET_BITS,
  SOUGHT,
  TEXTS,
  type TextKernel,
  TRIE,
  TRIE_CLASS,
  TRIE_NODE,
} from '../../src/textindex/kernel/abi.ts';
import { setBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

const LONG = 16_384;
const BUCKETS = 2 ** SIGNATURE_BUCKET_BITS;

export function plainTexts(memory: Memory): TextKernel {
  const field = (at: number, offset: number) => memory.u32[(at + offset) >>> 2]!;
  const at = (list: number, i: number) => memory.u32[(list >>> 2) + i]!;
  /** Where an entry starts in the heap, or would, after the last. */
  const startOf = (texts: number, entry: number) =>
    entry < field(texts, TEXTS.entries)
      ? at(field(texts, TEXTS.starts), entry)
      : field(texts, TEXTS.length);
  const textOf = (texts: number, entry: number) => {
    const heap = field(texts, TEXTS.heap);
    const [start, next] = [startOf(texts, entry), startOf(texts, entry + 1)];
    return Buffer.from(memory.u8.slice(heap + start, heap + next - 1));
  };
  const find: TextKernel['find'] = (texts, _signatures, sought, out) => {
    const { u32, u8 } = memory;
    const heap = field(texts, TEXTS.heap);
    const needle = field(sought, SOUGHT.needle);
    const bytes = Buffer.from(u8.buffer as ArrayBuffer, heap, field(texts, TEXTS.length));
    const wanted = u8.slice(needle, needle + field(sought, SOUGHT.length));
    const entries = field(texts, TEXTS.entries);
    let found = 0;
    let entry = field(sought, SOUGHT.from);
    while (entry < entries) {
      const where = bytes.indexOf(wanted, startOf(texts, entry));
      if (where < 0) break;
      entry = entryAt(u32, field(texts, TEXTS.starts) >>> 2, entry, entries, where);
      u32[(out >>> 2) + found++] = at(field(texts, TEXTS.ordinals), entry++);
    }
    return found;
  };
  return {
    find,
    buildSignatures(texts, chunk, first, count, blockBits, firsts) {
      let entry = memory.u32[(firsts >>> 2) + first]!;
      for (let block = first; block < first + count; block++) {
        const limit = (block + 1) * 2 ** blockBits;
        for (; entry < field(texts, TEXTS.entries) && startOf(texts, entry) < limit; entry++) {
          for (const bucket of bucketsOf(textOf(texts, entry))) {
            setBit(memory.u8, chunk, bucket * SIGNATURE_BLOCKS + (block % SIGNATURE_BLOCKS));
          }
        }
        memory.u32[(firsts >>> 2) + block + 1] = entry;
      }
    },
    walkTrie(texts, from, to, trie, out) {
      const { u32 } = memory;
      const counting = field(trie, TRIE.counting);
      let written = out >>> 2;
      const root = field(trie, TRIE.root) >>> 2;
      const slots = field(trie, TRIE.slots) >>> 2;
      const mask = field(trie, TRIE.mask);
      const childOf = (node: number, byte: number) => {
        const key = (node << 8) | byte;
        for (let slot = Math.imul(key, 0x9e3779b1) >>> 7; ; slot++) {
          const record = slots + (slot & mask) * 2;
          if (u32[record + 1] === 0 || u32[record] === key) return u32[record + 1]!;
        }
      };
      for (let entry = from; entry < to; entry++) {
        const text = textOf(texts, entry);
        const stamp = ++u32[(trie + TRIE.stamp) >>> 2]!;
        const [nodes, classes] = [new Set<number>(), new Set<number>()];
        for (let i = 0; i < text.length; i++) {
          let node = u32[root + text[i]!]!;
          for (let j = i + 1; node !== 0; j++) {
            nodes.add(field(trie, TRIE.nodes) + node * TRIE_NODE.bytes);
            node = j < text.length ? childOf(node, text[j]!) : 0;
          }
        }
        for (const node of nodes) {
          u32[(node + TRIE_NODE.seen) >>> 2] = stamp;
          u32[(node + TRIE_NODE.found) >>> 2]! += counting;
          const classNumber = field(node, TRIE_NODE.classNumber);
          if (classNumber !== 0) classes.add(classNumber - 1);
        }
        for (const classNumber of classes) {
          const record = field(trie, TRIE.classes) + classNumber * TRIE_CLASS.bytes;
          u32[(record + TRIE_CLASS.seen) >>> 2] = stamp;
        }
        u32.set([classes.size, ...classes], written);
        written += 1 + classes.size;
      }
      return written - (out >>> 2);
    },
    markContaining(ordinals, count, texts, needle, n, members) {
      const { u8, u32 } = memory;
      const wanted = Buffer.from(u8.subarray(needle, needle + n));
      const heap = field(texts, TEXTS.heap);
      const entries = field(texts, TEXTS.entries);
      const starts = field(texts, TEXTS.starts) >>> 2;
      const older = field(texts, TEXTS.older) >>> 2;
      for (let i = ordinals >>> 2, end = i + count; i < end; i++) {
        const ordinal = u32[i]!;
        let entry = u32[(field(texts, TEXTS.newest) >>> 2) + ordinal]!;
        for (; entry !== 0; entry = u32[older + entry - 1]!) {
          const from = u32[starts + entry - 1]!;
          const next = entry < entries ? u32[starts + entry]! : field(texts, TEXTS.length);
          const text = Buffer.from(u8.subarray(heap + from, heap + next - 1));
          if (text.includes(wanted)) setBit(u8, members, ordinal);
        }
      }
    },
  };
}

/** The buckets of a text's bigrams, trigrams and 4-grams. */
function bucketsOf(text: Uint8Array): Set<number> {
  if (text.length > LONG) return new Set(Array.from({ length: BUCKETS }, (_, bucket) => bucket));
  const ngrams = [...text].flatMap((_, i) => [2, 3, 4].map((n) => text.subarray(i, i + n)));
  return new Set(ngrams.flatMap((one) => bucketsOfNgram([...one])));
}

/** The buckets of a bigram, a trigram or a 4-gram; none of less at a text's end. */
export function bucketsOfNgram(bytes: readonly number[]): number[] {
  const [a, b, c = 255, d] = bytes;
  if (a === undefined || b === undefined) return [];
  const hash = Math.imul(a + b * 256 + c * 65_536 + (d ?? 0) * 2 ** 24, 0x9e3779b1) >>> 0;
  const first = hash >>> (32 - SIGNATURE_BUCKET_BITS);
  return d === undefined ? [first, Math.floor(hash / 256) % BUCKETS] : [first];
}

/** The last entry at or after `from` that starts at or before `offset`. */
function entryAt(u32: Uint32Array, starts: number, from: number, n: number, offset: number) {
  let step = 1;
  let low = from;
  while (low + step < n && u32[starts + low + step]! <= offset) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, n);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (u32[starts + middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}
