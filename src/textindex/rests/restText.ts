/** Where a row's rest is decoded to: one buffer for all of them, read before the next one is. */

/** Longer rests are not kept, bytes. */
export const LONGEST_REST = 8_192;
/** A decoder writes up to this many bytes past the end of a rest: a symbol's. */
const PAST_END = 8;

const LINE_FEED = 0x0a;

/** The buffer that rests are read into, one after the other. */
export class RestText {
  readonly bytes = Buffer.alloc(LONGEST_REST + PAST_END);
  /** A view of `bytes`. */
  readonly view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  /** The length of the rest that was read last. */
  length = 0;

  toString(): string {
    return this.slice(0, this.length);
  }

  slice(from: number, end: number): string {
    return this.bytes.toString('utf8', from, end);
  }

  /** The end of the line that begins there. */
  endOfLine(from: number): number {
    const end = this.bytes.indexOf(LINE_FEED, from);
    return end < 0 || end > this.length ? this.length : end;
  }
}
