/** What `search`, `explore`, `watch` and `export` have in common: the table, and which of its rows. */
import { Argument, type Command } from 'commander';
import {
  type Condition,
  conditionOf,
  facetOf,
  filtersOf,
  histogramOf,
  sortingOf,
} from '../asked.ts';
import { CliError, EXIT } from '../failure.ts';
import { wholeNumber } from '../numbers.ts';
import { type ServiceOptions, withService } from '../service.ts';
import { type AskedTable, TABLES, tableOf } from '../tables.ts';

export interface AskingOptions extends ServiceOptions {
  readonly q?: string;
  readonly filter?: readonly string[];
  readonly select?: readonly string[];
  readonly sort?: string;
  readonly columns?: string;
  readonly project?: string;
}

export interface CountingOptions {
  readonly facet?: readonly string[];
  readonly histogram?: string;
  readonly by?: string;
  readonly timeZone?: string;
}

export interface PageOptions {
  readonly page?: number;
  readonly perPage?: number;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

export function withAsking(command: Command): Command {
  const words = Object.keys(TABLES);
  command
    .addArgument(new Argument('<table>', words.join(', ')))
    .option('-q, --q <text>', 'rows that hold this text, in any case')
    .option('-f, --filter <name=value>', 'a filter of the table; may be repeated', collect)
    .option(
      '-s, --select <condition>',
      'field=a,b  field!=a  date>=7d  date=from..to; may be repeated',
      collect,
    )
    .option('--sort <field[:asc]>', 'the order; desc where nothing is said')
    .option('-c, --columns <names>', 'what is shown of a row, by commas')
    .option('-p, --project <id>', 'in this project: tasks and schedules, for its members');
  return withService(command);
}

export function withCounts(command: Command): Command {
  return command
    .option('--facet <field[:limit]>', 'counts by value; may be repeated', collect)
    .option('--histogram <field[:interval]>', 'counts by time: auto, PT1H, P1D, P1W, P1M …')
    .option('--by <field>', 'the histogram by this, too (in --json)')
    .option('--time-zone <name>', "of the histogram's calendar (this machine's)");
}

/** @param perPage rows where nothing is said */
export function withPages(command: Command, perPage: number): Command {
  return command
    .option('--page <n>', 'which page (1)', wholeNumber('--page'))
    .option('-n, --per-page <n>', `rows of a page (${perPage})`, wholeNumber('--per-page'));
}

/** Table, rows and order of a body. */
export function askedOf(word: string, options: AskingOptions) {
  const table = tableOf(word, options.project);
  const now = Date.now();
  const select = (options.select ?? []).map((one) => conditionOf(table.description, one, now));
  const sorting = sortingOf(options.sort);
  const body = {
    filters: filtersOf(table.description, options.filter ?? [], options.q),
    ...(sorting && { sorting }),
  };
  return { table, body, select, columns: columnsOf(table, options.columns) };
}

/**
 * @param select a condition on the time that the histogram shows says how much of it: counts leave out the
 * conditions on their own field, and would go over all the time there is
 */
export function countsOf(
  { facet = [], histogram, by, timeZone }: CountingOptions,
  select: readonly Condition[],
) {
  const asked = histogramOf(histogram, by, timeZone);
  const bounds = asked ? boundsOf(asked.field, select) : {};
  return {
    ...(facet.length > 0 && { facets: facet.map(facetOf) }),
    ...(asked && { histogram: { ...asked, ...bounds } }),
  };
}

/** What several conditions on a field leave of it, where they are ranges of time. */
function boundsOf(field: string, select: readonly Condition[]) {
  const ranges = select.filter((one) => one.field === field);
  const texts = (name: 'from' | 'to') =>
    ranges.flatMap(({ [name]: bound }) => (typeof bound === 'string' ? [bound] : [])).sort(byTime);
  const [from, to] = [texts('from').at(-1), texts('to')[0]];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b);

/** The columns asked for; undefined where none are. */
function columnsOf({ description }: AskedTable, given: string | undefined) {
  if (given === undefined) return undefined;
  const names = given.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !(name in description.columns));
  if (unknown !== undefined || names.length === 0) {
    const known = Object.keys(description.columns).join(', ');
    const what = unknown === undefined ? 'No column is named' : `There is no column ${unknown}`;
    throw new CliError(`${what}; there are ${known}.`, EXIT.usage);
  }
  return names;
}
