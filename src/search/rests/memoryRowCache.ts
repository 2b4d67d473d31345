/**
 * Rows that list related documents, as they were made last: the same objects while no row of the tables that
 * they show has changed, so that what is written of them can be kept beside them.
 *
 *     id ──► row, and the tables' versions when it was made ──► the same row, while these are the same
 *
 * A project with its members takes as long to make and to write as ten tasks; there are few of them, and each
 * is asked for again and again.
 */
import { LRUCache } from 'lru-cache';
import type { MemoryRow } from '../../resources/record.ts';
import { RestText, type RowId } from '../../textindex/index.ts';

/** What all of a resource may take, with what is written of them. */
const MAX_BYTES = 16 * 2 ** 20;
/** An entry takes so many bytes, and so many times its rest: what is listed has ids there, and is written with names. */
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

  /** Those of an earlier version go: each would keep the block in which its rest was (textindex/rests). */
  set(id: RowId, version: number, row: MemoryRow): void {
    if (version !== this.#version) this.#rows.clear();
    this.#version = version;
    if (isKey(id)) this.#rows.set(id, row);
  }
}

const isKey = (id: RowId) => typeof id === 'number' || typeof id === 'string';

/** What rests are read to. */
const text = new RestText();

function sizeOf({ memory }: MemoryRow): number {
  memory.rest.read(text);
  return ENTRY_BYTES + TIMES_REST * text.length;
}
