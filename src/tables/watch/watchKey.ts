/**
 * The values by which a watched search is found: every row that it finds, shows or counts has one of
 * them.
 *
 *     within shop = "7d0a…" where paid = true and email ~ "ana"   ──►   shop: "7d0a…"
 *
 * The rows that the caller may see come first: changes of others leave the search alone. A condition
 * that a facet or the histogram ignores names no such values, because rows count there that do not
 * meet it.
 */
import { type Query, scalarKey, type TableDefinition } from '../../textindex/index.ts';
import type { ExplorePlan } from '../explore/plan.ts';

export interface WatchKey {
  readonly column: string;
  /** The `scalarKey` of each value. */
  readonly values: readonly string[];
}

type Equality = Extract<Query, { op: 'equals' }>;

/** Undefined for a search that names no values. */
export function watchKey(plan: ExplorePlan, definition: TableDefinition): WatchKey | undefined {
  const { within, where, resource } = plan;
  const fits = ({ column }: Equality) =>
    column === resource.key || definition.columns.some((one) => one.name === column && one.equals);
  const rank = ({ column, values }: Equality) => {
    const field = resource.fields[column];
    const few = field?.kind === 'stored' && field.expect === 'few';
    return (few ? 1_000_000 : 0) + values.length;
  };
  const asked = [...equalitiesIn(where), ...selectedBy(plan)];
  for (const some of [equalitiesIn(within), asked]) {
    const [best] = some.filter(fits).sort((a, b) => rank(a) - rank(b));
    if (best) return { column: best.column, values: best.values.map(scalarKey) };
  }
  return undefined;
}

function selectedBy({
  resource,
  facets,
  histogram,
  baseline,
  conditions,
}: ExplorePlan): readonly Equality[] {
  const counted = new Set([...facets.map(({ field }) => field), histogram?.field]);
  // Rows of the baseline count although they do not meet the conditions.
  return (baseline ? [] : conditions).flatMap((one): readonly Equality[] => {
    if (one.op !== 'ids' && one.op !== 'in') return [];
    const { column = resource.key } = one;
    const values = 'ids' in one ? one.ids : one.values;
    return counted.has(column) || values.includes(null) ? [] : [{ op: 'equals', column, values }];
  });
}

function equalitiesIn(query: Query): readonly Equality[] {
  if (query.op === 'and') return query.of.flatMap(equalitiesIn);
  return query.op === 'equals' ? [query] : [];
}
