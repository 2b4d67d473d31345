/**
 * The values of a dictionary by ordinal, and the ordinals by value, all in the table's memory.
 *
 *     slots    … 0 │ record │ record │ 0 …          a hash table of records
 *     chunks   [ 17 text ann@x.org │ 18 number 3 │ free ]  [ … ]   records in blocks of 4 kB
 *     places   17 ─► record                         by ordinal
 *
 * Strings in an array and a Map took 80 bytes a value, and each garbage collection visited them. A
 * record has 8 bytes beside the value's own, and its places some 12. Only a shown value becomes a string.
 *
 * A chunk more than half of whose bytes are deleted is moved into others: some 100 values at a time.
 * A large value has a block of its own.
 */
import type { Scalar } from '../api.ts';
import { RECORD, VALUES } from '../kernel/abi.ts';
import { compareScalars } from '../scalars.ts';
import { NULL_POINTER, type Ordinal, type Pointer, plus } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import type { State } from '../storage/state.ts';
import { FIRST_VALUE, NO_VALUE } from './ordinals.ts';
import { SharedNumbers } from './sharedNumbers.ts';
import { ValueBytes } from './valueBytes.ts';
import { ValueNumbers } from './valueNumbers.ts';

/** Blocks of this size lie at multiples of it, so that a record's place tells its chunk. */
const CHUNK = 4096;
/** The beginning of a chunk. */
const HEADER = { bytes: 8, deleted: 0, end: 4 } as const;
/** Bytes from which on a record has a block of its own. */
const LARGE = CHUNK / 4;
/** The ordinal in a deleted record. */
const DELETED = 0xffffffff;
/** Added to the place of a value that is no text. */
const OTHER = 1;
const FIRST_SLOTS = 16;
/** Slots that may be in use, of each 4. */
const MOST_OF_4 = 3;
/** Values that are kept as they were shown last, so that frequent ones are not made again. */
const SHOWN = 64;

export class Values {
  readonly #space: Space;
  readonly #bytes: ValueBytes;
  readonly #places: Vector<Pointer>;
  readonly #unused: Vector<Ordinal>;
  /** Made when a sort asks for them. */
  readonly numbers: ValueNumbers;
  /** VALUES of abi.ts: its secrets stay the same as long as the table lives. */
  #table: Pointer;
  /** The chunk that new records go to, and the end of its last one. */
  #chunk: Pointer;
  #end: Pointer;
  /** Where the value that was sought last is written, at the end of the chunk if it has room. */
  #sought = NULL_POINTER;
  readonly #shown: (Scalar | undefined)[] = new Array(SHOWN).fill(undefined);
  readonly #shownOrdinals = new Uint32Array(SHOWN);
  readonly shared = new SharedNumbers();

