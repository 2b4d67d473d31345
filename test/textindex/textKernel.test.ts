/** The kernel's part for texts of large columns: signatures of blocks, and walks down a trie. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  SIGNATURE_BLOCKS,
  SIGNATURE_BUCKET_BITS,
  SIGNATURE_CHUNK_BYTES,
  SIGNATURES,
  SOUGHT,
  TEXTS,
  TRIE,
  TRIE_CLASS,
  TRIE_NODE,
} from '../../src/textindex/kernel/abi.ts';
import { setBit } from '../../src/textindex/storage/bits.ts';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { type Bench, onKernel } from './kernelBench.ts';

const ASCII = ['a', 'b', 'c'];
/** Signatures know digits: the first, the last, and those that come before and after them. */
const DIGITS = ['/', '0', '5', '9', ':'];
const LETTERS = [...ASCII, ...DIGITS, 'ä'];
const text = fc.string({ unit: fc.constantFrom(...LETTERS, '😀'), maxLength: 30 });
const texts = fc.array(text, { minLength: 1, maxLength: 60 });

/** The kernel's struct for texts whose ordinals are 3, 10, 17 …, and where each entry starts. */
function textsOf(bench: Bench, all: readonly string[]) {
  const heap: number[] = [];
  const starts = all.map((one) => {
    const start = heap.length;
    heap.push(...Buffer.from(one), 255);
    return start;
  });
  const struct = bench.struct(TEXTS, {
    heap: bench.bytes([...heap, ...Array(128).fill(255)]),
    length: heap.length,
    starts: bench.list(starts),
    entries: all.length,
    ordinals: bench.list(all.map((_, i) => i * 7 + 3)),
  });
  return { struct, starts };
}

/** The buckets of a bigram, a trigram or a 4-gram; none of less at a text's end. */
function bucketsOfNgram(bytes: readonly number[]): number[] {
  const [a, b, c = 255, d] = bytes;
  if (a === undefined || b === undefined) return [];
  const hash = Math.imul(a + b * 256 + c * 65_536 + (d ?? 0) * 2 ** 24, 0x9e3779b1) >>> 0;
  const first = hash >>> (32 - SIGNATURE_BUCKET_BITS);
  return d === undefined ? [first, Math.floor(hash / 256) % 2 ** SIGNATURE_BUCKET_BITS] : [first];
}

/** The bits of each block's texts: those of all n-grams of two to four bytes. */
function signaturesOf(all: readonly string[], starts: readonly number[], bits: number): Buffer {
  const chunk = Buffer.alloc(SIGNATURE_CHUNK_BYTES);
  for (const [i, one] of all.entries()) {
    const block = starts[i]! >> bits;
    if (block >= SIGNATURE_BLOCKS) break;
    const bytes = [...Buffer.from(one)];
    const ngrams = bytes.flatMap((_, at) => [2, 3, 4].map((n) => bytes.slice(at, at + n)));
    for (const bucket of ngrams.flatMap(bucketsOfNgram)) {
      setBit(chunk, 0, bucket * SIGNATURE_BLOCKS + block);
    }
  }
  return chunk;
}

/** The buckets of all n-grams of three and four bytes, or of the one bigram. */
function askedFor(bytes: readonly number[]): number[] {
  if (bytes.length === 2) return bucketsOfNgram(bytes);
  return [3, 4].flatMap((n) =>
    bytes.slice(n - 1).flatMap((_, i) => bucketsOfNgram(bytes.slice(i, i + n))),
  );
}

