/**
 * A table of frequent byte strings, each of which a text keeps as one byte.
 *
 *     "finished"\n"2026-  ──► 17 4 203 …      a code a symbol; 255, then the byte, where none fits
 *
 * The idea is FSST's (Boncz, Neumann, Leis: Fast Static Symbol Table compression, VLDB 2020).
 * Symbols of up to eight bytes are found in a sample in a few rounds. Each round joins symbols that
 * stood side by side in the one before. A text of some hundred bytes is decoded by itself in half a
 * microsecond, which no general compressor does (deflate with a dictionary: 21 µs).
 */

/** Codes below this are symbols. */
const ESCAPE = 255;
const LONGEST = 8;
const ROUNDS = 5;
/** Bits of a hash of the first bytes. */
const HASH_BITS = 12;
const STARTS = 2 ** HASH_BITS;

/** A text that is read several bytes at a time; the buffer has room past its end. */
export class SymbolText {
  view: DataView = new DataView(new ArrayBuffer(0));
  from = 0;
  end = 0;
  /**
   * The buffer that the view shows. Many texts lie in one buffer, and making a view takes as long
   * as encoding one of them.
   */
  #buffer: ArrayBufferLike | undefined;

  look(text: Uint8Array): void {
    const { buffer, byteOffset, length } = text;
    if (byteOffset + length + LONGEST > buffer.byteLength) {
      const longer = new Uint8Array(length + LONGEST);
      longer.set(text);
      this.look(longer.subarray(0, length));
      return;
    }
    if (buffer !== this.#buffer) this.view = new DataView(buffer);
    this.#buffer = buffer;
    this.from = byteOffset;
    this.end = byteOffset + length;
  }

  static of(text: Uint8Array): SymbolText {
    const own = new SymbolText();
    own.look(text);
    return own;
  }
}

export class Symbols {
  /** The bytes of symbol k from 8k on. */
  readonly #bytes = new Uint8Array(ESCAPE * LONGEST);
  readonly #lengths = new Uint8Array(ESCAPE);
  /** The same bytes, four and four, the first one lowest; and which of their bits count. */
  readonly #words = new Int32Array((ESCAPE * LONGEST) / 4);
  readonly #masks = new Int32Array((ESCAPE * LONGEST) / 4);
  /**
   * For the hash of a text's first three bytes, the code of the longest symbol that begins so; for that of
   * two, the code of a symbol of two bytes. For each code, the code of the next one, which is no longer;
   * ESCAPE for none.
   */
  readonly #byThree = new Uint8Array(STARTS).fill(ESCAPE);
  readonly #byTwo = new Uint8Array(STARTS).fill(ESCAPE);
  readonly #next = new Uint8Array(ESCAPE).fill(ESCAPE);
  /** For each byte, the code of the symbol that is this byte alone; ESCAPE for none. */
  readonly #single = new Uint8Array(256).fill(ESCAPE);
  #count = 0;

  /**
   * Finds the symbols that shorten these texts most, in some 10 ms for 16 kB. A step reads one
   * text; the first step after a round ranks its symbols.
   */
  static *making(sample: readonly Uint8Array[]): Generator<undefined, Symbols> {
    const padded = sample.map((text) => SymbolText.of(text));
    let symbols = new Symbols([]);
    for (let round = 0; round < ROUNDS; round++) symbols = yield* symbols.#improved(padded);
    return symbols;
  }

  /** In any order; in that of their codes, as `all` has them, they keep these. */
  constructor(symbols: readonly Uint8Array[]) {
    // A later symbol comes first in its chain, so longer ones are tried first.
    const shortestFirst = symbols.toSorted((a, b) => a.length - b.length);
    for (const symbol of shortestFirst) this.#add(symbol);
  }

  /** Every symbol, in the order of codes. */
  get all(): readonly Uint8Array[] {
    return Array.from({ length: this.#count }, (_, code) => {
      const from = code * LONGEST;
      return this.#bytes.subarray(from, from + this.#lengths[code]!);
    });
  }

  /** Bytes it takes. */
  get size(): number {
    const bytes = 3 * this.#bytes.length + this.#lengths.length + this.#next.length;
    return bytes + 2 * STARTS + 256;
  }

  /** Writes the text in codes, at most twice as long; returns how long. */
  encode({ view, from, end }: SymbolText, to: Uint8Array): number {
    const lengths = this.#lengths;
    let length = 0;
    for (let i = from; i < end; ) {
      const code = this.#codeAt(view, i, end);
      to[length++] = code;
      if (code === ESCAPE) to[length++] = view.getUint8(i++);
      else i += lengths[code]!;
    }
    return length;
  }

