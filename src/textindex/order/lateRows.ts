/**
 * Rows that an order sorts all at once, when a load has brought them.
 *
 *     rows by id ──► by their keys' numbers, 11 bits at a time ──► rows whose numbers tie, merged
 *
 * One by one, a row is compared with twenty others that lie anywhere: a million rows with random keys
 * take 3 s, most of it cache misses. The idea is radix sort, whose passes keep the sequence of rows
 * with equal bits: rows with equal keys stay sorted by id, and need no comparison. Each step takes a
 * millisecond at most, so that other work gets its turns.
 */
import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { RowBlocks } from './block.ts';
import type { Keys } from './keys.ts';

/** Rows with one number that are sorted, or merged, in a step. */
const RUN = 512;
/** Rows that a step passes. */
const STRIDE = 8_192;
/** Bits of a number's halves that one pass sorts by. */
const DIGITS = [
  { half: 0, shift: 0 },
  { half: 0, shift: 11 },
  { half: 0, shift: 22 },
  { half: 1, shift: 0 },
  { half: 1, shift: 11 },
  { half: 1, shift: 22 },
] as const;
const DIGIT = 2_048;

/** Rows, and the halves of their numbers as `sortable`. */
interface Numbered {
  readonly rows: Uint32Array;
  readonly halves: Uint32Array;
}

/** Decides between two rows whose keys are the same numbers. */
export type Decide = (a: RowNumber, b: RowNumber) => number;

export class LateRows {
  readonly byId: RowBlocks;
  readonly #space: Space;
  readonly #keys: Keys;
  readonly #decide: Decide;
  #sorting: Generator<undefined, Uint32Array> | undefined;

  /** The rows are those of `byId`. */
  constructor(space: Space, byId: RowBlocks, keys: Keys, decide: Decide) {
    this.byId = byId;
    this.#space = space;
    this.#keys = keys;
    this.#decide = decide;
  }

  /** A row came or went: begins again. */
  restart(): void {
    this.#sorting = undefined;
  }

  /** Does steps until then; returns all rows in their order once that is found. */
  sorted(until: number): Uint32Array | undefined {
    this.#sorting ??= this.#sort();
    for (;;) {
      const { done, value } = this.#sorting.next();
      if (done) return value;
      if (performance.now() >= until) return undefined;
    }
  }

