/**
 * The part of a body that its validation needs.
 *
 *     {q, m1 … m100000}  ──▶  {q, m1 … m400}        [1 … 300000]  ──▶  [1 … 400]
 *
 * The validator goes on after a problem, so that it can tell all of them at once, and a hostile
 * body can hold a hundred thousand. So the excerpt cuts an object or list that is too long to be
 * valid to its first few hundred entries, and conditions to fewer. The cut one is still invalid, and an
 * answer lists the problems up to the cut. Uncut, 100,000 unknown members take three times as long to refuse as to parse, and
 * 300,000 wrong items fifty times as long.
 */

/**
 * The parts of a JSON Schema (draft-07) that matter here. Objects with `properties` take no other
 * members.
 */
export interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly maxItems?: number;
  /** The same, with the items of their lists `any` in place of theirs. */
  readonly conditions?: number;
  readonly items?: SchemaPart;
}

/**
 * Members of an object or items of an array that an excerpt keeps; many more than an answer lists
 * problems.
 */
const LOOKED_AT = 400;
/** The same of conditions, which may have a thousand values each. */
const LISTED = 100;
/** Alternatives that count: longer lists are too long by themselves. */
const OF_ANY = 20;
/** Items of inner lists that are looked at, if a list is too long. */
const HELD = 4_000;

/** How many conditions a list has. */
export const conditionsOf = (list: readonly unknown[]): number =>
  list.reduce<number>((sum, one) => sum + conditionsIn(one), 0);

function conditionsIn(one: unknown): number {
  const { any } = (one ?? {}) as { readonly any?: unknown };
  return Array.isArray(any) ? any.length : 1;
}

/** How many items it takes until a list has more conditions than these, and than an answer lists problems. */
function placesOf(conditions: number, list: readonly unknown[]): number {
  const most = Math.max(conditions, LISTED);
  let all = 0;
  const last = list.findIndex((one) => {
    all += Math.min(conditionsIn(one), OF_ANY);
    return all > most;
  });
  return last < 0 ? list.length : last + 1;
}

/** How many items of a list are looked at, where it is too long: fewer where they hold long lists. */
function cutAt(maxItems: number, list: readonly unknown[]): number {
  if (list.length <= maxItems) return list.length;
  let held = 0;
  for (let i = 0; i < Math.min(LOOKED_AT, list.length); i++) {
    const one = list[i];
    for (const inner of typeof one === 'object' ? Object.values(one ?? {}) : []) {
      if (Array.isArray(inner)) held += inner.length;
    }
    if (i >= maxItems && held > HELD) return i + 1;
  }
  return Math.max(LOOKED_AT, maxItems + 1);
}

/** The value itself if nothing is cut. The value is valid exactly when the excerpt is. */
export function excerpt(schema: SchemaPart, value: unknown): unknown {
  if (Array.isArray(value)) {
    // One too many, at least, so that the cut list is too long as well.
    const { maxItems = Infinity, conditions } = schema;
    const all = cutAt(maxItems, value);
    const most = conditions === undefined ? all : Math.min(all, placesOf(conditions, value));
    const kept: readonly unknown[] = value.length > most ? value.slice(0, most) : value;
    const { items } = schema;
    if (items?.properties === undefined) return kept;
    const parts = kept.map((item) => excerpt(items, item));
    return parts.some((part, i) => part !== kept[i]) ? parts : kept;
  }
  const { properties } = schema;
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const names: string[] = [];
  for (const name in members) if (names.push(name) > LOOKED_AT) break;
  let cut: Record<string, unknown> | undefined;
  let known = names;
  if (names.length > LOOKED_AT) {
    cut = Object.fromEntries(names.map((name) => [name, members[name]]));
    known = Object.keys(properties).filter((name) => Object.hasOwn(members, name));
  }
  // Most bodies name few of the members that there can be.
  for (const name of known) {
    if (!Object.hasOwn(properties, name)) continue;
    const part = excerpt(properties[name]!, members[name]);
    if (cut === undefined && part === members[name]) continue;
    cut ??= { ...members };
    cut[name] = part;
  }
  return cut ?? value;
}
