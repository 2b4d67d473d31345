/**
 * Infixes: substrings that many of a column's texts have, and the rows of these as bitmaps.
 *
 *     entries   ───────── walked ─────────│─ newer ─
 *     'weber'   rows of the values there  │ found by looking through them
 *
 * A search for a frequent infix unites no rows, and of a large column it reads no texts: the rows
 * are known beforehand. The index walks all texts down a trie (infixTrie.ts). It keeps up to 64 classes
 * of infixes that occur in the same texts (infixChoice.ts), and up to 448 of a large column. When a row
 * with a walked value comes or goes, that text is walked again, in half a microsecond. The row is entered
 * for the classes it meets. The text of a value never changes; its labels do, and take its rows with them.
 *
 * The answer for an infix is exact. Rows are recorded under the longest infix of a class. A shorter
 * one is contained in it and occurred in as many of the walked texts, so it occurs in the same
 * ones. A shorter infix is dropped once that is no longer true. Newer texts are walked in slices.
 * When the number of texts has doubled since the last choice, infixes are chosen again, and when the
 * rows have become so many that half as many classes would do.
 *
 * A class costs an eighth of a byte a row. Ids have no infixes while their texts are few: any two of their
 * digits are in a ninth of them, and 64 classes answer for one pair in eight.
 */
import { invariant } from '../../errors.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import { PAGE } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { keepList, keepMap, keepOptional, type State, type Steps } from '../storage/state.ts';
import type { ElementLists } from './elementLists.ts';
import { Infix } from './infix.ts';
import { classesOf, frequentInfixes, SAMPLE_LENGTH, SAMPLE_TEXTS } from './infixChoice.ts';
import { InfixTrie, MAX_CLASSES } from './infixTrie.ts';
import type { Postings } from './postings.ts';
import type { Texts } from './texts.ts';

/** Bytes of texts, and texts, that a step walks: a millisecond or so. */
const STRETCH_BYTES = 16_384;
const STRETCH_ENTRIES = 512;
/** Rows of values that a step enters, about: 512 emails of ten million rows have 500,000 of them. */
const STEP_ROWS = 2_048;
/** A value with more than this share of all rows enters its classes as a bitmap, which takes less time. */
const MANY_ROWS = 1 / 4_096;
/** Bytes of texts, about, in which infixes are counted before they are chosen. */
const COUNTED_BYTES = 4_194_304;
/** Classes of a column whose texts are quickly read: twice as many take 24 bytes a row more. */
const FEW_CLASSES = 64;
/**
 * The share of a memory for a large column's classes, but never fewer than the few: unbounded, two such
 * columns take 100 bytes a row.
 */
const CLASSES_SHARE = 1 / 64;
/** Infixes that a step inserts. */
const INSERTED = 512;
/** Infixes are chosen again once there are this many times as many texts, or classes as should be. */
const GROWN = 2;
/** Texts times infixes that a check compares, and rows that it looks at. */
const MAX_CHECKED = 1_000_000;
const MAX_ROWS_CHECKED = 10_000;

const NO_CLASSES: readonly Infix[] = [];
/** A UUID or an ObjectId. */
const ID = /^[0-9a-f-]{24,36}$/;

/** Whether most of these texts are ids. */
const areIds = (texts: readonly string[]) =>
  texts.filter((text) => ID.test(text)).length * 2 > texts.length;

interface Name {
  readonly number: number;
  readonly node: number;
  readonly longest: number;
}

/** A choice of infixes, in force or in preparation. */
interface Chosen {
  readonly trie: InfixTrie;
  readonly classes: Infix[];
  /** For each text of an infix: its class, its node and the node of the class's longest infix. */
  readonly names: Map<string, Name>;
}

export class Infixes {
  /** The first entry that was not walked. */
  walked = 0;
  readonly #space: Space;
  readonly #texts: Texts;
  readonly #postings: Postings;
  readonly #leastBytes: number;
  #chosen: Chosen | undefined;
  /** Whether all entries before `walked` are marked, and all names are right. */
  #inForce = false;
  #choosing: Generator<void> | undefined;
  /** The texts' epoch and their number when the choice began. */
  #chosenFor = { epoch: -1, entries: 0 };

