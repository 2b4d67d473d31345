/** The kernel's part for infixes of large columns: walks of texts down a trie. */
import { expect } from 'chai';
import fc from 'fast-check';
import { TEXTS, TRIE, TRIE_CLASS, TRIE_NODE } from '../../src/textindex/kernel/abi.ts';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { type Bench, onKernel } from './kernelBench.ts';

const ASCII = ['a', 'b', 'c'];
const text = fc.string({ unit: fc.constantFrom(...ASCII, 'ä', '😀'), maxLength: 30 });
const texts = fc.array(text, { minLength: 1, maxLength: 60 });

/** The kernel's struct for texts, as far as a walk reads it. */
function textsOf(bench: Bench, all: readonly string[]) {
  const heap: number[] = [];
  const starts = all.map((one) => {
    const start = heap.length;
    heap.push(...Buffer.from(one), 255);
    return start;
  });
  return bench.struct(TEXTS, {
    heap: bench.bytes([...heap, ...Array(128).fill(255)]),
    length: heap.length,
    starts: bench.list(starts),
    entries: all.length,
  });
}

describe('kernels, of texts', () => {
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
            const struct = textsOf(bench, all);
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
