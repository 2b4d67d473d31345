/** Bytes that grow as they are written: what a piece of a streamed answer is made in. */

const FIRST_BYTES = 65_536;

/** UTF-8 takes at most so many bytes for a code unit of a string. */
const MOST_PER_UNIT = 3;

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
    this.length += this.bytes.write(text, this.length);
  }

  /** Bytes that are known, such as names. */
  put(known: Uint8Array): void {
    this.reserve(known.length);
    const { bytes } = this;
    let to = this.length;
    for (let i = 0; i < known.length; i++) bytes[to++] = known[i]!;
    this.length = to;
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