  *#sort(): Generator<undefined, Uint32Array> {
    let numbered = yield* this.#read();
    let other: Numbered | undefined;
    const counts = yield* countDigits(numbered);
    for (const [digit, { half, shift }] of DIGITS.entries()) {
      const places = counts.subarray(digit * DIGIT, (digit + 1) * DIGIT);
      if (!setPlaces(places, numbered.rows.length)) continue;
      other ??= {
        rows: new Uint32Array(numbered.rows.length),
        halves: new Uint32Array(numbered.halves.length),
      };
      yield* pass(numbered, other, half, shift, places);
      [numbered, other] = [other, numbered];
    }
    yield* this.#breakTies(numbered);
    return numbered.rows;
  }

  /** All rows by id. */
  *#read(): Generator<undefined, Numbered> {
    const { blocks, size } = this.byId;
    const rows = new Uint32Array(size);
    const halves = new Uint32Array(size * 2);
    const numbers = new Float64Array(halves.buffer);
    let from = 0;
    for (const { ptr, count } of blocks) {
      const { u32 } = this.#space.memory;
      const end = from + count;
      rows.set(u32.subarray(ptr >>> 2, (ptr >>> 2) + count), from);
      this.#keys.read(rows.subarray(from, end), numbers.subarray(from, end));
      for (let i = from; i < end; i++) {
        const high = halves[i * 2 + 1]!;
        // The bits of negative numbers order the other way round.
        if (high >>> 31) halves[i * 2] = ~halves[i * 2]!;
        halves[i * 2 + 1] = high >>> 31 ? ~high : high ^ 0x80000000;
      }
      from = end;
      yield;
    }
    return { rows, halves };
  }

  /** Sorts the rows that have the same number and not the same key. */
  *#breakTies({ rows, halves }: Numbered): Generator<undefined> {
    const tie = (i: number, j: number) =>
      halves[i * 2] === halves[j * 2] && halves[i * 2 + 1] === halves[j * 2 + 1];
    let first = 0;
    let isSorted = true;
    for (let i = 1; i <= rows.length; i++) {
      if (i % STRIDE === 0) yield;
      if (i < rows.length && tie(first, i)) {
        // Rows with one key are sorted by id, and others often as well.
        isSorted &&= this.#keys.decide(rows[i - 1]! as RowNumber, rows[i]! as RowNumber) <= 0;
        continue;
      }
      if (!isSorted) rows.set(yield* this.#merged(rows.slice(first, i)), first);
      first = i;
      isSorted = true;
    }
  }

  /** The idea is merge sort. */
  *#merged(rows: Uint32Array): Generator<undefined, Uint32Array> {
    let runs: Uint32Array[] = [];
    for (let from = 0; from < rows.length; from += RUN) {
      const run = rows.subarray(from, from + RUN);
      runs.push(run.sort((a, b) => (this.#isBefore(a, b) ? -1 : 1)));
      yield;
    }
    while (runs.length > 1) {
      const merged: Uint32Array[] = [];
      for (let i = 0; i < runs.length; i += 2) {
        const other = runs[i + 1];
        merged.push(other ? yield* this.#merge(runs[i]!, other) : runs[i]!);
      }
      runs = merged;
    }
    return runs[0]!;
  }

  *#merge(a: Uint32Array, b: Uint32Array): Generator<undefined, Uint32Array> {
    const merged = new Uint32Array(a.length + b.length);
    let [i, j] = [0, 0];
    for (let from = 0; from < merged.length; from += RUN) {
      const end = Math.min(merged.length, from + RUN);
      for (let at = from; at < end; at++) {
        const isFirst = j === b.length || (i < a.length && this.#isBefore(a[i]!, b[j]!));
        merged[at] = isFirst ? a[i++]! : b[j++]!;
      }
      yield;
    }
    return merged;
  }

  /** No two rows are the same. */
  #isBefore(a: number, b: number): boolean {
    return this.#decide(a as RowNumber, b as RowNumber) < 0;
  }
}

/** How often each digit has each value. */
function* countDigits({ rows, halves }: Numbered): Generator<undefined, Uint32Array> {
  const counts = new Uint32Array(DIGITS.length * DIGIT);
  for (let i = 0; i < rows.length; i++) {
    if (i % STRIDE === STRIDE - 1) yield;
    const low = halves[i * 2]!;
    const high = halves[i * 2 + 1]!;
    counts[low % DIGIT]!++;
    counts[DIGIT + ((low >>> 11) % DIGIT)]!++;
    counts[DIGIT * 2 + (low >>> 22)]!++;
    counts[DIGIT * 3 + (high % DIGIT)]!++;
    counts[DIGIT * 4 + ((high >>> 11) % DIGIT)]!++;
    counts[DIGIT * 5 + (high >>> 22)]!++;
  }
  return counts;
}

/** Turns counts into the places where the rows of each value begin; false where all rows have one. */
function setPlaces(counts: Uint32Array, rows: number): boolean {
  let place = 0;
  for (let value = 0; value < DIGIT; value++) {
    const count = counts[value]!;
    if (count === rows) return false;
    counts[value] = place;
    place += count;
  }
  return true;
}

/** Puts the rows in the order of one digit. */
function* pass(
  from: Numbered,
  to: Numbered,
  half: 0 | 1,
  shift: number,
  places: Uint32Array,
): Generator<undefined> {
  const { rows, halves } = from;
  for (let i = 0; i < rows.length; i++) {
    if (i % STRIDE === STRIDE - 1) yield;
    const value = (halves[i * 2 + half]! >>> shift) % DIGIT;
    const place = places[value]!;
    places[value] = place + 1;
    to.rows[place] = rows[i]!;
    to.halves[place * 2] = halves[i * 2]!;
    to.halves[place * 2 + 1] = halves[i * 2 + 1]!;
  }
}
