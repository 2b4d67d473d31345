/** Ids of documents as keys: `_id` may be of any BSON type. */
import { BSON } from 'mongodb';

/** A document's `_id` of any BSON type as a text that is equal exactly when the ids are. */
export function idKey(id: unknown): string {
  switch (typeof id) {
    case 'string':
      return `"${id}`;
    case 'number':
      return String(id);
    default:
      return BSON.EJSON.stringify({ id });
  }
}
