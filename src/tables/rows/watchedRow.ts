/**
 * A row of watched explores: it keeps the text written of it, but not the row itself. The row is
 * not needed again before it changes, and thousands of rows would be most of V8's work in a
 * collection.
 *
 *     row from memory ──► written ──► released, made again where it is to be written otherwise
 */
import { BSON } from 'mongodb';
import { RestText } from '../../textindex/index.ts';
import type { MemoryMembers, MemoryRow } from '../definition/record.ts';

export class WatchedRow implements MemoryRow {
  /** The bytes that the row takes with the text written of it, roughly. */
  readonly bytes: number;
  readonly #again: () => MemoryRow | undefined;
  #row: MemoryRow | undefined;

  /** @param again makes the row again; undefined if memory no longer has it */
  constructor(row: MemoryRow, again: () => MemoryRow | undefined) {
    this.#row = row;
    this.#again = again;
    this.bytes = ENTRY_BYTES + writtenBytes(row.memory) + 2 * BSON.calculateObjectSize(row.joined);
  }

  get document(): MemoryRow['document'] {
    return this.#whole.document;
  }

  get memory(): MemoryMembers {
    return this.#whole.memory;
  }

  get joined(): MemoryRow['joined'] {
    return this.#whole.joined;
  }

  /** Whether the row is there, or can be made again. */
  make(): boolean {
    this.#row ??= this.#again();
    return this.#row !== undefined;
  }

  /** Lets go of the row; the text written of it stays beside this object. */
  release(): void {
    this.#row = undefined;
  }

  get #whole(): MemoryRow {
    if (!this.make()) throw new Error('a row that is written was not asked for before');
    return this.#row!;
  }
}

/** The buffer that rests are read into. */
const text = new RestText();

/** The bytes that an entry takes besides: keys, links, the objects around its bytes. */
const ENTRY_BYTES = 1_000;

/** The bytes of the text written of it, and some more. */
function writtenBytes({ rest, values }: MemoryMembers): number {
  rest.read(text);
  let bytes = text.length;
  for (const value of values) bytes += (typeof value === 'string' ? value.length : 8) + NAME_BYTES;
  return bytes;
}

/** A member's name with its punctuation. */
const NAME_BYTES = 20;