  /** `leastBytes`: of texts, from which on they have infixes. */
  constructor(space: Space, texts: Texts, postings: Postings, leastBytes: number) {
    this.#space = space;
    this.#texts = texts;
    this.#postings = postings;
    this.#leastBytes = leastBytes;
  }

  /**
   * The class of a folded text: its rows are the rows of all entries before `walked` that contain
   * it.
   */
  find(text: string): Infix | undefined {
    if (!this.#inForce || this.#texts.epoch !== this.#chosenFor.epoch) return undefined;
    const name = this.#chosen!.names.get(text);
    return name && this.#chosen!.classes[name.number];
  }

  /** A row holds this value now. */
  add(ordinal: Ordinal, row: RowNumber): void {
    for (const infix of this.#classesOf(ordinal)) infix.add(row);
  }

  /** A row holds nothing any more that it did, this value among it, which still has its text. */
  delete(ordinal: Ordinal, row: RowNumber): void {
    for (const infix of this.#classesOf(ordinal)) infix.delete(row);
  }

  /**
   * The texts of a value are replaced by `set`. Its rows leave the classes it was in, except for rows with
   * another value there, which have `arrays`.
   */
  replace(ordinal: Ordinal, arrays: ElementLists, set: () => void): void {
    const classes = this.#classesOf(ordinal);
    if (classes.length > 0) {
      const rows = this.#postings.keptRowsOf(ordinal);
      for (const infix of classes) infix.deleteAll(rows);
    }
    set();
    if (classes.length === 0 || arrays.size === 0) return;
    for (const row of this.#postings.rowsOf(ordinal)) {
      for (const other of arrays.get(row) ?? []) if (other !== ordinal) this.add(other, row);
    }
  }

  /**
   * Does a step of choosing infixes or of walking texts; false when nothing is left. `rows`: how
   * many the column has.
   */
  step(rows: number): boolean {
    const { epoch, entries, bytes } = this.#texts;
    if (bytes < this.#leastBytes || rows < this.#space.layout.precomputeRows) {
      if (this.#chosen || this.#choosing) this.#drop();
      return false;
    }
    const { epoch: chosenEpoch, entries: before } = this.#chosenFor;
    const most = this.#mostFor(rows);
    const isCostly = this.#inForce && this.#chosen!.classes.length > most * GROWN;
    if (epoch !== chosenEpoch || entries > before * GROWN || isCostly) {
      this.#drop();
      this.#chosenFor = { epoch, entries };
      this.#choosing = this.#choose(most);
    }
    if (this.#choosing) {
      if (this.#choosing.next().done) this.#choosing = undefined;
      return true;
    }
    if (!this.#inForce || entries - this.walked < this.#space.layout.freshRows) return false;
    this.#walk(this.#chosen!);
    this.#settle(this.#chosen!);
    return true;
  }

  /** The choice in force; one in preparation must have ended. */
  *keep(state: State): Steps {
    invariant(!this.#choosing, 'infixes are chosen');
    this.walked = state.number(this.walked);
    this.#inForce = state.number(this.#inForce ? 1 : 0) === 1;
    const { epoch, entries } = this.#chosenFor;
    this.#chosenFor = { epoch: state.number(epoch), entries: state.number(entries) };
    this.#chosen = keepOptional(state, this.#chosen, () => ({
      trie: new InfixTrie(this.#space, []),
      classes: [],
      names: new Map(),
    }));
    if (!this.#chosen) return;
    const { trie, classes, names } = this.#chosen;
    trie.keep(state);
    yield* keepList(state, classes, (infix) => {
      const text = state.text(infix?.text);
      return infix ?? new Infix(this.#space, text);
    });
    for (const { rows } of classes) yield* rows.keep(state);
    yield* keepMap(state, names, (text, name) => [
      state.text(text),
      {
        number: state.number(name?.number),
        node: state.number(name?.node),
        longest: state.number(name?.longest),
      },
    ]);
  }

  /** The most classes of a column of so many rows. */
  #mostFor(rows: number): number {
    const bytes = this.#space.layout.memoryPages * PAGE * CLASSES_SHARE;
    const affordable = Math.floor((bytes * 8) / rows);
    return this.#texts.large
      ? Math.max(FEW_CLASSES, Math.min(MAX_CLASSES, affordable))
      : FEW_CLASSES;
  }

  #drop(): void {
    this.#chosen?.trie.free();
    for (const { rows } of this.#chosen?.classes ?? []) rows.free();
    this.#chosen = undefined;
    this.#inForce = false;
    this.#choosing = undefined;
    this.walked = 0;
  }

  *#choose(most: number): Generator<void> {
    const sample = yield* this.#sample();
    const infixes = areIds(sample) && !this.#texts.large ? [] : yield* frequentInfixes(sample);
    const trie = new InfixTrie(this.#space, infixes);
    this.#chosen = { trie, classes: [], names: new Map() };
    const nodes = new Map<string, number>();
    for (const infix of infixes) {
      nodes.set(infix, trie.insert(infix));
      if (nodes.size % INSERTED === 0) yield;
    }
    const texts = yield* this.#countIn(trie);
    const counts = new Map<string, number>();
    for (const [infix, node] of nodes) counts.set(infix, trie.found(node));
    yield;
    const classes = yield* classesOf(counts, texts, most);
    const chosen: Chosen = {
      trie,
      classes: classes.map(([longest]) => new Infix(this.#space, longest!)),
      names: new Map(),
    };
    trie.restart();
    for (const [number, names] of classes.entries()) {
      const longest = nodes.get(names[0]!)!;
      trie.setClass(longest, number);
      for (const name of names) chosen.names.set(name, { number, node: nodes.get(name)!, longest });
    }
    this.#chosen = chosen;
    for (const { rows } of chosen.classes) {
      rows.reserve();
      yield;
    }
    while (this.walked < this.#texts.entries) {
      yield;
      this.#walk(chosen);
    }
    this.#settle(chosen);
    this.#inForce = true;
  }

  /** Counts the infixes in stretches at even distances; returns in how many texts. */
  *#countIn(trie: InfixTrie): Generator<void, number> {
    const { entries, bytes } = this.#texts;
    const distance = Math.max(1, bytes / COUNTED_BYTES);
    let texts = 0;
    for (let from = 0; from < entries; ) {
      const to = this.#stretchFrom(from);
      // No node has a class yet, so one number a text is written.
      const out = this.#space.scratch.take((to - from) * 4);
      this.#texts.walk(from, to, trie.forKernel(true), out);
      texts += to - from;
      from += Math.max(to - from, Math.floor((to - from) * distance));
      yield;
    }
    return texts;
  }

  /** Texts at even distances. */
  *#sample(): Generator<void, string[]> {
    const { entries } = this.#texts;
    const step = Math.max(1, entries / SAMPLE_TEXTS);
    const sample: string[] = [];
    for (let i = 0; i < entries; i += step) {
      sample.push(this.#texts.textAt(Math.floor(i), SAMPLE_LENGTH / 64));
    }
    yield;
    // A sample of long texts takes fewer of them, at even distances too.
    const length = sample.reduce((sum, text) => sum + text.length, 0);
    const each = Math.max(1, Math.ceil(length / SAMPLE_LENGTH));
    return sample.filter((text, i) => text !== '' && i % each === 0);
  }

  /** Where the stretch that begins with an entry ends. */
  #stretchFrom(entry: number): number {
    return Math.min(this.#texts.entryAfter(entry, STRETCH_BYTES), entry + STRETCH_ENTRIES);
  }

  /** Where a step from an entry ends: with the stretch, or sooner where its values have many rows. */
  #stepFrom(entry: number): number {
    const end = this.#stretchFrom(entry);
    let to = entry;
    for (let rows = 0; to < end && rows < STEP_ROWS; to++) {
      const ordinal = this.#texts.ordinalAt(to);
      if (ordinal !== undefined) rows += this.#postings.countOf(ordinal);
    }
    return to;
  }

  /** Walks some entries, and enters the rows of their values. */
  #walk({ trie, classes }: Chosen): void {
    const from = this.walked;
    if (from >= this.#texts.entries) return;
    const to = this.#stepFrom(from);
    const out = this.#space.scratch.take((to - from) * (MAX_CLASSES + 1) * 4);
    this.#texts.walk(from, to, trie.forKernel(true), out);
    const { memory } = this.#space;
    let at = out >>> 2;
    for (let entry = from; entry < to; entry++) {
      const end = at + 1 + memory.u32[at]!;
      const ordinal = this.#texts.ordinalAt(entry);
      if (ordinal !== undefined) {
        this.#enter(ordinal, listedAt(memory.u32, at + 1, end, classes));
      }
      at = end;
    }
    this.walked = to;
  }

  /** All rows of a value enter classes. */
  #enter(ordinal: Ordinal, classes: readonly Infix[]): void {
    if (classes.length === 0) return;
    const rows = this.#postings.keptRowsOf(ordinal);
    const { segments, segmentRows } = this.#space;
    if (rows instanceof Bitmap || rows.length < segments * segmentRows * MANY_ROWS) {
      for (const infix of classes) infix.addAll(rows);
      return;
    }
    const all = new Bitmap(this.#space);
    for (const row of rows) all.add(row);
    for (const infix of classes) infix.addAll(all);
    all.free();
  }

  /** Drops the names that were in more texts than the longest of their class. */
  #settle({ trie, names }: Chosen): void {
    for (const [name, { node, longest }] of names) {
      if (trie.found(node) !== trie.found(longest)) names.delete(name);
    }
  }

  /** The classes that a value is in by its walked texts; one may come twice. */
  #classesOf(ordinal: Ordinal): readonly Infix[] {
    if (this.walked === 0) return NO_CLASSES;
    const [newest, ...older] = this.#texts.entriesOf(ordinal);
    if (newest === undefined) return NO_CLASSES;
    if (older.length === 0) return this.#classesAt(newest);
    return [newest, ...older].flatMap((entry) => this.#classesAt(entry));
  }

  /** The classes that an entry is in; none when it was not walked. */
  #classesAt(entry: number): readonly Infix[] {
    if (entry >= this.walked) return NO_CLASSES;
    const { trie, classes } = this.#chosen!;
    const out = this.#space.scratch.take((MAX_CLASSES + 1) * 4);
    const written = this.#texts.walk(entry, entry + 1, trie.forKernel(false), out);
    const from = out >>> 2;
    const met = listedAt(this.#space.memory.u32, from + 1, from + written, classes);
    this.#space.scratch.cut(out);
    return met;
  }

  /** `ordinalsAt` returns a row's ordinals. */
  check(allRows: readonly RowNumber[], ordinalsAt: (row: RowNumber) => readonly Ordinal[]): void {
    if (!this.#inForce || this.#texts.epoch !== this.#chosenFor.epoch) return;
    const { classes, names } = this.#chosen!;
    // Checks some of many texts, so that a check does not take minutes.
    const step = Math.max(1, Math.floor((names.size * this.walked) / MAX_CHECKED));
    for (let entry = 0; entry < this.walked; entry += step) {
      const ordinal = this.#texts.ordinalAt(entry);
      if (ordinal === undefined) continue;
      const text = this.#texts.textAt(entry, Number.POSITIVE_INFINITY);
      const own = new Set(this.#classesAt(entry));
      for (const [name, { number }] of names) {
        if (own.has(classes[number]!) === text.includes(name)) continue;
        throw new Error(`infixes: ordinal ${ordinal} is wrong in the class of '${name}'`);
      }
    }
    const asked = [...new Set([...names.values()].map(({ number }) => classes[number]!))];
    const apart = Math.max(1, Math.floor(allRows.length / MAX_ROWS_CHECKED));
    for (let i = 0; i < allRows.length; i += apart) {
      const row = allRows[i]!;
      const own = new Set(ordinalsAt(row).flatMap((ordinal) => this.#classesOf(ordinal)));
      for (const infix of asked) {
        if (infix.rows.has(row) === own.has(infix)) continue;
        throw new Error(`infixes: row ${row} is wrong in the class of '${infix.text}'`);
      }
    }
    for (const infix of classes) {
      if (infix.count !== infix.rows.count()) throw new Error('infixes: rows are miscounted');
    }
  }
}

/** The classes whose numbers stand in memory from one place to another. */
function listedAt(
  u32: Uint32Array,
  from: number,
  end: number,
  classes: readonly Infix[],
): readonly Infix[] {
  return Array.from({ length: end - from }, (_, i) => classes[u32[from + i]!]!);
}
