/**
 * Counts by value, kept up to date: how many rows hold each value, by its number in the vocabulary. A
 * facet of some texts' values alone, or of very many values, is not: the table computes it again after
 * a change that may have altered it.
 */
import type { FacetRequest, FacetResult } from '../api.ts';
import { TopValues } from '../explore/topValues.ts';
import type { IncrementalPart } from './incrementalPart.ts';
import type { Counted, RowVersion } from './rowVersion.ts';
import type { Vocabulary } from './vocabulary.ts';

export class IncrementalFacet implements IncrementalPart {
  readonly columns: readonly number[];
  readonly #request: FacetRequest;
  readonly #column: number;
  readonly #vocabulary: Vocabulary;
  /** Counts by value number; undefined if there are none. */
  #counts: Uint32Array | undefined;
  #isIncremental: boolean;
  #distinct = 0;
  /** All counts, of values that cannot be listed too. */
  #all = 0;
  /** Where counts are not kept up to date: the table's own answer. */
  #result: FacetResult | undefined;

  constructor(request: FacetRequest, column: number, vocabulary: Vocabulary) {
    this.#request = request;
    this.#column = column;
    this.columns = [column];
    this.#vocabulary = vocabulary;
    this.#isIncremental = request.having === undefined;
  }

  /** A request for lacking counts; undefined if none are lacking. */
  get lacking(): FacetRequest | undefined {
    if (this.#isIncremental) return this.#counts ? undefined : { ...this.#request, whole: true };
    return this.#result ? undefined : this.#request;
  }

  /**
   * Takes the table's answer. The facet may still be lacking: it asks again in another way for
   * counts that it cannot keep up to date.
   */
  take(result: FacetResult): void {
    const { values, distinct, rest } = result;
    if (!this.#isIncremental) {
      this.#result = result;
      return;
    }
    const counts = this.#vocabulary.hasRoomFor(distinct) && this.#numbered(values);
    if (!counts) {
      this.#giveUp();
      return;
    }
    this.#counts = counts;
    this.#distinct = distinct;
    this.#all = values.reduce((sum, { count }) => sum + count, rest);
  }

  change(before: RowVersion | undefined, after: RowVersion | undefined): void {
    if (!this.#counts) {
      this.#result = undefined;
      return;
    }
    const was = before?.counted(this.#column, this.#vocabulary);
    const is = after?.counted(this.#column, this.#vocabulary);
    if (was !== undefined) this.#add(was, -1);
    if (is !== undefined) this.#add(is, 1);
  }

  /**
   * Made for each answer: objects that live from one answer to the next cost the garbage collector
   * most, and the result is seldom the same.
   */
  get result(): FacetResult {
    return this.#result ?? this.#listed(this.#counts!);
  }

  get bytes(): number {
    return this.#counts?.byteLength ?? 0;
  }

  /** Counts by the numbers of the values; undefined if the vocabulary has no room for one. */
  #numbered(values: FacetResult['values']): Uint32Array | undefined {
    const numbers = values.map(({ value }) => this.#vocabulary.numberOf(this.#column, value));
    const counts = new Uint32Array(roomFor(this.#vocabulary.valuesOf(this.#column).length));
    for (const [i, { count }] of values.entries()) {
      if (numbers[i] === undefined) return undefined;
      counts[numbers[i]] = count;
    }
    return counts;
  }

  #add(counted: Counted, by: 1 | -1): void {
    if (typeof counted === 'number') {
      this.#all += by;
      this.#count(counted, by);
      return;
    }
    const { numbers, unlisted } = counted;
    if (!numbers) {
      this.#giveUp();
      return;
    }
    this.#all += by * (numbers.length + unlisted);
    for (const number of numbers) this.#count(number, by);
  }

  #count(number: number, by: 1 | -1): void {
    if (!this.#counts) return;
    if (number >= this.#counts.length) this.#counts = grown(this.#counts, number);
    const count = this.#counts[number]! + by;
    this.#counts[number] = count;
    if (by > 0 && count === 1) this.#distinct++;
    else if (by < 0 && count === 0) this.#distinct--;
  }

  #listed(counts: Uint32Array): FacetResult {
    const values = this.#vocabulary.valuesOf(this.#column);
    const top = new TopValues(this.#request.limit);
    for (let number = 0; number < counts.length; number++) {
      const count = counts[number]!;
      if (count > 0 && count >= top.least) top.add(values[number]!, count);
    }
    const listed = top.sorted;
    const rest = listed.reduce((left, { count }) => left - count, this.#all);
    return { values: listed, distinct: this.#distinct, rest };
  }

  /** From here on the table is asked whenever the result may have changed. */
  #giveUp(): void {
    this.#isIncremental = false;
    this.#counts = undefined;
    this.#result = undefined;
  }
}

/** Room for some more numbers, so that few new values make the array grow. */
const roomFor = (numbers: number) => numbers + (numbers >>> 3) + 8;

function grown(counts: Uint32Array, number: number): Uint32Array {
  const more = new Uint32Array(roomFor(number + 1));
  more.set(counts);
  return more;
}
