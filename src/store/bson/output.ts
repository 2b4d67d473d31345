/** A growing buffer of bytes, in which a piece of a streamed answer is made. */

const FIRST_BYTES = 65_536;

/** The most bytes of UTF-8 for a code unit of a string. */
const MAX_PER_UNIT = 3;

/** Characters of texts that are written one by one. */
const SHORT = 48;

/** Each constant repeats one byte four times, to test four bytes at once. */
const LINE_FEEDS = 0x0a0a0a0a;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
/** A byte below a space is a control character. */
const SPACES = 0x20202020;
const LOWEST_BITS = 0x01010101;
const HIGHEST_BITS = 0x80808080;

/** Bytes that are written again and again, such as names: four of them at a time. */
export class Utf8Literal {
  readonly length: number;
  /** The bytes, four to a word, the first one lowest; 0 past the end. */
  readonly words: Int32Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    this.words = new Int32Array(padded.length / 4);
    for (let i = 0; i < this.words.length; i++) this.words[i] = padded.readInt32LE(4 * i);
  }
}

export class Output {
  /**
   * A caller that writes into `bytes` itself calls `reserve` first, writes from `length` on, and
   * then sets `length`.
   */
  bytes: Buffer;
  length = 0;
  /** A view of `bytes`. */
  #view: DataView;

  constructor(bytes = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  text(text: string): void {
    this.reserve(text.length * MAX_PER_UNIT);
    if (text.length > SHORT || !this.#ascii(text)) {
      this.length += this.bytes.write(text, this.length);
    }
  }

  /** Whether the text is ASCII, and written then: short ones in half the time of a call into the runtime. */
  #ascii(text: string): boolean {
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      bytes[at++] = code;
    }
    this.length = at;
    return true;
  }

  /** It takes a third of the time of `put`. */
  literal({ length, words }: Utf8Literal): void {
    this.reserve(length + 3);
    const view = this.#view;
    const end = this.length + length;
    for (let to = this.length, i = 0; to < end; to += 4, i++) {
      view.setInt32(to, words[i]!, true);
    }
    this.length = end;
  }

  /** Bytes up to a line feed, or to `end`; returns where they end. There is room to read three bytes more. */
  line(bytes: DataView, from: number, end: number): number {
    this.reserve(end - from + 3);
    const view = this.#view;
    let to = this.length;
    for (let at = from; at < end; at += 4, to += 4) {
      const word = bytes.getInt32(at, true);
      view.setInt32(to, word, true);
      // The lowest bit left marks the first byte that is a line feed.
      const other = word ^ LINE_FEEDS;
      const feeds = (other - LOWEST_BITS) & ~other & HIGHEST_BITS;
      if (feeds === 0) continue;
      const before = (31 - Math.clz32(feeds & -feeds)) >>> 3;
      if (at + before >= end) break;
      this.length = to + before;
      return at + before;
    }
    this.length += end - from;
    return end;
  }

  /**
   * Writes bytes that JSON leaves as they are, four at a time, and stops at the first four that
   * need an escape; returns the end of these bytes. The caller has reserved the room.
   */
  plain(bytes: DataView, from: number, end: number): number {
    const view = this.#view;
    let to = this.length;
    let at = from;
    for (; at + 4 <= end; at += 4, to += 4) {
      const word = bytes.getInt32(at, true);
      const quote = word ^ QUOTES;
      const backslash = word ^ BACKSLASHES;
      const odd =
        word |
        ((word - SPACES) & ~word) |
        ((quote - LOWEST_BITS) & ~quote) |
        ((backslash - LOWEST_BITS) & ~backslash);
      if ((odd & HIGHEST_BITS) !== 0) break;
      view.setInt32(to, word, true);
    }
    this.length = to;
    return at;
  }

  /** Bytes that were made before, such as names. */
  put(some: Uint8Array): void {
    this.reserve(some.length);
    const { bytes } = this;
    let to = this.length;
    for (let i = 0; i < some.length; i++) bytes[to++] = some[i]!;
    this.length = to;
  }

  /** Bytes that are many. */
  copy(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** The bytes written. Nothing may be written after it. */
  take(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
