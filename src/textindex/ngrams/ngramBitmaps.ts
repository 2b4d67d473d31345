/**
 * N-gram bitmaps: the rows that hold a frequent unigram or bigram in any of the columns and labels that
 * are searched together.
 *
 *     q = 'e' ──► project ~ e  or  name ~ e  or  email ~ e  or  …      11 columns, 20 to 80 µs each
 *             └─► the bitmap of `e`, or the rows whose UUID has it          2 bitmaps, 6 µs each
 *
 * A short text stands in most values of most columns, so a search for it mostly unites their rows.
 * The same search makes the bitmaps, one a step of maintenance, and changes patch them from then
 * on. A row's n-grams are the union of the masks of its values (ngramMasks.ts), and a change
 * concerns the n-grams whose bits change. A value whose label changes takes many rows with it. The
 * n-grams concerned are then searched again, and are not used until that is done. So a bitmap that
 * is used is right; at worst there is none.
 *
 * UUIDs are left out: their own bitmaps answer as quickly (uuid/search.ts). Pairs of hexadecimal
 * digits share the bitmaps of UUIDs (sharedPairs.ts); a row's texts count in them as in others.
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
import type { BitmapHandle, Ordinal, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Uuids } from '../uuid/column.ts';
import { mayStandInUuid } from '../uuid/text.ts';
import type { NgramBitmap } from './ngramBitmap.ts';
import { chooseNgrams, type SearchedTexts } from './ngramChoice.ts';
import { MAX_NGRAMS, NgramMasks, OWN_WORDS, WORDS } from './ngramMasks.ts';
import { PAIRS, PairRows, textOfPair } from './sharedPairs.ts';

/** Masks of this many values are kept in any case, of more if there are this many rows to each. */
const FEW_VALUES = 4096;
const ROWS_EACH = 8;

/** Labels share no pairs. */
const NO_PAIRS: ReadonlyMap<string, number> = new Map();

const decoder = new TextDecoder();

interface MaskedTexts extends SearchedTexts {
  readonly column: Column;
  readonly label: string | undefined;
  readonly masks: NgramMasks;
}

interface OwnBitmap extends NgramBitmap {
  readonly rows: Bitmap;
}

export class NgramBitmaps {
  readonly #space: Space;
  readonly #fold: Fold;
  readonly #parts: readonly MaskedTexts[];
  /** The parts that are no labels. */
  readonly #valueParts: readonly MaskedTexts[];
  /** Each dictionary with the masks of its texts and labels. */
  readonly #dictionaries: readonly (readonly [Dictionary, readonly NgramMasks[]])[];
  readonly #columns: ReadonlySet<Column>;
  /** The number of each n-gram, which the masks use too. */
  readonly #numbers = new Map<string, number>();
  readonly #own = new Map<number, OwnBitmap>();
  /** The number of each shared pair of digits, from MAX_NGRAMS on; the pairs, and their UUIDs. */
  readonly #pairs = new Map<string, number>();
  readonly #shared: NgramBitmap[] = [];
  readonly #uuids: Uuids | undefined;
  /** The ngrams whose rows are up to date, as a mask. */
  readonly #current = new Uint32Array(WORDS);
  #choosing: Generator<void, string[]> | undefined;
  /** Rows and values when the ngrams were chosen. */
  #chosenFor = { rows: 0, values: 0 };
  /** The version of the UUIDs when a row was remembered. */
  #uuidsBefore: number | undefined;
  readonly #before = new Uint32Array(WORDS);
  readonly #now = new Uint32Array(WORDS);

