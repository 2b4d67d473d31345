/**
 * The view as an address, and back: `/tasks?q=backup&status=FAILURE&-scope=system&date_queued=today`.
 *
 *     field=a,b          one of these values     -field=a     none of these
 *     field=from..to     a range; either end may be missing
 *     field~=gpu         a part of the field's text; -field~=gpu: rows without it
 *     field=24h          the last 24 hours; 15m, 7d, 4w, today, yesterday
 *     q=time out         a text that rows hold; each of several; -q=gold: one that they must not
 *     any=q:red|q:white  one of these: texts, or conditions as `field:a,b`
 *     compare=all        counts by value tell what is different from all rows
 *     compare=before     counts stand beside those of the range before; week: of the range a week earlier
 *     compare=with       counts stand beside those of other filters: with=status:a,b with=q:red, each a condition
 *     compare=before-ranked   counts by value tell what is different from the range before; also week-, with-ranked
 *
 * A range takes `a..b` (without b), `a..=b`, `>a..` and `a` alone. Values are text, except after `~`: `~null`,
 * `~true`, `~3`, and `~""`, the empty text. Commas, bars, backslashes and a leading `~` of a text are escaped with a
 * backslash; so is a text that reads as a range: `\3`, `1.\.2`. The view leaves out unknown parts of an address, and a notice names them.
 */
import {
  type AddressFields,
  type AnyCondition,
  conditionsOf,
  type FieldCondition,
  isCondition,
  nameAndText,
  RESERVED,
  rangeOf,
  type SimpleCondition,
  type Sort,
  sortOf,
  type TextCondition,
  type ViewValue,
} from '../../clients/typescript/viewAddress.ts';
import { endsOf } from './numbers.ts';
import { textOf, wordsIn } from './searchText.ts';
import {
  anyOf,
  type Compare,
  type Condition,
  type Filters,
  initialView,
  PER_PAGE,
  type Tab,
  type TableName,
  type View,
} from './view.ts';

/** Undefined for a text that is no table's name. */
export type FieldsOf = (name: string) => AddressFields | undefined;

/** The fields of a table that each part of an address can name. */
export interface PageFields extends AddressFields {
  readonly sorts: readonly string[];
  readonly columns: readonly string[];
  readonly times: readonly string[];
  readonly groups: readonly string[];
}

/** The path and query that show the view. */
export function addressOf(view: View, fieldsOf: FieldsOf): string {
  const ranges = fieldsOf(view.table)?.ranges ?? [];
  const entries: [string, string][] = [];
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== '') entries.push([name, value]);
  };
  add('project', view.project);
  for (const entry of entriesOf(view, ranges)) add(...entry);
  add('sort', view.sort.map(sortText).join());
  add('page', view.page === 1 ? null : String(view.page));
  add('per', view.perPage === PER_PAGE[0] ? null : String(view.perPage));
  add('cols', view.columns?.join(',') ?? null);
  add('time', view.time);
  add('group', view.group);
  add('compare', view.compare);
  for (const entry of entriesOf(view.other, ranges)) add('with', entry.join(':'));
  add('open', view.open);
  add('tab', view.tab === 'record' ? null : view.tab);
  const query = entries.map(([name, value]) => `${name}=${readable(value)}`).join('&');
  return `/${view.table}${query && `?${query}`}`;
}

const sortText = ({ by, order }: Sort) => (order === 'desc' ? `-${by}` : by);

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
  const columns = [...new Set(given.get('cols')?.split(',').filter(Boolean))];
  return {
    ...initial,
    project: given.get('project') || null,
    ...filtersOf([...given], fields),
    sort: sortOf(given.get('sort')),
    page: pageOf(given.get('page')) ?? initial.page,
    perPage: among(PER_PAGE, given.get('per')) ?? initial.perPage,
    columns: columns.length > 0 ? columns : null,
    time: given.get('time'),
    group: given.get('group'),
    compare: among(COMPARES, given.get('compare')) ?? null,
    other: filtersOf(given.getAll('with').map(nameAndText), fields),
    open: given.get('open') || null,
    tab: among(TABS, given.get('tab')) ?? initial.tab,
  };
}

const pageOf = (text: string | null): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;

const among = <T>(known: readonly T[], text: string | null): T | undefined =>
  known.find((one) => String(one) === text);

