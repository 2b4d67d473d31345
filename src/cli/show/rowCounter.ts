/** Counts the rows of an export as its bytes go by. */

const QUOTE = 0x22;
const LINE_END = 0x0a;

export class RowCounter {
  readonly #hasQuotes: boolean;
  #ends: number;
  #isQuoted = false;

  constructor(format: 'csv' | 'ndjson') {
    this.#hasQuotes = format === 'csv';
    // The header line of CSV is no row.
    this.#ends = format === 'csv' ? -1 : 0;
  }

  /** Whole rows so far. */
  get rows(): number {
    return Math.max(0, this.#ends);
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // Doubled quotes inside a cell turn it off and on again.
      if (byte === QUOTE && this.#hasQuotes) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_END && !this.#isQuoted) this.#ends += 1;
    }
  }
}