  /** For a definition that names the columns searched together. */
  constructor(space: Space, definition: TableDefinition, columns: readonly Column[], fold: Fold) {
    this.#space = space;
    this.#fold = fold;
    this.#parts = (definition.together ?? []).map(({ column: name, label, alone }) => {
      const use = label === undefined ? { contains: true } : { label };
      const column = columns[columnNumber(definition, name, use)]!;
      const dictionary = column.dictionary!;
      const texts = label === undefined ? dictionary.texts! : dictionary.labels.get(label)!;
      if (!alone) dictionary.together.add(texts);
      const pairs = label === undefined ? this.#pairs : NO_PAIRS;
      const masks = new NgramMasks(space, texts, this.#numbers, pairs);
      return { column, label, dictionary, texts, masks };
    });
    this.#valueParts = this.#parts.filter(({ label }) => label === undefined);
    const dictionaries = new Map<Dictionary, NgramMasks[]>();
    for (const { dictionary, masks } of this.#parts) {
      dictionaries.set(dictionary, [...(dictionaries.get(dictionary) ?? []), masks]);
    }
    this.#dictionaries = [...dictionaries];
    this.#columns = new Set(this.#parts.map(({ column }) => column));
    const withUuids = (definition.together ?? []).findIndex(
      ({ label }, i) => label === undefined && this.#parts[i]!.column.uuids !== undefined,
    );
    // Alone, a pair would have to be sought in all UUIDs.
    if (definition.together?.[withUuids]?.alone !== true) {
      this.#uuids = this.#parts[withUuids]?.column.uuids;
    }
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
    const text = this.#fold.fold(first.text);
    const ngram = this.#own.get(this.#numbers.get(text) ?? -1);
    if (ngram && this.#isCurrent(ngram)) {
      const remaining = this.#remainingOf(parts, first.text, this.#parts);
      if (remaining) return { ngram, remaining };
    }
    const pair = this.#pairOf(text);
    const remaining = pair && this.#remainingOf(parts, first.text, this.#valueParts);
    return remaining ? { ngram: pair, remaining } : nothing;
  }

  /**
   * The parts besides this text in these columns; undefined when one of the columns is not
   * searched.
   */
  #remainingOf(
    parts: readonly Query[],
    text: string,
    covered: readonly MaskedTexts[],
  ): readonly Query[] | undefined {
    const asked = new Set<MaskedTexts>();
    const remaining: Query[] = [];
    for (const part of parts) {
      const one = part.op === 'contains' && part.text === text && this.#partOf(part);
      if (one && covered.includes(one)) asked.add(one);
      else remaining.push(part);
    }
    return asked.size < covered.length ? undefined : remaining;
  }

  /** union |= the rows that hold an n-gram, including rows whose UUID has it. */
  addTo(union: Union, { text, rows }: NgramBitmap): void {
    union.add(rows);
    if (!mayStandInUuid(text)) return;
    const shared = this.#pairOf(text);
    if (shared && shared.rows !== rows) union.add(shared.rows);
    for (const { column, label } of this.#parts) {
      const { uuids } = column;
      if (!uuids || label !== undefined || (shared && uuids === this.#uuids)) continue;
      const stored = uuids.search.stored(text);
      if (stored) union.add(stored);
      else uuids.search.contains(text, union.open);
    }
  }

  /** Whether the owner must tell of changes to this column's cells. */
  follows(column: Column): boolean {
    return this.#isUsed && this.#columns.has(column);
  }

  /** Remembers a row's n-grams before a change. */
  remember(row: RowNumber): void {
    if (!this.#isUsed) return;
    this.#read(row, this.#before);
    this.#uuidsBefore = this.#uuids?.version;
  }

  /** Patches the bitmaps after a change of the row remembered. */
  follow(row: RowNumber): void {
    if (!this.#isUsed) return;
    this.#read(row, this.#now);
    // A UUID that left took its pairs along, and the row's texts may have some of them.
    const isNew = this.#uuidsBefore !== this.#uuids?.version;
    for (let word = 0; word < WORDS; word++) {
      let changed = this.#now[word]! ^ this.#before[word]!;
      if (isNew && word >= OWN_WORDS) changed |= this.#now[word]!;
      this.#patch(row, word, changed & this.#current[word]!);
    }
  }

  /** Sets a label's texts by `relate`, and takes its value's rows with it. */
  followLabel(column: Column, value: Scalar, label: string, relate: () => void): void {
    const part = this.#parts.find((one) => one.column === column && one.label === label);
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
    if (!this.#choosing && !this.#outdated()) return this.#sharePair();
    this.#choosing ??= chooseNgrams(this.#parts, this.#space.layout.precomputeRows);
    const { done, value } = this.#choosing.next();
    if (done) {
      this.#choosing = undefined;
      this.#keep(value);
    }
    return true;
  }

  #outdated(): boolean {
    const { rows, values } = this.#extent();
    if (rows < this.#space.layout.precomputeRows) return false;
    const known = this.#chosenFor;
    if (rows <= known.rows * 1.5 && values <= known.values * 1.5) return false;
    this.#chosenFor = { rows, values };
    return hasMasks(rows, values);
  }

  #extent() {
    const rows = Math.max(0, ...this.#parts.map(({ dictionary }) => dictionary.size));
    const values = this.#parts.reduce((sum, { texts }) => sum + texts.entries, 0);
    return { rows, values };
  }

  /**
   * Searches the next pair and shares its bitmap; false when all are shared, or sharing is not
   * worth it.
   */
  #sharePair(): boolean {
    const uuids = this.#uuids;
    const { rows, values } = this.#chosenFor;
    // Without UUIDs there are no bitmaps to share.
    if (!uuids || uuids.size === 0 || uuids.sharedPairs === PAIRS) return false;
    if (rows === 0 || !hasMasks(rows, values)) return false;
    const pair = uuids.sharedPairs;
    const [text, number] = [textOfPair(pair), MAX_NGRAMS + pair];
    const bitmap = this.#search(text, number, this.#valueParts);
    const shared = new PairRows(this.#space, uuids, pair);
    const count = this.#space.kernel.count(bitmap, this.#space.bitmapBytes);
    shared.share(bitmap);
    this.#pairs.set(text, number);
    this.#shared.push({ text, number, rows: shared, count });
    this.#current[number >>> 5]! |= 1 << (number & 31);
    return true;
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

  #stale(): OwnBitmap | undefined {
    for (const own of this.#own.values()) if (!this.#isCurrent(own)) return own;
    return undefined;
  }

  /** Searches a ngram as if it were not kept, keeps the rows and marks the values. */
  #searchAnew(ngram: OwnBitmap): void {
    const { text, number, rows } = ngram;
    const bitmap = this.#search(text, number, this.#parts);
    rows.copyFrom(bitmap);
    ngram.count = this.#space.kernel.count(bitmap, this.#space.bitmapBytes);
    this.#current[number >>> 5]! |= 1 << (number & 31);
  }

  /** Looks for a text in some of the parts, marks the values that have it, and returns their rows. */
  #search(text: string, number: number, parts: readonly MaskedTexts[]): BitmapHandle {
    const needle = new Needle(this.#space, text);
    const union = new Union(this.#space);
    for (const { column, texts, masks } of parts) {
      const list = this.#space.scratch.take(texts.entries * 4);
      const n = texts.find(needle, list);
      masks.mark(number, list, n);
      column.rows!.addOrdinalsTo(union, list, n);
    }
    return union.finish();
  }

  /** Whether there is any bitmap. */
  get #isUsed(): boolean {
    return this.#own.size + this.#shared.length > 0;
  }

  #pairOf(text: string): NgramBitmap | undefined {
    const number = this.#pairs.get(text);
    return number === undefined ? undefined : this.#shared[number - MAX_NGRAMS];
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
      const number = word * 32 + bit;
      const { rows } =
        word < OWN_WORDS ? this.#own.get(number)! : this.#shared[number - MAX_NGRAMS]!;
      if ((now >>> bit) & 1) rows.add(row);
      else rows.delete(row);
    }
  }

  /** `allRows`: all rows of the table. */
  check(allRows: readonly RowNumber[]): void {
    for (const { texts, masks } of this.#parts) masks.check(texts, this.#current);
    for (const pair of this.#shared) this.#checkRows(pair, allRows);
    for (const own of this.#own.values()) {
      if (this.#numbers.get(own.text) !== own.number) throw new Error('ngrams: a number is lost');
      if (this.#isCurrent(own)) this.#checkRows(own, allRows);
    }
  }

  #checkRows({ text, rows }: NgramBitmap, allRows: readonly RowNumber[]): void {
    const pair = rows instanceof PairRows ? rows : undefined;
    const holding = (pair ? this.#valueParts : this.#parts).map(({ dictionary, texts }) => {
      const ordinals = new Set<Ordinal>();
      for (const [ordinal, folded] of texts.all()) {
        if (decoder.decode(folded).includes(text)) ordinals.add(ordinal);
      }
      return { dictionary, ordinals };
    });
    const { kernel, segmentBytes } = this.#space;
    let count = 0;
    for (const row of allRows) {
      const inTexts = holding.some(({ dictionary, ordinals }) =>
        dictionary.ordinalsAt(row).some((ordinal) => ordinals.has(ordinal)),
      );
      const holds = inTexts || pair?.inUuid(row) === true;
      if (holds) count++;
      if (rows.has(row) !== holds)
        throw new Error(`ngrams: row ${row} is wrong in the bitmap of '${text}'`);
    }
    const set = rows.chunks.reduce(
      (sum, chunk) => sum + (chunk ? kernel.count(chunk, segmentBytes) : 0),
      0,
    );
    if (set !== count) throw new Error(`ngrams: '${text}' is kept of rows that are gone`);
  }
}

/** Whether this many values are worth a mask each. */
const hasMasks = (rows: number, values: number) => values <= Math.max(FEW_VALUES, rows / ROWS_EACH);
