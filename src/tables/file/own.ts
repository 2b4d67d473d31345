/** A table of a file, ready to serve: one resource that the index keeps, and a view for each grant. */
import type { Resource } from '../definition/definition.ts';
import type { SearchView } from '../definition/view.ts';
import type { DescribedTable } from './described.ts';
import type { Place } from './problems.ts';
import type { WrittenWindow } from './written.ts';

/** The description of a table from which a page is built, without what a grant hides. */
export interface TableShown
  extends Pick<DescribedTable, 'fields' | 'text' | 'facets' | 'sort' | 'columns'> {
  readonly sorts: readonly string[];
  /** The field is left out where it is hidden. */
  readonly window: (Pick<WrittenWindow, 'span'> & Partial<WrittenWindow>) | undefined;
}

/** The table as callers with one of these roles see it; hidden fields are in no part of it. */
export interface Grant extends TableShown {
  readonly roles: readonly string[];
  readonly view: SearchView;
  /** They may read whole documents. */
  readonly document: boolean;
}

export interface OwnTable extends DescribedTable {
  /** Where the file defines it. */
  readonly place: Place;
  /** All that the index keeps; named apart from built-in resources. */
  readonly resource: Resource;
  /** A caller has the first that names one of their roles. */
  readonly grants: readonly Grant[];
}
