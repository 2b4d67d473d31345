/** A growing buffer of bytes, in which a piece of a streamed answer is made. */

const FIRST_BYTES = 65_536;

/** The most bytes of UTF-8 for a code unit of a string. */
const MAX_PER_UNIT = 3;

/** Characters of texts that are written one by one. */
const SHORT = 48;

const LINE_FEED = 0x0a;
const POINT = 0x2e;
const ZERO = 0x30;
/** Whole numbers from 0 up to this can be written without a text in between. */
export const SMALL_NUMBER = 2 ** 31;
/** The powers of ten below it. */
const TENS = Array.from({ length: 10 }, (_, power) => 10 ** power);

export class Output {
  /**
   * A caller that writes into `bytes` itself calls `reserve` first, writes from `length` on, and
   * then sets `length`.
   */
  bytes: Buffer;
  length = 0;

  constructor(bytes = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
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

  /** A whole number below `SMALL_NUMBER`, with a point before the last `places` of its digits. */
  digits(number: number, places = 0): void {
    let count = places + 1;
    while (count < TENS.length && number >= TENS[count]!) count++;
    const length = places > 0 ? count + 1 : count;
    this.reserve(length);
    const { bytes } = this;
    let at = this.length + length;
    const point = places > 0 ? at - 1 - places : -1;
    this.length = at;
    for (let left = number; count > 0; count--) {
      if (--at === point) bytes[at--] = POINT;
      const tenth = (left / 10) | 0;
      bytes[at] = ZERO + left - tenth * 10;
      left = tenth;
    }
  }

  /** Bytes up to a line feed, or to `end`; returns where they end. */
  line(bytes: Uint8Array, from: number, end: number): number {
    this.reserve(end - from);
    const to = this.bytes;
    let length = this.length;
    let at = from;
    for (; at < end && bytes[at] !== LINE_FEED; at++) to[length++] = bytes[at]!;
    this.length = length;
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
