/** Merges a later answer into the rows on the page. */

type Row = Readonly<Record<string, unknown>>;

/**
 * The rows that are shown, as they are now; how many others came; and which cells have changed. Rows
 * that are no longer on the page stay as they were.
 */
export function merged(
  held: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
): {
  readonly rows: readonly Row[];
  readonly count: number;
  /** Whether the same rows stand in the same order. */
  readonly same: boolean;
  readonly flash: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const now = byKey(latest, keyOf);
  const flash = new Map<string, ReadonlySet<string>>();
  const rows = held.map((row) => {
    const key = keyOf(row);
    const next = now.get(key);
    if (!next) return row;
    const changed = changedMembers(row, next);
    if (changed.size > 0) flash.set(key, changed);
    return changed.size > 0 ? next : row;
  });
  const same =
    held.length === latest.length && held.every((row, at) => keyOf(row) === keyOf(latest[at]!));
  // Without changes the list stays the same object: nothing renders again.
  const isNew = rows.some((row, at) => row !== held[at]);
  return { rows: isNew ? rows : held, count: newIn(latest, held, keyOf), same, flash };
}

/** How many rows are new. Rows below all known ones have only moved up, unless the page has grown. */
function newIn(latest: readonly Row[], held: readonly Row[], keyOf: (row: Row) => string): number {
  const before = byKey(held, keyOf);
  const isKnown = (row: Row) => before.has(keyOf(row));
  const end = latest.findLastIndex(isKnown) + 1;
  if (end === 0) return latest.length;
  const above = latest.slice(0, end).filter((row) => !isKnown(row)).length;
  const grown = Math.max(0, latest.length - held.length);
  return above + Math.min(latest.length - end, grown);
}

/** The latest rows; one that did not change is the same object as before. */
export function kept(
  before: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const known = byKey(before, keyOf);
  return latest.map((row) => {
    const held = known.get(keyOf(row));
    return held && changedMembers(held, row).size === 0 ? held : row;
  });
}

/**
 * The latest rows as far as they fit, and below them, until these are painted, those that stood there.
 * No row stands twice: where that leaves a place empty, the rows below move up.
 */
export function begun(
  latest: readonly Row[],
  before: readonly Row[],
  fits: number,
  keyOf: (row: Row) => string,
): readonly Row[] {
  const rows = latest.slice(0, fits);
  const stands = new Set(rows.map(keyOf));
  for (let at = fits; at < latest.length; at++) {
    const row = [before[at], latest[at]].find((one) => one && !stands.has(keyOf(one)));
    if (!row) continue;
    rows.push(row);
    stands.add(keyOf(row));
  }
  return rows;
}

const byKey = (rows: readonly Row[], keyOf: (row: Row) => string) =>
  new Map(rows.map((row) => [keyOf(row), row]));

function changedMembers(before: Row, after: Row): Set<string> {
  const changed = new Set<string>();
  for (const member of Object.keys(after)) {
    const [a, b] = [before[member], after[member]];
    if (a !== b && JSON.stringify(a) !== JSON.stringify(b)) changed.add(member);
  }
  for (const member of Object.keys(before)) if (!(member in after)) changed.add(member);
  return changed;
}
