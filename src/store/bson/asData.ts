/**
 * Decoded values on their way back to the store. A document may hold a member `_bsontype`, by which the
 * driver would take an object for one of its own classes. A Map has members alone.
 */

/** Matches these very ids. */
export const amongIds = (ids: readonly unknown[]) => ({ $in: ids.map(asData) });

/** The value, with a Map for each object that has such a member. */
export function asData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asData);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, asData(inner)] as const);
  return Object.hasOwn(value, '_bsontype') ? new Map(members) : Object.fromEntries(members);
}
