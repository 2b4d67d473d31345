/**
 * A cache of rows that list related documents. A row stays the same object while no table that it
 * shows has changed, so the text written of it can be kept beside it.
 *
 *     id ──► row, and the tables' versions when it was made ──► the same row, while these are the same
 *
 * A row with such a list takes as long to make and write as ten others; such rows are few, and
 * callers ask for each one often.
 */
import { LRUCache } from 'lru-cache';
import { RestText, type RowId } from '../../../textindex/index.ts';
import type { MemoryRow } from '../../definition/record.ts';

/** The most memory for all rows of one resource, with the text written of them. */
const MAX_BYTES = 16 * 2 ** 20;
/**
 * The estimated bytes of an entry: a fixed part, and a multiple of its rest. The rest lists ids
 * where the written text has names.
 */
const ENTRY_BYTES = 1_000;
const TIMES_REST = 6;

export class MemoryRowCache {
  readonly #rows = new LRUCache<RowId & (number | string), MemoryRow>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });
  #version = -1;

  /** @param version another one after each change of any row that is shown */
  get(id: RowId, version: number): MemoryRow | undefined {
    return isKey(id) && version === this.#version ? this.#rows.get(id) : undefined;
  }

  /**
   * Rows of an earlier version go: each would keep the block in which its rest was
   * (textindex/rests).
   */
  set(id: RowId, version: number, row: MemoryRow): void {
    if (version !== this.#version) this.#rows.clear();
    this.#version = version;
    if (isKey(id)) this.#rows.set(id, row);
  }
}

const isKey = (id: RowId) => typeof id === 'number' || typeof id === 'string';

/** The buffer that rests are read into. */
const text = new RestText();

function sizeOf({ memory }: MemoryRow): number {
  memory.rest.read(text);
  return ENTRY_BYTES + TIMES_REST * text.length;
}
