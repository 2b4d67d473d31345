/**
 * The memory that the index takes for a table, estimated from sampled documents.
 *
 *     bytes = room for rows × numbers + rows × places and lists + different values × their texts and places
 *
 * Figures were measured on tables of 50,000, 200,000 and a million orders (bench/own), for each column
 * by itself. A test compares the estimate with real tables. Members of records that no column holds are bounded by ROWS_MEMORY_BYTES,
 * and are not part of it.
 */
import { type ColumnDefinition, roomFor } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import { tableLayout } from '../index/tableDefinition.ts';
import { distinctValues } from './distinct.ts';
import type { PathProfile } from './pathProfile.ts';
import type { LookedAt } from './survey.ts';

/** Bytes of a number for each row that there is room for: four where those of near rows lie close together. */
const NUMBER = 5;
/** Bytes a row: its place in the order by id, and in a column's order. */
const ROW = 5;
const ORDER = 5;
/** An id that is neither a number nor an ObjectId, which has two numbers. */
const OTHER_ID = 75;
/** Unique UUIDs or ObjectIds that are searched by pieces: by room, and by row. */
const UNIQUE_ID_ROOM = 42;
const UNIQUE_ID = 55;
/** A place in the list of a value's rows. */
const PLACE = 6;
/** A value with more rows than this share of all has a bitmap, once its list would double. */
const DENSE = 1 / 128;
/** A different value: its record and places, and its bytes; with texts, more for each of them. */
const VALUE = 57;
const TEXT_BYTE = 3;
/** Bitmaps of n-grams for the free text, from so many values on. */
const NGRAMS = 16;
const ALL_BITMAPS = 100;
/** A dictionary of so many bytes of texts, in so many rows, has rows of frequent pieces. */
const INFIX_TEXTS = 4_096;
const INFIX_ROWS = 20_000;
/** The pieces themselves, and the rows of each by room: fewer where values hardly repeat. */
const INFIX_NAMES = 1_000_000;
const INFIXES = 18;
const UNIQUE_INFIXES = 7;
const REPEATED = 1.5;
/** Labels and ids have them from so many bytes of texts on. */
const LARGE_TEXTS = 524_288;
const LABEL_INFIXES = 40;
/** The text of an ObjectId. */
const ID_TEXT = 24;
/** The place of the list of a row's values. */
const LIST_PLACE = 4;

/**
 * @param resource as compiled from the definition
 * @param tables the looked-at collections by resource, for labels
 * @returns bytes
 */
export function memoryOf(
  resource: Resource,
  looked: LookedAt,
  lookedAt: (resource: string) => LookedAt | undefined = () => undefined,
): number {
  const { definition, sources } = tableLayout(resource);
  const rows = looked.count;
  const together = new Set((definition.together ?? []).map(({ column }) => column));
  const room = roomFor(rows);
  let bytes = rows * ROW + room * NUMBER + idBytes(looked, room);
  let values = 0;
  for (const [place, column] of definition.columns.entries()) {
    const figures = figuresAt(looked, sources[place]!.path);
    const labels = labelBytes(resource, column, looked, lookedAt);
    bytes += columnBytes(column, figures, rows, labels);
    if (together.has(column.name) && !hasUniqueIds(column, figures)) values += figures.distinct;
  }
  return Math.round(bytes + rows * NGRAMS * Math.min(1, values / ALL_BITMAPS));
}

/** Besides the first number. */
function idBytes({ profile, count }: LookedAt, room: number): number {
  const kinds = profile.at('_id')?.kinds;
  if (kinds?.has('number')) return 0;
  return kinds?.has('objectId') ? room * NUMBER : count * OTHER_ID;
}

/** The bytes of a row's ordinal among so many. */
const ordinalBytes = (values: number): number =>
  values <= 14 ? 1 / 2 : values < 250 ? 1 : values < 65_000 ? 2 : 4;

