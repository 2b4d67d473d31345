/**
 * Numbers with counts, ordered no further than the ranks that are asked for need it.
 *
 *     numbers   3  1  2 │ 7 │ 9  8  9       no number before a cut is greater than one after it
 *     counts    1  5  1 │ 2 │ 1  4  1
 *     sums      0         7   9         15  of the counts before each cut
 *
 * A rank splits the part between two cuts that it lies in (quickselect, Hoare 1961), and cuts stay for the next
 * rank. Six ranks among a million numbers take a fifth of the time of a sort.
 */
import { firstNot } from '../order/firstNot.ts';

const FIRST_ROOM = 64;

export class Selection {
  /** The sum of all counts. */
  count = 0;
  #numbers = new Float64Array(FIRST_ROOM);
  #counts = new Uint32Array(FIRST_ROOM);
  #marks = new Uint32Array(FIRST_ROOM);
  #n = 0;
  #cuts: number[] = [];
  #sums: number[] = [];

  /** Takes one more, before the first rank is asked for. @param mark for its owner alone */
  add(number: number, count: number, mark = 0): void {
    if (this.#n === this.#numbers.length) this.#grow();
    this.#numbers[this.#n] = number;
    this.#marks[this.#n] = mark;
    this.#counts[this.#n++] = count;
    this.count += count;
  }

  /** The number at a rank, which is below `count`. */
  at(rank: number): number {
    return this.#numbers[this.#placeOf(rank)]!;
  }

  /**
   * The marks and counts of all that lie from one rank up to another. No number may lie on both sides of
   * either rank.
   */
  *between(first: number, end: number): Generator<readonly [mark: number, count: number]> {
    const last = this.#placeOf(end - 1);
    for (let i = this.#placeOf(first); i <= last; i++) yield [this.#marks[i]!, this.#counts[i]!];
  }

  #placeOf(rank: number): number {
    if (this.#cuts.length === 0) {
      this.#cuts = [0, this.#n];
      this.#sums = [0, this.count];
    }
    for (;;) {
      const after = firstNot(this.#sums.length, (i) => this.#sums[i]! <= rank);
      const [low, high] = [this.#cuts[after - 1]!, this.#cuts[after]!];
      if (high - low === 1) return low;
      this.#split(after, low, high);
    }
  }

  #grow(): void {
    const [numbers, counts, marks] = [this.#numbers, this.#counts, this.#marks];
    this.#numbers = new Float64Array(numbers.length * 2);
    this.#counts = new Uint32Array(numbers.length * 2);
    this.#marks = new Uint32Array(numbers.length * 2);
    this.#numbers.set(numbers);
    this.#counts.set(counts);
    this.#marks.set(marks);
  }

  /** Splits the numbers of a range, at least two, before the cut of this index. */
  #split(after: number, low: number, high: number): void {
    const [numbers, counts, marks] = [this.#numbers, this.#counts, this.#marks];
    // A writer of values could choose them against a pivot that is known.
    const pivot = numbers[low + Math.floor(Math.random() * (high - low))]!;
    let i = low;
    let j = high - 1;
    while (i <= j) {
      while (numbers[i]! < pivot) i++;
      while (numbers[j]! > pivot) j--;
      if (i > j) break;
      const [number, count, mark] = [numbers[i]!, counts[i]!, marks[i]!];
      numbers[i] = numbers[j]!;
      counts[i] = counts[j]!;
      marks[i++] = marks[j]!;
      numbers[j] = number;
      counts[j] = count;
      marks[j--] = mark;
    }
    // One number may be left between both.
    const cuts = i - j === 1 ? [i] : [j + 1, i];
    const inside = cuts.filter((cut) => cut > low && cut < high);
    let [sum, at] = [this.#sums[after - 1]!, low];
    const sums = inside.map((cut) => {
      while (at < cut) sum += counts[at++]!;
      return sum;
    });
    this.#cuts.splice(after, 0, ...inside);
    this.#sums.splice(after, 0, ...sums);
  }
}
