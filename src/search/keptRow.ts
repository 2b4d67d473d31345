/**
 * A row of watched explores, of which what was written stays and not the row itself: nobody asks for it
 * again before it changes, and thousands of them would be most of what V8 has to look through.
 *
 *     row from memory ──► written ──► released, made again where it is to be written otherwise
 */
import { BSON } from 'mongodb';
import type { MadeMembers, MadeRow } from '../resources/record.ts';
import { RestText } from '../textindex/index.ts';

export class KeptRow implements MadeRow {
  /** What it takes with what is written of it, bytes, roughly. */
  readonly bytes: number;
  readonly #again: () => MadeRow | undefined;
  #row: MadeRow | undefined;

  /** @param again makes the row anew; undefined where memory does not tell it any more */
  constructor(row: MadeRow, again: () => MadeRow | undefined) {
    this.#row = row;
    this.#again = again;
    this.bytes = ENTRY_BYTES + writtenBytes(row.made) + 2 * BSON.calculateObjectSize(row.joined);
  }

  get document(): MadeRow['document'] {
    return this.#whole.document;
  }

  get made(): MadeMembers {
    return this.#whole.made;
  }

  get joined(): MadeRow['joined'] {
    return this.#whole.joined;
  }

  /** Whether the row is there, or can be made again. */
  make(): boolean {
    this.#row ??= this.#again();
    return this.#row !== undefined;
  }

  /** What was wanted of the row is kept beside it. */
  release(): void {
    this.#row = undefined;
  }

  get #whole(): MadeRow {
    if (!this.make()) throw new Error('a row that is written was not asked for before');
    return this.#row!;
  }
}

/** What rests are read to. */
const text = new RestText();

/** What an entry costs besides: keys, links, the objects around its bytes. */
const ENTRY_BYTES = 1_000;

/** As many as it is written with, and some more. */
function writtenBytes({ rest, values }: MadeMembers): number {
  rest.read(text);
  let bytes = text.length;
  for (const value of values) bytes += (typeof value === 'string' ? value.length : 8) + NAME_BYTES;
  return bytes;
}

/** A member's name, and what stands around it. */
const NAME_BYTES = 20;
