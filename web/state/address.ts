/**
 * The view as an address, and back: `/tasks?q=backup&status=FAILURE&-scope=system&date_queued=today`.
 *
 *     field=a,b          one of these values     -field=a     none of these
 *     field=from..to     a range; either end may be missing
 *     field=24h          the last 24 hours; 15m, 7d, 4w, today, yesterday
 *
 * Values are text, except after `~`: `~null`, `~true`, `~3`. Commas, backslashes and a leading `~` of
 * a text are escaped with a backslash. Unknown parts of an address are ignored.
 */
import {
  type Condition,
  initialView,
  isSpan,
  PER_PAGE,
  type Sort,
  type Tab,
  type TableName,
  type Value,
  type View,
} from './view.ts';

/** The fields of a table that an address can name. */
export interface AddressFields {
  /** Fields that conditions can be on. */
  readonly conditions: readonly string[];
  /** Those of them that are asked for by a range. */
  readonly ranges: readonly string[];
}

/** Undefined for what is no table's name. */
export type FieldsOf = (name: string) => AddressFields | undefined;

/** The path and query that show the view. */
export function addressOf(view: View): string {
  const entries: [string, string][] = [];
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== '') entries.push([name, value]);
  };
  add('project', view.project);
  add('q', view.q);
  for (const one of view.conditions) add(...conditionText(one));
  add('sort', view.sort && `${view.sort.order === 'desc' ? '-' : ''}${view.sort.by}`);
  add('page', view.page === 1 ? null : String(view.page));
  add('per', view.perPage === PER_PAGE[0] ? null : String(view.perPage));
  add('cols', view.columns?.join(',') ?? null);
  add('time', view.time);
  add('open', view.open);
  add('tab', view.tab === 'record' ? null : view.tab);
  const query = entries.map(([name, value]) => `${name}=${readable(value)}`).join('&');
  return `/${view.table}${query && `?${query}`}`;
}

/** The address with one of its rows open. */
export const withRow = (address: string, key: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}open=${readable(key)}`;

/** Escaped no more than an address needs, so that people can read it. */
const readable = (text: string) =>
  encodeURIComponent(text).replace(/%(3A|2C|2F|40|20)/g, (code) => READABLE[code]!);
const READABLE: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2C': ',',
  '%2F': '/',
  '%40': '@',
  '%20': '+',
};

/** Whether the path shows a table, or is where the web UI begins. */
export const isKnownPath = (path: string, fieldsOf: FieldsOf): boolean =>
  path === '/' || path === '/signed-in' || fieldsOf(path.slice(1)) !== undefined;

/** The view that a path and a query show; `first`: the table where the web UI begins. */
export function viewOf(path: string, query: string, fieldsOf: FieldsOf, first: TableName): View {
  const named = fieldsOf(path.slice(1));
  const table = named ? path.slice(1) : first;
  const fields = named ?? fieldsOf(first)!;
  const given = new URLSearchParams(query);
  const initial = initialView(table);
  const conditions: Condition[] = [];
  for (const [name, text] of given) {
    const condition = conditionOf(name, text, fields);
    if (condition) conditions.push(condition);
  }
  const perPage = Number(given.get('per'));
  return {
    ...initial,
    project: given.get('project'),
    q: given.get('q') ?? '',
    conditions,
    sort: sortOf(given.get('sort')),
    page: Math.max(1, Math.trunc(Number(given.get('page'))) || 1),
    perPage: PER_PAGE.find((one) => one === perPage) ?? initial.perPage,
    columns: given.get('cols')?.split(',').filter(Boolean) ?? null,
    time: given.get('time'),
    open: given.get('open'),
    tab: TABS.find((one) => one === given.get('tab')) ?? 'record',
  };
}

const TABS: readonly Tab[] = ['log', 'document'];

function sortOf(text: string | null): Sort | null {
  if (!text) return null;
  return text.startsWith('-') ? { by: text.slice(1), order: 'desc' } : { by: text, order: 'asc' };
}

function conditionText(one: Condition): [string, string] {
  if (one.kind === 'span') return [one.field, one.span];
  if (one.kind === 'range') return [one.field, `${one.from ?? ''}..${one.to ?? ''}`];
  return [`${one.not ? '-' : ''}${one.field}`, one.values.map(valueText).join(',')];
}

function conditionOf(name: string, text: string, fields: AddressFields): Condition | undefined {
  const not = name.startsWith('-');
  const field = not ? name.slice(1) : name;
  if (!fields.conditions.includes(field)) return undefined;
  if (fields.ranges.includes(field)) return rangeOf(field, text);
  const values = valuesOf(text);
  return values.length > 0 ? { kind: 'values', field, not, values } : undefined;
}

function rangeOf(field: string, text: string): Condition | undefined {
  if (isSpan(text)) return { kind: 'span', field, span: text };
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  const range = { ...boundOf('from', from), ...boundOf('to', to) };
  return Object.keys(range).length > 0 ? { kind: 'range', field, ...range } : undefined;
}

function boundOf(end: 'from' | 'to', text: string | undefined) {
  if (!text) return {};
  if (/^-?\d+(\.\d+)?$/.test(text)) return { [end]: Number(text) };
  return Number.isNaN(Date.parse(text)) ? {} : { [end]: new Date(text).toISOString() };
}

function valueText(value: Value): string {
  if (typeof value !== 'string') return `~${value}`;
  return value.replace(/[\\,]|^~/g, '\\$&');
}

function valuesOf(text: string): Value[] {
  const parts = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return parts.map((part) => {
    if (part.startsWith('~')) return jsonOf(part.slice(1));
    return part.replace(/\\(.)/gs, '$1');
  });
}

function jsonOf(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text === 'null' || text === '' || Number.isNaN(number) ? null : number;
}
