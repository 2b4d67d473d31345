/**
 * The memory that the index takes for a table, estimated from sampled documents.
 *
 *     bytes = a table's least + room for rows × numbers + rows × places and lists
 *             + different values × their texts and places + bitmaps of frequent pieces
 *
 * The figures follow from the layout of the index, and were fitted to tables of eleven shapes with 1,000 to
 * 200,000 documents. A test compares the estimate with real tables. Members of records that no column
 * holds are bounded by ROWS_MEMORY_BYTES, and are not part of it.
 */
import { type ColumnDefinition, DEFAULT_LAYOUT, roomFor } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import { tableLayout } from '../definition/tableDefinition.ts';
import type { OwnTable } from '../file/index.ts';
import { distinctValues } from './distinct.ts';
import type { PathProfile } from './pathProfile.ts';
import type { LookedAt, Survey } from './survey.ts';

const { segmentBits, denseRows, freshRows, precomputeRows } = DEFAULT_LAYOUT;
const { infixTextBytes, largeTextBytes } = DEFAULT_LAYOUT;

/** A table's memory from the start. */
const LEAST = 2 ** 18;
/** First blocks of a table and of a dictionary, and room to search in. */
const TABLE = 78_000;
const DICTIONARY = 9_000;
/** Blocks that were freed, or wait for the next rows. */
const SPARE = 1.06;
/** Bytes of a number for each row that there is room for: four where those of near rows lie close together. */
const NUMBER = 5;
/** A row's place in an order. */
const ORDER = 4.5;
/** The key of an id that is no number, by room, and the object of one that is no ObjectId either. */
const ID_KEY = 8;
const OTHER_ID = 100;
/** The key of an id that is a number: most of them count up. */
const NUMBER_KEY = 4;
/** Unique UUIDs or ObjectIds that are searched by pieces, by room; one block holds most of it for a segment. */
const UNIQUE_ID_ROOM = 48;
const UNIQUE_ID_BLOCK = 34;
/** Their sorted lists, by row, and where these begin. */
const UNIQUE_ID = 32;
const UNIQUE_ID_STARTS = 82_000;
/** A place in the list of a value's rows, where values repeat. */
const PLACE = 5.7;
const REPEATED = 1.5;
/** A value with more rows than this share of all has a bitmap, once its list would double. */
const DENSE = 1 / 128;
/** The place of the list of a row's values. */
const LIST_PLACE = 4;
/** An object for the values of a row of dates or numbers that has none or several, or for one without a key. */
const SEVERAL = 200;
const ASIDE = 100;
/** A different value's record and places, and those of its text and of its label. */
const VALUE = 38;
const TEXT = 12;
/** The run of texts, which was half as long before it grew. */
const RUN = 1.5;
const LABEL = 212;
/** A label's bytes, where its table was not looked at. */
const LABEL_TEXT = 20;
/** The text of an ObjectId. */
const ID_TEXT = 24;
/** Bitmaps of n-grams for the free text, of so many values on; none of many values in few rows. */
const NGRAMS = 128;
const ALL_NGRAMS = 100;
const FEW_VALUES = 4_096;
const ROWS_EACH = 8;
/** Bitmaps of frequent pieces: of a dictionary, and of a large one for each letter of a text. */
const INFIXES = 64;
const LETTER_INFIXES = 12;
const MOST_INFIXES = 512;
/** Bits that the pieces of a large dictionary may take. */
const INFIX_BITS = 2 ** 29;
/** Room to walk texts in, once for a table. */
const INFIX_WALK = 1_000_000;

/** Bytes of the index, by table. */
export function memoryOfTables(tables: readonly OwnTable[], survey: Survey): Map<string, number> {
  const byName = new Map(survey.collections.map((one) => [one.name, one]));
  const other = (name: string) => {
    const resource = tables.find((one) => one.resource.name === name)?.resource;
    const looked = resource && byName.get(resource.collection);
    return looked && { fields: resource.fields, looked };
  };
  return new Map(
    tables.flatMap(({ name, resource }): [string, number][] => {
      const looked = byName.get(resource.collection);
      return looked ? [[name, memoryOf(resource, looked, other)]] : [];
    }),
  );
}

/** The fields of a resource and the look at its collection, by the resource's name. */
type OtherTable = (
  resource: string,
) => (Pick<Resource, 'fields'> & { readonly looked: LookedAt }) | undefined;

/**
 * @param resource as compiled from the definition
 * @param other another table, for labels
 * @returns bytes
 */
