/**
 * Tells which of some names an element of a document has. It guesses from the name before, since
 * documents of a collection resemble each other.
 *
 *     number ──► status ──► placed        what came next the last time, and the time before
 *                  └──────► shipped       all else is looked up
 *
 * Trying one name after the other compares several of them for each element.
 */
import { endOfName, standsAt } from './raw.ts';

/** A sought name, or another one that was met. */
export interface Name {
  /** Its bytes, with the 00 at their end. */
  readonly bytes: Uint8Array;
  /** Its place among the sought names; -1 for any other. */
  readonly place: number;
  /** The names that came after this one in the last two documents. */
  next: Name | undefined;
  other: Name | undefined;
}

/** How many other names are remembered. */
const MAX_OTHERS = 256;

export class Names {
  /** A stand-in for the name before the first element. */
  readonly start = nameOf(Buffer.alloc(0), -1);
  readonly #known = new Map<string, Name>();
  readonly #most: number;

  /** All different. */
  constructor(names: readonly string[]) {
    this.#most = names.length + MAX_OTHERS;
    for (const [place, name] of names.entries()) {
      const bytes = Buffer.from(`${name}\0`);
      this.#known.set(keyOf(bytes), nameOf(bytes, place));
    }
  }

  /** The name that stands there, after that of the element before, or after `start`. */
  find(before: Name, bytes: Uint8Array, at: number): Name {
    const { next, other } = before;
    if (next && standsAt(next.bytes, bytes, at)) return next;
    if (other && standsAt(other.bytes, bytes, at)) return other;
    return this.#lookUp(before, bytes, at);
  }

  #lookUp(before: Name, bytes: Uint8Array, at: number): Name {
    const name = Buffer.from(bytes.subarray(at, endOfName(bytes, at) + 1));
    const key = keyOf(name);
    const known = this.#known.get(key);
    const found = known ?? nameOf(name, -1);
    if (!known) {
      if (this.#known.size >= this.#most) return found;
      this.#known.set(key, found);
    }
    before.other = before.next;
    before.next = found;
    return found;
  }
}

function nameOf(bytes: Buffer, place: number): Name {
  return { bytes, place, next: undefined, other: undefined };
}

/** One text for each sequence of bytes. */
const keyOf = (name: Buffer): string => name.toString('latin1', 0, name.length - 1);
