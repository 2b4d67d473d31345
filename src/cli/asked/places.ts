/**
 * Problems in a body, told by the options it was made from.
 *
 *     /select/1/from   ──►  --select date_done>=nonsense
 *     /filters/q       ──►  -q …
 */
import { ApiError } from 'table-search/client';
import { type CliError, usage } from '../failure.ts';
import { baselineConditions } from './condition.ts';

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

/** The error with options in place of pointers, where the service names the invalid members. */
export function inOptions(error: unknown, given: GivenOptions): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'TooManyBuckets') return tooManyBuckets(error, given);
  if (error.problems.length === 0) return error;
  const said = error.problems.map(
    ({ pointer, detail }) => `${optionOf(pointer, given) ?? pointer}: ${detail}`,
  );
  return usage(said.join(' '));
}

/** The advice of the service names members of a body. */
function tooManyBuckets({ message }: ApiError, { histogram }: GivenOptions): CliError {
  const option = histogram === undefined ? '' : `--histogram ${histogram}: `;
  const field = histogram?.split(':')[0] ?? 'date';
  const said = message.replace(/: ask for .*/s, '');
  return usage(`${option}${said}. Take a longer interval, or less time by -s ${field}=from..to.`);
}

function optionOf(pointer: string, given: GivenOptions): string | undefined {
  const [, member, name = ''] = pointer.split('/');
  switch (member) {
    case 'filters': {
      const filter = given.filter?.find((one) => one.startsWith(`${name}=`));
      return filter === undefined ? `-q ${given.q}` : `--filter ${filter}`;
    }
    case 'select':
      return given.select?.[Number(name)] === undefined
        ? `--view ${given.view}`
        : `--select ${given.select[Number(name)]}`;
    case 'baseline':
      return `--baseline ${baselineConditions(given.baseline ?? [])[Number(name)]}`;
    case 'facets':
      return `--facet ${given.facet?.[Number(name)]}`;
    case 'stats':
      return `--stats ${given.stats?.[Number(name)] ?? given.stats?.join(' --stats ')}`;
    case 'sorting':
      return given.sort === undefined ? `--view ${given.view}` : `--sort ${given.sort}`;
    case 'histogram':
      if (name === 'time_zone' && given.timeZone) return `--time-zone ${given.timeZone}`;
      return name === 'by' ? `--by ${given.by}` : `--histogram ${given.histogram}`;
    case 'pagination':
      return name === 'page' ? `--page ${given.page}` : `--per-page ${given.perPage}`;
    case 'columns':
      return `--columns ${given.columns}`;
    case 'formulas':
      return `--formulas ${given.formulas}`;
    default:
      return undefined;
  }
}
