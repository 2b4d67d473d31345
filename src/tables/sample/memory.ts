/**
 * The memory that the index takes for a table, estimated from sampled documents.
 *
 *     bytes = a table's least + rows × orders, values and lists + different values × their texts
 *
 * It tells the size of the machine, not more: tables grow by powers of two, and a test holds the estimate to a
 * factor of two. Members of records that no column holds are bounded by ROWS_MEMORY_BYTES, and are not part of it.
 */
import type { ColumnDefinition } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import { tableLayout } from '../index/tableDefinition.ts';
import { distinctValues } from './distinct.ts';
import type { LookedAt } from './survey.ts';

/** A table's memory from the start, and that of a dictionary. */
const TABLE = 250_000;
const DICTIONARY = 10_000;
/** Different values that are few. */
const FEW = 250;
/** By row: its id; its place and key in an order; its value, with the lists of rows that have it. */
const ID = { number: 4, other: 20 };
const ORDER = 8;
const VALUE_OF_ROW = { few: 2, many: 10 };
/** By row, where its id, ObjectId or UUID is found by its pieces. */
const UNIQUE_ID = 140;
/** By row, for pieces of texts that are found often. */
const PIECES = 12;
/** By different value: its record; its text, in bytes of it; a label's. */
const VALUE = 70;
const TEXT = 4;
const LABEL = 240;
/** By value in a list. */
const IN_LIST = 10;

/** Bytes, of a resource as compiled from the definition. */
export function memoryOf(resource: Resource, looked: LookedAt): number {
  const { definition, sources } = tableLayout(resource);
  const bytes = definition.columns.map((column, place) =>
    columnBytes(column, looked, sources[place]!.path),
  );
  const id = looked.profile.at('_id')?.kinds.has('number') ? ID.number : ID.other;
  return Math.round(bytes.reduce((sum, one) => sum + one, TABLE + looked.count * id));
}

function columnBytes(
  { contains, equals, facet, sort, range, expect, labels = [] }: ColumnDefinition,
  { profile, count: rows, isWhole }: LookedAt,
  at: string,
): number {
  const order = sort ? rows * ORDER : 0;
  const isAsked = contains || equals || facet || (range && !sort) || labels.length > 0;
  const isKeyed = expect === 'date' || expect === 'number';
  const path = profile.at(at);
  if (!path || (!isAsked && (isKeyed || !sort))) return order;
  const scalars = [...path.kinds].filter(([kind]) => kind !== 'null' && kind !== 'object');
  const values =
    (rows * scalars.reduce((sum, [, n]) => sum + n, 0)) / Math.max(1, profile.documents);
  const distinct = distinctValues(path, Math.max(values, path.different), isWhole);
  const isId = expect === 'uuid' || expect === 'objectId';
  if (isId && !facet && labels.length === 0 && distinct > values / 2) {
    return order + DICTIONARY + rows * UNIQUE_ID;
  }
  const text = path.drawn > 0 ? path.textBytes / path.drawn : 0;
  const lists = Math.max(0, values - rows) * IN_LIST;
  const sought = contains || facet ? TEXT : 1;
  const each = VALUE + text * sought + labels.length * LABEL;
  const ofRow = distinct < FEW ? VALUE_OF_ROW.few : VALUE_OF_ROW.many;
  const pieces = contains && distinct >= FEW ? rows * PIECES : 0;
  return order + DICTIONARY + rows * ofRow + lists + distinct * each + pieces;
}
