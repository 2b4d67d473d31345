/**
 * A search that the service offers, as data: the filters of its resource that it takes, and its
 * additions to every request. The route table has its path and permission.
 */
import type { Resource } from './definition.ts';

export interface SearchView<R extends Resource = Resource, K extends string = string> {
  /** Names the search in logs and metrics. */
  readonly name: string;
  readonly resource: R;
  /** The filters of the resource that this search takes; all others are unknown members. */
  readonly filters: readonly K[];
  /** Only rows of scope `project` that belong to the path's `:project_id`. */
  readonly withinProject?: true;
  /** Only rows that list the caller in this field, unless the caller is an admin. */
  readonly membersOnly?: string;
  /** The scopes that are searched when `filters.scope` is not given. */
  readonly defaultScopes?: readonly string[];
  /** Filters that apply to rows of scope `project` alone, and are ignored if the view has none. */
  readonly projectScopeOnly?: readonly K[];
}

export function defineView<R extends Resource, K extends keyof R['filters'] & string>(
  view: SearchView<R, K>,
): SearchView<R, K> {
  return Object.freeze(view);
}
