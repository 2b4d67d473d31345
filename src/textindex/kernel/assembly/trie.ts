/** The kernel's part for infixes of texts. See abi.ts. */

/** Where a column's texts are: TEXTS in abi.ts. */
const HEAP: usize = 0;
const LENGTH: usize = 4;
const STARTS: usize = 8;
const ENTRIES: usize = 12;

/** A trie of infixes: TRIE in abi.ts. */
const ROOT: usize = 0;
const SLOTS: usize = 4;
const MASK: usize = 8;
const NODES: usize = 12;
const CLASSES: usize = 16;
const STAMP: usize = 20;
const COUNTING: usize = 24;

/** A node's numbers, and a class's. */
const NODE_BYTES: usize = 16;
const SEEN: usize = 0;
const FOUND: usize = 4;
const CLASS: usize = 8;
const CLASS_BYTES: usize = 4;

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
  const heap = <usize>load<u32>(texts, HEAP);
  const starts = <usize>load<u32>(texts, STARTS);
  const entries = load<u32>(texts, ENTRIES);
  const root = <usize>load<u32>(trie, ROOT);
  const slots = <usize>load<u32>(trie, SLOTS);
  const mask = load<u32>(trie, MASK);
  const nodes = <usize>load<u32>(trie, NODES);
  const classes = <usize>load<u32>(trie, CLASSES);
  const counting = load<u32>(trie, COUNTING);
  let stamp = load<u32>(trie, STAMP);
  let then = out;
  for (let entry = from; entry < to; entry++) {
    const start = heap + <usize>load<u32>(starts + ((<usize>entry) << 2));
    const limit =
      entry + 1 < entries
        ? <usize>load<u32>(starts + ((<usize>(entry + 1)) << 2))
        : <usize>load<u32>(texts, LENGTH);
    const end = heap + limit - 1;
    const first = then + 4;
    then = first;
    stamp++;
    for (let at = start; at < end; at++) {
      let node = load<u32>(root + ((<usize>load<u8>(at)) << 2));
      let next = at + 1;
      while (node != 0) {
        const record = nodes + (<usize>node) * NODE_BYTES;
        if (load<u32>(record, SEEN) != stamp) {
          store<u32>(record, stamp, SEEN);
          store<u32>(record, load<u32>(record, FOUND) + counting, FOUND);
          const classNumber = load<u32>(record, CLASS);
          if (classNumber != 0) {
            const own = classes + (<usize>(classNumber - 1)) * CLASS_BYTES;
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
  store<u32>(trie, stamp, STAMP);
  return <u32>((then - out) >> 2);
}
