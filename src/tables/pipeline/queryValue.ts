/** Turns an id or key of the index into a value for the server's queries. */
import { Long, ObjectId } from 'mongodb';
import { type RowId, TYPE_ORDER } from '../../textindex/index.ts';

/** The value in a query; undefined for ids of rare types, which only the pipeline can read. */
export function queryValue(id: RowId): unknown {
  if (typeof id === 'bigint') return Long.fromBigInt(id);
  if (typeof id !== 'object' || id === null || id instanceof Date) return id;
  if (id.typeOrder !== TYPE_ORDER.objectId) return undefined;
  return ObjectId.createFromHexString(Buffer.from(id.key, 'latin1').toString('hex'));
}
