/**
 * N-gram bitmaps: the rows that hold a frequent unigram or bigram in any of the columns and labels that
 * are searched together.
 *
 *     q = 'e' ──► project ~ e  or  name ~ e  or  email ~ e  or  …      11 columns, 20 to 80 µs each
 *             └─► the bitmap of `e`, or the rows whose UUID has it          2 bitmaps, 6 µs each
 *
 * A short text stands in most values of most columns, so uniting their rows is what a search for it
 * does. The bitmaps are made by that very search, one a step of maintenance, and patched from then
 * on: what a row holds is the union of the masks of its values (ngramMasks.ts), and the n-grams by
 * which it changes are those whose bits change. A value whose label changes takes many rows with it;
 * the n-grams that this touches are searched anew, and until then they are not used. So a bitmap
 * that is used is right; at worst there is none.
 *
 * UUIDs are left out: their own bitmaps answer as quickly (uuid/search.ts).
 */
import type { Query, Scalar, TableDefinition } from '../api.ts';
import type { Fold } from '../caseFold.ts';
import type { Column } from '../column.ts';
import { columnNumber } from '../definition.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import { ARRAY, NO_VALUE } from '../dictionary/ordinals.ts';
import { Union } from '../evaluate/union.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { mayStandInUuid } from '../uuid/text.ts';
import type { NgramBitmap } from './ngramBitmap.ts';
import { chooseNgrams, type SearchedTexts } from './ngramChoice.ts';
import { NgramMasks, WORDS } from './ngramMasks.ts';

/** Masks of so many values are kept in any case, of more when there are this many rows to each. */
const FEW_VALUES = 4096;
const ROWS_EACH = 8;

const decoder = new TextDecoder();

interface MaskedTexts extends SearchedTexts {
  readonly column: Column;
  readonly label: string | undefined;
  readonly masks: NgramMasks;
}

export class NgramBitmaps {
  readonly #space: Space;
  readonly #fold: Fold;
  readonly #parts: readonly MaskedTexts[];
  /** Each dictionary with the masks of its texts and labels. */
  readonly #dictionaries: readonly (readonly [Dictionary, readonly NgramMasks[]])[];
  readonly #columns: ReadonlySet<Column>;
  /** By ngram, its number; the masks know them too. */
  readonly #numbers = new Map<string, number>();
  readonly #kept = new Map<number, NgramBitmap>();
  /** The ngrams whose rows are up to date, as a mask. */
  readonly #current = new Uint32Array(WORDS);
  #choosing: Generator<void, string[]> | undefined;
  /** Rows and values when the ngrams were chosen. */
  #chosenFor = { rows: 0, values: 0 };
  readonly #before = new Uint32Array(WORDS);
  readonly #now = new Uint32Array(WORDS);

