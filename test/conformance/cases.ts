/**
 * Cases of the usual kinds: the rows that filters find in a view, and the order that it shows them
 * in.
 */
import type { Case, Hits, ViewName } from './conform.ts';

type Applied = Hits['applied'];

/** How a view is asked, and the filters that it adds by itself. */
interface Asking extends Partial<Pick<Case, 'as' | 'within'>> {
  readonly own?: Applied;
}

/** Makes cases of filters that a view is asked with. */
export const filtered =
  (view: ViewName, { own = {}, ...asked }: Asking = {}) =>
  (
    name: string,
    filters: object,
    ids: readonly unknown[],
    applied: object = {},
    more: Partial<Hits> = {},
  ): Case => ({
    ...{ name, view, ...asked, body: { filters } },
    expect: { ids, applied: { ...own, ...applied }, ...more },
  });

/** Makes cases of filters that the answer reports as they are given. */
export const asGiven =
  (find: ReturnType<typeof filtered>) =>
  (filters: object, ids: readonly unknown[], more?: Partial<Hits>): Case =>
    find(JSON.stringify(filters), filters, ids, filters, more);

/** Filters that are null, by their names. */
export const nulls = (names: string): Readonly<Record<string, null>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, null]));

/** Makes cases of sort orders; `applied` are the filters that the view adds by itself. */
export const sortedIn =
  (view: ViewName, applied: Applied = {}) =>
  (sort_by: string, sort_order: string, ids: readonly unknown[]): Case => ({
    name: `sort by ${sort_by} ${sort_order}`,
    view,
    body: { sorting: { sort_by, sort_order } },
    expect: { ids, applied, sorting: { sort_by, sort_order } },
  });
