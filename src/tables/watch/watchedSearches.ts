/**
 * The searches that are watched, and which of them a change may concern.
 *
 *     a row changes ──► its values, old and new ──► searches that name one of these values ──► touched
 *                                              └──► searches that name no value ───────────► touched
 *
 * A watched search is found by the values of one column that it names: that of a shop's orders by
 * the shop. So 900 of them cost a change of another shop's row one look-up in a Map. A search that
 * is touched for nothing finds the same answer, and nobody is told.
 *
 * A change of a related document, such as a renamed shop, concerns the searches of the rows that
 * are related to it.
 */
import {
  elements,
  type Query,
  type Scalar,
  scalarKey,
  type TableDefinition,
} from '../../textindex/index.ts';
import { tablesRead } from '../definition/collectionsRead.ts';
import type { RelatedField, Resource, Resources } from '../definition/definition.ts';
import { tableLayout } from '../definition/tableDefinition.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import type { ChangeListener, TableChange } from '../index/tables.ts';

export interface WatchedSearch {
  readonly plan: ExplorePlan;
  /** A change may concern it. Called within the step that makes the change. */
  touch(): void;
}

/** The watched searches of one resource. */
interface OfResource {
  readonly resource: Resource;
  readonly definition: TableDefinition;
  /** Each with the values by which it is found, if it names some. */
  readonly all: Map<WatchedSearch, WatchKey | undefined>;
  /** Searches by the column, then by value. */
  readonly keyed: Map<string, Map<string, Set<WatchedSearch>>>;
}

export class WatchedSearches implements ChangeListener {
  readonly #resources: readonly OfResource[];
  readonly #others = new Set<(change: TableChange) => void>();

  constructor(resources: Resources) {
    this.#resources = Object.values(resources).map((resource) => ({
      resource,
      definition: tableLayout(resource).definition,
      all: new Map(),
      keyed: new Map(),
    }));
  }

  add(search: WatchedSearch): void {
    const { all, keyed, definition } = this.#of(search.plan.resource);
    const key = watchKey(search.plan, definition);
    all.set(search, key);
    if (!key) return;
    const byValue = keyed.get(key.column) ?? new Map<string, Set<WatchedSearch>>();
    keyed.set(key.column, byValue);
    for (const one of key.values.keys())
      byValue.set(one, (byValue.get(one) ?? new Set()).add(search));
  }

  delete(search: WatchedSearch): void {
    const { all, keyed } = this.#of(search.plan.resource);
    const key = all.get(search);
    all.delete(search);
    const byValue = key && keyed.get(key.column);
    if (!byValue) return;
    for (const value of key.values.keys()) {
      const same = byValue.get(value);
      same?.delete(search);
      if (same?.size === 0) byValue.delete(value);
    }
    if (byValue.size === 0) keyed.delete(key.column);
  }

  /** The number of searches. */
  get size(): number {
    return this.#resources.reduce((sum, { all }) => sum + all.size, 0);
  }

  /** Calls back before every change, too. */
  onChange(listener: (change: TableChange) => void): void {
    this.#others.add(listener);
  }

  changing(change: TableChange): void {
    for (const listener of this.#others) listener(change);
    for (const watched of this.#resources) {
      const { resource, all } = watched;
      if (all.size === 0) continue;
      if (resource.name === change.name) touchByRows(watched, change);
      for (const field of Object.values(resource.fields)) {
        if (field.kind !== 'related' || field.to !== change.name) continue;
        touchByLabels(watched, field, change);
      }
    }
  }

  renewed(name: string): void {
    for (const { resource, all } of this.#resources) {
      if (!tablesRead(resource).includes(name)) continue;
      for (const search of all.keys()) search.touch();
    }
  }

  #of(resource: Resource): OfResource {
    return this.#resources.find((one) => one.resource.name === resource.name)!;
  }
}

function touchByRows({ resource, all, keyed }: OfResource, change: TableChange): void {
  for (const [search, key] of all) if (!key) search.touch();
  for (const [column, byValue] of keyed) {
    // The key of a table may have no column.
    const changed =
      column === resource.key
        ? change.changes.map(({ id }) => scalarKey(id))
        : changedByKey(change, column).keys();
    for (const value of changed) for (const search of byValue.get(value) ?? []) search.touch();
  }
}

/**
 * Rows are related by a column's values: a search that names others is concerned where a row holds both,
 * in an array.
 */
function touchByLabels(
  { resource, all }: OfResource,
  { through, key: related }: RelatedField,
  change: TableChange,
): void {
  const changed = changedByKey(change, related);
  const others = new Map<WatchedSearch, WatchKey>();
  for (const [search, key] of all) {
    const isOther = key?.column === through && ![...key.values.keys()].some((v) => changed.has(v));
    if (isOther) others.set(search, key);
    else search.touch();
  }
  if (others.size === 0) return;
  const named = valuesByKey([...others.values()].flatMap(({ values }) => [...values.values()]));
  const both = [changed, named].map((values): Query => {
    return { op: 'equals', column: through, values: [...values.values()] };
  });
  const where: Query = { op: 'and', of: both };
  const request = { where, sortBy: 'id', descending: false, page: 1, perPage: 1 };
  const found = change.tables.of(resource.name).table.ask('search', request);
  if (found?.total !== 0) for (const search of others.keys()) search.touch();
}

const valuesByKey = (values: readonly Scalar[]): ReadonlyMap<string, Scalar> =>
  new Map(values.map((value) => [scalarKey(value), value]));

const changedByKey = (change: TableChange, column: string) =>
  valuesByKey([...changedValues(change, column)] as Scalar[]);

/** The values in a column of changed rows, before and after. */
export function changedValues(
  { name: of, changes, tables }: TableChange,
  column: string,
): ReadonlySet<unknown> {
  const { table, layout } = tables.of(of);
  const number = layout.definition.columns.findIndex(({ name }) => name === column);
  const changed = new Set<unknown>();
  for (const { id, row } of changes) {
    for (const value of table.ask('valuesOf', id, [column])?.[0] ?? []) changed.add(value);
    for (const value of row && number >= 0 ? elements(row.cells[number]!) : []) changed.add(value);
  }
  return changed;
}

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
interface WatchKey {
  readonly column: string;
  /** The values by their `scalarKey`. */
  readonly values: ReadonlyMap<string, Scalar>;
}

type Equality = Extract<Query, { op: 'equals' }>;

/** Undefined for a search that names no values. */
function watchKey(plan: ExplorePlan, definition: TableDefinition): WatchKey | undefined {
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
    if (best) return { column: best.column, values: valuesByKey(best.values) };
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
  const counted = new Set([...facets.map(({ column }) => column), histogram?.field]);
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
