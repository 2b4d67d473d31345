/**
 * Infixes: substrings that many of a large column's texts have, and the rows of these as bitmaps.
 *
 *     entries   ───────── walked ─────────│─ newer ─
 *     'weber'   rows of the values there  │ found by looking through them
 *
 * A frequent text is not looked for: what it is in was found beforehand, for up to 256 classes of
 * infixes that stand in the same texts (infixChoice.ts), by walking all texts down a trie
 * (infixTrie.ts). The walk marks for each value which classes it is in, so that a row that comes
 * or goes changes their bitmaps. A value's text never changes; an ordinal that is used anew is in no class.
 *
 * An infix is asked for exactly: in each stretch that was walked it stood in as many texts as any of its class,
 * so in the same ones. One for which that is not so is dropped. Texts that came since are walked a stretch
 * at a time; when they have doubled all is chosen anew.
 *
 * A class costs an eighth of a byte a row, and its marks 32 bytes a value for all classes together.
 */
import { Bitmap } from '../storage/bitmap.ts';
import { hasBit } from '../storage/bits.ts';
import { NULL_POINTER, type Ordinal, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { classesOf, frequentInfixes, SAMPLE_LENGTH, SAMPLE_TEXTS } from './infixChoice.ts';
import { InfixTrie, MOST_GROUPS } from './infixTrie.ts';
import type { Postings } from './postings.ts';
import type { Texts } from './texts.ts';

/** Bytes of texts that a step walks, a millisecond or so. */
const STRETCH = 32_768;
/** Texts that came since the choice, as a share of those there were, for another one. */
const GROWN = 2;
/** Texts times infixes that a check compares. */
const MOST_CHECKED = 1_000_000;

/** The rows of a class of infixes. */
export class Infix {
  /** The longest of them. */
  readonly text: string;
  readonly rows: Bitmap;
  #count: number | undefined;

  constructor(space: Space, text: string) {
    this.text = text;
    this.rows = new Bitmap(space);
  }

  get count(): number {
    this.#count ??= this.rows.count();
    return this.#count;
  }

  add(row: RowNumber): void {
    this.rows.add(row);
    this.#count = undefined;
  }

  delete(row: RowNumber): void {
    this.rows.delete(row);
    this.#count = undefined;
  }
}

/** What is in force, or on its way there. */
interface Kept {
  readonly trie: InfixTrie;
  readonly classes: readonly Infix[];
  /** By text: its class and its node. */
  readonly names: Map<string, { readonly number: number; readonly node: number }>;
}

export class Infixes {
  /** The first entry that was not walked. */
  walked = 0;
  readonly #space: Space;
  readonly #texts: Texts;
  readonly #postings: Postings;
  #kept: Kept | undefined;
  /** Whether all entries before `walked` are marked, and all names are right. */
  #inForce = false;
  #choosing: Generator<void> | undefined;
  /** The texts' epoch and their number when the choice began. */
  #chosenFor = { epoch: -1, entries: 0 };

  constructor(space: Space, texts: Texts, postings: Postings) {
    this.#space = space;
    this.#texts = texts;
    this.#postings = postings;
  }

  /** The class of a folded text: its rows are those of all entries before `walked` that contain it. */
  find(text: string): Infix | undefined {
    if (!this.#inForce || this.#texts.epoch !== this.#chosenFor.epoch) return undefined;
    const name = this.#kept!.names.get(text);
    return name && this.#kept!.classes[name.number];
  }

  /** A row holds this value now. */
  add(ordinal: Ordinal, row: RowNumber): void {
    if (this.#kept) this.#each(this.#kept, ordinal, (infix) => infix.add(row));
  }

  /** A row holds nothing any more that it did, this value among it. */
  delete(ordinal: Ordinal, row: RowNumber): void {
    if (this.#kept) this.#each(this.#kept, ordinal, (infix) => infix.delete(row));
  }

  /** The ordinal is no value's any more. */
  forget(ordinal: Ordinal): void {
    const at = this.#kept?.trie.groupsOf(ordinal) ?? NULL_POINTER;
    if (at !== NULL_POINTER) this.#space.memory.u8.fill(0, at, at + MOST_GROUPS / 8);
  }

  /** Does a step of choosing infixes or of walking texts; false when there is none to do. */
  step(): boolean {
    const { epoch, entries, large } = this.#texts;
    if (!large) {
      if (this.#kept) this.#drop();
      return false;
    }
    const { epoch: known, entries: before } = this.#chosenFor;
    if (epoch !== known || entries > before * GROWN) {
      this.#drop();
      this.#chosenFor = { epoch, entries };
      this.#choosing = this.#choose();
    }
    if (this.#choosing) {
      if (this.#choosing.next().done) this.#choosing = undefined;
      return true;
    }
    if (!this.#inForce || entries - this.walked < this.#space.layout.freshRows) return false;
    this.#walk(this.#kept!);
    this.#settle(this.#kept!);
    return true;
  }

  #drop(): void {
    this.#kept?.trie.free();
    for (const { rows } of this.#kept?.classes ?? []) rows.free();
    this.#kept = undefined;
    this.#inForce = false;
    this.#choosing = undefined;
    this.walked = 0;
  }

  *#choose(): Generator<void> {
    const infixes = yield* frequentInfixes(yield* this.#sample());
    const trie = new InfixTrie(this.#space, infixes);
    this.#kept = { trie, classes: [], names: new Map() };
    yield;
    const { entries } = this.#texts;
    for (let from = 0; from < entries; ) {
      const to = this.#texts.entryAfter(from, STRETCH);
      this.#texts.walk(from, to, trie.forKernel(0));
      from = to;
      yield;
    }
    const nodes = new Map(infixes.map((infix) => [infix, trie.nodeOf(infix)]));
    yield;
    const classes = classesOf(infixes, (infix) => trie.found(nodes.get(infix)!), entries);
    yield;
    const kept: Kept = {
      trie,
      classes: classes.map(([longest]) => new Infix(this.#space, longest!)),
      names: new Map(),
    };
    trie.restart();
    for (const [number, names] of classes.entries()) {
      for (const name of names) {
        const node = nodes.get(name)!;
        kept.names.set(name, { number, node });
        trie.setGroup(node, number);
      }
    }
    this.#kept = kept;
    while (this.walked < this.#texts.entries) {
      yield;
      this.#walk(kept);
    }
    this.#settle(kept);
    this.#inForce = true;
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
    // Of long texts fewer do, those at even distances too.
    const length = sample.reduce((sum, text) => sum + text.length, 0);
    const each = Math.max(1, Math.ceil(length / SAMPLE_LENGTH));
    return sample.filter((text, i) => text !== '' && i % each === 0);
  }

  /** Walks a stretch of entries, and enters the rows of their values. */
  #walk({ trie, classes }: Kept): void {
    const from = this.walked;
    if (from >= this.#texts.entries) return;
    const to = this.#texts.entryAfter(from, STRETCH);
    this.#texts.walk(from, to, trie.forKernel(this.#postings.lens.length));
    for (let entry = from; entry < to; entry++) {
      const ordinal = this.#texts.ordinalAt(entry);
      if (ordinal === undefined) continue;
      const rows = this.#postings.rowsOf(ordinal);
      this.#each({ trie, classes }, ordinal, (infix) => {
        for (const row of rows) infix.add(row);
      });
    }
    this.walked = to;
  }

  /** Drops the names that were not in all texts that others of their class were in. */
  #settle({ trie, names }: Kept): void {
    for (const [name, { number, node }] of names) {
      if (trie.found(node) === trie.foundGroup(number)) continue;
      names.delete(name);
      trie.clearGroup(node);
    }
  }

  /** Calls for each class that a value is in. */
  #each(
    { trie, classes }: Pick<Kept, 'trie' | 'classes'>,
    ordinal: Ordinal,
    act: (infix: Infix) => void,
  ): void {
    const at = trie.groupsOf(ordinal) >>> 2;
    if (at === 0) return;
    for (let word = 0; word < MOST_GROUPS / 32; word++) {
      let bits = this.#space.memory.u32[at + word]!;
      while (bits !== 0) {
        const low = bits & -bits;
        act(classes[word * 32 + 31 - Math.clz32(low)]!);
        bits ^= low;
      }
    }
  }

  /** `ordinalsAt` returns what a row holds. */
  check(allRows: Iterable<RowNumber>, ordinalsAt: (row: RowNumber) => readonly Ordinal[]): void {
    if (!this.#inForce || this.#texts.epoch !== this.#chosenFor.epoch) return;
    const { trie, classes, names } = this.#kept!;
    const { u8 } = this.#space.memory;
    // Of many texts some, so that a check takes no minutes.
    const step = Math.max(1, Math.floor((names.size * this.walked) / MOST_CHECKED));
    for (let entry = 0; entry < this.walked; entry += step) {
      const ordinal = this.#texts.ordinalAt(entry);
      if (ordinal === undefined) continue;
      const text = this.#texts.textAt(entry, Number.POSITIVE_INFINITY);
      for (const [name, { number }] of names) {
        if (hasBit(u8, trie.groupsOf(ordinal), number) === text.includes(name)) continue;
        throw new Error(`infixes: ordinal ${ordinal} is wrongly marked for '${name}'`);
      }
    }
    const marks = new Uint8Array(MOST_GROUPS / 8);
    for (const row of allRows) {
      marks.fill(0);
      for (const ordinal of ordinalsAt(row)) {
        const at = trie.groupsOf(ordinal);
        if (at !== NULL_POINTER) for (let i = 0; i < marks.length; i++) marks[i]! |= u8[at + i]!;
      }
      for (const [number, { rows }] of classes.entries()) {
        if (rows.has(row) !== hasBit(marks, 0, number)) {
          throw new Error(`infixes: row ${row} is wrong in class ${number}`);
        }
      }
    }
    for (const infix of classes) {
      if (infix.count !== infix.rows.count()) throw new Error('infixes: rows are miscounted');
    }
  }
}
