/**
 * Tells which of some names an element of a document has. It guesses from the name before, since
 * documents of a collection resemble each other.
 *
 *     number ──► status ──► placed        what came next the last time, and the time before
 *                  └──────► shipped       all else is looked up
 *
 * Trying one name after the other compares several of them for each element.
 */
import { inView } from './bytesInView.ts';
import { endOfName } from './raw.ts';

/** A sought name, or another one that was met. */
export interface Name {
  /** Its bytes, with the 00 at their end. */
  readonly bytes: Uint8Array;
  /** The same, four bytes a word; the last word has the last four of them. */
  readonly words: Int32Array;
  /** Its place among the sought names; -1 for any other. */
  readonly place: number;
  /** The names that came after this one in the last two documents; any name at first. */
  next: Name;
  other: Name;
}

/** How many other names are remembered. */
const MAX_OTHERS = 256;

export class Names {
  /** A stand-in for the name before the first element. */
  readonly start: Name;
  readonly #known = new Map<string, Name>();
  readonly #most: number;
  /** The empty name. */
  readonly #empty: Name;

  /** All different. */
  constructor(names: readonly string[]) {
    this.#most = names.length + MAX_OTHERS;
    this.#empty = emptyName(names.indexOf(''));
    this.#known.set('', this.#empty);
    this.start = this.#new(this.#empty.bytes, -1);
    for (const [place, name] of names.entries()) {
      if (name === '') continue;
      const bytes = Buffer.from(`${name}\0`);
      this.#known.set(keyOf(bytes), this.#new(bytes, place));
    }
  }

  /** The name that stands there, after that of the element before, or after `start`. */
  find(before: Name, bytes: Uint8Array, at: number): Name {
    const { next, other } = before;
    inView.look(bytes);
    if (stands(next, bytes, at)) return next;
    if (stands(other, bytes, at)) return other;
    return this.#lookUp(before, bytes, at);
  }

  #lookUp(before: Name, bytes: Uint8Array, at: number): Name {
    const name = Buffer.from(bytes.subarray(at, endOfName(bytes, at) + 1));
    const key = keyOf(name);
    const known = this.#known.get(key);
    const found = known ?? this.#new(name, -1);
    if (!known) {
      if (this.#known.size >= this.#most) return found;
      this.#known.set(key, found);
    }
    before.other = before.next;
    before.next = found;
    return found;
  }

  #new(bytes: Uint8Array, place: number): Name {
    return { bytes, words: wordsOf(bytes), place, next: this.#empty, other: this.#empty };
  }
}

/** An empty name that is followed by itself. */
function emptyName(place: number): Name {
  const bytes = Buffer.alloc(1);
  const name: Omit<Name, 'next' | 'other'> & Partial<Name> = {
    bytes,
    words: wordsOf(bytes),
    place,
  };
  name.next = name as Name;
  name.other = name as Name;
  return name as Name;
}

/** One text for each sequence of bytes. */
const keyOf = (name: Buffer): string => name.toString('latin1', 0, name.length - 1);

const WORD = 4;

/** Empty for a name with fewer bytes than a word. */
function wordsOf(bytes: Uint8Array): Int32Array {
  if (bytes.length < WORD) return new Int32Array(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Int32Array.from({ length: Math.ceil(bytes.length / WORD) }, (_, i) =>
    view.getInt32(Math.min(WORD * i, bytes.length - WORD), true),
  );
}

/** Whether the name stands there in the bytes, which are in view. */
function stands({ bytes: name, words }: Name, bytes: Uint8Array, at: number): boolean {
  if (words.length === 0) {
    for (let i = 0; i < name.length; i++) if (name[i] !== bytes[at + i]) return false;
    return true;
  }
  const { view, base } = inView;
  const from = base + at;
  const last = name.length - WORD;
  // The comparison never reads past the end of the buffer: a name without room there does not
  // match.
  if (from + last + WORD > view.byteLength) return false;
  const end = words.length - 1;
  for (let i = 0; i < end; i++) if (view.getInt32(from + WORD * i, true) !== words[i]) return false;
  return view.getInt32(from + last, true) === words[end];
}
