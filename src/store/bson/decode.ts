/** A stored document as the driver decodes it. */
import { BSON } from 'mongodb';

/** Bytes of text that is no UTF-8 become U+FFFD, as everywhere. */
const AS_READ = { validation: { utf8: false } } as const;

export function decode(document: Uint8Array): Record<string, unknown> {
  return BSON.deserialize(document, AS_READ);
}
