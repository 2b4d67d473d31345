/**
 * The options of a command → the members of a body. Names are checked here, so that an error shows
 * the option; most values are left to the service, whose answer `places.ts` puts into options.
 *
 *     --filter active=true        filters    {"active": true}
 *     --sort -date_done           sorting    {"sort_by": "date_done", "sort_order": "desc"}
 *     --sort worker,-id           sorting    [{"sort_by": "worker", …}, {"sort_by": "id", …}]
 *     --facet worker:20           facets     {"field": "worker", "limit": 20}
 *     --histogram date_done:P1D   histogram  {"field": "date_done", "interval": "P1D"}
 *     --stats execution_time      stats      {"field": "execution_time"}
 */
import type { ViewDescription } from 'table-search/client';
import { CliError, EXIT } from '../failure.ts';
import { checkName, refused } from './names.ts';
import { typed } from './values.ts';

/** `name=value`, each name once; lists are split at commas and may come in parts. */
export function filtersOf(
  { filters, conditions }: Pick<ViewDescription, 'filters' | 'conditions'>,
  given: readonly string[],
  q: string | undefined,
): Readonly<Record<string, unknown>> {
  const asked: Record<string, unknown> = q === undefined ? {} : { q };
  for (const one of given) {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined || text === undefined) {
      throw refused('--filter', one, 'write name=value, such as --filter user_email=ana.');
    }
    const isField = conditions.includes(name);
    const hint = isField ? `${name} is a field: --select ${one}.` : undefined;
    const known = Object.keys(filters);
    checkName('--filter', one, { name, known, what: 'Filters', hint });
    const filter = filters[name]!;
    if (filter.takes === 'texts') {
      asked[name] = [...((asked[name] as string[] | undefined) ?? []), ...text.split(',')];
      continue;
    }
    if (name in asked) throw new CliError(`The filter ${name} is given twice.`, EXIT.usage);
    const value = typed(text, filter.takes);
    const takes = wanted(filter, value);
    if (takes !== undefined) throw refused('--filter', one, `${name} takes ${takes}.`);
    asked[name] = value;
  }
  return asked;
}

/** The values that a filter takes; undefined where this one fits. */
function wanted(
  { takes, choices = [] }: ViewDescription['filters'][string],
  value: unknown,
): string | undefined {
  if (takes === 'integer' && !Number.isInteger(value)) return 'a whole number';
  if (takes === 'boolean' && typeof value !== 'boolean') return 'true or false';
  if (takes === 'choice' && !choices.includes(value as string)) return choices.join(' or ');
  return undefined;
}

export interface Order {
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/** `a,-b`: ascending by a, then descending by b. `b:desc` says the same as `-b`. */
export function sortingOf(
  { sorts, orders }: Pick<ViewDescription, 'sorts' | 'orders'>,
  given: string,
): Order | readonly Order[] {
  const known = [...new Set([...sorts, ...orders])];
  const all = given.split(',').map((one): Order => {
    const [, minus, sort_by = '', how] = /^(-?)(.*?)(?::(.*))?$/.exec(one)!;
    checkName('--sort', given, { name: sort_by, known, what: 'Sort fields' });
    if (how !== undefined && (minus || (how !== 'asc' && how !== 'desc'))) {
      throw refused('--sort', given, `write ${sort_by}, or -${sort_by} for descending.`);
    }
    return { sort_by, sort_order: minus || how === 'desc' ? 'desc' : 'asc' };
  });
  const [first, ...more] = all;
  // A search sorts by one field, of those that its contract names.
  return more.length === 0 && sorts.includes(first!.sort_by) ? first! : all;
}

/** `field`, or `field:limit`. */
export function facetOf({ facets }: Pick<ViewDescription, 'facets'>, given: string) {
  const [field = '', limit, more] = given.split(':');
  checkName('--facet', given, { name: field, known: facets, what: 'Fields to count' });
  if (more !== undefined || (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))) {
    throw refused('--facet', given, 'write field or field:limit, such as worker:20.');
  }
  return { field, ...(limit !== undefined && { limit: Number(limit) }) };
}

/** A field that is measured. */
export function statsOf({ stats }: Pick<ViewDescription, 'stats'>, field: string) {
  checkName('--stats', field, { name: field, known: stats, what: 'Fields to measure' });
  return { field };
}

export interface HistogramOptions {
  readonly histogram?: string;
  readonly by?: string;
  readonly timeZone?: string;
}

/** `field`, or `field:interval`. */
export function histogramOf(
  { times, facets }: Pick<ViewDescription, 'times' | 'facets'>,
  { histogram: given, by, timeZone }: HistogramOptions,
) {
  if (given === undefined) {
    const alone = by === undefined ? (timeZone === undefined ? undefined : '--time-zone') : '--by';
    if (alone) throw new CliError(`${alone} belongs to --histogram; add one.`, EXIT.usage);
    return undefined;
  }
  const [field = '', interval, more] = given.split(':');
  checkName('--histogram', given, { name: field, known: times, what: 'Date fields' });
  if (more !== undefined) throw refused('--histogram', given, 'write field or field:P1D.');
  if (by !== undefined) checkName('--by', by, { name: by, known: facets, what: 'Fields' });
  return {
    field,
    ...(interval !== undefined && { interval }),
    ...(by !== undefined && { by }),
    time_zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
