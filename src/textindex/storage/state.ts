/**
 * A table's state beside its memory, as bytes: the JavaScript values of its structures.
 *
 *     structure.keep(state)    writing   field ──► bytes        to the file of a checkpoint
 *                              reading   bytes ──► field        into a structure just made
 *
 * A structure names its fields once, in one method for both directions, so reading cannot differ
 * from writing. Long lists go in steps: a step takes some microseconds, and the caller decides
 * how many it does in one turn of the event loop.
 */
import { deserialize, serialize } from 'node:v8';
import { invariant } from '../../errors.ts';
import type { Scalar } from '../api.ts';
import { isObjectId } from '../objectId.ts';
import { TYPE_ORDER } from '../typeOrder.ts';

/** Work in steps. */
export type Steps = Generator<undefined, void>;

export interface State {
  /** Whether fields are read; else they are written. */
  readonly reading: boolean;
  /** Each takes the field's value, which is of no use when reading, and returns its value then. */
  number<N extends number>(value: N | undefined): N;
  text(value: string | undefined): string;
  scalar(value: Scalar | undefined): Scalar | undefined;
  /** Reading fills the array, which has the right length already. */
  array(value: Uint8Array | Uint32Array): void;
}

/** Elements that a step takes. */
const STRIDE = 256;

/** All elements of a list; `one` is given undefined when reading. */
export function* keepList<T>(state: State, list: T[], one: (element?: T) => T): Steps {
  const length = state.number(list.length);
  if (state.reading) list.length = 0;
  for (let i = 0; i < length; i++) {
    if (state.reading) list.push(one());
    else one(list[i]);
    if (i % STRIDE === STRIDE - 1) yield;
  }
}

export const keepNumbers = <N extends number>(state: State, list: N[]): Steps =>
  keepList(state, list, (number) => state.number(number));

/** The elements of a short list, in one step. */
export function keepFew<T>(state: State, list: readonly T[], one: (element?: T) => T): T[] {
  const length = state.number(list.length);
  return Array.from({ length }, (_, i) => one(list[i]));
}

/** All entries of a map, in its order. */
export function* keepMap<K, V>(
  state: State,
  map: Map<K, V>,
  one: (key?: K, value?: V) => readonly [K, V],
): Steps {
  const size = state.number(map.size);
  if (!state.reading) {
    let i = 0;
    for (const [key, value] of map) {
      one(key, value);
      if (++i % STRIDE === 0) yield;
    }
    return;
  }
  map.clear();
  for (let i = 0; i < size; i++) {
    map.set(...one());
    if (i % STRIDE === STRIDE - 1) yield;
  }
}

/** A structure that may not be there: reading makes it if it was. */
export function keepOptional<T>(state: State, value: T | undefined, make: () => T): T | undefined {
  const isThere = state.number(value === undefined ? 0 : 1) === 1;
  if (!isThere) return undefined;
  return state.reading ? make() : value;
}

/** Bytes of a chunk, unless one value is longer. */
const CHUNK = 1 << 19;
/** Bytes from which on it is taken: as many numbers and texts take a millisecond. */
const ENOUGH = 1 << 16;
/** A number, or the mark and the length of a text. */
const NUMBER_BYTES = 8;

const ONE_BYTE = /^[\0-\xff]*$/;

/** How a scalar is written: most are texts or ObjectIds, of which V8's own form takes three times as long. */
const MARKS = { text: 't', objectId: 'o', any: 'v' } as const;

/** Writes state into chunks. */
export class StateWriter implements State {
  readonly reading = false;
  #chunk = Buffer.allocUnsafe(CHUNK);
  #length = 0;
  #full: Uint8Array[] = [];

  number<N extends number>(value: N | undefined): N {
    invariant(value !== undefined, 'a number is written');
    this.#room(NUMBER_BYTES);
    this.#length = this.#chunk.writeDoubleLE(value, this.#length);
    return value;
  }

  /** A text of any units, lone surrogates too: a byte a unit where that is enough, else two. */
  text(value: string | undefined): string {
    invariant(value !== undefined, 'a text is written');
    const isNarrow = ONE_BYTE.test(value);
    const bytes = isNarrow ? value.length : value.length * 2;
    this.#room(NUMBER_BYTES + bytes);
    this.#length = this.#chunk.writeUInt32LE(isNarrow ? 1 : 2, this.#length);
    this.#length = this.#chunk.writeUInt32LE(bytes, this.#length);
    this.#length += this.#chunk.write(value, this.#length, isNarrow ? 'latin1' : 'utf16le');
    return value;
  }

  scalar(value: Scalar | undefined): Scalar | undefined {
    if (typeof value === 'string') this.text(MARKS.text + value);
    else if (value !== undefined && isObjectId(value)) this.text(MARKS.objectId + value.key);
    else this.text(MARKS.any + serialize(value).toString('latin1'));
    return value;
  }

  array(value: Uint8Array | Uint32Array): void {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    this.#room(bytes.length);
    this.#chunk.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * Chunks with enough bytes, which it forgets; with `rest` also the last one. Their bytes stay until
   * more is written: with new chunks each time V8 would collect garbage all the while.
   */
  take(rest = false): readonly Uint8Array[] {
    const full = this.#full;
    this.#full = [];
    if (rest || this.#length >= ENOUGH) {
      full.push(this.#chunk.subarray(0, this.#length));
      this.#length = 0;
    }
    return full;
  }

  #room(bytes: number): void {
    if (this.#length + bytes > this.#chunk.length) this.#newChunk(bytes);
  }

  #newChunk(bytes: number): void {
    this.#full.push(this.#chunk.subarray(0, this.#length));
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK, bytes));
    this.#length = 0;
  }
}

/** Reads state from the bytes that a writer has made. */
export class StateReader implements State {
  readonly reading = true;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether all of it was read. */
  get isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  number<N extends number>(): N {
    this.#at += NUMBER_BYTES;
    return this.#bytes.readDoubleLE(this.#at - NUMBER_BYTES) as N;
  }

  text(): string {
    const unit = this.#bytes.readUInt32LE(this.#at);
    const from = this.#at + NUMBER_BYTES;
    this.#at = from + this.#bytes.readUInt32LE(this.#at + 4);
    return this.#bytes.toString(unit === 1 ? 'latin1' : 'utf16le', from, this.#at);
  }

  scalar(): Scalar | undefined {
    const text = this.text();
    const [mark, content] = [text[0], text.slice(1)];
    if (mark === MARKS.text) return content;
    if (mark === MARKS.objectId) return { typeOrder: TYPE_ORDER.objectId, key: content };
    invariant(mark === MARKS.any, 'the state names a kind of scalar');
    return deserialize(Buffer.from(content, 'latin1')) as Scalar | undefined;
  }

  array(value: Uint8Array | Uint32Array): void {
    const to = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const end = this.#at + to.length;
    invariant(end <= this.#bytes.length, 'the state holds the array');
    to.set(this.#bytes.subarray(this.#at, end));
    this.#at = end;
  }
}
