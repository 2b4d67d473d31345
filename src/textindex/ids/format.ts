/**
 * The ids that a column keeps as bytes: how they are written, and how they are looked up.
 *
 *     UUID       01234567-89ab-cdef-0123-456789abcdef   16 bytes, 32 nibbles, 4 hyphens
 *     ObjectId   0123456789abcdef01234567               12 bytes, 24 nibbles
 */
import type { Scalar } from '../api.ts';
import { isObjectId, objectIdAt } from '../objectId.ts';
import { parseUuid, readUuid } from './text.ts';
import { OBJECT_ID_WINDOWS, UUID_WINDOWS, type Window } from './windows.ts';

export interface IdFormat {
  readonly bytes: number;
  /** Bytes that have a hyphen before them. */
  readonly hyphensAt: readonly number[];
  /** The start of each group of digits in the text, and of one past the end. */
  readonly groups: readonly number[];
  readonly windows: readonly Window[];
  /** Writes the bytes of an id; false for any other value, of which some bytes may be written. */
  parse(value: unknown, to: Uint8Array): boolean;
  /** The id of these bytes, as the table takes it. */
  read(bytes: Uint8Array, at: number): Scalar;
}

export const UUID: IdFormat = {
  bytes: 16,
  hyphensAt: [4, 6, 8, 10],
  groups: [0, 9, 14, 19, 24, 37],
  windows: UUID_WINDOWS,
  parse: parseUuid,
  read: readUuid,
};

export const OBJECT_ID: IdFormat = {
  bytes: 12,
  hyphensAt: [],
  groups: [0, 25],
  windows: OBJECT_ID_WINDOWS,
  parse(value, to) {
    if (!isObjectId(value as Scalar)) return false;
    const { key } = value as { readonly key: string };
    for (let i = 0; i < key.length; i++) to[i] = key.charCodeAt(i);
    return true;
  },
  read: objectIdAt,
};
