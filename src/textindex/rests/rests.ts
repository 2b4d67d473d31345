/**
 * The rests of rows, which their records show besides the cells: some bytes a row, kept as they
 * came.
 *
 *     row ──► place ──► row number, length, bytes       a log in blocks; the oldest block goes first
 *                       as codes of frequent strings     symbols.ts
 *
 * Changed bytes of a row are written at the log's end and leave a hole at their old place.
 * Maintenance rewrites blocks that are mostly holes, in steps. To bound the memory its owner drops
 * the oldest block, so that the rows that were written last keep theirs.
 */

import { invariant } from '../../errors.ts';
import type { StoredRest } from '../api.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepFew, keepNumbers, keepOptional, type State, type Steps } from '../storage/state.ts';
import { LONGEST_REST } from './restText.ts';
import { Symbols, SymbolText } from './symbols.ts';

/** Bytes of a block. */
const BLOCK = 1 << 18;
/**
 * The header of a row's bytes: its number, and twice their length, plus one when they are codes.
 */
const HEAD = 6;
/**
 * The symbols are found in this many of the first bytes, in steps: a few with each row that comes.
 */
const SAMPLE = 16_384;
const STEPS_A_ROW = 2;
/** The bytes that a step of maintenance copies. */
const STEP = 16_384;

interface Block {
  readonly bytes: Buffer;
  /** Bytes written. */
  end: number;
  /** Bytes of these whose rows have another rest now, or none. */
  holes: number;
}

interface Moving {
  readonly number: number;
  readonly block: Block;
  at: number;
}

export class Rests {
  readonly #space: Space;
  readonly #live: Bitmap;
  /** Place + 1 of each row's head, by segment of rows: block · BLOCK + offset; 0 for none. */
  readonly #places: Uint32Array[] = [];
  /** Blocks by number, which places use; undefined for free numbers. */
  readonly #blocks: (Block | undefined)[] = [];
  /** Numbers of blocks, the oldest first; the last one is written to. */
  readonly #order: number[] = [];
  readonly #text = new SymbolText();
  readonly #codes = new Uint8Array(2 * LONGEST_REST);
  #symbols: Symbols | undefined;
  #making: ReturnType<typeof Symbols.making> | undefined;
  #sample: Uint8Array[] = [];
  #sampled = 0;
  /** The block that maintenance is rewriting, and how far it is. */
  #moving: Moving | undefined;

  constructor(space: Space, live: Bitmap) {
    this.#space = space;
    this.#live = live;
  }

  get bytes(): number {
    const places = this.#places.length * this.#space.segmentRows * 4;
    return this.#order.length * BLOCK + places + (this.#symbols?.size ?? 0);
  }

