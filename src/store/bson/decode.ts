/** A stored document as the driver decodes it. */
import { BSON } from 'mongodb';
import { readable } from './readable.ts';

/**
 * Bytes of text that is no UTF-8 become U+FFFD, as everywhere. Patterns stay the store's: JavaScript
 * has no `(?i)`, and would throw.
 */
const AS_READ = { bsonRegExp: true, validation: { utf8: false } } as const;

/** Documents of a reply that the driver left as they are. */
export const decodeAll = (documents: readonly Uint8Array[]): Record<string, unknown>[] =>
  documents.map((document) => decode(document));

/** @param options.promoteValues false for the driver's classes in place of JavaScript's numbers */
export function decode(
  document: Uint8Array,
  options: { readonly promoteValues?: false } = {},
): Record<string, unknown> {
  const reading = { ...AS_READ, ...options };
  try {
    return BSON.deserialize(document, reading);
  } catch (error) {
    if (!BSON.BSONError.isBSONError(error)) throw error;
    return BSON.deserialize(readable(document), reading);
  }
}