  constructor(space: Space) {
    const { memory } = space;
    this.#space = space;
    this.#bytes = new ValueBytes(memory);
    this.#places = new Vector(memory);
    this.#unused = new Vector(memory);
    this.numbers = new ValueNumbers(space);
    while (this.#places.length < FIRST_VALUE) this.#places.push(NULL_POINTER);
    this.#table = memory.alloc(VALUES.bytes);
    const secrets = this.#table + VALUES.secrets;
    crypto.getRandomValues(memory.u8.subarray(secrets, this.#table + VALUES.bytes));
    this.#setSlots(memory.allocZero(FIRST_SLOTS * 4), FIRST_SLOTS);
    this.#chunk = this.#newChunk();
    this.#end = plus(this.#chunk, HEADER.bytes);
  }

  /** Ordinals are below this. */
  get length(): number {
    return this.#places.length;
  }

  /** The value of an ordinal; undefined if it is not in use. */
  at(ordinal: Ordinal): Scalar | undefined {
    const at = ordinal % SHOWN;
    if (this.#shownOrdinals[at] === ordinal) return this.#shown[at];
    const record = this.#recordOf(ordinal);
    if (record === NULL_POINTER) return undefined;
    const value = this.#bytes.read(record);
    this.#shownOrdinals[at] = ordinal;
    this.#shown[at] = value;
    return value;
  }

  isUsed(ordinal: Ordinal): boolean {
    return this.#places.at(ordinal) !== NULL_POINTER;
  }

  /** Whether the value of an ordinal in use is a text, which is quicker to tell than the value. */
  isText(ordinal: Ordinal): boolean {
    return this.#places.at(ordinal) % 2 !== OTHER;
  }

  /** The `prefixKey` of an ordinal's value, which is not made for it. */
  prefixOf(ordinal: Ordinal): number {
    return this.#space.kernel.valueNumber(this.#places.at(ordinal));
  }

  /** For the kernel: where each ordinal's value is. */
  get places(): Pointer {
    return this.#places.ptr;
  }

  /** The text of an ordinal; undefined if its value is none, or it is not in use. */
  textAt(ordinal: Ordinal): string | undefined {
    return this.isUsed(ordinal) && this.isText(ordinal) ? (this.at(ordinal) as string) : undefined;
  }

  /** The order of two ordinals' values, as `compareScalars`; texts are compared where they are. */
  compare(a: Ordinal, b: Ordinal): number {
    if (a === b) return 0;
    if (!this.isText(a) || !this.isText(b)) return compareScalars(this.at(a)!, this.at(b)!);
    return this.#space.kernel.compareTexts(this.#places.at(a), this.#places.at(b));
  }

  /** The ordinal of a value; undefined if it has none. */
  find(value: Scalar): Ordinal | undefined {
    const room = ValueBytes.roomFor(value);
    const isShort = this.#end + room <= this.#chunk + CHUNK;
    this.#sought = isShort ? this.#end : this.#space.scratch.take(room);
    this.#bytes.write(this.#sought, value);
    const found = this.#space.kernel.findValue(this.#table, this.#sought) as Ordinal;
    // `add` follows at once, if it does: nothing else is written there until then.
    if (!isShort) this.#space.scratch.cut(this.#sought);
    return found === NO_VALUE ? undefined : found;
  }

  /** Gives an ordinal to the value that was sought last, and not found. */
  add(): Ordinal {
    const record = this.#keptRecord();
    const { memory, kernel } = this.#space;
    const place = this.#bytes.isText(record) ? record : plus(record, OTHER);
    const unused = this.#unused.pop();
    const ordinal = unused ?? (this.length as Ordinal);
    memory.u32[(record + RECORD.ordinal) >>> 2] = ordinal;
    if (unused === undefined) this.#places.push(place);
    else {
      this.#places.set(ordinal, place);
      this.numbers.change(this, ordinal);
    }
    this.shared.came(ordinal);
    const slots = memory.u32[(this.#table + VALUES.mask) >>> 2]! + 1;
    if (this.#size * 4 > slots * MOST_OF_4) this.#enterAll(slots * 2);
    else kernel.enterValue(this.#table, record);
    return ordinal;
  }

  /** Forgets the value of an ordinal, which may be another value's from then on. */
  remove(ordinal: Ordinal): void {
    const record = this.#recordOf(ordinal);
    const { kernel, memory } = this.#space;
    kernel.leaveValue(this.#table, record);
    this.#places.set(ordinal, NULL_POINTER);
    this.#unused.push(ordinal);
    this.shared.left(ordinal);
    if (this.#shownOrdinals[ordinal % SHOWN] === ordinal) this.#forgetShown(ordinal % SHOWN);
    const bytes = this.#bytes.lengthOf(record);
    if (bytes >= LARGE) {
      memory.free(record, bytes);
      return;
    }
    memory.u32[(record + RECORD.ordinal) >>> 2] = DELETED;
    const chunk = chunkOf(record);
    memory.u32[(chunk + HEADER.deleted) >>> 2]! += bytes;
    if (chunk !== this.#chunk) this.#tidy(chunk);
  }

  keep(state: State): void {
    this.#places.keep(state);
    this.#unused.keep(state);
    this.#table = state.number(this.#table);
    this.#chunk = state.number(this.#chunk);
    this.#end = state.number(this.#end);
    if (state.reading) for (let at = 0; at < SHOWN; at++) this.#forgetShown(at);
  }

  /** Throws if the parts contradict each other. */
  check(): void {
    const unused = new Set(this.#unused.toArray());
    for (let i: number = FIRST_VALUE; i < this.length; i++) {
      const ordinal = i as Ordinal;
      if (this.isUsed(ordinal) === unused.has(ordinal)) throw new Error(`ordinal ${i} lost`);
      if (this.isUsed(ordinal) && this.find(this.at(ordinal)!) !== ordinal) {
        throw new Error(`dictionary: ordinal ${i} is not that of its value`);
      }
    }
  }

  #forgetShown(at: number): void {
    this.#shownOrdinals[at] = NO_VALUE;
    this.#shown[at] = undefined;
  }

  /** Ordinals in use. */
  get #size(): number {
    return this.length - FIRST_VALUE - this.#unused.length;
  }

  #recordOf(ordinal: Ordinal): Pointer {
    const place = this.#places.at(ordinal);
    return (place - (place % 4)) as Pointer;
  }

  /** The record that was sought last, at a place where it stays. */
  #keptRecord(): Pointer {
    const sought = this.#sought;
    const bytes = this.#bytes.lengthOf(sought);
    // Temporary memory may begin where the chunk ends.
    const isInChunk = chunkOf(sought) === this.#chunk;
    if (isInChunk && bytes < LARGE) {
      this.#end = plus(sought, bytes);
      return sought;
    }
    const { memory } = this.#space;
    const record = bytes >= LARGE ? memory.alloc(bytes) : this.#take(bytes);
    memory.u8.copyWithin(record, sought, sought + bytes);
    return record;
  }

  /** Room for a record in a chunk. */
  #take(bytes: number): Pointer {
    if (this.#end + bytes > this.#chunk + CHUNK) {
      const [full, end] = [this.#chunk, this.#end];
      this.#chunk = this.#newChunk();
      this.#end = plus(this.#chunk, HEADER.bytes);
      this.#space.memory.u32[(full + HEADER.end) >>> 2] = end;
      this.#tidy(full);
    }
    const record = this.#end;
    this.#end = plus(record, bytes);
    return record;
  }

  #newChunk(): Pointer {
    const { memory } = this.#space;
    const chunk = memory.alloc(CHUNK);
    memory.u32[(chunk + HEADER.deleted) >>> 2] = 0;
    return chunk;
  }

  /** Moves a full chunk's records to others, and frees it, once most of it is deleted. */
  #tidy(chunk: Pointer): void {
    const { memory, kernel } = this.#space;
    if (memory.u32[(chunk + HEADER.deleted) >>> 2]! * 2 <= CHUNK) return;
    const end = memory.u32[(chunk + HEADER.end) >>> 2]!;
    for (let record = plus(chunk, HEADER.bytes); record < end; ) {
      const bytes = this.#bytes.lengthOf(record);
      const ordinal = memory.u32[(record + RECORD.ordinal) >>> 2]! as Ordinal;
      if (ordinal !== DELETED) {
        const to = this.#take(bytes);
        kernel.leaveValue(this.#table, record);
        memory.u8.copyWithin(to, record, record + bytes);
        kernel.enterValue(this.#table, to);
        this.#places.set(ordinal, plus(to, this.isText(ordinal) ? 0 : OTHER));
      }
      record = plus(record, bytes);
    }
    memory.free(chunk, CHUNK);
  }

  /** Enters all values in a larger table: a million in some 20 ms. */
  #enterAll(count: number): void {
    const { memory, kernel } = this.#space;
    const { u32 } = memory;
    const before = u32[(this.#table + VALUES.slots) >>> 2]! as Pointer;
    const bytes = (u32[(this.#table + VALUES.mask) >>> 2]! + 1) * 4;
    this.#setSlots(memory.allocZero(count * 4), count);
    memory.free(before, bytes);
    kernel.enterValues(this.#table, this.#places.ptr, this.length);
  }

  #setSlots(slots: Pointer, count: number): void {
    const { u32 } = this.#space.memory;
    u32[(this.#table + VALUES.slots) >>> 2] = slots;
    u32[(this.#table + VALUES.mask) >>> 2] = count - 1;
  }
}

const chunkOf = (record: Pointer): Pointer => (record - (record % CHUNK)) as Pointer;
