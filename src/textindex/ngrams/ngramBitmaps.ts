/**
 * N-gram bitmaps: the rows that hold a frequent unigram or bigram in any of the columns and labels that
 * are searched together.
 *
 *     q = 'e' ──► shop ~ e  or  name ~ e  or  email ~ e  or  …         11 columns, 20 to 80 µs each
 *             └─► the bitmap of `e`, or the rows whose UUID has it          2 bitmaps, 6 µs each
 *
 * A short text stands in most values of most columns, so a search for it mostly unites their rows.
 * The same search makes the bitmaps, one a step of maintenance, and changes patch them from then
 * on. A row's n-grams are the union of the masks of its values (ngramMasks.ts), and a change
 * concerns the n-grams whose bits change. A value whose label changes takes many rows with it. The
 * n-grams concerned are then searched again, and are not used until that is done. So a bitmap that
 * is used is right; at worst there is none.
 *
 * UUIDs are left out: their own bitmaps answer as quickly (ids/search.ts).
 */
import { invariant } from '../../errors.ts';
import type { Query, Scalar, TableDefinition } from '../api.ts';
import type { Column, ColumnOf } from '../column.ts';
import { containsIn } from '../definition.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import { ARRAY, NO_VALUE } from '../dictionary/ordinals.ts';
import { addValues } from '../evaluate/dictionaryRows.ts';
import { Union } from '../evaluate/union.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepMap, type State, type Steps } from '../storage/state.ts';
import { chooseNgrams, type SearchedTexts } from './ngramChoice.ts';
import { NgramMasks, WORDS } from './ngramMasks.ts';

/** Masks of this many values are kept in any case, of more if there are this many rows to each. */
const FEW_VALUES = 4096;
const ROWS_EACH = 8;

const decoder = new TextDecoder();

interface MaskedTexts extends SearchedTexts {
  readonly column: Column;
  readonly label: string | undefined;
  readonly masks: NgramMasks;
}

/** The rows that hold an n-gram, in any column that is searched together with others. */
export interface NgramBitmap {
  readonly text: string;
  readonly number: number;
  readonly rows: Bitmap;
  /** The number of rows by their texts, at the latest search: about the present number. */
  count: number;
}

export class NgramBitmaps {
  readonly #space: Space;
  readonly #parts: readonly MaskedTexts[];
  /** Each dictionary with the masks of its texts and labels. */
  readonly #dictionaries: readonly (readonly [Dictionary, readonly NgramMasks[]])[];
  readonly #columns: ReadonlySet<Column>;
  /** The number of each n-gram, which the masks use too. */
  readonly #numbers = new Map<string, number>();
  readonly #own = new Map<number, NgramBitmap>();
  /** The ngrams whose rows are up to date, as a mask. */
  readonly #current = new Uint32Array(WORDS);
  #choosing: Generator<void, string[]> | undefined;
  /** Rows and values when the ngrams were chosen. */
  #chosenFor = { rows: 0, values: 0 };
  readonly #before = new Uint32Array(WORDS);
  readonly #now = new Uint32Array(WORDS);

