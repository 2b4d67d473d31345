/** A document id of any BSON type as a text that is equal just if the ids are. */
import { BSON } from 'mongodb';

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
