/** Bytes that grow as they are written: what a piece of a streamed answer is made in. */

const FIRST_BYTES = 65_536;

/** UTF-8 takes at most so many bytes for a code unit of a string. */
const MOST_PER_UNIT = 3;

/** Characters of texts that are written one by one. */
const SHORT = 48;

export class Output {
  /** For who writes by itself: `reserve` first, then from `length` on, then set `length`. */
  bytes: Buffer;
  length = 0;

  constructor(bytes = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Makes room for so many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  text(text: string): void {
    this.reserve(text.length * MOST_PER_UNIT);
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

  /** Bytes that are known, such as names. */
  put(known: Uint8Array): void {
    this.reserve(known.length);
    const { bytes } = this;
    let to = this.length;
    for (let i = 0; i < known.length; i++) bytes[to++] = known[i]!;
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

  /** What was written. Nothing may be written after it. */
  take(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