  /** Writes the text of the codes; returns how long it is. `to` has room for a symbol more. */
  decode(codes: Uint8Array, from: number, end: number, to: DataView): number {
    const words = this.#words;
    const lengths = this.#lengths;
    let length = 0;
    for (let i = from; i < end; i++) {
      const code = codes[i]!;
      if (code === ESCAPE) {
        to.setUint8(length++, codes[++i]!);
        continue;
      }
      // The next symbol overwrites the bytes beyond this one's length.
      to.setInt32(length, words[2 * code]!, true);
      to.setInt32(length + 4, words[2 * code + 1]!, true);
      length += lengths[code]!;
    }
    return length;
  }

  #add(symbol: Uint8Array): void {
    const code = this.#count++;
    this.#bytes.set(symbol, code * LONGEST);
    this.#lengths[code] = symbol.length;
    for (const [i, byte] of symbol.entries()) {
      this.#words[2 * code + (i >>> 2)]! |= byte << (8 * (i & 3));
      this.#masks[2 * code + (i >>> 2)]! |= 255 << (8 * (i & 3));
    }
    if (symbol.length === 1) {
      this.#single[symbol[0]!] = code;
      return;
    }
    const four = this.#words[2 * code]!;
    const [starts, hash] =
      symbol.length === 2 ? [this.#byTwo, hashOfTwo(four)] : [this.#byThree, hashOfThree(four)];
    this.#next[code] = starts[hash]!;
    starts[hash] = code;
  }

  /** The code of the longest symbol that stands there: four bytes are compared a step. */
  #codeAt(view: DataView, at: number, end: number): number {
    const left = end - at;
    const four = view.getInt32(at, true);
    const words = this.#words;
    const masks = this.#masks;
    const lengths = this.#lengths;
    const next = this.#next;
    for (let code = this.#byThree[hashOfThree(four)]!; code !== ESCAPE; code = next[code]!) {
      if (((four ^ words[2 * code]!) & masks[2 * code]!) !== 0) continue;
      const length = lengths[code]!;
      if (length > left) continue;
      if (length <= 4) return code;
      const more = view.getInt32(at + 4, true) ^ words[2 * code + 1]!;
      if ((more & masks[2 * code + 1]!) === 0) return code;
    }
    if (left > 1) {
      for (let code = this.#byTwo[hashOfTwo(four)]!; code !== ESCAPE; code = next[code]!) {
        if (((four ^ words[2 * code]!) & masks[2 * code]!) === 0) return code;
      }
    }
    return this.#single[four & 255]!;
  }

  /** The best of these symbols and of pairs of them that stand side by side. */
  *#improved(sample: readonly SymbolText[]): Generator<undefined, Symbols> {
    const gains = new Map<string, number>();
    const note = ({ view }: SymbolText, from: number, to: number) => {
      if (to - from > LONGEST) return;
      const key = latin1(view, from, to);
      gains.set(key, (gains.get(key) ?? 0) + to - from);
    };
    for (const text of sample) {
      let before = -1;
      for (let at = text.from; at < text.end; ) {
        const code = this.#codeAt(text.view, at, text.end);
        const end = at + (code === ESCAPE ? 1 : this.#lengths[code]!);
        note(text, at, end);
        if (end - at > 1) note(text, at, at + 1);
        if (before >= 0) note(text, before, end);
        before = at;
        at = end;
      }
      yield;
    }
    // Most of thousands are out of the question: only the others are sorted.
    const least = Float64Array.from(gains.values()).sort().at(-ESCAPE) ?? 0;
    const best = [...gains]
      .filter(([, gain]) => gain >= least)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, ESCAPE);
    return new Symbols(best.map(([key]) => Buffer.from(key, 'latin1')));
  }
}

/** Knuth's multiplicative hash. */
const hashOf = (bytes: number): number => Math.imul(bytes, 0x9e3779b1) >>> (32 - HASH_BITS);
/** The hashes of the first two and the first three of four bytes. */
const hashOfTwo = (four: number): number => hashOf(four & 0xffff);
const hashOfThree = (four: number): number => hashOf(four & 0xff_ffff);

function latin1(text: DataView, from: number, to: number): string {
  let key = '';
  for (let i = from; i < to; i++) key += String.fromCharCode(text.getUint8(i));
  return key;
}