export function memoryOf(
  resource: Resource,
  looked: LookedAt,
  other: OtherTable = () => undefined,
): number {
  const { definition, sources } = tableLayout(resource);
  const rows = looked.count;
  const together = new Set((definition.together ?? []).map(({ column }) => column));
  const room = roomFor(rows);
  let bytes = TABLE + rows * ORDER + idBytes(looked, room);
  let infixes = 0;
  let values = 0;
  let block = 0;
  for (const [place, column] of definition.columns.entries()) {
    const { path, as } = sources[place]!;
    // Seconds between two dates are one number, or null: all of it is in the column's room.
    const figures = as === 'seconds' ? NOTHING : figuresAt(looked, path);
    bytes += columnBytes(column, figures, rows);
    infixes += infixBytes(column, figures, rows);
    for (const texts of labelTexts(resource, column, looked, other)) {
      bytes += DICTIONARY + texts.distinct * LABEL + runBytes(texts);
      infixes += classBytes(texts, rows, largeTextBytes);
    }
    if (hasUniqueIds(column, figures)) block = Math.min(room, 2 ** segmentBits) * UNIQUE_ID_BLOCK;
    else if (together.has(column.name)) values += figures.distinct;
  }
  if (rows >= precomputeRows && values <= Math.max(FEW_VALUES, rows / ROWS_EACH)) {
    bytes += ((room * NGRAMS) / 8) * Math.min(1, values / ALL_NGRAMS);
  }
  if (infixes > 0) bytes += infixes + INFIX_WALK;
  // A block lies at a multiple of its size, a power of two.
  return Math.round(Math.max(bytes * SPARE, 2 * powerFrom(block), LEAST));
}

function idBytes({ profile, count }: LookedAt, room: number): number {
  const kinds = profile.at('_id')?.kinds;
  if (kinds?.has('number')) return room * NUMBER_KEY;
  return room * ID_KEY + (kinds?.has('objectId') ? room * NUMBER : count * OTHER_ID);
}

/** The bytes of a row's ordinal among so many. */
const ordinalBytes = (values: number): number =>
  values <= 14 ? 1 / 2 : values < 250 ? 1 : values < 65_000 ? 2 : 4;

interface Figures {
  /** Values in the whole collection, different ones, and bytes of a text on average. */
  readonly values: number;
  readonly distinct: number;
  readonly textBytes: number;
  /** All rows with an array; rows with one value in arrays; rows with several. */
  readonly arrays: number;
  readonly alone: number;
  readonly together: number;
  /** Counts of other values than numbers, of other values than dates, and of numbers past a double's digits. */
  readonly noNumbers: number;
  readonly noDates: number;
  readonly wide: number;
}

const NOTHING: Figures = {
  ...{ values: 0, distinct: 0, textBytes: 0, arrays: 0, alone: 0, together: 0 },
  ...{ noNumbers: 0, noDates: 0, wide: 0 },
};

function figuresAt({ profile, count, isWhole }: LookedAt, at: string): Figures {
  const path: PathProfile | undefined = profile.at(at);
  if (!path || profile.documents === 0) return NOTHING;
  const scalars = [...path.kinds].filter(([kind]) => kind !== 'null' && kind !== 'object');
  const all = scalars.reduce((sum, [, n]) => sum + n, 0);
  const inAll = (n: number) => (count * n) / profile.documents;
  const values = inAll(all);
  // An empty array of objects ends the path before its last name.
  const steps = at.split('.').map((_, i, names) => profile.at(names.slice(0, i + 1).join('.')));
  return {
    values,
    distinct: distinctValues(path, Math.max(values, path.different), isWhole),
    textBytes: path.drawn > 0 ? path.textBytes / path.drawn : 0,
    arrays: inAll(Math.max(...steps.map((step) => step!.inArrays))),
    ...{ alone: inAll(path.alone), together: inAll(path.together), wide: inAll(path.wide) },
    noNumbers: inAll(all - path.of('number', 'decimal')),
    noDates: inAll(all - path.of('date')),
  };
}

/** Whether the index keeps its values as bytes of ids, apart from a dictionary. */
const hasUniqueIds = (
  { expect, contains, equals, facet, labels = [] }: ColumnDefinition,
  { distinct, values }: Figures,
): boolean =>
  (expect === 'uuid' || expect === 'objectId') &&
  (contains === true || equals === true) &&
  !facet &&
  labels.length === 0 &&
  distinct > values / 2;

