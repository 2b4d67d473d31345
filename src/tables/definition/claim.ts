/** A claim by its name or dotted path, such as `realm_access.roles`. */

/** The pattern of such a path, without empty steps. */
export const CLAIM_PATH = '^[^.]+(?:\\.[^.]+)*$';

/** A claim of that whole name comes first: names may be URLs. Undefined if there is none. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isThere) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
