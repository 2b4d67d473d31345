/**
 * Tables as TypeScript: an interface for the rows of each, by which the client checks names.
 *
 *     status: { type: string }     readonly status: string | null;
 *     skus: { type: [string] }     readonly skus: readonly string[];
 *     note: { use: [filter] }      readonly note?: never;
 */
import { type OwnField, type OwnTable, VIEWS } from 'table-search/client';
import { oneLine } from './terminal.ts';

/** TypeScript source that imports nothing. */
export function typesOf(tables: readonly OwnTable[]): string {
  const names = rowNames(tables);
  const first = opened(tables[0]!.name);
  const head = [
    '/**',
    ' * Rows of tables, written by `table-search types`:',
    ' *',
    ` *     client.table<${names[0]}>('${first}').search()`,
    ' *',
    ' * A stored value of another type than its field has shows as it is stored.',
    ' */',
  ];
  return `${[...head, ...tables.map((table, i) => interfaceOf(table, names[i]!))].join('\n')}\n`;
}

/** A name as the client takes it; that of a built-in table stands for that one. */
const opened = (name: string) => (Object.hasOwn(VIEWS, name) ? `tables/${name}` : name);

function interfaceOf({ name, title, key, fields }: OwnTable, row: string): string {
  const members = Object.entries(fields).flatMap(([field, described]) => {
    const said = noteOf(field, described);
    const note = said === undefined ? [] : [`  /** ${commented(said)} */`];
    return [...note, `  readonly ${memberOf(field, described, field === key)};`];
  });
  const about = `/** A row of ${commented(title)}: \`client.table<${row}>('${opened(name)}')\`. */`;
  return ['', about, `export interface ${row} {`, ...members, '}'].join('\n');
}

function memberOf(field: string, { type, several, uses }: OwnField, isKey: boolean): string {
  const name = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(field) ? field : JSON.stringify(field);
  if (!uses.includes('show')) return `${name}?: never`;
  const one = isKey || type === 'mixed' ? TYPES[type] : `${TYPES[type]} | null`;
  // An element may be a stored null.
  return `${name}: ${several ? `readonly (${one})[]` : one}`;
}

/** Dates, decimals and ids are JSON texts. A field of decimals may hold numbers of every type. */
const TYPES: Readonly<Record<OwnField['type'], string>> = {
  string: 'string',
  number: 'number | string',
  decimal: 'number | string',
  boolean: 'boolean',
  date: 'string',
  objectId: 'string',
  uuid: 'string',
  mixed: 'unknown',
  seconds: 'number',
};

const NOTES: Readonly<Partial<Record<OwnField['type'], string>>> = {
  number: 'Text where a double would lose digits.',
  decimal: 'Digits of a decimal, or another number.',
  date: 'RFC 3339, UTC.',
  objectId: 'ObjectId, 24 hexadecimal digits.',
  uuid: 'UUID.',
  mixed: 'Any JSON: ids, dates and decimals are text.',
  seconds: 'Seconds.',
};

function noteOf(field: string, { type, uses, title }: OwnField): string | undefined {
  const note = uses.includes('show') ? NOTES[type] : 'Rows do not show it.';
  const isSaid = lettersOf(title) === lettersOf(field);
  const said = [isSaid ? undefined : `${title}.`, note].filter((one) => one !== undefined);
  return said.length > 0 ? said.join(' ') : undefined;
}

/** The same for `placedAt`, `placed_at` and `Placed at`. */
const lettersOf = (name: string) => name.toLowerCase().replace(/[ _]/g, '');

/** No text of a file ends a comment, or does something to a terminal. */
const commented = (text: string) => oneLine(text.replace(/\s+/g, ' ')).replaceAll('*/', '*\\/');

/** Types that every program has by the language alone. */
const GLOBALS: ReadonlySet<string> = new Set(
  [
    'Array BigInt Boolean Date Error Function Iterator Map Number Object Promise Proxy RegExp Set String Symbol',
    'Awaited Exclude Extract NonNullable Omit Parameters Partial Pick Readonly Record Required ReturnType',
  ].flatMap((line) => line.split(' ')),
);

/** `orders` → `Order`; a second table of the same name gets a number. */
function rowNames(tables: readonly OwnTable[]): readonly string[] {
  const taken = new Set<string>();
  return tables.map((table) => {
    const words = singular(table.name).split('_');
    const row = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    // A program that imports `Date` would have no other one.
    const name = GLOBALS.has(row) ? `${row}Row` : row;
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}${n}`;
    taken.add(free);
    return free;
  });
}

const singular = (name: string): string =>
  /[^aeiou]ies$/.test(name)
    ? name.replace(/ies$/, 'y')
    : name.replace(/(ss|x|ch|sh)es$/, '$1').replace(/([^sui])s$/, '$1');
