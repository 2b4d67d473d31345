/** The table of a resource, with all that is kept beside it. */
import type { Resource } from '../definition/definition.ts';
import type { TableLayout } from '../definition/tableDefinition.ts';
import type { OddDocuments } from '../rows/rests/oddDocuments.ts';
import type { RestLayout } from '../rows/rests/restLayout.ts';
import type { GuardedTable } from './guardedTable.ts';

export interface ResourceTable {
  readonly resource: Resource;
  readonly layout: TableLayout;
  /** The layout of the rests that rows bring besides their cells; undefined if there are none. */
  readonly rest: RestLayout | undefined;
  table: GuardedTable;
  /** The members that records show of odd documents, as far as they are kept. */
  odd: OddDocuments;
  /** The same number means that no row has changed in between. */
  version: number;
  /** The start of the window that its rows are in, milliseconds; undefined before it is known. */
  since: number | undefined;
  /** Between `begin` and the advance it goes live with. Maintenance comes after: in between it leaves holes. */
  loading: boolean;
}