  /** For a definition that names the columns searched together. */
  constructor(space: Space, { together = [] }: TableDefinition, columnOf: ColumnOf) {
    this.#space = space;
    this.#parts = together.map(({ column: name, label }) => {
      const column = columnOf(name, containsIn(label));
      const dictionary = column.dictionary!;
      const texts = dictionary.textsIn(label);
      const masks = new NgramMasks(space, texts, this.#numbers);
      return { column, label, dictionary, texts, masks };
    });
    const dictionaries = new Map<Dictionary, NgramMasks[]>();
    for (const { dictionary, masks } of this.#parts) {
      dictionaries.set(dictionary, [...(dictionaries.get(dictionary) ?? []), masks]);
    }
    this.#dictionaries = [...dictionaries];
    this.#columns = new Set(this.#parts.map(({ column }) => column));
  }

  /**
   * The n-gram whose bitmap answers the parts of an `or` that search all columns together, and the
   * parts that remain.
   */
  find(parts: readonly Query[]): { ngram: NgramBitmap | undefined; remaining: readonly Query[] } {
    const nothing = { ngram: undefined, remaining: parts };
    if (!this.#isUsed) return nothing;
    const first = parts.find((part) => part.op === 'contains');
    if (!first) return nothing;
    const text = this.#space.fold.fold(first.text);
    const ngram = this.#own.get(this.#numbers.get(text) ?? -1);
    const remaining = ngram && this.#isCurrent(ngram) && this.#remainingOf(parts, first.text);
    return remaining ? { ngram, remaining } : nothing;
  }

  /**
   * The parts besides this text in the columns searched together; undefined when one of these is
   * not searched.
   */
  #remainingOf(parts: readonly Query[], text: string): readonly Query[] | undefined {
    const asked = new Set<MaskedTexts>();
    const remaining: Query[] = [];
    for (const part of parts) {
      const one =
        part.op === 'contains' && part.text === text && this.#partOf(part.column, part.label);
      if (one) asked.add(one);
      else remaining.push(part);
    }
    return asked.size < this.#parts.length ? undefined : remaining;
  }

  /** union |= the rows that hold an n-gram, including rows whose UUID has it. */
  addTo(union: Union, { text, rows }: NgramBitmap): void {
    union.add(rows);
    for (const { column } of this.#parts) column.uuids?.search.addTo(union, text);
  }

  /** Whether the owner must tell of changes to this column's cells. */
  follows(column: Column): boolean {
    return this.#isUsed && this.#columns.has(column);
  }

  /** Remembers a row's n-grams before a change. */
  remember(row: RowNumber): void {
    if (!this.#isUsed) return;
    this.#read(row, this.#before);
  }

  /** Patches the bitmaps after a change of the row remembered. */
  follow(row: RowNumber): void {
    if (!this.#isUsed) return;
    this.#read(row, this.#now);
    for (let word = 0; word < WORDS; word++) {
      const changed = this.#now[word]! ^ this.#before[word]!;
      this.#patch(row, word, changed & this.#current[word]!);
    }
  }

  /** Sets a label's texts by `relate`, and takes its value's rows with it. */
  followLabel(column: Column, value: Scalar, label: string, relate: () => void): void {
    const part = this.#partOf(column.definition.name, label);
    const ordinal = part?.dictionary.ordinalOf(value);
    if (!part || ordinal === undefined || this.#own.size === 0) {
      relate();
      return;
    }
    const before = part.masks.of(ordinal);
    relate();
    const rows = part.dictionary.postings.countOf(ordinal);
    if (rows === 0) return;
    const changed = part.masks.of(ordinal).map((now, word) => now ^ before[word]!);
    if (changed.every((bits) => bits === 0)) return;
    // Reading so many rows takes longer than searching the n-grams again.
    if (rows * 4 > this.#space.layout.denseRows) {
      for (let word = 0; word < WORDS; word++) this.#current[word]! &= ~changed[word]!;
      return;
    }
    for (const row of part.dictionary.postings.rowsOf(ordinal)) {
      this.#read(row, this.#now);
      for (let word = 0; word < WORDS; word++) {
        this.#patch(row, word, changed[word]! & this.#current[word]!);
      }
    }
  }

  /** Does a step of choosing n-grams or of searching their rows; false when nothing is left. */
  step(): boolean {
    const stale = this.#stale();
    if (stale) {
      this.#searchAnew(stale);
      return true;
    }
    if (!this.#choosing && !this.#outdated()) return false;
    this.#choosing ??= chooseNgrams(this.#parts, this.#space.layout.precomputeRows);
    const { done, value } = this.#choosing.next();
    if (done) {
      this.#choosing = undefined;
      this.#keep(value);
    }
    return true;
  }

  /** The n-grams chosen, which must have ended. */
  *keep(state: State): Steps {
    invariant(!this.#choosing, 'n-grams are chosen');
    for (const { masks } of this.#parts) masks.keep(state);
    yield* keepMap(state, this.#own, (number, ngram) => [
      state.number(number),
      {
        text: state.text(ngram?.text),
        number: state.number(ngram?.number),
        rows: ngram?.rows ?? new Bitmap(this.#space),
        count: state.number(ngram?.count),
      },
    ]);
    for (const { text, number, rows } of this.#own.values()) {
      yield* rows.keep(state);
      if (state.reading) this.#numbers.set(text, number);
    }
    state.array(this.#current);
    const { rows, values } = this.#chosenFor;
    this.#chosenFor = { rows: state.number(rows), values: state.number(values) };
  }

  #outdated(): boolean {
    const { rows, values } = this.#extent();
    if (rows < this.#space.layout.precomputeRows) return false;
    const known = this.#chosenFor;
    if (rows <= known.rows * 1.5 && values <= known.values * 1.5) return false;
    this.#chosenFor = { rows, values };
    return values <= Math.max(FEW_VALUES, rows / ROWS_EACH);
  }

  #extent() {
    const rows = Math.max(0, ...this.#parts.map(({ dictionary }) => dictionary.size));
    const values = this.#parts.reduce((sum, { texts }) => sum + texts.entries, 0);
    return { rows, values };
  }

  /** Keeps these ngrams and no others. N-grams kept before stay as they are. */
  #keep(ngrams: readonly string[]): void {
    const wanted = new Set(ngrams);
    for (const { text, number, rows } of [...this.#own.values()]) {
      if (wanted.delete(text)) continue;
      rows.free();
      this.#own.delete(number);
      this.#numbers.delete(text);
      this.#current[number >>> 5]! &= ~(1 << (number & 31));
    }
    this.#space.memory.makeRoom(wanted.size * this.#space.bitmapBytes);
    let number = 0;
    for (const text of wanted) {
      while (this.#own.has(number)) number++;
      this.#own.set(number, { text, number, rows: new Bitmap(this.#space), count: 0 });
      this.#numbers.set(text, number);
    }
  }

  #stale(): NgramBitmap | undefined {
    for (const own of this.#own.values()) if (!this.#isCurrent(own)) return own;
    return undefined;
  }

  /** Searches a ngram as if it were not kept, keeps the rows and marks the values. */
  #searchAnew(ngram: NgramBitmap): void {
    const { text, number, rows } = ngram;
    const needle = new Needle(this.#space, text);
    const union = new Union(this.#space);
    for (const { dictionary, texts, masks } of this.#parts) {
      const list = this.#space.scratch.take(texts.entries * 4);
      const n = texts.find(needle, list);
      masks.mark(number, list, n);
      addValues(dictionary, union, list, n);
    }
    const bitmap = union.finish();
    rows.copyFrom(bitmap);
    ngram.count = this.#space.kernel.count(bitmap, this.#space.bitmapBytes);
    this.#current[number >>> 5]! |= 1 << (number & 31);
  }

  /** Whether there is any bitmap. */
  get #isUsed(): boolean {
    return this.#own.size > 0;
  }

  #isCurrent({ number }: NgramBitmap): boolean {
    return ((this.#current[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  #partOf(name: string, label: string | undefined): MaskedTexts | undefined {
    return this.#parts.find((part) => part.column.definition.name === name && part.label === label);
  }

  /** mask = the ngrams in all that a row holds. */
  #read(row: RowNumber, mask: Uint32Array): void {
    mask.fill(0);
    for (const [dictionary, masks] of this.#dictionaries) {
      const ordinal = dictionary.ordinals.get(row);
      if (ordinal === NO_VALUE) continue;
      if (ordinal !== ARRAY) for (const one of masks) one.orInto(ordinal, mask);
      else {
        for (const element of dictionary.arrays.get(row)!) {
          for (const one of masks) one.orInto(element, mask);
        }
      }
    }
  }

  /** Puts the row into the rows of these ngrams, or takes it out, as the mask that was read says. */
  #patch(row: RowNumber, word: number, ngrams: number): void {
    const now = this.#now[word]!;
    for (let left = ngrams; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left);
      const number = word * 32 + bit;
      const { rows } = this.#own.get(number)!;
      if ((now >>> bit) & 1) rows.add(row);
      else rows.delete(row);
    }
  }

  /** `allRows`: all rows of the table. */
  check(allRows: readonly RowNumber[]): void {
    for (const { texts, masks } of this.#parts) masks.check(texts, this.#current);
    for (const own of this.#own.values()) {
      if (this.#numbers.get(own.text) !== own.number) throw new Error('ngrams: a number is lost');
      if (this.#isCurrent(own)) this.#checkRows(own, allRows);
    }
  }

  #checkRows({ text, rows }: NgramBitmap, allRows: readonly RowNumber[]): void {
    const holding = this.#parts.map(({ dictionary, texts }) => {
      const ordinals = new Set<Ordinal>();
      for (const [ordinal, folded] of texts.all()) {
        if (decoder.decode(folded).includes(text)) ordinals.add(ordinal);
      }
      return { dictionary, ordinals };
    });
    let count = 0;
    for (const row of allRows) {
      const holds = holding.some(({ dictionary, ordinals }) =>
        dictionary.ordinalsAt(row).some((ordinal) => ordinals.has(ordinal)),
      );
      if (holds) count++;
      if (rows.has(row) !== holds)
        throw new Error(`ngrams: row ${row} is wrong in the bitmap of '${text}'`);
    }
    if (rows.count() !== count) throw new Error(`ngrams: '${text}' is kept of rows that are gone`);
  }
}
