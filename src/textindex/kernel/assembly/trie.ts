/** The kernel's part for infixes of texts. See abi.ts. */

/** Where a column's texts are: TEXTS in abi.ts. */
const HEAP: usize = 0;
const LENGTH: usize = 4;
const STARTS: usize = 8;
const ENTRIES: usize = 12;
const ORDINALS: usize = 16;

/** A trie of infixes: TRIE in abi.ts. */
const ROOT: usize = 0;
const SLOTS: usize = 4;
const MASK: usize = 8;
const NODES: usize = 12;
const GROUPS: usize = 16;
const MEMBERS: usize = 20;

/** A node's numbers, and a group's. */
const NODE_BYTES: usize = 16;
const SEEN: usize = 0;
const FOUND: usize = 4;
const GROUP: usize = 8;
const GROUP_BYTES: usize = 8;

/** Ordinals of a chunk of memberships, as bits, and the bytes of each. */
const MEMBER_BITS: u32 = 12;
const MEMBER_BYTES: usize = 32;

/** The child of a node by a byte; 0 where there is none. */
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

export function walkTrie(texts: usize, from: u32, to: u32, trie: usize): void {
  const heap = <usize>load<u32>(texts, HEAP);
  const starts = <usize>load<u32>(texts, STARTS);
  const entries = load<u32>(texts, ENTRIES);
  const ordinals = <usize>load<u32>(texts, ORDINALS);
  const root = <usize>load<u32>(trie, ROOT);
  const slots = <usize>load<u32>(trie, SLOTS);
  const mask = load<u32>(trie, MASK);
  const nodes = <usize>load<u32>(trie, NODES);
  const groups = <usize>load<u32>(trie, GROUPS);
  const members = <usize>load<u32>(trie, MEMBERS);
  for (let entry = from; entry < to; entry++) {
    const start = heap + <usize>load<u32>(starts + ((<usize>entry) << 2));
    const next =
      entry + 1 < entries
        ? <usize>load<u32>(starts + ((<usize>(entry + 1)) << 2))
        : <usize>load<u32>(texts, LENGTH);
    const end = heap + next - 1;
    const ordinal = load<u32>(ordinals + ((<usize>entry) << 2));
    const stamp = entry + 1;
    for (let at = start; at < end; at++) {
      let node = load<u32>(root + ((<usize>load<u8>(at)) << 2));
      let then = at + 1;
      while (node != 0) {
        const record = nodes + (<usize>node) * NODE_BYTES;
        if (load<u32>(record, SEEN) != stamp) {
          store<u32>(record, stamp, SEEN);
          store<u32>(record, load<u32>(record, FOUND) + 1, FOUND);
          const group = load<u32>(record, GROUP);
          if (group != 0) enter(groups, group - 1, stamp, members, ordinal);
        }
        if (then >= end) break;
        node = childOf(slots, mask, node, <u32>load<u8>(then));
        then++;
      }
    }
  }
}

/** Counts an entry for a group, once, and marks its ordinal as a member. */
// @ts-ignore: decorator
@inline
function enter(groups: usize, group: u32, stamp: u32, members: usize, ordinal: u32): void {
  const record = groups + (<usize>group) * GROUP_BYTES;
  if (load<u32>(record) == stamp) return;
  store<u32>(record, stamp);
  store<u32>(record, load<u32>(record, 4) + 1, 4);
  const chunk = <usize>load<u32>(members + ((<usize>(ordinal >> MEMBER_BITS)) << 2));
  const at =
    chunk + (<usize>(ordinal & ((1 << MEMBER_BITS) - 1))) * MEMBER_BYTES + <usize>(group >> 3);
  store<u8>(at, load<u8>(at) | (<u8>1 << <u8>(group & 7)));
}
