/**
 * The description of a table, from which the UI makes all that it shows of one: columns, filters, timeline,
 * links, panels, actions. Tables of your own have the same description, made from their definition.
 */
import type { ViewDescription, ViewName } from '../../clients/typescript/index.ts';
import type { Sort } from '../../clients/typescript/viewAddress.ts';
import type { Condition, TableName, View } from '../state/view.ts';
import type { Action, Sweep } from './action.ts';
import type { ColumnLook, Row } from './columns.ts';

/** Where a table is asked: a view of the contract, or one of your own tables. */
export type Place = ViewName | `tables/${string}`;

export type TableIcon = 'lines' | 'clock' | 'folder' | 'person' | 'journal' | 'table';

/** Parts of a record that the service is asked for apart, and tabs beside it. */
export type RecordPart = 'output' | 'members' | 'history';
export type RecordTab = 'log' | 'document';

export interface RelatedLink {
  readonly title: string;
  readonly to: View;
}

/** The rows of which the first is shown beside a record, to compare the two. */
export interface Precedent extends RelatedLink {
  /** Members that are compared. */
  readonly members: readonly string[];
}

export interface Table {
  readonly name: TableName;
  readonly title: string;
  readonly icon: TableIcon;
  /** One row of it: `task`, and several. */
  readonly one: string;
  readonly many: string;
  /** The member that names a row. */
  readonly key: string;
  readonly numericKey?: true;
  /** Keys are of several types. */
  readonly mixedKey?: true;
  /** The kinds of all fields, shown or not; tables of a file alone have them. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Fields whose numbers may have more digits than a double; tables of a file alone have them. */
  readonly digits?: readonly string[];
  /** Fields whose values the service counts beside those at the side; tables of a file alone have them. */
  readonly counted?: readonly string[];
  /** Fields whose numbers stand in rows as text. */
  readonly decimals?: readonly string[];
  /** The fields that some columns are sorted and selected by, where they have other names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** How rows are sorted at first, where the service sorts otherwise. */
  readonly sort?: readonly Sort[];
  /** Members that name a row for people: the first with a text does. */
  readonly names: readonly string[];
  /** Where admins ask, where members ask, and where rows of one project are asked for. */
  readonly views: {
    readonly admin: Place;
    readonly member?: Place;
    readonly project?: ViewName;
  };
  /** Rows that an admin's search leaves out unless it asks for them alone, by the filter of this name. */
  readonly apart?: { readonly field: string; readonly value: string; readonly many: string };
  /** The filters, orders and columns; the same fields on each of its paths. */
  readonly description: ViewDescription;
  /** A column that records have where a filter of the admins' search asks for it, by the filter's name. */
  readonly onRequest?: { readonly column: string; readonly filter: string };
  /** Every column, the most important first. */
  readonly looks: Readonly<Record<string, ColumnLook>>;
  /** Only rows of this span before now are in it, such as `90d`, by the date of this title. */
  readonly window?: { readonly span: string; readonly by?: string };
  /** Columns shown at first, in their order. */
  readonly columns: readonly string[];
  /** Facets that are open at first. */
  readonly open: readonly string[];
  /** The date that the timeline shows at first. */
  readonly time?: string;
  /** The field that splits the timeline. */
  readonly by?: string;
  /** Titles of fields in filters, where they differ from their columns'. */
  readonly titles: Readonly<Record<string, string>>;
  /** The title of a tab that shows one value of a field alone: `Failed tasks`; by field and value. */
  readonly titled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Other names of fields in the search box. */
  readonly aliases: Readonly<Record<string, string>>;
  /** An example in the search box. */
  readonly example: string;
  /** Conditions that commands offer by a name. */
  readonly shortcuts: readonly { readonly title: string; readonly condition: Condition }[];
  /** Members that a record shows elsewhere than in its list. */
  readonly hidden: readonly string[];
  /** The members that tell of a failure: its kind, and its whole text. */
  readonly failure?: { readonly kind: string; readonly text: string };
  readonly parts: readonly RecordPart[];
  readonly tabs: readonly RecordTab[];
  /** The view that a member of a record leads to. */
  lead(row: Row, member: string): View | undefined;
  /** Where else one may want to look from a record. */
  related(row: Row, admin: boolean): readonly RelatedLink[];
  /** The latest row of the same kind that went well, for a row that did not. */
  precedent?(row: Row, admin: boolean): Precedent | undefined;
  readonly actions: readonly Action[];
  /** An action of admins on rows that it finds by itself. */
  readonly sweep?: Sweep;
}

/** The parts that a table need not have: its description begins with none of them, and adds its own. */
export const BARE = {
  ...{ titles: {}, aliases: {}, shortcuts: [], hidden: [], parts: [], tabs: [], actions: [] },
  ...{ lead: () => undefined, related: () => [] },
} as const satisfies Partial<Table>;
