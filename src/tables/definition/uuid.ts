/** UUIDs as text, the way they are stored and shown: in lower case, with hyphens. */

/** A regular expression's source. */
export const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

const UUID = new RegExp(UUID_PATTERN);

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
