/**
 * Rows kept for a short piece of text, over all columns and labels that are looked through together.
 *
 *     q = 'e' ──► project ~ e  or  name ~ e  or  email ~ e  or  …      11 columns, 20 to 80 µs each
 *             └─► the rows kept for `e`, or the rows whose UUID has it        2 bitmaps, 6 µs each
 *
 * A short piece stands in most values of most columns, so joining their rows is what a search for it
 * does. The bitmaps are made by that very search, one a step of maintenance, and patched from then
 * on: what a row holds is the union of the masks of its values (ngramMasks.ts), and the pieces by
 * which it changes are those whose bits change. A value whose label changes takes many rows with it;
 * the pieces that this touches are searched anew, and until then they are not used. So a bitmap
 * that is used is right, at worst there is none.
 *
 * UUIDs are left out: their own bitmaps answer for a piece as quickly (uuid/search.ts).
 */
import type { Query, Scalar, TableDefinition } from '../api.ts';
import type { Fold } from '../caseFold.ts';
import type { Column } from '../column.ts';
import { columnNumber } from '../definition.ts';
import { ARRAY, type Dictionary, NONE } from '../dictionary/dictionary.ts';
import { Needle } from '../dictionary/needle.ts';
import type { Texts } from '../dictionary/texts.ts';
import { Union } from '../evaluate/union.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { Slot, Space } from '../storage/space.ts';
import { mayStandInUuid } from '../uuid/text.ts';
import { choosePieces } from './ngramChoice.ts';
import { PieceMasks, WORDS } from './ngramMasks.ts';

/** Masks of so many values are kept in any case, of more when there are this many rows to each. */
const FEW_VALUES = 4096;
const ROWS_EACH = 8;

const decoder = new TextDecoder();

interface Part {
  readonly column: Column;
  readonly label: string | undefined;
  readonly dictionary: Dictionary;
  readonly texts: Texts;
  readonly masks: PieceMasks;
}

export interface KeptPiece {
  readonly text: string;
  readonly number: number;
  readonly rows: Bitmap;
  /** Rows when they were searched: about as many as there are. */
  count: number;
}

