/**
 * Documents of dirty data, which columns do not tell exactly, as the store has them.
 *
 *     {worker: ["a", "b"], …}     one document in some hundred has an array, a decimal, an odd type
 *         └─► the members that records show, as BSON, by id: a few hundred bytes each
 *
 * Without them each page with such a row would ask the store, and wait for it while it is away.
 * When the room is full, documents written longest ago go first.
 */
import { invariant } from '../../../errors.ts';
import { decode } from '../../../store/bson/decode.ts';
import {
  keepMap,
  type RowId,
  type State,
  type Steps,
  scalarKey,
} from '../../../textindex/index.ts';
import type { StoredDocument } from '../../definition/record.ts';

/** The bytes of an entry besides its document. */
const ENTRY_BYTES = 400;

/** One table's odd documents may take this part of the bytes for rests: one in so many. */
const SHARE = 32;

interface Entry {
  readonly id: RowId;
  readonly document: Uint8Array;
}

export class OddDocuments {
  readonly #maxBytes: number;
  readonly #byId = new Map<string, Entry>();
  #bytes = 0;

  /** @param maxRestBytes the most that the rests of all tables, with these, may take together */
  constructor(maxRestBytes: number) {
    this.#maxBytes = maxRestBytes / SHARE;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined: the document is gone, or is no such one. */
  set(id: RowId, document: Uint8Array | undefined): void {
    if (!document && this.#byId.size === 0) return;
    const key = scalarKey(id);
    this.#delete(key);
    if (!document) return;
    this.#byId.set(key, { id, document });
    this.#bytes += document.length + ENTRY_BYTES;
    for (const oldest of this.#byId.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#delete(oldest);
    }
  }

  get(id: RowId): StoredDocument | undefined {
    if (this.#byId.size === 0) return undefined;
    const entry = this.#byId.get(scalarKey(id));
    return entry && decode(entry.document);
  }

  /** Its documents, for a checkpoint; see `State`. */
  *keep(state: State): Steps {
    this.#bytes = state.number(this.#bytes);
    yield* keepMap(state, this.#byId, (key, entry) => {
      const text = state.text(key);
      const id = state.scalar(entry?.id)!;
      const document = new Uint8Array(state.number(entry?.document.length));
      if (entry) document.set(entry.document);
      state.array(document);
      return [text, { id, document }];
    });
  }

  /** Throws if one is kept without its row. */
  check(isThere: (id: RowId) => boolean): void {
    for (const [key, { id }] of this.#byId)
      invariant(isThere(id), `${key} is kept, its row is not`);
  }

  #delete(key: string): void {
    const entry = this.#byId.get(key);
    if (!entry) return;
    this.#byId.delete(key);
    this.#bytes -= entry.document.length + ENTRY_BYTES;
  }
}
