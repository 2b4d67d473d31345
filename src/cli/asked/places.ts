/**
 * Problems in a body, told by the options it was made from.
 *
 *     /select/1/from   ──►  --select date_done>=nonsense
 *     /filters/q       ──►  -q …
 */
import { ApiError } from 'table-search/client';
import { CliError, EXIT } from '../failure.ts';

/** The options of a command that asks for rows, as they were given. */
export interface GivenOptions {
  readonly q?: string;
  readonly filter?: readonly string[];
  readonly select?: readonly string[];
  readonly view?: string;
  readonly sort?: string;
  readonly facet?: readonly string[];
  readonly baseline?: readonly string[];
  readonly stats?: readonly string[];
  readonly histogram?: string;
  readonly by?: string;
  readonly timeZone?: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly columns?: string;
  readonly formulas?: string;
}

/** The error with options in place of pointers, where the service has said what does not fit. */
export function inOptions(error: unknown, given: GivenOptions): unknown {
  if (!(error instanceof ApiError) || error.problems.length === 0) return error;
  const said = error.problems.map(
    ({ pointer, detail }) => `${optionAt(pointer, given) ?? pointer}: ${detail}`,
  );
  return new CliError(said.join(' '), EXIT.usage);
}

/** Options by the member of the body, or by a member of that, which they make. */
const OPTIONS: Readonly<Record<string, readonly [name: string, option: keyof GivenOptions]>> = {
  filters: ['--filter', 'filter'],
  'filters/q': ['-q', 'q'],
  select: ['--select', 'select'],
  baseline: ['--baseline', 'baseline'],
  facets: ['--facet', 'facet'],
  stats: ['--stats', 'stats'],
  sorting: ['--sort', 'sort'],
  histogram: ['--histogram', 'histogram'],
  'histogram/by': ['--by', 'by'],
  'histogram/time_zone': ['--time-zone', 'timeZone'],
  'pagination/page': ['--page', 'page'],
  'pagination/per_page': ['--per-page', 'perPage'],
  columns: ['--columns', 'columns'],
  formulas: ['--formulas', 'formulas'],
};

/** The option with its value, or with one of its values; undefined for what no option makes. */
function optionAt(pointer: string, given: GivenOptions): string | undefined {
  const [, member = '', step = ''] = pointer.split('/');
  const [name, option] = OPTIONS[`${member}/${step}`] ?? OPTIONS[member] ?? [];
  const all = option && given[option];
  const isList = typeof all === 'object';
  const value = isList ? (all[Number(step)] ?? all.find((one) => one.startsWith(`${step}=`))) : all;
  if (value !== undefined) return `${name} ${value}`;
  // What no option has asked for, a saved view has.
  return given.view === undefined ? name : `--view ${given.view}`;
}
