/** A growing buffer of bytes, in which a piece of a streamed answer is made. */

const FIRST_BYTES = 65_536;

/** The most bytes of UTF-8 for a code unit of a string. */
const MAX_PER_UNIT = 3;

const LINE_FEED = 0x0a;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
/** Digits of the largest safe integer. */
const MOST_DIGITS = 16;
/** Powers of ten: `10 ** digits` takes as long as all the rest of writing a number. */
const TENS = Array.from({ length: MOST_DIGITS }, (_, digits) => 10 ** digits);

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
    this.length += this.bytes.write(text, this.length);
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

  /**
   * A number as its digits, the last ones after a point: twice as quick as a text of it.
   *
   * @param number a safe integer of 0 or more
   */
  digits(number: number, places = 0, isNegative = false): void {
    if (isNegative) this.byte(MINUS);
    let digits = places + 1;
    while (digits < MOST_DIGITS && number >= TENS[digits]!) digits++;
    this.reserve(digits + 1);
    const { bytes, length } = this;
    this.length += places > 0 ? digits + 1 : digits;
    const point = places > 0 ? this.length - places - 1 : -1;
    let left = number;
    for (let at = this.length - 1; at >= length; at--) {
      if (at === point) {
        bytes[at] = POINT;
        continue;
      }
      // Small numbers are divided as integers, in half the time.
      const rest = left < 2 ** 31 ? (left / 10) | 0 : Math.floor(left / 10);
      // The digit first: its sum with the rest may be no safe integer.
      bytes[at] = ZERO + (left - rest * 10);
      left = rest;
    }
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
