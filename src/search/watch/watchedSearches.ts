/**
 * The searches that are watched, and which of them a change may concern.
 *
 *     a row changes ──► as it was, as it will be ──► searches that name one of its values ─┐
 *                                              └──► searches that name no value ─────────┴─► test ──► touched
 *
 * A watched search is found by the values of one column that it names: that of a project's tasks by the
 * project. So 900 of them cost a change of another project's row one look-up in a Map. What is found is
 * tested against the other conditions, with the row's old values and with its new ones.
 *
 * A change of a related document, a project that is renamed, concerns the searches of the rows that
 * are related to it.
 */

import type { ExplorePlan } from '../../query/explore/plan.ts';
import type { Resources } from '../../query/pipeline.ts';
import type { RelatedField, Resource } from '../../resources/definition.ts';
import { elements, type Scalar } from '../../textindex/index.ts';
import { collectionsRead } from '../collectionsRead.ts';
import { tableLayout } from '../tableDefinition.ts';
import type { ChangeListener, TableChange } from '../tables.ts';
import { type NecessaryCondition, necessaryConditions, RowVersion } from './conditions.ts';

type Fold = (text: string) => string;

export interface WatchedSearch {
  readonly plan: ExplorePlan;
  /** How the plan's texts are compared. */
  readonly fold: Fold;
  /** Whether it will be asked again anyway. */
  readonly isTouched: boolean;
  /** A change may concern it. Called within the step that makes the change. */
  touch(): void;
}

interface Watched {
  readonly search: WatchedSearch;
  readonly conditions: readonly NecessaryCondition[];
  /** The condition by which it is found. */
  readonly key: (NecessaryCondition & { op: 'one of' }) | undefined;
}

/** The watched searches of one resource. */
interface OfResource {
  readonly resource: Resource;
  readonly columns: ReadonlySet<string>;
  readonly all: Map<WatchedSearch, Watched>;
  /** Columns of conditions, and of how many. */
  readonly tested: Map<string, number>;
  /** By column, then by value. */
  readonly keyed: Map<string, Map<string, Set<Watched>>>;
  readonly unkeyed: Set<Watched>;
}

export class WatchedSearches implements ChangeListener {
  readonly #resources: readonly OfResource[];
  readonly #all: Resources;
  readonly #others = new Set<(change: TableChange) => void>();

  constructor(resources: Resources) {
    this.#all = resources;
    this.#resources = Object.values(resources).map((resource) => ({
      resource,
      columns: new Set(tableLayout(resource).definition.columns.map(({ name }) => name)),
      all: new Map(),
      tested: new Map(),
      keyed: new Map(),
      unkeyed: new Set(),
    }));
  }

  add(search: WatchedSearch): void {
    const { plan, fold } = search;
    const of = this.#of(plan.resource);
    const conditions = necessaryConditions(plan, of.columns, fold);
    const watched = { search, conditions, key: keyAmong(plan.resource, conditions) };
    of.all.set(search, watched);
    for (const { column } of conditions) of.tested.set(column, (of.tested.get(column) ?? 0) + 1);
    if (!watched.key) {
      of.unkeyed.add(watched);
      return;
    }
    const { column, keys } = watched.key;
    const byValue = of.keyed.get(column) ?? new Map<string, Set<Watched>>();
    of.keyed.set(column, byValue);
    for (const key of keys) byValue.set(key, (byValue.get(key) ?? new Set()).add(watched));
  }

  delete(search: WatchedSearch): void {
    const of = this.#of(search.plan.resource);
    const watched = of.all.get(search);
    if (!watched) return;
    of.all.delete(search);
    for (const { column } of watched.conditions) {
      const left = of.tested.get(column)! - 1;
      if (left > 0) of.tested.set(column, left);
      else of.tested.delete(column);
    }
    of.unkeyed.delete(watched);
    const { column, keys = [] } = watched.key ?? {};
    const byValue = column === undefined ? undefined : of.keyed.get(column);
    for (const key of keys) {
      const same = byValue?.get(key);
      same?.delete(watched);
      if (same?.size === 0) byValue?.delete(key);
    }
    if (column !== undefined && byValue?.size === 0) of.keyed.delete(column);
  }

  /** How many there are. */
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
      if (of.resource.collection === change.collection) touchByRows(of, change);
      for (const field of Object.values(of.resource.fields)) {
        if (field.kind !== 'related') continue;
        if (this.#all[field.to].collection === change.collection) touchRelated(of, field, change);
      }
    }
  }

  renewed(collection: string): void {
    for (const { resource, all } of this.#resources) {
      if (!collectionsRead(resource, this.#all).includes(collection)) continue;
      for (const search of all.keys()) search.touch();
    }
  }

  #of(resource: Resource): OfResource {
    return this.#resources.find((one) => one.resource.name === resource.name)!;
  }
}

/** The condition that tells most: on a column of many values if there is one, and of few values. */
function keyAmong(resource: Resource, conditions: readonly NecessaryCondition[]): Watched['key'] {
  const rank = ({ column, keys }: NonNullable<Watched['key']>) => {
    const field = resource.fields[column];
    const few = field?.kind === 'stored' && field.expect === 'few';
    return (few ? 1_000_000 : 0) + keys.size;
  };
  return conditions
    .filter((one) => one.op === 'one of')
    .sort((a, b) => rank(a) - rank(b))
    .at(0);
}

/** Each changed row as it was and as it will be, where it is there. */
function* versions(
  { changes, table, layout }: TableChange,
  columns: readonly string[],
  fold: Fold,
): Generator<RowVersion> {
  for (const { id, row } of changes) {
    const before = table.valuesOf(id, columns);
    if (before) yield new RowVersion((column) => before[columns.indexOf(column)], fold);
    if (!row) continue;
    yield new RowVersion((column) => {
      const at = layout.definition.columns.findIndex(({ name }) => name === column);
      return at < 0 ? undefined : (elements(row.cells[at]!) as readonly Scalar[]);
    }, fold);
  }
}

/** The values that changed rows held in a column, and those they will hold. */
export function changedValues(change: TableChange, column: string): ReadonlySet<unknown> {
  const changed = new Set<unknown>();
  for (const version of versions(change, [column], (text) => text)) {
    for (const value of version.values(column) ?? []) changed.add(value);
  }
  return changed;
}

function touchByRows(of: OfResource, change: TableChange): void {
  const [{ search } = { search: undefined }] = of.all.values();
  const fold = search!.fold;
  for (const version of versions(change, [...of.tested.keys()], fold)) {
    for (const watched of of.unkeyed) touchIf(watched, version);
    for (const [column, byValue] of of.keyed) {
      const keys = version.keys(column) ?? byValue.keys();
      for (const key of keys) for (const one of byValue.get(key) ?? []) touchIf(one, version);
    }
  }
}

function touchIf({ search, conditions }: Watched, version: RowVersion): void {
  if (!search.isTouched && conditions.every((one) => version.fulfils(one))) search.touch();
}

/** Rows are related by a column's values: a search that names other values of it is not concerned. */
function touchRelated(of: OfResource, field: RelatedField, change: TableChange): void {
  const [{ search } = { search: undefined }] = of.all.values();
  const changed = new Set<string>();
  for (const version of versions(change, [field.key], search!.fold)) {
    for (const key of version.keys(field.key) ?? []) changed.add(key);
  }
  for (const { search, conditions } of of.all.values()) {
    const concerned = conditions.every(
      (one) =>
        one.op !== 'one of' ||
        one.column !== field.through ||
        [...one.keys].some((key) => changed.has(key)),
    );
    if (concerned) search.touch();
  }
}
