/**
 * Counts by time, kept up to date: by bucket, and by bucket and value if they are split.
 *
 *     a date within the buckets     counted there
 *     a date beside them            buckets are added, where the others stay as they are
 *     the least or greatest goes    which one is it now? counted anew
 *     a row with two split values   rows that have none of the most frequent cannot be told: counted anew
 */
import type { HistogramRequest, HistogramResult, Scalar } from '../api.ts';
import { isWithin, type Span, spanOf } from '../explore/dateGrid.ts';
import { TopValues } from '../explore/topValues.ts';
import type { IncrementalPart } from './incrementalPart.ts';
import type { RowVersion } from './rowVersion.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Most values that the counts are split by. */
const MAX_SPLIT = 256;

/** Rows by bucket, for one value. */
interface Split {
  sum: number;
  readonly counts: number[];
}

export class IncrementalHistogram implements IncrementalPart {
  readonly columns: readonly number[];
  readonly #request: HistogramRequest;
  readonly #column: number;
  /** The column that counts are split by. */
  readonly #by: number | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #span: Span;
  #isIncremental = true;
  #isCurrent = false;
  #bounds: readonly number[] = [];
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  /** Whether the buckets are those of the least and the greatest date. */
  #fits = true;
  #counts: number[] = [];
  #missing = 0;
  readonly #split = new Map<number, Split>();
  /** Where counts are not kept up to date: the table's own answer. */
  #result: HistogramResult | undefined;

  /** `by`: the column that counts are split by. */
  constructor(
    request: HistogramRequest,
    column: number,
    by: number | undefined,
    vocabulary: Vocabulary,
  ) {
    this.#request = request;
    this.#column = column;
    this.#by = by;
    this.columns = by === undefined ? [column] : [column, by];
    this.#vocabulary = vocabulary;
    this.#span = spanOf(request.from, request.to);
  }

