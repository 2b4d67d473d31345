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
  /** Its text, each digit a 0. */
  readonly shape: string;
  readonly windows: readonly Window[];
  /** Writes the bytes of an id; false for any other value, of which some bytes may be written. */
  parse(value: unknown, to: Uint8Array): boolean;
  /** The id of these bytes, as the table takes it. */
  read(bytes: Uint8Array, at: number): Scalar;
}

export const UUID: IdFormat = {
  bytes: 16,
  hyphensAt: [4, 6, 8, 10],
  shape: '00000000-0000-0000-0000-000000000000',
  windows: UUID_WINDOWS,
  parse: parseUuid,
  read: readUuid,
};

export const OBJECT_ID: IdFormat = {
  bytes: 12,
  hyphensAt: [],
  shape: '0'.repeat(24),
  windows: OBJECT_ID_WINDOWS,
  parse(value, to) {
    if (!isObjectId(value as Scalar)) return false;
    const { key } = value as { readonly key: string };
    for (let i = 0; i < key.length; i++) to[i] = key.charCodeAt(i);
    return true;
  },
  read: objectIdAt,
};
