/**
 * Some members of stored documents, found in their bytes: of the others nothing is made.
 *
 *     document   _id │ number  │ … │ lines│ log          one pass; what is not named is stepped over
 *                 0       1           2                  where each of the named ones lies
 */
import { decode } from './decode.ts';
import { Names } from './names.ts';
import { endOfValue } from './raw.ts';

/** An empty document is its length and its end. */
const EMPTY_BYTES = 5;

export class Members {
  readonly names: readonly string[];
  readonly #names: Names;
  /** Bytes before each value: its type, its name, 00. */
  readonly #heads: readonly number[];
  /** For each name, the BSON type in the document read last; 0 where the member is missing. */
  readonly types: Uint8Array;
  /** Where its value starts, and the byte after it. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /**
   * Whether one of the names comes twice: code that takes the first one would see another document.
   */
  repeated = false;

  /** `names`: of members at the top, all different. */
  constructor(names: readonly string[]) {
    this.names = names;
    this.#names = new Names(names);
    this.#heads = names.map((name) => Buffer.byteLength(name) + 2);
    this.types = new Uint8Array(names.length);
    this.starts = new Uint32Array(names.length);
    this.ends = new Uint32Array(names.length);
  }

  /** Finds the members. If a name comes twice the last member counts, as in the driver. */
  read(document: Uint8Array): void {
    this.types.fill(0);
    this.repeated = false;
    const { types, starts, ends } = this;
    const names = this.#names;
    let name = names.start;
    let i = 4;
    while (document[i] !== 0) {
      const type = document[i]!;
      name = names.find(name, document, i + 1);
      const start = i + 1 + name.bytes.length;
      i = endOfValue(document, type, start);
      const { place } = name;
      if (place < 0) continue;
      this.repeated ||= types[place] !== 0;
      types[place] = type;
      starts[place] = start;
      ends[place] = i;
    }
  }

  /** A document of the members at these places, as the driver decodes it. */
  decode(document: Uint8Array, places: readonly number[]): Record<string, unknown> {
    return decode(this.cut(document, places));
  }

  /** The same as bytes, perhaps a part of some larger buffer. */
  cut(document: Uint8Array, places: readonly number[]): Uint8Array {
    let length = EMPTY_BYTES;
    for (const place of places) {
      if (this.types[place] !== 0) length += this.#bytesOf(place);
    }
    const bytes = Buffer.allocUnsafe(length);
    bytes.writeInt32LE(length, 0);
    let to = 4;
    for (const place of places) {
      if (this.types[place] === 0) continue;
      const from = this.ends[place]! - this.#bytesOf(place);
      bytes.set(document.subarray(from, this.ends[place]), to);
      to += this.#bytesOf(place);
    }
    bytes[to] = 0;
    return bytes;
  }

  /** The bytes of the whole element: type, name and value. */
  #bytesOf(place: number): number {
    return this.ends[place]! - this.starts[place]! + this.#heads[place]!;
  }
}
