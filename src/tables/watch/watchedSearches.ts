/**
 * The searches that are watched, and which of them a change may concern.
 *
 *     a row changes ──► as it was, as it will be ──► searches that name one of its values ─┐
 *                                              └──► searches that name no value ─────────┴─► test ──► touched
 *
 * A watched search is found by the values of one column that it names: that of a shop's orders by
 * the shop. So 900 of them cost a change of another shop's row one look-up in a Map. Each
 * search found is tested against its other conditions, with the row's old values and with its new
 * ones.
 *
 * A change of a related document, such as a renamed shop, concerns the searches of the rows that
 * are related to it.
 */

import { elements, type Scalar, scalarKey, type TableDefinition } from '../../textindex/index.ts';
import type { RelatedField, Resource, Resources } from '../definition/definition.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import { tableLayout } from '../index/tableDefinition.ts';
import type { ChangeListener, TableChange } from '../index/tables.ts';
import { tablesRead } from '../pipeline/collectionsRead.ts';
import { ChangedRow, type FoldText, type RowChange } from './changedRow.ts';
import { type NecessaryCondition, necessaryConditions } from './conditions.ts';

export interface WatchedSearch {
  readonly plan: ExplorePlan;
  /** How the plan's texts are compared. */
  readonly fold: FoldText;
  /** Whether it will be asked again anyway. */
  readonly isTouched: boolean;
  /** A change may concern it. Called within the step that makes the change. */
  touch(): void;
}

/** A condition that names values. */
type Key = NecessaryCondition & { readonly keys: ReadonlySet<string> };

interface Watched {
  readonly search: WatchedSearch;
  readonly conditions: readonly NecessaryCondition[];
  /** The condition by which it is found. */
  readonly key: Key | undefined;
  /** The latest change that it was tested against, so that a search found twice is tested once. */
  tested: RowChange | undefined;
}

/** The watched searches of one resource. */
interface OfResource {
  readonly resource: Resource;
  readonly definition: TableDefinition;
  readonly all: Map<WatchedSearch, Watched>;
  /** Searches by the column's place, then by value. */
  readonly keyed: Map<number, Map<string, Set<Watched>>>;
  readonly unkeyed: Set<Watched>;
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
      unkeyed: new Set(),
    }));
  }

  add(search: WatchedSearch): void {
    const { plan, fold } = search;
    const of = this.#of(plan.resource);
    const conditions = necessaryConditions(plan, of.definition, fold);
    const key = keyAmong(plan.resource, conditions);
    const watched: Watched = { search, conditions, key, tested: undefined };
    of.all.set(search, watched);
    if (!key) {
      of.unkeyed.add(watched);
      return;
    }
    const { number, keys } = key;
    const byValue = of.keyed.get(number) ?? new Map<string, Set<Watched>>();
    of.keyed.set(number, byValue);
    for (const one of keys) byValue.set(one, (byValue.get(one) ?? new Set()).add(watched));
  }

  delete(search: WatchedSearch): void {
    const of = this.#of(search.plan.resource);
    const watched = of.all.get(search);
    if (!watched) return;
    of.all.delete(search);
    of.unkeyed.delete(watched);
    const { number, keys = [] } = watched.key ?? {};
    const byValue = number === undefined ? undefined : of.keyed.get(number);
    for (const key of keys) {
      const same = byValue?.get(key);
      same?.delete(watched);
      if (same?.size === 0) byValue?.delete(key);
    }
    if (number !== undefined && byValue?.size === 0) of.keyed.delete(number);
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
    for (const of of this.#resources) {
      if (of.all.size === 0) continue;
      if (of.resource.name === change.name) this.#touchByRows(of, change);
      for (const field of Object.values(of.resource.fields)) {
        if (field.kind !== 'related') continue;
        if (field.to === change.name) touchRelated(of, field, change);
      }
    }
  }

  renewed(name: string): void {
    for (const { resource, all } of this.#resources) {
      if (!tablesRead(resource).includes(name)) continue;
      for (const search of all.keys()) search.touch();
    }
  }

  #touchByRows(of: OfResource, change: TableChange): void {
    const [{ search } = { search: undefined }] = of.all.values();
    const columns = of.definition.columns.map(({ name }) => name);
    for (const one of rowChanges(change, columns, search!.fold)) {
      for (const watched of of.unkeyed) touchIf(watched, one);
      for (const [number, byValue] of of.keyed) {
        const { before, after } = one;
        if (before) touchBy(before.keys(number), byValue, one);
        if (after) touchBy(after.keys(number), byValue, one);
      }
    }
  }

  #of(resource: Resource): OfResource {
    return this.#resources.find((one) => one.resource.name === resource.name)!;
  }
}

/** The most selective condition: on a column of many values if there is one, and of few values. */
function keyAmong(resource: Resource, conditions: readonly NecessaryCondition[]): Key | undefined {
  const rank = ({ column, keys }: Key) => {
    const field = resource.fields[column];
    const few = field?.kind === 'stored' && field.expect === 'few';
    return (few ? 1_000_000 : 0) + keys.size;
  };
  return conditions
    .filter((one): one is Key => one.keys !== undefined)
    .sort((a, b) => rank(a) - rank(b))
    .at(0);
}

/** Each changed row before and after, if it exists; `columns`: all of the table. */
function* rowChanges(
  { changes, table }: TableChange,
  columns: readonly string[],
  fold: FoldText,
): Generator<RowChange> {
  for (const { id, row } of changes) {
    const values = table.ask('valuesOf', id, columns);
    const before = values && new ChangedRow(id, values, fold);
    const after = row ? new ChangedRow(id, row.cells, fold) : undefined;
    if (before || after) yield { before, after };
  }
}

/** The values in a column of changed rows, before and after. */
export function changedValues(
  { changes, table, layout }: TableChange,
  column: string,
): ReadonlySet<unknown> {
  const number = layout.definition.columns.findIndex(({ name }) => name === column);
  const changed = new Set<unknown>();
  for (const { id, row } of changes) {
    for (const value of table.ask('valuesOf', id, [column])?.[0] ?? []) changed.add(value);
    for (const value of row && number >= 0 ? elements(row.cells[number]!) : []) changed.add(value);
  }
  return changed;
}

/** Touches the searches found by one of the keys. */
function touchBy(
  keys: readonly string[],
  byValue: ReadonlyMap<string, ReadonlySet<Watched>>,
  change: RowChange,
): void {
  for (const key of keys) {
    const found = byValue.get(key);
    if (found) for (const watched of found) touchIf(watched, change);
  }
}

function touchIf(watched: Watched, change: RowChange): void {
  const { search, conditions } = watched;
  if (watched.tested === change || search.isTouched) return;
  watched.tested = change;
  if (fulfils(change.before, conditions) || fulfils(change.after, conditions)) search.touch();
}

function fulfils(row: ChangedRow | undefined, conditions: readonly NecessaryCondition[]): boolean {
  if (!row) return false;
  for (let i = 0; i < conditions.length; i++) if (!conditions[i]!.test(row)) return false;
  return true;
}

/** Rows are related by a column's values: a search that names other values of it is not concerned. */
function touchRelated(of: OfResource, field: RelatedField, change: TableChange): void {
  const changed = new Set(
    [...changedValues(change, field.key)].map((one) => scalarKey(one as Scalar)),
  );
  for (const { search, conditions } of of.all.values()) {
    const concerned = conditions.every(
      ({ column, keys }) =>
        !keys || column !== field.through || [...keys].some((key) => changed.has(key)),
    );
    if (concerned) search.touch();
  }
}