  /** For a definition that names what is looked through together. */
  constructor(space: Space, definition: TableDefinition, columns: readonly Column[], fold: Fold) {
    this.#space = space;
    this.#fold = fold;
    this.#parts = (definition.together ?? []).map(({ column: name, label, alone }) => {
      const use = label === undefined ? { contains: true } : { label };
      const column = columns[columnNumber(definition, name, use)]!;
      const dictionary = column.dictionary!;
      const texts = label === undefined ? dictionary.texts! : dictionary.labels.get(label)!;
      if (!alone) dictionary.together.add(texts);
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
   * The ngram for which the parts of an `or` look in all that is looked through together, when it is
   * kept, and the parts that remain to be searched.
   */
  find(parts: readonly Query[]): { ngram: NgramBitmap | undefined; rest: readonly Query[] } {
    const nothing = { ngram: undefined, rest: parts };
    if (this.#kept.size === 0 || parts.length < this.#parts.length) return nothing;
    const first = parts.find((part) => part.op === 'contains');
    if (!first) return nothing;
    const ngram = this.#kept.get(this.#numbers.get(this.#fold.fold(first.text)) ?? -1);
    if (!ngram || !this.#isCurrent(ngram)) return nothing;
    const asked = new Set<MaskedTexts>();
    const rest: Query[] = [];
    for (const part of parts) {
      const one = part.op === 'contains' && part.text === first.text && this.#partOf(part);
      if (one) asked.add(one);
      else rest.push(part);
    }
    return asked.size < this.#parts.length ? nothing : { ngram, rest };
  }

  /** union |= the rows that hold an n-gram, those whose UUID has it among them. */
  addTo(union: Union, { text, rows }: NgramBitmap): void {
    union.add(rows);
    if (!mayStandInUuid(text)) return;
    for (const { column, label } of this.#parts) {
      if (label === undefined) column.uuids?.search.contains(text, union.open);
    }
  }

  /** Whether changes of this column's cells are to be told. */
  follows(column: Column): boolean {
    return this.#kept.size > 0 && this.#columns.has(column);
  }

  /** What a row holds is about to change. */
  remember(row: RowNumber): void {
    if (this.#kept.size > 0) this.#read(row, this.#before);
  }

  /** It has changed since it was remembered. */
  follow(row: RowNumber): void {
    if (this.#kept.size === 0) return;
    this.#read(row, this.#now);
    for (let word = 0; word < WORDS; word++) {
      const changed = this.#now[word]! ^ this.#before[word]!;
      this.#patch(row, word, changed & this.#current[word]!);
    }
  }

  /** Sets a label's texts by `relate`, and takes its value's rows with it. */
  followLabel(column: Column, value: Scalar, label: string, relate: () => void): void {
    const part = this.#parts.find((one) => one.column === column && one.label === label);
    const ordinal = part?.dictionary.ordinalOf(value);
    if (!part || ordinal === undefined || this.#kept.size === 0) {
      relate();
      return;
    }
    const before = part.masks.of(ordinal);
    relate();
    const rows = part.dictionary.postings.countOf(ordinal);
    if (rows === 0) return;
    const changed = part.masks.of(ordinal).map((now, word) => now ^ before[word]!);
    if (changed.every((bits) => bits === 0)) return;
    // Reading so many rows takes longer than searching the ngrams anew.
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

  /** Does a step of choosing ngrams or of searching their rows; false when there is none to do. */
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

  #outdated(): boolean {
    const rows = Math.max(0, ...this.#parts.map(({ dictionary }) => dictionary.size));
    if (rows < this.#space.layout.precomputeRows) return false;
    const values = this.#parts.reduce((sum, { texts }) => sum + texts.entries, 0);
    const known = this.#chosenFor;
    if (rows <= known.rows * 1.5 && values <= known.values * 1.5) return false;
    this.#chosenFor = { rows, values };
    return values <= Math.max(FEW_VALUES, rows / ROWS_EACH);
  }

  /** Keeps these ngrams and no others. Those that were kept before stay as they are. */
  #keep(ngrams: readonly string[]): void {
    const wanted = new Set(ngrams);
    for (const { text, number, rows } of [...this.#kept.values()]) {
      if (wanted.delete(text)) continue;
      rows.free();
      this.#kept.delete(number);
      this.#numbers.delete(text);
      this.#current[number >>> 5]! &= ~(1 << (number & 31));
    }
    let number = 0;
    for (const text of wanted) {
      while (this.#kept.has(number)) number++;
      this.#kept.set(number, { text, number, rows: new Bitmap(this.#space), count: 0 });
      this.#numbers.set(text, number);
    }
  }

  #stale(): NgramBitmap | undefined {
    for (const kept of this.#kept.values()) if (!this.#isCurrent(kept)) return kept;
    return undefined;
  }

  /** Searches a ngram as if it were not kept, keeps the rows and marks the values. */
  #searchAnew(ngram: NgramBitmap): void {
    const { text, number, rows } = ngram;
    const needle = new Needle(this.#space, text);
    const union = new Union(this.#space);
    for (const { column, texts, masks } of this.#parts) {
      const list = this.#space.scratch.take(texts.entries * 4);
      const n = texts.find(needle, list);
      masks.mark(number, list, n);
      column.rows!.addOrdinalsTo(union, list, n);
    }
    const bitmap = union.finish();
    rows.copyFrom(bitmap);
    ngram.count = this.#space.kernel.count(bitmap, this.#space.bitmapBytes);
    this.#current[number >>> 5]! |= 1 << (number & 31);
  }

  #isCurrent({ number }: NgramBitmap): boolean {
    return ((this.#current[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  #partOf({ column, label }: Extract<Query, { op: 'contains' }>): MaskedTexts | undefined {
    return this.#parts.find(
      (part) => part.column.definition.name === column && part.label === label,
    );
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
      const { rows } = this.#kept.get(word * 32 + bit)!;
      if ((now >>> bit) & 1) rows.add(row);
      else rows.delete(row);
    }
  }

  /** `allRows`: all rows there are. */
  check(allRows: readonly RowNumber[]): void {
    for (const { texts, masks } of this.#parts) masks.check(texts, this.#current);
    for (const kept of this.#kept.values()) {
      if (this.#numbers.get(kept.text) !== kept.number) throw new Error('ngrams: a number is lost');
      if (this.#isCurrent(kept)) this.#checkRows(kept, allRows);
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
