/** A table as the web UI knows it, built in or one of your own. */
import type { ViewDescription, ViewName } from '../../clients/typescript/index.ts';
import type { TableName } from '../state/view.ts';
import type { ColumnLook } from './columns.ts';

/** Where a table is asked: a view of the contract, or one of your own tables. */
export type Place = ViewName | `tables/${string}`;

export interface Table {
  readonly name: TableName;
  readonly title: string;
  /** One row of it: `task`, and several. */
  readonly one: string;
  readonly many: string;
  /** The member that names a row. */
  readonly key: string;
  readonly numericKey?: true;
  /** Where admins ask, where members ask, and where rows of one project are asked for. */
  readonly views: {
    readonly admin: Place;
    readonly member?: Place;
    readonly project?: ViewName;
  };
  /** The filters, orders and columns of a table of your own. */
  readonly description?: ViewDescription;
  /** The columns of a table of your own. */
  readonly looks?: Readonly<Record<string, ColumnLook>>;
  /** The members that free text is looked for in, where the contract does not say. */
  readonly searched?: readonly string[];
  /** The table that each label leads to, and the member that holds its key; by column. */
  readonly leads?: Readonly<Record<string, { readonly to: TableName; readonly through: string }>>;
  /** Whether the whole document of a row can be read. */
  readonly hasDocument?: boolean;
  /** The date that the timeline shows at first, where it is not the first of the contract. */
  readonly time?: string;
  /** Columns shown at first, in their order. */
  readonly columns: readonly string[];
  /** Facets that are open at first. */
  readonly open: readonly string[];
  /** The field that splits the timeline. */
  readonly by?: string;
  /** Other names of fields in the search box. */
  readonly aliases: Readonly<Record<string, string>>;
}
