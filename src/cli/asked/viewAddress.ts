/**
 * The address of a saved view, as the web UI writes it → members of an explore's body.
 *
 *     q=time+out&-q=gold      select   {"text": "time out"}, {"not_text": "gold"}
 *     status=A,B&-scope=x     select   {"field": "status", "in": ["A", "B"]}, {"field": "scope", "not_in": ["x"]}
 *     date_queued=7d          select   {"field": "date_queued", "from": "…seven days ago"}
 *     any=q:red|status:A      select   {"any": [{"text": "red"}, {"field": "status", "in": ["A"]}]}
 *     sort=-date_done         sorting  {"sort_by": "date_done", "sort_order": "desc"}
 *
 * Unknown parts are ignored, as the web UI does. A test compares both over random views.
 */
import type { ViewDescription } from 'table-search/client';
import { type Order, sortingOf } from './body.ts';
import type { Value } from './values.ts';

type Select = Readonly<Record<string, unknown>>;

export interface Viewed {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly select: readonly Select[];
  readonly sorting?: Order | readonly Order[];
  /** Undefined where the view has those of its table. */
  readonly columns?: readonly string[];
}

type Description = Pick<
  ViewDescription,
  'conditions' | 'ranges' | 'facets' | 'sorts' | 'orders' | 'columns'
>;

/** The project whose rows alone the view shows. */
export const projectOf = (query: string): string | undefined =>
  new URLSearchParams(query).get('project') ?? undefined;

/** @param apart whether the table is without backup tasks, and a filter asks for them alone */
export function viewedAt(
  query: string,
  description: Description,
  now: Date,
  apart = false,
): Viewed {
  const given = new URLSearchParams(query);
  const all = [...given].flatMap(([name, text]) => {
    const parts =
      name === 'any' ? anyOf(text, description, now) : conditionOf([name, text], description, now);
    return parts.length > 1 ? [{ any: parts }] : parts;
  });
  const alone = apart ? all.find(isAlone) : undefined;
  const seen = new Set(['']);
  const known = (given.get('sort') ?? '')
    .split(',')
    .filter((one) => !seen.has(fieldOf(one)) && seen.add(fieldOf(one)))
    .slice(0, MOST_SORTS)
    .filter((one) => description.orders.includes(fieldOf(one)));
  const columns = given
    .get('cols')
    ?.split(',')
    .filter((name) => Object.hasOwn(description.columns, name));
  return {
    filters: alone ? { scope: BACKUPS } : {},
    select: all.filter((one) => one !== alone),
    ...(known.length > 0 && { sorting: sortingOf(description, known.join()) }),
    ...(columns?.length && { columns }),
  };
}

/** Fields of an order, as the web UI reads them: each once. */
const MOST_SORTS = 3;
const fieldOf = (order: string) => order.replace(/^-/, '');

const BACKUPS = 'backup_infrastructure';
const isAlone = (one: Select) =>
  one.field === 'scope' && JSON.stringify(one.in) === JSON.stringify([BACKUPS]);

/** Names of an address that are no field's; a field that is called so has a `~` before its name. */
const RESERVED: readonly string[] = [
  ...['q', 'any', 'project', 'sort', 'page', 'per'],
  ...['cols', 'time', 'group', 'compare', 'with', 'open', 'tab'],
];

/** `status:a,b|q:red` */
function anyOf(text: string, description: Description, now: Date): Select[] {
  return (text.match(/(?:\\.|[^\\|])+/gs) ?? []).flatMap((part) => {
    const [, name, rest] = /^(.*?):(.*)$/s.exec(unescaped(part)) ?? [];
    return name === undefined ? [] : conditionOf([name, rest!], description, now);
  });
}

function conditionOf(
  [name, text]: readonly [string, string],
  { conditions, ranges, facets }: Description,
  now: Date,
): Select[] {
  const not = name.startsWith('-');
  const bare = not ? name.slice(1) : name;
  if (bare === 'q') return text.trim() === '' ? [] : [{ [not ? 'not_text' : 'text']: text.trim() }];
  const field = bare.replace(/^~/, '');
  if (RESERVED.includes(bare) || !conditions.includes(field)) return [];
  const range = ranges[field] === undefined ? undefined : rangeOf(text, now);
  if (range) return [{ field, ...range }];
  if (ranges[field] !== undefined && !facets.includes(field)) return [];
  const values = valuesOf(text);
  return values.length > 0 ? [{ field, [not ? 'not_in' : 'in']: values }] : [];
}

type Bounds = { readonly from?: string | number; readonly to?: string | number };

const NUMBER = /^-?\d+(\.\d+)?(e[-+]\d+)?$/;
const UNIT_H: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24, w: 168 };

/** `7d`, `today`, `3`, `a..b`, `a..=b`, `>a..`. */
function rangeOf(text: string, now: Date): Bounds | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) {
    return {
      from: new Date(now.getTime() - Number(count) * UNIT_H[unit]! * 3_600_000).toISOString(),
    };
  }
  const midnight = (plus: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + plus).toISOString();
  if (text === 'today') return { from: midnight(0) };
  if (text === 'yesterday') return { from: midnight(-1), to: midnight(0) };
  if (NUMBER.test(text)) return { from: Number(text), to: nextAfter(Number(text)) };
  const [, above, from, through, to] = /^(>?)(.*?)\.\.(=?)(.*)$/.exec(text) ?? [];
  const range = { ...boundOf('from', from, above), ...boundOf('to', to, through) };
  return Object.keys(range).length > 0 ? range : undefined;
}

/** @param next a sign where the bound comes right after the number */
function boundOf(end: 'from' | 'to', text: string | undefined, next: string | undefined): Bounds {
  if (!text) return {};
  if (NUMBER.test(text)) return { [end]: next ? nextAfter(Number(text)) : Number(text) };
  return Number.isNaN(Date.parse(text)) ? {} : { [end]: new Date(text).toISOString() };
}

/** The next number that can be stored: ranges exclude their end. */
function nextAfter(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return bits.getFloat64(0) + 0;
}

/** `a,b`, `~null`, `~true`, `~3`; commas and backslashes of a text are escaped. */
function valuesOf(text: string): Value[] {
  return (text.match(/(?:\\.|[^\\,])+/gs) ?? []).map((part) => {
    if (!part.startsWith('~')) return unescaped(part);
    const word = part.slice(1);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === '' || Number.isNaN(Number(word)) ? null : Number(word);
  });
}

const unescaped = (text: string) => text.replace(/\\(.)/gs, '$1');