export class KeptPieces {
  readonly #space: Space;
  readonly #fold: Fold;
  readonly #parts: readonly Part[];
  /** Each dictionary with the masks of its texts and labels. */
  readonly #dictionaries: readonly (readonly [Dictionary, readonly PieceMasks[]])[];
  readonly #columns: ReadonlySet<Column>;
  /** By piece, its number; the masks know them too. */
  readonly #numbers = new Map<string, number>();
  readonly #kept = new Map<number, KeptPiece>();
  /** The pieces whose rows are up to date, as a mask. */
  readonly #current = new Uint32Array(WORDS);
  #choosing: Generator<void, string[]> | undefined;
  /** Rows and values when the pieces were chosen. */
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
      const masks = new PieceMasks(space, texts, this.#numbers);
      return { column, label, dictionary, texts, masks };
    });
    const dictionaries = new Map<Dictionary, PieceMasks[]>();
    for (const { dictionary, masks } of this.#parts) {
      dictionaries.set(dictionary, [...(dictionaries.get(dictionary) ?? []), masks]);
    }
    this.#dictionaries = [...dictionaries];
    this.#columns = new Set(this.#parts.map(({ column }) => column));
  }

  /**
   * The piece for which the parts of an `or` look in all that is looked through together, when it is
   * kept, and the parts that remain to be searched.
   */
  find(parts: readonly Query[]): { kept: KeptPiece | undefined; rest: readonly Query[] } {
    const nothing = { kept: undefined, rest: parts };
    if (this.#kept.size === 0 || parts.length < this.#parts.length) return nothing;
    const first = parts.find((part) => part.op === 'contains');
    if (!first) return nothing;
    const kept = this.#kept.get(this.#numbers.get(this.#fold.fold(first.text)) ?? -1);
    if (!kept || !this.#isCurrent(kept)) return nothing;
    const asked = new Set<Part>();
    const rest: Query[] = [];
    for (const part of parts) {
      const one = part.op === 'contains' && part.text === first.text && this.#partOf(part);
      if (one) asked.add(one);
      else rest.push(part);
    }
    return asked.size < this.#parts.length ? nothing : { kept, rest };
  }

  /** union |= the rows that hold a piece, those whose UUID has it among them. */
  join({ text, rows }: KeptPiece, union: Union): void {
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

  /** What a slot holds is about to change. */
  remember(slot: Slot): void {
    if (this.#kept.size > 0) this.#read(slot, this.#before);
  }

  /** It has changed since it was remembered. */
  follow(slot: Slot): void {
    if (this.#kept.size === 0) return;
    this.#read(slot, this.#now);
    for (let word = 0; word < WORDS; word++) {
      const changed = this.#now[word]! ^ this.#before[word]!;
      this.#patch(slot, word, changed & this.#current[word]!);
    }
  }

  /** Sets a label's texts by `relate`, and takes its value's rows with it. */
  followLabel(column: Column, value: Scalar, label: string, relate: () => void): void {
    const part = this.#parts.find((one) => one.column === column && one.label === label);
    const code = part?.dictionary.codeOf(value);
    if (!part || code === undefined || this.#kept.size === 0) {
      relate();
      return;
    }
    const before = part.masks.of(code);
    relate();
    const rows = part.dictionary.postings.countOf(code);
    if (rows === 0) return;
    const changed = part.masks.of(code).map((now, word) => now ^ before[word]!);
    if (changed.every((bits) => bits === 0)) return;
    // Reading so many rows takes longer than searching the pieces anew.
    if (rows * 4 > this.#space.layout.heavyRows) {
      for (let word = 0; word < WORDS; word++) this.#current[word]! &= ~changed[word]!;
      return;
    }
    for (const slot of part.dictionary.postings.slotsOf(code)) {
      this.#read(slot, this.#now);
      for (let word = 0; word < WORDS; word++) {
        this.#patch(slot, word, changed[word]! & this.#current[word]!);
      }
    }
  }

  /** Does a step of choosing pieces or of searching their rows; false when there is none to do. */
  step(): boolean {
    const stale = this.#stale();
    if (stale) {
      this.#searchAnew(stale);
      return true;
    }
    if (!this.#choosing && !this.#outdated()) return false;
    this.#choosing ??= choosePieces(this.#parts, this.#space.layout.landmarkRows);
    const { done, value } = this.#choosing.next();
    if (done) {
      this.#choosing = undefined;
      this.#keep(value);
    }
    return true;
  }

  #outdated(): boolean {
    const rows = Math.max(0, ...this.#parts.map(({ dictionary }) => dictionary.held));
    if (rows < this.#space.layout.landmarkRows) return false;
    const values = this.#parts.reduce((sum, { texts }) => sum + texts.entries, 0);
    const known = this.#chosenFor;
    if (rows <= known.rows * 1.5 && values <= known.values * 1.5) return false;
    this.#chosenFor = { rows, values };
    return values <= Math.max(FEW_VALUES, rows / ROWS_EACH);
  }

  /** Keeps these pieces and no others. Those that were kept before stay as they are. */
  #keep(pieces: readonly string[]): void {
    const wanted = new Set(pieces);
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

  #stale(): KeptPiece | undefined {
    for (const kept of this.#kept.values()) if (!this.#isCurrent(kept)) return kept;
    return undefined;
  }

  /** Searches a piece as if it were not kept, keeps the rows and marks the values. */
  #searchAnew(piece: KeptPiece): void {
    const { text, number, rows } = piece;
    this.#space.scratch.reset();
    const needle = new Needle(this.#space, text);
    const union = new Union(this.#space);
    for (const { column, texts, masks } of this.#parts) {
      const list = this.#space.scratch.take(texts.entries * 4);
      const n = texts.find(needle, list);
      masks.mark(number, list, n);
      column.search!.joinCodes(list, n, union);
    }
    const bitmap = union.finish();
    rows.copyFrom(bitmap);
    piece.count = this.#space.kernel.count(bitmap, this.#space.bitmapBytes);
    this.#space.giveBack(bitmap);
    this.#current[number >>> 5]! |= 1 << (number & 31);
  }

  #isCurrent({ number }: KeptPiece): boolean {
    return ((this.#current[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  #partOf({ column, label }: Extract<Query, { op: 'contains' }>): Part | undefined {
    return this.#parts.find(
      (part) => part.column.definition.name === column && part.label === label,
    );
  }

  /** mask = the pieces in all that a slot holds. */
  #read(slot: Slot, mask: Uint32Array): void {
    mask.fill(0);
    for (const [dictionary, masks] of this.#dictionaries) {
      const code = dictionary.codes.get(slot);
      if (code === NONE) continue;
      if (code !== ARRAY) for (const one of masks) one.orInto(code, mask);
      else {
        for (const element of dictionary.arrays.get(slot)!) {
          for (const one of masks) one.orInto(element, mask);
        }
      }
    }
  }

  /** Puts the slot into the rows of these pieces, or takes it out, as the mask that was read says. */
  #patch(slot: Slot, word: number, pieces: number): void {
    const now = this.#now[word]!;
    for (let left = pieces; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left);
      const { rows } = this.#kept.get(word * 32 + bit)!;
      if ((now >>> bit) & 1) rows.add(slot);
      else rows.delete(slot);
    }
  }

  /** `slots` are those of all rows. */
  check(slots: readonly Slot[]): void {
    for (const { texts, masks } of this.#parts) masks.check(texts, this.#current);
    for (const kept of this.#kept.values()) {
      if (this.#numbers.get(kept.text) !== kept.number) throw new Error('pieces: a number is lost');
      if (this.#isCurrent(kept)) this.#checkRows(kept, slots);
    }
  }

  #checkRows({ text, rows }: KeptPiece, slots: readonly Slot[]): void {
    const holding = this.#parts.map(({ dictionary, texts }) => {
      const codes = new Set<number>();
      for (const [code, folded] of texts.all()) {
        if (decoder.decode(folded).includes(text)) codes.add(code);
      }
      return { dictionary, codes };
    });
    let count = 0;
    for (const slot of slots) {
      const holds = holding.some(({ dictionary, codes }) =>
        dictionary.codesAt(slot).some((code) => codes.has(code)),
      );
      if (holds) count++;
      if (rows.has(slot) !== holds) throw new Error(`pieces: slot ${slot} is astray in '${text}'`);
    }
    if (rows.count() !== count) throw new Error(`pieces: '${text}' is kept of rows that are gone`);
  }
}
