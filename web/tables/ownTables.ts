/**
 * Tables of your own: nothing of them is compiled into the UI. The service describes each, and the UI
 * shows it like a built-in one.
 */
import { signal } from '@preact/signals';
import {
  exactFields,
  KINDS,
  type OwnField,
  type OwnTable,
  type ViewDescription,
  viewOf,
} from '../../clients/typescript/index.ts';
import { serviceName, type TableName, type View } from '../state/view.ts';
import { say } from '../words/words.ts';
import type { ColumnLook, Look, Row } from './columns.ts';
import { is, linksWithin, rowOf } from './links.ts';
import { BARE, type RelatedLink, type Table } from './table.ts';

type Own = `tables/${string}`;

const known = signal<ReadonlyMap<TableName, Table>>(new Map());

/** The names of the tables that the caller may see, in the order of the file. */
export const ownNames = (): readonly Own[] => [...known.value.keys()] as Own[];

/** Whether the service has the built-in tables. */
export const hasBuiltIn = signal(true);

export function setOwnTables(tables: readonly OwnTable[]): void {
  known.value = new Map(tables.map((one) => [`tables/${one.name}`, tableFrom(one, tables)]));
}

/** A table that the caller may not see looks like one that is not there: it has nothing. */
export const ownTable = (name: TableName): Table => known.value.get(name) ?? unknown(name);

const PLAIN = {
  ...{ ...BARE, icon: 'table', one: 'row', many: 'rows', key: 'id', names: [], columns: [] },
  ...{ open: [], looks: {}, example: 'id:…' },
} as const satisfies Partial<Table>;

function unknown(name: TableName): Table {
  const description: ViewDescription = {
    ...{ path: '', ofProject: false, filters: {}, searched: [], sorts: [], orders: [] },
    ...{ columns: {}, conditions: [], values: [], ranges: {}, contains: [] },
    ...{ facets: [], times: [], stats: [] },
  };
  const place = name as Own;
  return {
    ...PLAIN,
    name,
    title: serviceName(name),
    views: { admin: place, member: place },
    description,
  };
}

function tableFrom(own: OwnTable, all: readonly OwnTable[]): Table {
  const name: Own = `tables/${own.name}`;
  const { default_sort: sort, times, facets, key } = own;
  const shown = shownFields(own);
  const looks = Object.fromEntries(shown.map(([column, field]) => [column, lookOf(field)]));
  const time = times.includes(sort.sort_by) ? sort.sort_by : times[0];
  const by = splitOf(own);
  return {
    ...PLAIN,
    ...{ name, title: own.title, key, looks, columns: own.columns },
    titles: Object.fromEntries(
      Object.entries(own.fields).map(([field, { title }]) => [field, title]),
    ),
    views: { admin: name, member: name },
    names: own.columns.filter((one) => one !== key && isName(own, one)),
    open: facets.slice(0, OPEN),
    example: facets[0] === undefined ? PLAIN.example : `${facets[0]}:…`,
    tabs: own.documents ? ['document'] : [],
    description: viewOf(own),
    lead: (row, member) => leadOf(own, row, member),
    related: (row) => rowsWith(own, row, all),
    ...(own.fields[key]?.type === 'number' && { numericKey: true as const }),
    ...(own.fields[key]?.type === 'mixed' && { mixedKey: true as const }),
    ...exactFields(own.fields),
    counted: Object.keys(own.fields).filter((field) => own.fields[field]!.uses.includes('facet')),
    kinds: Object.fromEntries(
      Object.entries(own.fields).map(([field, { type }]) => [field, KINDS[type]]),
    ),
    ...(time !== undefined && { time }),
    ...(by !== undefined && { by }),
    ...(own.window && { window: windowOf(own, own.window) }),
  };
}

/**
 * Texts that tell a row from others. Texts are facets unless the file says that their values are unique; a label is the
 * name of another row.
 */
function isName({ fields, facets }: OwnTable, column: string): boolean {
  const { type, several, look, label_of: label } = fields[column]!;
  return type === 'string' && !several && !look && !label && !facets.includes(column);
}

function windowOf({ fields }: OwnTable, { span, field }: NonNullable<OwnTable['window']>) {
  const by = field === null ? undefined : fields[field]?.title;
  return { span, ...(by !== undefined && { by }) };
}

/** A label leads to the row that it is of. */
function leadOf({ fields }: OwnTable, row: Row, member: string): View | undefined {
  const label = fields[member]?.label_of;
  const key = label ? row[label.through] : undefined;
  if (!label || key === null || key === undefined || Array.isArray(key)) return undefined;
  return rowOf(`tables/${label.table}`, key);
}

/** Rows of other tables whose labels are of this row. */
function rowsWith({ name, key }: OwnTable, row: Row, all: readonly OwnTable[]): RelatedLink[] {
  const value = row[key];
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const { to } = linksWithin(null, true);
  return all.flatMap(({ name: other, title, fields, values }) => {
    const labels = Object.values(fields).flatMap(({ label_of: label }) => label ?? []);
    const through = labels.filter(({ table }) => table === name).map((label) => label.through);
    // Several labels may lead through one field.
    const asked = [...new Set(through)].filter((field) => values.includes(field));
    return asked.map((field) => {
      const text = say('{table} with this {field}', { table: title, field: fields[field]!.title });
      return to(text, `tables/${other}`, is(field, value));
    });
  });
}

/** Facets that are open at first. */
const OPEN = 5;

/** The field that splits the timeline: a state, a yes and no, or else the first text with counts. */
function splitOf({ fields, facets }: OwnTable): string | undefined {
  const first = (fits: (field: OwnField) => boolean) => facets.find((one) => fits(fields[one]!));
  return (
    first(({ look }) => look === 'status') ??
    first(({ type }) => type === 'boolean') ??
    first(({ type, several }) => type === 'string' && !several)
  );
}

const shownFields = ({ fields }: OwnTable) =>
  Object.entries(fields).filter(([, { uses }]) => uses.includes('show'));

function lookOf(field: OwnField): ColumnLook {
  const { title, type, several, look, label_of: label } = field;
  if (look !== null && typeof look === 'object') {
    return 'link' in look
      ? { title, look: 'link', width: 200, detail: look.link }
      : { title, look: 'money', width: 120, detail: look.money };
  }
  const as: Look = look ?? (several ? 'list' : LOOKS[type]);
  return {
    ...{ title, look: as, width: widthOf(as, field) },
    ...(label && { of: label.through }),
    ...(type === 'boolean' && { isTruth: true as const }),
  };
}

/** Pixels: texts that are counted repeat and are short, others are titles. */
function widthOf(look: Look, { uses, label_of: label }: OwnField): number {
  if (look !== 'text' || label) return WIDTHS[look] ?? 160;
  return uses.includes('facet') ? 150 : 200;
}

const LOOKS: Readonly<Record<OwnField['type'], Look>> = {
  string: 'text',
  number: 'number',
  decimal: 'number',
  boolean: 'truth',
  date: 'date',
  objectId: 'id',
  uuid: 'id',
  mixed: 'json',
  seconds: 'seconds',
};

/** Pixels. */
const WIDTHS: Readonly<Partial<Record<Look, number>>> = {
  ...{ status: 146, number: 132, seconds: 100, bytes: 100, truth: 92, date: 168, id: 220 },
  ...{ json: 220, list: 200, text: 180 },
};
