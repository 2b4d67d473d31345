/** The options that `search`, `explore`, `watch`, `export` and `explain` share, and their bodies. */
import type { Command } from 'commander';
import { ApiError, type ViewSelect } from 'table-search/client';
import { facetOf, filtersOf, histogramOf, sortingOf } from '../asked/body.ts';
import { baselineConditions, type Condition, conditionOf } from '../asked/condition.ts';
import { filledIn, idIn, unknownName } from '../asked/names.ts';
import { type GivenOptions, inOptions } from '../asked/places.ts';
import { askedAt, projectOf } from '../asked/viewAddress.ts';
import { CliError, EXIT, usage } from '../failure.ts';
import { wholeNumber } from '../numbers.ts';
import { warn } from '../output.ts';
import { savedViews, viewNamed } from '../savedViews.ts';
import { clientOf, listed, type ServiceOptions, tableAt, withService } from '../service.ts';
import { type AskedTable, TABLES, type TableDescription, tableOf } from '../tables.ts';

export type AskingOptions = ServiceOptions & GivenOptions & { readonly project?: string };

const collect = (value: string, before: readonly string[] = []) => [...before, value];

export function withAsking(command: Command): Command {
  const words = `${Object.keys(TABLES).join(', ')}, or a table of the service's file`;
  command
    .argument('<table>', words)
    .option('-q, --q <text>', 'rows that contain this text, in any case')
    .option('-f, --filter <name=value>', 'a filter of the table; repeatable', collect)
    .option(
      '-s, --select <condition>',
      'field=a,b  field!=a  field~text  number>3  date>=7d  date=from..to; repeatable',
      collect,
    )
    .option('--view <name>', 'a saved view: its filters, order and columns')
    .option(
      '--sort <fields>',
      'the order, as a,-b: ascending by a, then descending by b',
      filledIn('--sort'),
    )
    .option(
      '-c, --columns <names>',
      'the columns to show, separated by commas',
      filledIn('--columns'),
    )
    .option(
      '-p, --project <id>',
      'one project: tasks and schedules, for its members',
      idIn('--project'),
    );
  return withService(command);
}

export function withCounts(command: Command): Command {
  return command
    .option('--facet <field[:limit]>', 'count rows by value; repeatable', collect)
    .option(
      '--baseline <condition>',
      'count values that are more frequent than in these rows: all, or as --select; repeatable',
      collect,
    )
    .option(
      '--stats <field>',
      'least, most and percentiles of a number or date; repeatable',
      collect,
    )
    .option('--histogram <field[:interval]>', 'count rows by time: auto, PT1H, P1D, P1W, P1M …')
    .option('--by <field>', 'split the histogram by this field (in --json)')
    .option('--time-zone <name>', "the histogram's time zone (default: this machine's)");
}

/**
 * @param perPage rows of a page by default
 * @param least fewest rows that `-n` takes; 0 where counts are an answer of their own
 */
export function withPages(command: Command, perPage: number, least = 1): Command {
  return command
    .option('--page <n>', 'the page (1)', wholeNumber('--page', 1))
    .option('-n, --per-page <n>', `rows a page (${perPage})`, wholeNumber('-n, --per-page', least));
}

/** Runs a command of this kind; its errors name options and tables. */
export function asking<O extends AskingOptions>(run: (word: string, options: O) => Promise<void>) {
  return async (word: string, options: O, self: Command): Promise<void> => {
    try {
      await run(word, options);
    } catch (error) {
      throw inOptions(refusal(error, word, options, self.name()) ?? error, options);
    }
  };
}

/** A refusal that depends on who asks for which table; undefined for any other error. */
function refusal(error: unknown, word: string, { project, view }: AskingOptions, command: string) {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'NotFound' && (project ?? view) !== undefined) {
    const own = 'list yours with `table-search search projects -c identifier,name`.';
    const said =
      project === undefined
        ? `--view ${view}: this view is one of a project that is not there for this token; ${own}`
        : `There is no project ${project} for this token; ${own}`;
    return new CliError(said, EXIT.missing);
  }
  if (error.code === 'NotFound') {
    const said = 'The service has no such table; is --url or TABLE_SEARCH_URL its address?';
    return new CliError(said, EXIT.missing);
  }
  if (error.code !== 'Forbidden') return undefined;
  const forAdmins = (what: string) => new CliError(what, EXIT.refused);
  if (command === 'explain') return forAdmins('Only admins can use explain.');
  if (TABLES[word]?.ofProject === undefined) return forAdmins(`Only admins can read ${word}.`);
  return forAdmins(`Only admins can read ${word} of all projects; add --project <id>.`);
}