interface Figures {
  /** Values in the whole collection, different ones, and bytes of a text on average. */
  readonly values: number;
  readonly distinct: number;
  readonly textBytes: number;
  /** Rows with an array. */
  readonly arrays: number;
}

const NOTHING: Figures = { values: 0, distinct: 0, textBytes: 0, arrays: 0 };

function figuresAt({ profile, count, isWhole }: LookedAt, at: string): Figures {
  const path: PathProfile | undefined = profile.at(at);
  if (!path || profile.documents === 0) return NOTHING;
  const scalars = [...path.kinds].filter(([kind]) => kind !== 'null' && kind !== 'object');
  const all = scalars.reduce((sum, [, n]) => sum + n, 0);
  const values = (count * all) / profile.documents;
  return {
    values,
    distinct: distinctValues(path, Math.max(values, path.different), isWhole),
    textBytes: path.drawn > 0 ? path.textBytes / path.drawn : 0,
    arrays: (count * path.inArrays) / profile.documents,
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

function columnBytes(column: ColumnDefinition, figures: Figures, rows: number, labels: number) {
  const { contains, equals, facet, sort, range, expect } = column;
  const { values, distinct, textBytes, arrays } = figures;
  const isKeyed = expect === 'date' || expect === 'number';
  const isAsked = contains || equals || facet || (range && !sort) || labels > 0;
  const room = roomFor(rows);
  let bytes = sort ? rows * ORDER + (isKeyed ? room * NUMBER : 0) : 0;
  if (!isAsked && (isKeyed || !sort)) return bytes;
  if (arrays > 0) bytes += arrays * (LIST_PLACE + listBytes(Math.min(values / arrays, distinct)));
  if (hasUniqueIds(column, figures)) return bytes + room * UNIQUE_ID_ROOM + rows * UNIQUE_ID;
  const rowsOfValue = values / Math.max(1, distinct);
  const isDense = rowsOfValue > powerFrom(DENSE * rows);
  const places = isDense ? (distinct * rows) / 8 : rowsOfValue > REPEATED ? values * PLACE : 0;
  const texts = distinct * (column.ofIds ? ID_TEXT : textBytes);
  const least = column.ofIds || expect === 'uuid' ? LARGE_TEXTS : INFIX_TEXTS;
  const infixes = contains && texts >= least ? infixBytes(rows, rowsOfValue) : 0;
  const kept = distinct * VALUE + texts + (contains || facet ? texts * TEXT_BYTE : 0);
  return bytes + room * ordinalBytes(distinct) + places + infixes + kept + labels;
}

/** A length, and a number for each value. */
const listBytes = (values: number): number => powerFrom(4 * (1 + values));

/** The power of two that lists of this size have. */
const powerFrom = (size: number): number => 2 ** Math.ceil(Math.log2(size));

function infixBytes(rows: number, rowsOfValue: number): number {
  if (rows < INFIX_ROWS) return 0;
  return INFIX_NAMES + roomFor(rows) * (rowsOfValue > REPEATED ? INFIXES : UNIQUE_INFIXES);
}

/** Texts of related documents that hang on the values of a column. */
function labelBytes(
  { fields }: Resource,
  { labels = [] }: ColumnDefinition,
  looked: LookedAt,
  lookedAt: (resource: string) => LookedAt | undefined,
): number {
  return labels.reduce((sum, name) => {
    const field = fields[name];
    const through = field?.kind === 'related' ? fields[field.through] : undefined;
    if (field?.kind !== 'related' || through?.kind !== 'stored') return sum;
    const { distinct } = figuresAt(looked, through.path);
    const other = lookedAt(field.to);
    const length = other ? figuresAt(other, field.text).textBytes : 20;
    const infixes = distinct * length < LARGE_TEXTS ? 0 : roomFor(looked.count) * LABEL_INFIXES;
    return sum + distinct * (VALUE + TEXT_BYTE * length) + infixes;
  }, 0);
}
