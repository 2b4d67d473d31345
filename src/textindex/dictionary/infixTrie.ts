/**
 * A trie of infixes, in the index's memory: one walk finds the infixes of all texts.
 *
 *     a ─ n ─ n ─ a          nodes: how many texts met it, and its class
 *         └ d                classes: how many texts met one of their nodes
 *
 * From each byte of a text the kernel goes down as far as it can, 3 ns a step. So it finds
 * thousands of infixes at once in about the time of a dozen searches.
 */
import { invariant } from '../../errors.ts';
import { TRIE, TRIE_CLASS, TRIE_NODE } from '../kernel/abi.ts';
import type { Pointer } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { State } from '../storage/state.ts';

/** The most classes. */
export const MAX_CLASSES = 448;
/** Where its arrays begin, after the kernel's struct; the slots come after the nodes. */
const ROOT = Math.ceil(TRIE.bytes / 16) * 16;
const CLASSES = ROOT + 256 * 4;
const NODES = CLASSES + MAX_CLASSES * TRIE_CLASS.bytes;
const encoder = new TextEncoder();

/** A node's number; 0 is the root. */
type Node = number;

export class InfixTrie {
  readonly #space: Space;
  #block: Pointer;
  #mask: number;
  #size = 1;
  #nodeRoom: number;

  /** Makes room for these infixes; every prefix of one, at a letter's end, must be among them. */
  constructor(space: Space, infixes: readonly string[]) {
    this.#space = space;
    // Each adds a node for each byte of its last letter.
    const room = infixes.reduce((sum, infix) => sum + lastBytes(infix), 1);
    this.#mask = 2 ** Math.ceil(Math.log2(room * 2 + 1)) - 1;
    this.#nodeRoom = room * TRIE_NODE.bytes;
    this.#block = space.memory.allocZero(this.#bytes);
  }

  get #bytes(): number {
    return NODES + this.#nodeRoom + (this.#mask + 1) * 8;
  }

  get #slots(): number {
    return this.#block + NODES + this.#nodeRoom;
  }

  /** Enters an infix, within the room reserved, and returns the node at which it ends. */
  insert(infix: string): Node {
    const bytes = encoder.encode(infix);
    let node = 0;
    for (let i = 0; i < bytes.length; i++) node = this.#child(node, bytes[i]!);
    return node;
  }

  /** The number of walked texts that met a node. */
  found(node: Node): number {
    return this.#at(this.#block + NODES + node * TRIE_NODE.bytes + TRIE_NODE.found);
  }

  setClass(node: Node, classNumber: number): void {
    const at = this.#block + NODES + node * TRIE_NODE.bytes;
    this.#put(at + TRIE_NODE.classNumber, classNumber + 1);
  }

  /** Nothing was walked. */
  restart(): void {
    for (let node = 0; node < this.#size; node++) {
      this.#put(this.#block + NODES + node * TRIE_NODE.bytes + TRIE_NODE.found, 0);
    }
  }

  /** The kernel's struct; `counting` says whether a walk counts. */
  forKernel(counting: boolean): Pointer {
    const block = this.#block;
    this.#put(block + TRIE.root, block + ROOT);
    this.#put(block + TRIE.slots, this.#slots);
    this.#put(block + TRIE.mask, this.#mask);
    this.#put(block + TRIE.nodes, block + NODES);
    this.#put(block + TRIE.classes, block + CLASSES);
    this.#put(block + TRIE.counting, counting ? 1 : 0);
    return block;
  }

  keep(state: State): void {
    this.#block = state.number(this.#block);
    this.#mask = state.number(this.#mask);
    this.#size = state.number(this.#size);
    this.#nodeRoom = state.number(this.#nodeRoom);
  }

  free(): void {
    this.#space.memory.free(this.#block, this.#bytes);
  }

  /** The child of a node by a byte, added if it is missing. */
  #child(node: Node, byte: number): Node {
    const at = node === 0 ? this.#block + ROOT + byte * 4 : this.#slotOf(node, byte) + 4;
    const child = this.#at(at);
    if (child !== 0) return child;
    invariant(
      (this.#size + 1) * TRIE_NODE.bytes <= this.#nodeRoom,
      'a trie has room for its nodes',
    );
    this.#put(at, this.#size);
    if (node !== 0) this.#put(at - 4, node * 256 + byte);
    return this.#size++;
  }

  /** Where the slot of a key is, or the free one for it. */
  #slotOf(node: Node, byte: number): number {
    const key = node * 256 + byte;
    let slot = Math.imul(key, 0x9e3779b1) >>> 7;
    for (;;) {
      const at = this.#slots + (slot & this.#mask) * 8;
      if (this.#at(at + 4) === 0 || this.#at(at) === key) return at;
      slot++;
    }
  }

  #at(pointer: number): number {
    return this.#space.memory.u32[pointer >>> 2]!;
  }

  #put(pointer: number, value: number): void {
    this.#space.memory.u32[pointer >>> 2] = value;
  }
}

/** Bytes of the last letter of a text. */
function lastBytes(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xdc00 && last < 0xe000) return 4;
  return last < 0x80 ? 1 : last < 0x800 ? 2 : 3;
}