/** The parts of a query that the view leaves out: they name nothing, or their values cannot be read. */
export const unreadParts = (query: string, fields: PageFields): readonly string[] =>
  [...new URLSearchParams(query)].flatMap(([name, text]) => {
    const left = text.trim() === '' ? '' : unreadIn(name, text, fields);
    return left === '' ? [] : [`${name}=${left}`];
  });

/** The view takes the known members of a list, and reads any other part whole or not at all. */
function unreadIn(name: string, text: string, fields: PageFields): string {
  const notIn = (known: readonly string[]) =>
    text.split(',').filter((one) => one !== '' && !known.includes(one));
  if (name === 'cols') return notIn(fields.columns).join();
  if (name === 'sort') {
    const taken = sortOf(text).filter(({ by }) => fields.sorts.includes(by));
    return notIn(taken.map(sortText)).join();
  }
  return isRead(name, text, fields) ? '' : text;
}

function isRead(name: string, text: string, fields: PageFields): boolean {
  if (name === 'project' || name === 'open') return true;
  if (name === 'page') return pageOf(text) !== undefined;
  if (name === 'with') return isCondition(...nameAndText(text), fields);
  const { times: time, groups: group } = fields;
  const known = new Map(
    Object.entries({ per: PER_PAGE, time, group, compare: COMPARES, tab: TABS }),
  );
  const values: readonly unknown[] | undefined = known.get(name);
  return values ? among(values, text) !== undefined : isCondition(name, text, fields);
}

const TABS: readonly Tab[] = ['record', 'log', 'document'];
const COMPARES: readonly Compare[] = [
  ...(['all', 'before', 'before-ranked', 'week', 'week-ranked', 'with', 'with-ranked'] as const),
];

const isText = (one: SimpleCondition): one is TextCondition => one.kind === 'text';
const oneOf = (of: readonly SimpleCondition[]) =>
  of.length === 1 ? of[0]! : ({ kind: 'any', of } as const);

type Entry = readonly [name: string, text: string];

const entriesOf = ({ q, conditions }: Filters, ranges: readonly string[]): readonly Entry[] =>
  [...wordsIn(q).map(oneOf), ...conditions].map((one) => entryOf(one, ranges));

function filtersOf(entries: readonly Entry[], fields: AddressFields): Filters {
  const conditions: Condition[] = [];
  const words: (readonly TextCondition[])[] = [];
  for (const [name, text] of entries) {
    const all = conditionsOf(name, text, fields);
    if (all.length > 0 && all.every(isText)) words.push(all);
    else if (all.length > 0) conditions.push(anyOf(all));
  }
  return { q: textOf(words), conditions };
}

/** @param ranges fields that take ranges */
function entryOf(one: SimpleCondition | AnyCondition, ranges: readonly string[]): Entry {
  if (one.kind === 'any') {
    const members = one.of.map((member) => entryOf(member, ranges).join(':'));
    return ['any', members.map((member) => member.replace(/[\\|]/g, '\\$&')).join('|')];
  }
  if (one.kind === 'text') return [one.not ? '-q' : 'q', one.text];
  const name = RESERVED.includes(one.field) ? `~${one.field}` : one.field;
  if (one.kind === 'contains') return [`${one.not ? '-' : ''}${name}~`, one.text];
  if (one.kind === 'span') return [name, one.span];
  if (one.kind === 'range') return [name, rangeText(one)];
  const text = one.values.map(valueText).join(',');
  if (one.not) return [`-${name}`, text];
  return [name, ranges.includes(one.field) && rangeOf(one.field, text) ? noRange(text) : text];
}

/** The same values, written so that they read as no range. */
const noRange = (text: string) =>
  text.includes('..') ? text.replace(/\.(?=\.)/g, '.\\') : `\\${text}`;

function rangeText({ from, to }: FieldCondition & { kind: 'range' }): string {
  const { first, last, only } = endsOf({ from, to });
  if (only !== undefined) return String(only);
  const begins = first ? `${first.isAfter ? '>' : ''}${first.number}` : (from ?? '');
  return `${begins}..${last ? `${last.isAfter ? '=' : ''}${last.number}` : (to ?? '')}`;
}

function valueText(value: ViewValue): string {
  if (typeof value !== 'string') return `~${value}`;
  if (value === '') return '~""';
  return value.replace(/[\\,]|^~/g, '\\$&');
}
