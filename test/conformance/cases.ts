/**
 * Cases of the usual kinds: the rows that filters find in a view, and the order that it shows them
 * in.
 */
import type { Case, Hits, ViewName } from './conform.ts';

type Applied = Hits['applied'];

/** Makes cases of filters that a view is asked with. */
export const filtered =
  (view: ViewName, as: Case['as'] = 'admin') =>
  (
    name: string,
    filters: object,
    ids: readonly unknown[],
    applied: object,
    more: Partial<Hits> = {},
  ): Case => ({
    name,
    view,
    as,
    body: { filters },
    expect: { ids, applied: { ...applied }, ...more },
  });

/** Makes cases of sort orders; `applied` are the filters that the view adds by itself. */
export const sortedIn =
  (view: ViewName, applied: Applied = {}) =>
  (sort_by: string, sort_order: string, ids: readonly unknown[]): Case => ({
    name: `sort by ${sort_by} ${sort_order}`,
    view,
    body: { sorting: { sort_by, sort_order } },
    expect: { ids, applied, sorting: { sort_by, sort_order } },
  });
