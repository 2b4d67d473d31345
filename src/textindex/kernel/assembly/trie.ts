/** The kernel's part for infixes of texts. See abi.ts. */
import * as TEXTS from '../structs/texts';
import * as TRIE from '../structs/trie';
import * as TRIE_CLASS from '../structs/trieClass';
import * as TRIE_NODE from '../structs/trieNode';
import { startOf } from './texts';

/** The child of a node by a byte; 0 if there is none. */
// @ts-ignore: decorator
@inline
function childOf(slots: usize, mask: u32, node: u32, byte: u32): u32 {
  const key = (node << 8) | byte;
  let slot = (key * 0x9e3779b1) >> 7;
  let at = slots + ((<usize>(slot & mask)) << 3);
  let child = load<u32>(at, 4);
  while (child != 0 && load<u32>(at) != key) {
    slot++;
    at = slots + ((<usize>(slot & mask)) << 3);
    child = load<u32>(at, 4);
  }
  return child;
}

export function walkTrie(texts: usize, from: u32, to: u32, trie: usize, out: usize): u32 {
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const root = <usize>load<u32>(trie, TRIE.root);
  const slots = <usize>load<u32>(trie, TRIE.slots);
  const mask = load<u32>(trie, TRIE.mask);
  const nodes = <usize>load<u32>(trie, TRIE.nodes);
  const classes = <usize>load<u32>(trie, TRIE.classes);
  const counting = load<u32>(trie, TRIE.counting);
  let stamp = load<u32>(trie, TRIE.stamp);
  let then = out;
  for (let entry = from; entry < to; entry++) {
    const end = heap + startOf(texts, entry + 1) - 1;
    const first = then + 4;
    then = first;
    stamp++;
    for (let at = heap + startOf(texts, entry); at < end; at++) {
      let node = load<u32>(root + ((<usize>load<u8>(at)) << 2));
      let next = at + 1;
      while (node != 0) {
        const record = nodes + (<usize>node) * TRIE_NODE.bytes;
        if (load<u32>(record, TRIE_NODE.seen) != stamp) {
          store<u32>(record, stamp, TRIE_NODE.seen);
          store<u32>(record, load<u32>(record, TRIE_NODE.found) + counting, TRIE_NODE.found);
          const classNumber = load<u32>(record, TRIE_NODE.classNumber);
          if (classNumber != 0) {
            const own = classes + (<usize>(classNumber - 1)) * TRIE_CLASS.bytes;
            if (load<u32>(own) != stamp) {
              store<u32>(own, stamp);
              store<u32>(then, classNumber - 1);
              then += 4;
            }
          }
        }
        if (next >= end) break;
        node = childOf(slots, mask, node, <u32>load<u8>(next));
        next++;
      }
    }
    store<u32>(first - 4, <u32>((then - first) >> 2));
  }
  store<u32>(trie, stamp, TRIE.stamp);
  return <u32>((then - out) >> 2);
}