function columnBytes(column: ColumnDefinition, figures: Figures, rows: number) {
  const { contains, equals, facet, sort, range, expect, labels = [] } = column;
  const { values, distinct, arrays, together } = figures;
  const isKeyed = expect === 'date' || expect === 'number';
  const isAsked = contains || equals || facet || (range && !sort) || labels.length > 0;
  const room = roomFor(rows);
  const order = sort ? rows * ORDER + (isKeyed ? room * NUMBER : 0) : 0;
  // Rows with several values have another place in a descending order.
  let bytes = together > 0 ? 2 * order : order;
  if (sort && isKeyed && (range || !isAsked)) bytes += keptAside(expect, figures);
  if (!isAsked && (isKeyed || !sort)) return bytes;
  bytes += DICTIONARY;
  if (arrays > 0) bytes += arrays * (LIST_PLACE + listBytes(Math.min(values / arrays, distinct)));
  if (hasUniqueIds(column, figures)) {
    const lists = rows < freshRows ? 0 : rows * UNIQUE_ID + UNIQUE_ID_STARTS;
    return bytes + room * UNIQUE_ID_ROOM + lists;
  }
  const rowsOfValue = values / Math.max(1, distinct);
  const isDense = rowsOfValue > Math.max(denseRows, powerFrom(DENSE * rows));
  const places = isDense ? (distinct * room) / 8 : rowsOfValue > REPEATED ? values * PLACE : 0;
  const texts = distinct * figures.textBytes;
  const sought = contains || facet ? distinct * TEXT + runBytes(textsOf(column, figures)) : 0;
  return bytes + room * ordinalBytes(distinct) + places + distinct * VALUE + texts + sought;
}

/** Objects beside the keys of sorted dates or numbers, of which there are two where a row has several values. */
function keptAside(home: 'date' | 'number', figures: Figures): number {
  const { arrays, alone, together, noNumbers, noDates, wide } = figures;
  const empty = arrays - alone - together;
  const aside = empty + (home === 'date' ? noDates : noNumbers + wide);
  return (arrays - alone) * SEVERAL + aside * ASIDE * (together > 0 ? 2 : 1);
}

/** Texts that are searched as one run of bytes. */
interface Texts {
  readonly distinct: number;
  readonly bytes: number;
}

const textsOf = ({ ofIds }: ColumnDefinition, { distinct, textBytes }: Figures): Texts => ({
  distinct,
  bytes: distinct * (ofIds ? ID_TEXT : textBytes),
});

/** A byte ends each text; large ones have signatures of as many bytes. */
const runBytes = ({ distinct, bytes }: Texts): number =>
  powerFrom(bytes + distinct) * RUN + (bytes < largeTextBytes ? 0 : bytes);

/** A length, and a number for each value. */
const listBytes = (values: number): number => powerFrom(4 * (1 + values));

/** The power of two that lists of this size have. */
const powerFrom = (size: number): number => (size < 1 ? 0 : 2 ** Math.ceil(Math.log2(size)));

function infixBytes(column: ColumnDefinition, figures: Figures, rows: number): number {
  if (!column.contains || hasUniqueIds(column, figures)) return 0;
  const isOfIds = column.ofIds || column.expect === 'uuid';
  return classBytes(textsOf(column, figures), rows, isOfIds ? largeTextBytes : infixTextBytes);
}

/** The rows of texts' frequent pieces. */
function classBytes({ distinct, bytes }: Texts, rows: number, least: number): number {
  if (rows < precomputeRows || bytes < least) return 0;
  const most = Math.max(INFIXES, Math.min(MOST_INFIXES, INFIX_BITS / rows));
  const classes =
    bytes < largeTextBytes ? INFIXES : Math.min(most, (LETTER_INFIXES * bytes) / distinct);
  return (roomFor(rows) * classes) / 8;
}

/** Texts of related documents that hang on the values of a column. */
function labelTexts(
  { fields }: Resource,
  { labels = [] }: ColumnDefinition,
  looked: LookedAt,
  other: OtherTable,
): Texts[] {
  return labels.flatMap((name) => {
    const field = fields[name];
    const through = field?.kind === 'related' ? fields[field.through] : undefined;
    if (field?.kind !== 'related' || through?.kind !== 'stored') return [];
    const { distinct } = figuresAt(looked, through.path);
    const target = other(field.to);
    const text = target?.fields[field.text];
    const length =
      text?.kind === 'stored' ? figuresAt(target!.looked, text.path).textBytes : LABEL_TEXT;
    return [{ distinct, bytes: distinct * length }];
  });
}