  /** A request for lacking counts; undefined if none are lacking. */
  get lacking(): HistogramRequest | undefined {
    if (this.#isCurrent) return undefined;
    if (!this.#isIncremental) return this.#request;
    const { by } = this.#request;
    const boundaries = (first?: number, last?: number) => {
      this.#first = first ?? Number.POSITIVE_INFINITY;
      this.#last = last ?? Number.NEGATIVE_INFINITY;
      this.#bounds = this.#request.boundaries(first, last);
      return this.#bounds;
    };
    return { ...this.#request, boundaries, ...(by && { by: { ...by, limit: MAX_SPLIT } }) };
  }

  /**
   * Takes the table's answer. The histogram may still be lacking: it asks again in another way for
   * counts that it cannot keep up to date.
   */
  take(result: HistogramResult): void {
    if (!this.#isIncremental) {
      this.#result = result;
      this.#isCurrent = true;
      return;
    }
    this.#isIncremental = this.#begin(result);
    this.#isCurrent = this.#isIncremental;
  }

  change(before: RowVersion | undefined, after: RowVersion | undefined): void {
    this.#result = undefined;
    if (!this.#isIncremental) this.#isCurrent = false;
    if (!this.#isCurrent) return;
    const was = before?.dated(this.#column);
    const is = after?.dated(this.#column);
    const [date] = was?.dates ?? [];
    const isMoved = !(was?.dates.length === 1 && is?.dates.length === 1 && is.dates[0] === date);
    if (before && was) {
      this.#missing -= was.missing;
      for (const ms of was.dates) this.#remove(before, ms, isMoved);
    }
    if (after && is) {
      this.#missing += is.missing;
      for (const ms of is.dates) this.#add(after, ms);
    }
  }

  /** Called after changes: other dates may need other buckets. */
  settle(): void {
    if (!this.#isCurrent || this.#fits) return;
    const bounds = this.#boundaries();
    const same = bounds.length === this.#bounds.length;
    if (same && bounds.every((ms, i) => ms === this.#bounds[i])) this.#fits = true;
    else this.#isCurrent = false;
  }

  /**
   * Made for each answer: objects that live from one answer to the next are expensive to collect.
   */
  get result(): HistogramResult {
    return this.#result ?? this.#current();
  }

  get bytes(): number {
    return (this.#split.size + 1) * this.#counts.length * 8;
  }

  /** Takes counts over; false if they cannot be kept up to date. */
  #begin({ counts, missing, by }: HistogramResult): boolean {
    this.#fits = true;
    this.#counts = [...counts];
    this.#missing = missing;
    this.#split.clear();
    if (!by) return true;
    if (by.values.length >= MAX_SPLIT) return false;
    const left = [...counts];
    for (const [i, value] of by.values.entries()) {
      const number = this.#vocabulary.numberOf(this.#by!, value);
      if (number === undefined) return false;
      const own = by.split.map((bucket) => bucket[i]!);
      for (const [bucket, count] of own.entries()) left[bucket]! -= count;
      this.#split.set(number, { sum: own.reduce((sum, count) => sum + count, 0), counts: own });
    }
    // A row that holds several of the values is counted with each of them.
    return left.every((count, bucket) => count === by.rest[bucket]);
  }

  #remove(row: RowVersion, ms: number, isMoved: boolean): void {
    if (!isWithin(this.#span, ms)) return;
    if (isMoved && (ms <= this.#first || ms >= this.#last)) this.#isCurrent = false;
    this.#count(row, ms, -1);
  }

  #add(row: RowVersion, ms: number): void {
    if (!isWithin(this.#span, ms)) return;
    if (ms < this.#first || ms > this.#last) {
      this.#first = Math.min(this.#first, ms);
      this.#last = Math.max(this.#last, ms);
      this.#fits = false;
    }
    this.#count(row, ms, 1);
  }

  #count(row: RowVersion, ms: number, by: 1 | -1): void {
    if (!this.#isCurrent) return;
    if (!this.#holds(ms)) this.#extend();
    if (!this.#holds(ms)) {
      this.#isCurrent = false;
      return;
    }
    const bucket = this.#bucketOf(ms);
    this.#counts[bucket]! += by;
    if (this.#by === undefined) return;
    const counted = row.counted(this.#by, this.#vocabulary);
    if (typeof counted === 'number') this.#countSplit(counted, bucket, by);
    else {
      const { numbers } = counted;
      if (!numbers || numbers.length > 1) this.#isCurrent = false;
      for (const number of numbers ?? []) this.#countSplit(number, bucket, by);
    }
    if (this.#split.size >= MAX_SPLIT) this.#isCurrent = false;
  }

  #countSplit(number: number, bucket: number, by: 1 | -1): void {
    const split = this.#splitOf(number);
    split.counts[bucket]! += by;
    split.sum += by;
    if (split.sum === 0) this.#split.delete(number);
  }

  #splitOf(number: number): Split {
    let split = this.#split.get(number);
    if (!split) {
      split = { sum: 0, counts: this.#counts.map(() => 0) };
      this.#split.set(number, split);
    }
    return split;
  }

  #holds(ms: number): boolean {
    return this.#counts.length > 0 && ms >= this.#bounds[0]! && ms < this.#bounds.at(-1)!;
  }

  /** Adds buckets, if the present ones stay as they are. */
  #extend(): void {
    const bounds = this.#boundaries();
    const old = this.#counts.length === 0 ? [] : this.#bounds;
    const at = old.length === 0 ? 0 : bounds.indexOf(old[0]!);
    if (at < 0 || !old.every((ms, i) => ms === bounds[at + i])) return;
    const after = bounds.length - at - Math.max(1, old.length);
    if (after < 0) return;
    for (const counts of [this.#counts, ...[...this.#split.values()].map((one) => one.counts)]) {
      counts.unshift(...Array.from({ length: at }, () => 0));
      counts.push(...Array.from({ length: after }, () => 0));
    }
    this.#bounds = bounds;
    this.#fits = true;
  }

  #boundaries(): readonly number[] {
    const hasDates = this.#first <= this.#last;
    return hasDates
      ? this.#request.boundaries(this.#first, this.#last)
      : this.#request.boundaries();
  }

  /** The bucket that holds a date. */
  #bucketOf(ms: number): number {
    let [low, high] = [0, this.#counts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#bounds[middle]! <= ms) low = middle;
      else high = middle;
    }
    return low;
  }

  #current(): HistogramResult {
    const counts = [...this.#counts];
    const all = { counts, missing: this.#missing };
    const { by } = this.#request;
    if (!by) return all;
    const byNumber = this.#vocabulary.valuesOf(this.#by!);
    const top = new TopValues(by.limit);
    const places = new Map<Scalar, readonly number[]>();
    for (const [number, split] of this.#split) {
      top.add(byNumber[number]!, split.sum);
      places.set(byNumber[number]!, split.counts);
    }
    const values = top.sorted.map(({ value }) => value);
    const chosen = values.map((value) => places.get(value)!);
    const split = counts.map((_, bucket) => chosen.map((own) => own[bucket]!));
    const rest = split.map((own, bucket) => own.reduce((left, n) => left - n, counts[bucket]!));
    return { ...all, by: { values, split, rest } };
  }
}