/** The table, opened at the service, and rows, order and columns of a body. */
export async function askedOf(word: string, options: AskingOptions) {
  const client = clientOf(options);
  const { view } = options;
  const saved =
    view === undefined
      ? undefined
      : viewNamed(await savedViews(client), view, `--view ${view}`, word);
  const ofView = saved && projectOf(saved.address);
  const project = options.project ?? ofView;
  if (ofView !== undefined && project?.toLowerCase() !== ofView.toLowerCase()) {
    const why = `this view is one of the project ${ofView}.`;
    throw usage(`--view ${view}: ${why}`);
  }
  const table = tableOf(word, project, await listed(client));
  const { description } = table;
  const now = Date.now();
  const given = (options.select ?? []).map((one) => conditionOf(description, one, now));
  checkTwice(given, description);
  const filters = filtersOf(description, options.filter ?? [], options.q);
  // A filter of the command line would take the place of the view's.
  const isApart = table.view === 'adminTasks' && filters.scope === undefined;
  const viewed = saved && askedAt(saved.address, description, new Date(now), isApart);
  if (viewed && viewed.unread.length > 0) {
    // Without them the command would find more rows than the view shows.
    const parts = viewed.unread.join(', ');
    throw usage(`--view ${view}: ${word} takes no such filter: ${parts}.`);
  }
  if (viewed && viewed.leftOut.length > 0) {
    warn(`--view ${view}: ${word} has no such order or column: ${viewed.leftOut.join(', ')}.`);
  }
  const sorting =
    options.sort === undefined ? viewed?.sorting : sortingOf(description, options.sort);
  const body = {
    filters: { ...viewed?.filters, ...filters },
    ...(sorting && { sorting }),
  };
  // Conditions of the command line come first: pointers in problems count them.
  const select: readonly ViewSelect[] = [...given, ...(viewed?.select ?? [])];
  const columns = columnsOf(table, options.columns) ?? viewed?.columns;
  return { table, opened: tableAt(client, table), body, select, columns };
}

/** @throws CliError for two lists of values on a field of which no row has several: it has no value of each */
function checkTwice(select: readonly Condition[], { fields, columns }: TableDescription): void {
  for (const [i, { field, in: values = [] }] of select.entries()) {
    const first = select.slice(0, i).find((one) => one.field === field && one.in !== undefined);
    const isList = fields?.[field]?.several ?? columns[field] === 'json';
    if (values.length === 0 || first === undefined || isList) continue;
    const all = [...new Set([...first.in!, ...values].map(String))].join();
    throw usage(`--select has ${field} twice; write ${field}=${all} for either.`);
  }
}

/**
 * @param select conditions on the histogram's own field bound it: the service leaves them out of
 * its counts, which would then span all dates
 */
export function countsOf(
  { description, facets: usual }: Pick<AskedTable, 'description' | 'facets'>,
  { facet, baseline, stats, ...options }: GivenOptions,
  select: readonly ViewSelect[],
) {
  const asked = histogramOf(options);
  const bounds = asked ? boundsOf(asked.field, select) : {};
  const counted = facet ?? (baseline ? usual : []);
  const order = baseline && { order: 'lift' as const };
  const now = Date.now();
  return {
    ...(counted.length > 0 && {
      facets: counted.map((one) => ({ ...facetOf(one), ...order })),
    }),
    ...(baseline && {
      baseline: baselineConditions(baseline).map((one) =>
        conditionOf(description, one, now, '--baseline'),
      ),
    }),
    ...(stats && { stats: stats.map((field) => ({ field })) }),
    ...(asked && { histogram: { ...asked, ...bounds } }),
  };
}

/** The common part of several ranges of time on one field. */
function boundsOf(field: string, select: readonly ViewSelect[]) {
  const ranges = select.filter((one) => one.field === field);
  const texts = (name: 'from' | 'to') =>
    ranges.flatMap(({ [name]: bound }) => (typeof bound === 'string' ? [bound] : [])).sort(byTime);
  const [from, to] = [texts('from').at(-1), texts('to')[0]];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b);

/** The columns of `--columns`; undefined without it. @throws CliError for an unknown one */
function columnsOf({ description }: AskedTable, given: string | undefined) {
  if (given === undefined) return undefined;
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = Object.keys(description.columns);
  const unknown = names.find((name) => !known.includes(name)) ?? (names.length === 0 ? '' : null);
  if (unknown === null) return names;
  throw usage(`--columns ${given}: ${unknownName(unknown, known, 'Columns')}`);
}
