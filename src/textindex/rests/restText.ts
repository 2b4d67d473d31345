/** Longer rests are not kept, bytes. */
export const LONGEST_REST = 8_192;
/** What is written past the end of a rest meanwhile, bytes: a symbol's. */
const PAST_END = 8;

/** What rests are read to, one after the other. */
export class RestText {
  readonly bytes = Buffer.alloc(LONGEST_REST + PAST_END);
  /** Of `bytes`. */
  readonly view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  /** Of the rest that was read last. */
  length = 0;

  toString(): string {
    return this.bytes.toString('utf8', 0, this.length);
  }
}
