/**
 * A search that the service offers, as data: the filters of its resource that it takes, and its
 * additions to every request. The route table has its path and permission.
 */
import { invariant, type ProblemCode } from '../../errors.ts';
import type { Resource } from './definition.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { ALL, type Predicate, type Value } from './predicate.ts';
import type { Json } from './record.ts';

/** The caller and the path of a request: the rows of a view depend on nothing else. */
export interface Viewer {
  /** The token's `sub`. */
  readonly sub: string;
  readonly admin: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The rows that a view shows, and the filters that the answer reports for them. */
export interface ShownRows {
  readonly within: Predicate;
  readonly applied: Readonly<Record<string, Json>>;
}

export interface SearchView {
  /** Names the search in logs and metrics. */
  readonly name: string;
  readonly resource: Resource;
  /** The filters of the resource that this search takes; all others are unknown members. */
  readonly filters: readonly string[];
  /** The rows that a caller may see; all rows when left out. */
  readonly rows?: (viewer: Viewer) => ShownRows;
  /** The schemas of the filters that `rows` applies. */
  readonly applies?: Readonly<Record<string, JsonSchema>>;
  /** Values of `enum` filters that apply when the body gives none. */
  readonly defaults?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** Filters that hold for rows with a value of another filter, and are ignored without such rows. */
  readonly onlyWhere?: Readonly<Record<string, { readonly filter: string; readonly is: Value }>>;
  /** Filters that may only repeat a condition of `rows`, each with the error for any other value. */
  readonly sameAsPath?: Readonly<Record<string, Mismatch>>;
  /** Search takes `select`, as explore and export do. */
  readonly select?: true;
  /** The default sort is ascending. */
  readonly ascending?: true;
}

interface Mismatch {
  readonly code: ProblemCode;
  readonly detail: string;
}

/** A view as written by hand: without `filters` it takes all of its resource. */
type Written = Omit<SearchView, 'filters'> & Partial<Pick<SearchView, 'filters'>>;

/** Checks that the resource has each filter that the view names, and the view each one it has rules for; freezes it. */
export function defineView(written: Written): SearchView {
  const view = { filters: Object.keys(written.resource.filters), ...written };
  const { name, resource, filters, defaults = {}, onlyWhere = {}, sameAsPath = {} } = view;
  const named = [...filters, ...Object.values(onlyWhere).map(({ filter }) => filter)];
  for (const one of named) invariant(resource.filters[one], `${name}: no filter ${one}`);
  for (const one of Object.keys({ ...defaults, ...onlyWhere, ...sameAsPath })) {
    invariant(filters.includes(one), `${name} does not take the filter ${one}`);
  }
  return Object.freeze(view);
}

const EVERY_ROW: ShownRows = Object.freeze({ within: ALL, applied: {} });

export const shownRows = ({ rows }: Pick<SearchView, 'rows'>, viewer: Viewer): ShownRows =>
  rows ? rows(viewer) : EVERY_ROW;
