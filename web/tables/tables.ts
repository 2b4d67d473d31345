/**
 * The tables of the web UI, and how the rest of it reads their descriptions. Each table has a file of its
 * own; test/architecture.test.ts lets no other folder name one.
 */
import {
  addressFieldsOf,
  isNumeric,
  type ViewValue,
} from '../../clients/typescript/viewAddress.ts';
import { countOf } from '../state/times.ts';
import { isOwn, type TableName } from '../state/view.ts';
import { say } from '../words/words.ts';
import type { Action } from './action.ts';
import { audit } from './audit.ts';
import type { ColumnLook } from './columns.ts';
import { hasBuiltIn, ownNames, ownTable } from './ownTables.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import type { Table } from './table.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

export type { Action, Actor, Skip, Sweep } from './action.ts';
export type { ColumnLook, Look, Row } from './columns.ts';
export type { Place, Precedent, RelatedLink, Table } from './table.ts';

const BUILT_IN: readonly Table[] = [tasks, schedules, projects, users, audit];
const byName: ReadonlyMap<TableName, Table> = new Map(BUILT_IN.map((one) => [one.name, one]));

/** The names of the built-in tables, in the order of the sidebar. */
export const TABLES: readonly TableName[] = [...byName.keys()];

/** All tables that the service has and the caller may look into. */
export const tablesFor = (admin: boolean): readonly TableName[] =>
  [...(hasBuiltIn.value ? TABLES : []), ...ownNames()].filter(
    (name) => admin || tableOf(name).views.member || tableOf(name).views.project,
  );

/** Whether the service has a built-in table of that name, for any caller. */
export const isHere = (name: TableName): boolean => hasBuiltIn.value && byName.has(name);

/** Where the web UI begins. */
export const firstTable = (): TableName =>
  (hasBuiltIn.peek() ? undefined : ownNames()[0]) ?? TABLES[0]!;

export const tableOf = (name: TableName): Table => byName.get(name) ?? ownTable(name);

/** The fields with conditions: those with ranges, and by value; undefined for a text that is no table's name. */
export function addressFields(name: string) {
  if (!byName.has(name) && !isOwn(name)) return undefined;
  const { description } = tableOf(name);
  const { facets, orders, times } = description;
  return {
    ...addressFieldsOf(description),
    ...{ sorts: orders, times, groups: facets, columns: columnsOf(name) },
  };
}

/** `1 task`, `58 tasks` */
export const rowsText = ({ one, many }: Pick<Table, 'one' | 'many'>, count: number): string =>
  `${countOf(count)} ${say(count === 1 ? one : many)}`;

/** The field that a column is sorted, selected and counted by. */
export const fieldOf = ({ fields }: Table, column: string): string => fields?.[column] ?? column;

/** The facet that counts a column's values; undefined where none does. */
export function facetOf(table: Table, column: string): string | undefined {
  const field = table.looks[column]?.of ?? fieldOf(table, column);
  return table.description.facets.includes(field) ? field : undefined;
}

/** How a column looks; one that nobody described shows as text. */
export const columnOf = (name: TableName, column: string): ColumnLook =>
  tableOf(name).looks[column] ?? { title: titleOf(column), look: 'text', width: 160 };

/** The table's name for people. */
export const tableTitle = (name: TableName): string => worded(name, tableOf(name).title);

/** The column's head. */
export const columnTitle = (name: TableName, column: string): string =>
  worded(name, columnOf(name, column).title);

/**
 * Whether this text is a number of the field: the service writes decimals, and integers past 2^53, as text. Any other
 * text among numbers is a text, such as “3”.
 */
export const isExactNumber = ({ decimals, digits }: Table, field: string, text: string): boolean =>
  isNumeric(text) &&
  (decimals?.includes(field) === true ||
    (digits?.includes(field) === true &&
      !text.includes('.') &&
      !Number.isSafeInteger(Number(text))));

/** `3 (number)`: a value that would look like a text. */
export const typedText = (value: ViewValue): string =>
  typeof value === 'number'
    ? say('{text} (number)', { text: value })
    : say('{text} (boolean)', { text: String(value) });

/** A definition file says its titles in its own language: `Done` may be no word of the UI. */
const worded = (name: TableName, title: string) => (isOwn(name) ? title : say(title));

/** The columns in the order of their descriptions: the most important ones come first. */
export function columnsOf(name: TableName): readonly string[] {
  const { looks, description } = tableOf(name);
  const first = Object.keys(looks).filter((one) => description.columns[one] !== undefined);
  return [...new Set([...first, ...Object.keys(description.columns)])];
}

/** `exception_type` → `Exception type` */
function titleOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A field as facets and chips name it. */
export function fieldTitle(name: TableName, field: string): string {
  const { titles, looks } = tableOf(name);
  return worded(name, titles[field] ?? looks[field]?.title ?? titleOf(field));
}

export const ACTIONS: readonly Action[] = BUILT_IN.flatMap(({ actions }) => actions);

export const actionOf = (id: string): Action => ACTIONS.find((one) => one.id === id)!;
