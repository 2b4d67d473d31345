/**
 * What the command line asks for → the members of a body. What the service can say better, that a
 * name is unknown or a value does not fit, is left to it.
 *
 *     --filter active=true          filters    {"active": true}
 *     --select status=FAILURE,null  select     {"field": "status", "in": ["FAILURE", null]}
 *     --select worker!=worker-3     select     {"field": "worker", "not_in": ["worker-3"]}
 *     --select date_done>=7d        select     {"field": "date_done", "from": "…seven days ago"}
 *     --select date_done=a..b       select     {"field": "date_done", "from": "a", "to": "b"}
 *     --sort date_done:asc          sorting    {"sort_by": "date_done", "sort_order": "asc"}
 *     --facet worker:20             facets     {"field": "worker", "limit": 20}
 *     --histogram date_done:P1D     histogram  {"field": "date_done", "interval": "P1D"}
 */
import type { ViewDescription } from 'table-search/client';
import { CliError, EXIT } from './failure.ts';

type Value = string | number | boolean | null;

export interface Condition {
  readonly field: string;
  readonly in?: readonly Value[];
  readonly not_in?: readonly Value[];
  readonly from?: string | number;
  readonly to?: string | number;
}

/** `name=value`, each name once; lists are split at commas and may come in parts. */
export function filtersOf(
  { filters }: Pick<ViewDescription, 'filters'>,
  given: readonly string[],
  q: string | undefined,
): Readonly<Record<string, unknown>> {
  const asked: Record<string, unknown> = q === undefined ? {} : { q };
  for (const one of given) {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined || text === undefined) {
      throw wrong('--filter', one, 'name=value, such as --filter user_email=ana');
    }
    const takes = filters[name]?.takes;
    if (takes === 'texts') {
      asked[name] = [...((asked[name] as string[] | undefined) ?? []), ...text.split(',')];
      continue;
    }
    if (name in asked) throw new CliError(`The filter ${name} is given twice.`, EXIT.usage);
    asked[name] = takes === 'integer' ? numberOr(text) : takes === 'boolean' ? truth(text) : text;
  }
  return asked;
}

/** The condition of one `--select`. */
export function conditionOf(
  description: Pick<ViewDescription, 'columns' | 'ranges'>,
  given: string,
  now: number,
): Condition {
  const [, field, operator, text] = /^(\w+)(!=|>=|<=|>|<|=)(.*)$/s.exec(given) ?? [];
  const hint = 'field=value,value or field!=value or field>=from or field<to or field=from..to';
  if (field === undefined || text === undefined || text === '') {
    throw wrong('--select', given, hint);
  }
  const kind = description.ranges[field] ?? description.columns[field] ?? 'text';
  const bound = (one: string) => (kind === 'date' ? dateOf(one, now) : numberOr(one));
  if (operator === '>=') return { field, from: bound(text) };
  if (operator === '<') return { field, to: bound(text) };
  if (operator === '>' || operator === '<=') {
    const other = operator === '>' ? '>=' : '<';
    throw wrong(
      '--select',
      given,
      `a range from and including, to and excluding: ${field}${other}…`,
    );
  }
  const [, from, to] = /^(.*?)\.\.(.*)$/s.exec(text) ?? [];
  if (operator === '=' && (kind === 'date' || kind === 'number') && to !== undefined) {
    return { field, ...(from && { from: bound(from) }), ...(to && { to: bound(to) }) };
  }
  const values = valuesOf(text, kind);
  return operator === '=' ? { field, in: values } : { field, not_in: values };
}

/** Values between commas; `null` is null, and what stands in quotes is text as JSON has it. */
function valuesOf(text: string, kind: string): Value[] {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith('"')) return quotedText(part);
    if (part === 'null') return null;
    if (kind === 'number' || kind === 'id') return numberOr(part);
    return kind === 'boolean' ? truth(part) : part;
  });
}

function quotedText(part: string): string {
  try {
    return JSON.parse(part) as string;
  } catch {
    throw wrong('--select', part, 'a text in quotes as JSON has it, such as "a, b"');
  }
}

const numberOr = (text: string): string | number =>
  /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.trunc(Number(text)))
    ? Number(text)
    : text;

const truth = (text: string): string | boolean =>
  text === 'true' ? true : text === 'false' ? false : text;

const UNITS: Readonly<Record<string, number>> = {
  ...{ s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 },
};

/** A moment: `24h` is so long ago, a date is its midnight in UTC, and all else is as it is. */
function dateOf(text: string, now: number): string {
  const [, count, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) {
    const at = now - Number(count) * UNITS[unit!]! * 1_000;
    return new Date(Math.max(0, at)).toISOString();
  }
  if (text === 'now') return new Date(now).toISOString();
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  return text;
}

/** `field` or `field:asc`. */
export function sortingOf(given: string | undefined) {
  if (given === undefined) return undefined;
  const [sort_by, sort_order, more] = given.split(':');
  if (!sort_by || more !== undefined)
    throw wrong('--sort', given, 'field, field:asc or field:desc');
  return { sort_by, ...(sort_order !== undefined && { sort_order }) };
}

/** `field`, or `field:limit`. */
export function facetOf(given: string) {
  const [field, limit, more] = given.split(':');
  if (!field || more !== undefined || (limit !== undefined && !/^\d+$/.test(limit))) {
    throw wrong('--facet', given, 'field, or field:limit, such as worker:20');
  }
  return { field, ...(limit !== undefined && { limit: Number(limit) }) };
}

/** `field`, or `field:interval`. */
export function histogramOf(
  given: string | undefined,
  by: string | undefined,
  timeZone: string | undefined,
) {
  if (given === undefined) {
    const lost = by === undefined ? (timeZone === undefined ? undefined : '--time-zone') : '--by';
    if (lost)
      throw new CliError(`${lost} says how a --histogram is made; give that, too.`, EXIT.usage);
    return undefined;
  }
  const [field, interval, more] = given.split(':');
  if (!field || more !== undefined) throw wrong('--histogram', given, 'field, or field:P1D');
  return {
    field,
    ...(interval !== undefined && { interval }),
    ...(by !== undefined && { by }),
    time_zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

const wrong = (option: string, given: string, takes: string) =>
  new CliError(`${option} ${given} cannot be understood; it takes ${takes}.`, EXIT.usage);
