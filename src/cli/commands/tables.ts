/** `table-search tables` and `types`: the tables of the service's file, for people and for programs. */
import type { Command } from 'commander';
import { type OwnTable, type OwnTables, VIEWS, type ViewDescription } from 'table-search/client';
import { CliError, EXIT, usage } from '../failure.ts';
import { type FormOptions, formOf, jsonText, print, remark, withForms } from '../output.ts';
import { clientOf, listed, type ServiceOptions, withService } from '../service.ts';
import type { Row } from '../show/rows.ts';
import { typesOf } from '../show/types.ts';
import { builtInTable, noTable, ownTable, TABLES, tableNames } from '../tables.ts';
import { rowsText } from './explore.ts';

const TABLES_EXAMPLES = `
Examples:
  the tables of the service's file, with the rows that you may see
    $ table-search tables
  the fields of one, and what each can be used for
    $ table-search tables orders`;

const TYPES_EXAMPLES = `
Examples:
  the type of one table's rows
    $ table-search types orders
  a file with the types of all tables, for the TypeScript client
    $ table-search types > tables.ts`;

export function tablesCommand(command: Command): Command {
  withForms(command)
    .description('list the tables of a service, or the fields of one')
    .argument('[table]', 'a table of its file, or a built-in one');
  return withService(command).addHelpText('after', TABLES_EXAMPLES).action(tables);
}

export function typesCommand(command: Command): Command {
  command
    .description('print TypeScript types of rows, for the client')
    .argument('[table]', 'a table of its file (default: all of them)');
  return withService(command).addHelpText('after', TYPES_EXAMPLES).action(types);
}

type Options = ServiceOptions & FormOptions;

async function tables(word: string | undefined, options: Options): Promise<void> {
  const form = formOf(options);
  const all = await listed(clientOf(options));
  const { data, meta } = all;
  const table = word === undefined ? undefined : described(word, all);
  if (form === 'json') return await print(jsonText(table ?? data));
  const rows = table ? fieldRows(table) : data.map(tableRow);
  await print(rowsText(rows, table ? FIELD_COLUMNS : TABLE_COLUMNS, form));
  if (rows.length === 0) remark('No table of a definition file is here for you.');
  if (!table && meta.built_in_tables) remark(`Built in: ${Object.keys(TABLES).join(', ')}.`);
}

/** A table of either kind. */
interface Described {
  readonly name: string;
  readonly fields: Readonly<Record<string, DescribedField>>;
}

/** Built-in tables have no titles, and name no list. */
interface DescribedField {
  readonly type: string;
  readonly uses: readonly string[];
  readonly several?: boolean;
  readonly title?: string;
}

function described(word: string, all: OwnTables): Described {
  const table = builtInTable(word, all);
  return table ? { name: word, fields: builtInFields(VIEWS[table.view]) } : named(word, all);
}

/** With uses in the words of a definition file. */
function builtInFields(view: ViewDescription): Described['fields'] {
  const { columns, conditions, values, facets, contains, orders, ranges } = view;
  const uses: Readonly<Record<string, readonly string[]>> = {
    ...{ filter: values, facet: facets, text: contains, sort: orders },
    ...{ range: Object.keys(ranges), show: Object.keys(columns) },
  };
  const fields = new Set([...Object.keys(columns), ...conditions, ...contains]);
  return Object.fromEntries(
    Array.from(fields, (field) => {
      const type = columns[field] ?? ranges[field] ?? 'text';
      return [field, { type, uses: Object.keys(uses).filter((use) => uses[use]!.includes(field)) }];
    }),
  );
}

const TABLE_COLUMNS = ['name', 'rows', 'fields', 'title'];

const tableRow = ({ name, title, count, fields }: OwnTable): Row => ({
  ...{ name, title, rows: count, fields: Object.keys(fields).length },
});

const FIELD_COLUMNS = ['field', 'type', 'uses', 'title'];

const fieldRows = ({ fields }: Described): Row[] =>
  Object.entries(fields).map(([field, { type, several, uses, title }]) => ({
    ...{ field, title, uses: uses.join(', '), type: several ? `[${type}]` : type },
  }));

async function types(word: string | undefined, options: ServiceOptions): Promise<void> {
  const all = await listed(clientOf(options));
  if (word !== undefined && builtInTable(word, all)) {
    throw usage(`Table "${word}" is built in, and the client has its types.`);
  }
  const asked = word === undefined ? all.data : [named(word, all)];
  if (asked.length === 0) throw new CliError('The service has no table of a file.', EXIT.missing);
  await print(typesOf(asked));
}

function named(word: string, all: OwnTables): OwnTable {
  const found = ownTable(word, all);
  if (found) return found;
  throw noTable(word, tableNames(all));
}
