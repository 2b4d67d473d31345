/**
 * The options of a command → the members of a body. Names and values are left to the service, whose
 * refusal `places.ts` puts into options.
 *
 *     --filter active=true        filters    {"active": true}
 *     --sort -date_done           sorting    {"sort_by": "date_done", "sort_order": "desc"}
 *     --sort worker,-id           sorting    [{"sort_by": "worker", …}, {"sort_by": "id", …}]
 *     --facet worker:20           facets     {"field": "worker", "limit": 20}
 *     --histogram date_done:P1D   histogram  {"field": "date_done", "interval": "P1D"}
 *     --stats execution_time      stats      {"field": "execution_time"}
 */
import type { ViewDescription } from 'table-search/client';
import { usage } from '../failure.ts';
import { refused, under } from './names.ts';
import type { GivenOptions } from './places.ts';
import { typed } from './values.ts';

/** `name=value`, each name once; lists are split at commas and may come in parts. */
export function filtersOf(
  { filters, conditions }: Pick<ViewDescription, 'filters' | 'conditions'>,
  given: readonly string[],
  q: string | undefined,
): Readonly<Record<string, unknown>> {
  const asked = new Map<string, unknown>(q === undefined ? [] : [['q', q]]);
  for (const one of given) {
    const [, name, text] = /^([^\s=]+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined || text === undefined) {
      throw refused('--filter', one, 'write name=value, such as --filter user_email=ana.');
    }
    const filter = under(filters, name);
    if (!filter && conditions.includes(name)) {
      throw refused('--filter', one, `${name} is no filter; write --select ${one}.`);
    }
    const { takes = 'text' } = filter ?? {};
    const before = asked.get(name);
    if (takes === 'texts') {
      asked.set(name, [...((before as string[] | undefined) ?? []), ...text.split(',')]);
    } else if (before !== undefined) throw usage(`The filter ${name} is given twice.`);
    else asked.set(name, typed(text, takes));
  }
  return Object.fromEntries(asked);
}

export interface Order {
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/** `a,-b`: ascending by a, then descending by b. `b:desc` says the same as `-b`. */
export function sortingOf(
  { sorts }: Pick<ViewDescription, 'sorts'>,
  given: string,
): Order | readonly Order[] {
  const all = given.split(',').map((one): Order => {
    const [, minus, sort_by = '', how] = /^(-?)(.*?)(?::(.*))?$/s.exec(one.trim())!;
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
export function facetOf(given: string) {
  const [field = '', limit, more] = given.split(':');
  if (more !== undefined || (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))) {
    throw refused('--facet', given, 'write field or field:limit, such as worker:20.');
  }
  return { field, ...(limit !== undefined && { limit: Number(limit) }) };
}

/** `field`, or `field:interval`. */
export function histogramOf({ histogram: given, by, timeZone }: GivenOptions) {
  if (given === undefined) {
    const alone = by === undefined ? (timeZone === undefined ? undefined : '--time-zone') : '--by';
    if (alone) throw usage(`${alone} belongs to --histogram; add one.`);
    return undefined;
  }
  const [field = '', interval, more] = given.split(':');
  if (more !== undefined) throw refused('--histogram', given, 'write field or field:P1D.');
  return {
    field,
    ...(interval !== undefined && { interval }),
    ...(by !== undefined && { by }),
    time_zone: timeZone ?? zoneHere(),
  };
}

/** This machine's time zone. An empty TZ stands for UTC, and has no name. */
function zoneHere(): string {
  const { timeZone = 'UTC' } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