describe('kernels, of texts', () => {
  it('sign blocks, and find in those that may hold a needle', () => {
    const needle = fc.string({
      unit: fc.constantFrom(...LETTERS),
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        texts,
        needle,
        fc.integer({ min: 0, max: 3 }),
        fc.nat(60),
        fc.nat(SIGNATURE_BLOCKS),
        (all, wanted, bits, from, signedFirst) => {
          const signed = onKernel((bench) => {
            const { kernel } = bench;
            const { struct, starts } = textsOf(bench, all);
            const firsts = bench.list(Array(SIGNATURE_BLOCKS * 2 + 1).fill(0));
            const chunk = bench.memory.allocZero(SIGNATURE_CHUNK_BYTES);
            const sign = (first: number, end: number) =>
              kernel.buildSignatures(struct, chunk, first, end - first, bits, firsts);
            sign(0, signedFirst);
            sign(signedFirst, SIGNATURE_BLOCKS);
            const bytes = [...Buffer.from(wanted)];
            const asked = askedFor(bytes);
            const ask = (blocks: number) => {
              const out = bench.list(Array(all.length).fill(0));
              const n = kernel.find(
                struct,
                bench.struct(SIGNATURES, {
                  chunks: bench.list([chunk]),
                  signed: blocks,
                  firsts,
                  buckets: bench.list(asked),
                  asked: asked.length,
                  blockBits: bits,
                }),
                bench.struct(SOUGHT, {
                  needle: bench.bytes(bytes),
                  length: bytes.length,
                  rarer: 1,
                  third: bytes.length - 1,
                  from,
                }),
                out,
              );
              return bench.readList(out, n);
            };
            return {
              blocks: bench.readList(firsts, SIGNATURE_BLOCKS + 1),
              starts,
              found: [SIGNATURE_BLOCKS, signedFirst, 0].map(ask),
              chunk: bench.memory.u8.slice(chunk, chunk + SIGNATURE_CHUNK_BYTES),
            };
          });
          const holding = all.flatMap((one, i) =>
            i >= from && one.includes(wanted) ? [i * 7 + 3] : [],
          );
          for (const found of signed.found) expect(found).to.deep.equal(holding);
          const isSigned = signaturesOf(all, signed.starts, bits).equals(signed.chunk);
          expect(isSigned, 'signatures').to.equal(true);
          for (const [block, first] of signed.blocks.entries()) {
            const least = signed.starts.findIndex((start) => start >= block << bits);
            expect(first).to.equal(least < 0 ? all.length : least);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('walk texts down a trie, and count what they meet', () => {
    const piece = fc.string({ unit: fc.constantFrom(...ASCII), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        texts,
        fc.uniqueArray(fc.tuple(piece, fc.nat(255)), { selector: ([one]) => one, maxLength: 20 }),
        fc.nat(60),
        (all, pieces, from) => {
          const begin = Math.min(from, all.length);
          const nodes = new Map<string, number>([['', 0]]);
          for (const [one] of pieces) {
            for (let end = 1; end <= one.length; end++) {
              const prefix = one.slice(0, end);
              if (!nodes.has(prefix)) nodes.set(prefix, nodes.size);
            }
          }
          const walked = onKernel((bench) => {
            const { struct } = textsOf(bench, all);
            const mask = 255;
            const slots = Array(mask * 2 + 2).fill(0) as number[];
            const root = Array(256).fill(0) as number[];
            for (const [prefix, node] of nodes) {
              const byte = prefix.charCodeAt(prefix.length - 1);
              if (prefix.length === 1) root[byte] = node;
              if (prefix.length < 2) continue;
              const key = nodes.get(prefix.slice(0, -1))! * 256 + byte;
              let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
              while (slots[slot * 2 + 1] !== 0) slot = (slot + 1) & mask;
              slots.splice(slot * 2, 2, key, node);
            }
            const records = bench.bytes(Array(nodes.size * TRIE_NODE.bytes).fill(0));
            for (const [one, classNumber] of pieces) {
              bench.memory.u32[
                (records + nodes.get(one)! * TRIE_NODE.bytes + TRIE_NODE.classNumber) / 4
              ] = classNumber + 1;
            }
            const classes = bench.bytes(Array(256 * TRIE_CLASS.bytes).fill(0));
            const trie = bench.struct(TRIE, {
              root: bench.list(root),
              slots: bench.list(slots),
              mask,
              nodes: records,
              classes,
              stamp: 7,
              counting: 1,
            });
            const out = bench.list(Array(all.length * 21).fill(0));
            const walk = (at: number, end: number) => {
              const n = bench.kernel.walkTrie(struct, at, end, trie, out);
              const numbers = bench.readList(out, n);
              const met: number[][] = [];
              for (let i = 0; i < n; i += 1 + numbers[i]!) {
                met.push(numbers.slice(i + 1, i + 1 + numbers[i]!).sort((a, b) => a - b));
              }
              return met;
            };
            const met = walk(begin, all.length);
            // Not counted, and entries that were walked before are walked again.
            bench.memory.u32[(trie + TRIE.counting) / 4] = 0;
            const again = walk(begin, all.length);
            const counts = (at: Pointer, n: number) =>
              bench.readList(at, n).filter((_, i) => i % 4 !== 0);
            return {
              nodes: counts(records, nodes.size * 4),
              met,
              again,
            };
          });
          expect(walked.again).to.deep.equal(walked.met);
          const asked = all.slice(begin);
          for (const [prefix, node] of nodes) {
            const met = prefix === '' ? 0 : asked.filter((one) => one.includes(prefix)).length;
            expect(walked.nodes[node * 3], prefix).to.equal(met);
          }
          for (const [, classNumber] of pieces) {
            const own = pieces.filter(([, other]) => other === classNumber);
            const holds = all.map(
              (one, i) => i >= begin && own.some(([part]) => one.includes(part)),
            );
            const met = walked.met.map((numbers) => numbers.includes(classNumber));
            expect(met).to.deep.equal(holds.slice(begin));
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