  /** Sets or removes a row's rest. */
  set(row: RowNumber, rest: Uint8Array | undefined): void {
    this.#forget(row);
    if (!rest || rest.length > LONGEST_REST) return;
    // An empty one, of a row whose columns tell all, teaches nothing, and a sample of these would never be large enough.
    if (!this.#symbols && rest.length > 0) this.#learn(rest);
    const coded = this.#coded(rest);
    if (coded < rest.length) this.#write(row, this.#codes, coded, true);
    else this.#write(row, rest, rest.length, false);
  }

  /**
   * A row's rest; undefined if there is none. It keeps its block from being freed, and its bytes never
   * change: a row with a new rest gets new ones.
   */
  at(row: RowNumber): StoredRest | undefined {
    const place = this.#placeOf(row);
    if (place === 0) return undefined;
    const { bytes } = this.#blocks[blockOf(place)]!;
    const head = offsetOf(place);
    const from = head + HEAD;
    const end = head + sizeAt(bytes, head);
    const symbols = isCoded(bytes, head) ? this.#symbols : undefined;
    return {
      read(to) {
        if (symbols) to.length = symbols.decode(bytes, from, end, to.view);
        else {
          to.bytes.set(bytes.subarray(from, end));
          to.length = end - from;
        }
      },
    };
  }

  /** Drops the rests in the oldest block; false when there is none. */
  dropOldest(): boolean {
    const number = this.#order[0];
    if (number === undefined) return false;
    for (const { row, size } of this.#entriesOf(number)) this.#leave(row, size);
    if (this.#blocks[number]) this.#free(number);
    return true;
  }

  /** Does a step of maintenance; false when nothing is left. */
  step(): boolean {
    this.#moving ??= this.#worthMoving();
    const moving = this.#moving;
    if (!moving) return false;
    const { number, block } = moving;
    const until = moving.at + STEP;
    while (this.#blocks[number] === block && moving.at < Math.min(until, block.end)) {
      moving.at = this.#move(number, block, moving.at);
    }
    if (this.#blocks[number] === block && moving.at < block.end) return true;
    this.#moving = undefined;
    return true;
  }

  /** No block may be moving. Symbols that are not found yet begin with a new sample. */
  *keep(state: State): Steps {
    invariant(!this.#moving, 'a block is moved');
    const hasSymbols = keepOptional(state, this.#symbols, () => new Symbols([])) !== undefined;
    if (hasSymbols) this.#keepSymbols(state);
    yield* keepNumbers(state, this.#order);
    const places = state.number(this.#places.length);
    for (let segment = 0; segment < places; segment++) {
      if (state.reading) this.#places.push(new Uint32Array(this.#space.segmentRows));
      state.array(this.#places[segment]!);
      yield;
    }
    for (const number of this.#order) {
      if (state.reading) this.#blocks[number] = { bytes: Buffer.alloc(BLOCK), end: 0, holes: 0 };
      const block = this.#blocks[number]!;
      block.end = state.number(block.end);
      block.holes = state.number(block.holes);
      state.array(block.bytes.subarray(0, block.end));
      yield;
    }
    // A number without a block must not be a hole of the array.
    for (let i = 0; i < this.#blocks.length; i++) this.#blocks[i] ??= undefined;
  }

  #keepSymbols(state: State): void {
    const all = keepFew(state, this.#symbols?.all ?? [], (symbol) =>
      Buffer.from(state.text(symbol && Buffer.from(symbol).toString('latin1')), 'latin1'),
    );
    if (state.reading) this.#symbols = new Symbols(all);
  }

  check(): void {
    let rows = 0;
    for (const number of this.#order) {
      const { end, holes } = this.#blocks[number]!;
      let used = 0;
      for (const { row, size } of this.#entriesOf(number)) {
        rows++;
        used += size;
        if (!this.#live.has(row)) throw new Error(`rests: row ${row} is gone, its rest is not`);
      }
      if (used + holes !== end) throw new Error(`rests: block ${number} has lost bytes`);
      if (used === 0 && number !== this.#order.at(-1))
        throw new Error(`rests: no row has a rest in block ${number}`);
    }
    const places = this.#places.reduce((sum, all) => sum + all.filter(Boolean).length, 0);
    if (rows !== places) throw new Error(`rests: ${rows} rows have some, and ${places} places`);
  }

  /** How long the rest is in codes, which are written. */
  #coded(rest: Uint8Array): number {
    if (!this.#symbols) return rest.length;
    this.#text.look(rest);
    return this.#symbols.encode(this.#text, this.#codes);
  }

  /**
   * Learns the symbols from the first rows. The rests of these, and of rows that come meanwhile, stay
   * uncoded.
   */
  #learn(rest: Uint8Array): void {
    if (this.#sampled < SAMPLE) {
      this.#sample.push(rest.slice());
      this.#sampled += rest.length;
      return;
    }
    this.#making ??= Symbols.making(this.#sample);
    for (let step = 0; step < STEPS_A_ROW; step++) {
      const { done, value } = this.#making.next();
      if (!done) continue;
      this.#symbols = value;
      this.#making = undefined;
      this.#sample = [];
      return;
    }
  }

  #write(row: RowNumber, bytes: Uint8Array, length: number, coded: boolean): void {
    const number = this.#roomFor(HEAD + length);
    const block = this.#blocks[number]!;
    const sizes = (length << 1) | (coded ? 1 : 0);
    const to = block.bytes;
    const at = block.end;
    to.writeUInt32LE(row, at);
    to.writeUInt16LE(sizes, at + 4);
    // Some dozen bytes: a call into the runtime would take longer, and a view of them too.
    for (let i = 0, place = at + HEAD; i < length; i++, place++) to[place] = bytes[i]!;
    this.#setPlace(row, placeAt(number, block.end));
    block.end += HEAD + length;
  }

  /** The number of a block with room for this many bytes at its end. */
  #roomFor(bytes: number): number {
    const last = this.#order.at(-1);
    if (last !== undefined) {
      const { end, holes } = this.#blocks[last]!;
      if (end + bytes <= BLOCK) return last;
      // No row has a rest in it that could leave it later.
      if (holes === end) this.#free(last);
    }
    if (this.#order.length === this.#space.layout.restBlocks) this.dropOldest();
    const free = this.#blocks.indexOf(undefined);
    const number = free >= 0 ? free : this.#blocks.length;
    this.#blocks[number] = { bytes: Buffer.alloc(BLOCK), end: 0, holes: 0 };
    this.#order.push(number);
    return number;
  }

  #free(number: number): void {
    this.#blocks[number] = undefined;
    this.#order.splice(this.#order.indexOf(number), 1);
  }

  #forget(row: RowNumber): void {
    const place = this.#placeOf(row);
    if (place === 0) return;
    const { bytes } = this.#blocks[blockOf(place)]!;
    this.#leave(row, sizeAt(bytes, offsetOf(place)));
  }

  /** Makes a hole of a row's rest. */
  #leave(row: RowNumber, size: number): void {
    const number = blockOf(this.#placeOf(row));
    this.#setPlace(row, 0);
    const block = this.#blocks[number]!;
    block.holes += size;
    if (block.holes === block.end && this.#order.at(-1) !== number) this.#free(number);
  }

  /** The block with most holes, if they are more than half of it; never the last one. */
  #worthMoving(): Moving | undefined {
    let most: Moving | undefined;
    for (let i = 0; i < this.#order.length - 1; i++) {
      const number = this.#order[i]!;
      const block = this.#blocks[number]!;
      if (block.holes * 2 <= block.end || block.holes <= (most?.block.holes ?? 0)) continue;
      most = { number, block, at: 0 };
    }
    return most;
  }

  /**
   * Moves the entry there to the log's end, if a row uses it; returns the address of the next one.
   */
  #move(number: number, { bytes }: Block, at: number): number {
    const size = sizeAt(bytes, at);
    const row = rowAt(bytes, at);
    if (this.#placeOf(row) === placeAt(number, at)) {
      this.#leave(row, size);
      this.#write(row, bytes.subarray(at + HEAD, at + size), size - HEAD, isCoded(bytes, at));
    }
    return at + size;
  }

  *#entriesOf(number: number): Generator<{ readonly row: RowNumber; readonly size: number }> {
    const { bytes, end } = this.#blocks[number]!;
    for (let at = 0; at < end; at += sizeAt(bytes, at)) {
      const row = rowAt(bytes, at);
      if (this.#placeOf(row) === placeAt(number, at)) yield { row, size: sizeAt(bytes, at) };
    }
  }

  #placeOf(row: RowNumber): number {
    return this.#places[row >>> this.#space.segmentBits]?.[row & this.#space.segmentMask] ?? 0;
  }

  #setPlace(row: RowNumber, place: number): void {
    const segment = row >>> this.#space.segmentBits;
    while (this.#places.length <= segment) {
      this.#places.push(new Uint32Array(this.#space.segmentRows));
    }
    this.#places[segment]![row & this.#space.segmentMask] = place;
  }
}

/** Where a row's head is, plus one: `restBlocks` blocks have such places. */
const placeAt = (number: number, offset: number): number => number * BLOCK + offset + 1;
const blockOf = (place: number): number => Math.floor((place - 1) / BLOCK);
const offsetOf = (place: number): number => (place - 1) % BLOCK;

const rowAt = (bytes: Buffer, at: number) => bytes.readUInt32LE(at) as RowNumber;

const isCoded = (bytes: Buffer, at: number): boolean => (bytes[at + 4]! & 1) === 1;

/** Bytes of the entry there, its head included. */
const sizeAt = (bytes: Buffer, at: number) => HEAD + (bytes.readUInt16LE(at + 4) >>> 1);
