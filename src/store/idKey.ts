/** Ids of documents as keys: `_id` may be of any BSON type. */
import { BSON } from 'mongodb';
import { scalarKey } from '../textindex/index.ts';
import { asData } from './bson/asData.ts';
import { scalarOf } from './bson/storeValue.ts';

/** A document's `_id` of any BSON type as a text that is equal exactly when the ids are. */
export function idKey(id: unknown): string {
  if (typeof id === 'string') return `"${id}`;
  if (typeof id === 'number') return String(id);
  const scalar = scalarOf(id);
  if (scalar === undefined)
    return Buffer.from(BSON.serialize({ id: asData(id) })).toString('latin1');
  return typeof scalar === 'number' || typeof scalar === 'bigint'
    ? String(scalar)
    : scalarKey(scalar);
}
