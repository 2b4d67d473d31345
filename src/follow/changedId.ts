/**
 * The `_id` of a document: as the key of its row, and as something to ask the server for.
 *
 * Most ids are numbers or strings and are the same thing to both. For all others the driver's own
 * decoding serves, as long as the decoded id encodes to the same bytes. Otherwise the read would
 * ask for a different id, and the document would look deleted.
 */
import { BSON } from 'mongodb';
import { asData } from '../store/bson/asData.ts';
import { Members } from '../store/bson/members.ts';
import { BsonType, endOfValue } from '../store/bson/raw.ts';
import { END, sized } from '../store/bson/readable.ts';
import { scalarAt } from '../store/bson/scalar.ts';
import { MAX_DATE, type Row, type RowId, scalarKey } from '../textindex/index.ts';

export interface ChangedId {
  readonly id: RowId;
  /** Equal ids have equal keys. */
  readonly key: string;
  /** The value for a query. */
  readonly query: unknown;
  /** Its size there. */
  readonly bytes: number;
}

/** Why a collection is not followed. */
export const NAMELESS =
  'an _id cannot be asked for, such as text that is no UTF-8 or a date past the year 270,000';

/** Null when no query can name the id. */
export function changedIdAt(bytes: Uint8Array, type: number, at: number): ChangedId | null {
  const id = scalarAt(bytes, type, at) as RowId;
  const query = isPlain(type, id) ? id : decoded(bytes, type, at);
  const size = endOfValue(bytes, type, at) - at;
  return query === undefined ? null : { id, key: scalarKey(id), query, bytes: size };
}

function isPlain(type: number, id: RowId): boolean {
  if (typeof id === 'number') return type === BsonType.int || Number.isSafeInteger(id);
  return typeof id === 'string' && !mayStandForOthers(id);
}

/** Text that is no UTF-8 has U+FFFD in it, and a date past those of JavaScript is the last one. */
const mayStandForOthers = (id: RowId): boolean =>
  typeof id === 'string'
    ? id.includes('\ufffd')
    : id instanceof Date && Math.abs(id.getTime()) === MAX_DATE;

function decoded(bytes: Uint8Array, type: number, at: number): unknown {
  // Its name is empty.
  const value = bytes.subarray(at, endOfValue(bytes, type, at));
  const document = sized([Buffer.of(type, 0), value, END]);
  try {
    const id = asData(BSON.deserialize(document, { promoteValues: false, bsonRegExp: true })['']);
    return Buffer.compare(BSON.serialize({ '': id }), document) === 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

const ID = new Members(['_id']);

/** Whether no other document's row can have the id of this document's row. */
export function hasOwnId(document: Uint8Array, { id }: Row): boolean {
  if (!mayStandForOthers(id)) return true;
  ID.read(document);
  return changedIdAt(document, ID.types[0]!, ID.starts[0]!) !== null;
}
