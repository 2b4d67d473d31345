/**
 * Rows that an order sorts all at once, when a load has brought them.
 *
 *     rows by number ──► runs of 2,048, each sorted ──► merged in pairs ──► all rows, sorted
 *
 * A million rows with random keys take 0.6 s. One by one they take 3 s, most of it cache misses: each
 * row is compared with twenty others that lie anywhere. The idea is merge sort, in steps of a
 * millisecond, so that other work gets its turns.
 */
import { Bitmap } from '../storage/bitmap.ts';
import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Keys } from './sortKeys.ts';

const RUN = 2_048;
/** Rows that a step merges. */
const STRIDE = 8_192;

/** Sorted rows and their keys' numbers. */
interface Run {
  readonly rows: Uint32Array;
  readonly numbers: Float64Array;
}

const NONE: Run = { rows: new Uint32Array(), numbers: new Float64Array() };

/** Decides between two rows whose keys are the same numbers. */
export type Decide = (a: RowNumber, b: RowNumber) => number;

export class LateRows {
  readonly #space: Space;
  readonly #keys: Keys;
  readonly #decide: Decide;
  readonly #rows: Bitmap;
  /** Begins again when a row comes or goes. */
  #sorting: Generator<undefined, Run> | undefined;

  constructor(space: Space, keys: Keys, decide: Decide) {
    this.#space = space;
    this.#keys = keys;
    this.#decide = decide;
    this.#rows = new Bitmap(space);
  }

  add(row: RowNumber): void {
    this.#sorting = undefined;
    this.#rows.add(row);
  }

  delete(row: RowNumber): void {
    this.#sorting = undefined;
    this.#rows.delete(row);
  }

  /** All of them, by number. */
  *all(): Generator<RowNumber> {
    for (const segment of this.#rows.chunks.keys()) {
      for (const row of this.#rowsOf(segment)) yield row as RowNumber;
    }
  }

  /** Does steps until then; returns all rows in their order once that is found. */
  sorted(until: number): Uint32Array | undefined {
    this.#sorting ??= this.#sort();
    for (;;) {
      const { done, value } = this.#sorting.next();
      if (done) return value.rows;
      if (performance.now() >= until) return undefined;
    }
  }

  free(): void {
    this.#rows.free();
  }

  *#sort(): Generator<undefined, Run> {
    let runs: Run[] = [];
    for (const segment of this.#rows.chunks.keys()) {
      const rows = this.#rowsOf(segment);
      for (let from = 0; from < rows.length; from += RUN) {
        runs.push(this.#run(rows.subarray(from, from + RUN)));
        yield;
      }
    }
    while (runs.length > 1) {
      const merged: Run[] = [];
      for (let i = 0; i < runs.length; i += 2) {
        const other = runs[i + 1];
        merged.push(other ? yield* this.#merge(runs[i]!, other) : runs[i]!);
      }
      runs = merged;
    }
    return runs[0] ?? NONE;
  }

  /** The rows of a segment, by number. */
  #rowsOf(segment: number): Uint32Array {
    const { kernel, memory, segmentBytes, segmentRows } = this.#space;
    const chunk = this.#rows.chunks[segment];
    if (!chunk) return NONE.rows;
    const list = memory.alloc(segmentRows * 4);
    const n = kernel.collect(chunk, segmentBytes, segment * segmentRows, list, segmentRows);
    const rows = memory.u32.slice(list >>> 2, (list >>> 2) + n);
    memory.free(list, segmentRows * 4);
    return rows;
  }

  #run(rows: Uint32Array): Run {
    const keys = new Float64Array(rows.length);
    this.#keys.read(rows, keys);
    const places = Uint32Array.from(rows.keys()).sort((a, b) => {
      const [x, y] = [keys[a]!, keys[b]!];
      if (x !== y) return x < y ? -1 : 1;
      return this.#decide(rows[a]! as RowNumber, rows[b]! as RowNumber);
    });
    return {
      rows: places.map((at) => rows[at]!),
      numbers: Float64Array.from(places, (at) => keys[at]!),
    };
  }

  *#merge(a: Run, b: Run): Generator<undefined, Run> {
    const length = a.rows.length + b.rows.length;
    const merged: Run = { rows: new Uint32Array(length), numbers: new Float64Array(length) };
    let [i, j] = [0, 0];
    for (let from = 0; from < length; from += STRIDE) {
      const end = Math.min(length, from + STRIDE);
      for (let at = from; at < end; at++) {
        const isFirst = j === b.rows.length || (i < a.rows.length && this.#isBefore(a, i, b, j));
        const [run, place] = isFirst ? [a, i++] : [b, j++];
        merged.rows[at] = run.rows[place]!;
        merged.numbers[at] = run.numbers[place]!;
      }
      yield;
    }
    return merged;
  }

  #isBefore(a: Run, i: number, b: Run, j: number): boolean {
    const [x, y] = [a.numbers[i]!, b.numbers[j]!];
    if (x !== y) return x < y;
    return this.#decide(a.rows[i]! as RowNumber, b.rows[j]! as RowNumber) < 0;
  }
}
