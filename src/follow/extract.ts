/**
 * From a stored document, as raw BSON, to the row that the text index keeps of it.
 *
 *     columns   ship.region │ lines.sku │ _id as decimal │ …
 *                        ▼ compiled once
 *     members   _id ─ decimal         one pass over the document's elements; a member that no
 *               lines ─ sku           column names is stepped over by its length
 *               ship ─ region
 *
 * A path means the same as in MongoDB's match, and a single name the same as in its sort; the tests
 * compare with both:
 *
 * - A path that leads through an array visits each object in it. Other elements, nested arrays too,
 *   are nothing (`EMPTY_ARRAY`), no null; so is an array that is empty. Only a sort sees null there:
 *   in a column that is sorted by they are `NOTHING`.
 * - A last member that is an array stands for its elements. An array among them is one odd value.
 * - `[]` as the last member stays `[]`, which sorts before null. Undefined is the same, in counts too.
 * - If two members have one name (dirty data) the first counts.
 *
 * Left out: paths that name an array position (`a.0`), and the dates that scalar.ts leaves out. A
 * projection that leads through an array drops elements that are no objects, which are nothing
 * anyway.
 */
import { invariant } from '../errors.ts';
import type { Members } from '../store/bson/members.ts';
import { Names } from '../store/bson/names.ts';
import { BsonType, endOfName, endOfValue, roundedInt64At } from '../store/bson/raw.ts';
import { scalarAt } from '../store/bson/scalar.ts';
import {
  type Cell,
  EMPTY_ARRAY,
  MAX_DATE,
  NOTHING,
  type Row,
  type RowId,
  type Scalar,
} from '../textindex/index.ts';

export interface ColumnSource {
  readonly name: string;
  /** Names joined by dots, as in a MongoDB query. */
  readonly path: string;
  /** For `seconds`: the path of the later date. */
  readonly to?: string;
  /** Rows are sorted by it; see `NOTHING`. */
  readonly sorted?: boolean;
  /**
   * Labels of other rows are made of it. A value found through an array is no label and no key of
   * one, so the cell stays an array, even of one value.
   */
  readonly labels?: boolean;
  /**
   * A `value` is the stored value. A `decimal` is a whole number within ±2^53 of any number type, as
   * `$toString` of its value as a long; null for all else. The `seconds` go from one date to another,
   * neither of them in an array; null for all else.
   */
  readonly as: 'value' | 'decimal' | 'seconds';
}

/** Takes one document as BSON bytes; returns its row, one cell a column. */
export type Extract = (document: Uint8Array) => Row;

/**
 * Takes the columns apart once; the returned function is quick and holds no state of a document.
 *
 * @param members have read each document before: where they found all first names of the columns, its
 *   elements are not gone through again
 */
export function compileExtract(columns: readonly ColumnSource[], members?: Members): Extract {
  const spans = columns.flatMap(({ as, path, to }, column) =>
    as === 'seconds' ? [{ column, ends: [path, to!] }] : [],
  );
  /** Milliseconds of the dates that each span begins and ends with; NaN without one. */
  const dates = new Float64Array(spans.length * 2);
  const root = levelOf([
    ...columns.flatMap(({ path, as, sorted = false, labels = false }, column) =>
      as === 'seconds' ? [] : { column, names: namesOf(path), sorted, labels },
    ),
    ...spans.flatMap(({ ends }, i) =>
      ends.map((path, end) => ({ date: i * 2 + end, names: namesOf(path) })),
    ),
  ]);
  const decimals = columns.flatMap(({ as }, column) => (as === 'decimal' ? [column] : []));
  const places = root.members.map(({ name }) => members?.names.indexOf(name) ?? -1);
  const read = members && !places.includes(-1) ? members : undefined;
  const found: Found = columns.map(() => []);
  return (document) => {
    const cells = new Array<Cell>(columns.length).fill(null);
    dates.fill(Number.NaN);
    const into: Into = { id: null, cells, dates, found };
    if (read && !read.repeated) readFound(document, read, places, root, into);
    else eachMember(document, 0, root, readMember, into);
    for (const column of decimals) cells[column] = decimalText(cells[column]!);
    for (let i = 0; i < spans.length; i++) {
      const ms = dates[i * 2 + 1]! - dates[i * 2]!;
      if (!Number.isNaN(ms)) cells[spans[i]!.column] = ms / 1_000;
    }
    return { id: into.id, cells };
  };
}

/** The smallest projection that holds all columns; `_id` is always in it. */
export function projectionOf(
  columns: readonly Pick<ColumnSource, 'path' | 'to' | 'sorted'>[],
): Record<string, 1> {
  // A projection into an array drops the elements that a sort takes for null.
  const named = columns.flatMap(({ path, to, sorted }) =>
    sorted ? path.split('.', 1) : to === undefined ? [path] : [path, to],
  );
  const paths = [...new Set(['_id', ...named])];
  const inside = (path: string) => paths.some((other) => path.startsWith(`${other}.`));
  return Object.fromEntries(paths.filter((path) => !inside(path)).map((path) => [path, 1]));
}

interface PathOfColumn {
  readonly names: readonly string[];
  readonly column: number;
  readonly sorted: boolean;
  readonly labels: boolean;
}

/** The path of a column, or of one of the dates of spans. */
type PathOf = PathOfColumn | { readonly names: readonly string[]; readonly date: number };

/** Where the values of a document go. */
interface Into {
  id: RowId;
  readonly cells: Cell[];
  readonly dates: Float64Array;
  readonly found: Found;
}

/** The values found on paths through one array, by column. */
type Found = Scalar[][];

/** The members that are wanted at one depth of the document. */
interface Level {
  readonly members: readonly Member[];
  /** Theirs, in the same order. */
  readonly names: Names;
  /** Columns that paths lead to from here; a date in an array begins or ends no span. */
  readonly columns: readonly PathOfColumn[];
  /** Counts the documents (and subdocuments) read, see `Member.seen`. */
  reading: number;
}

interface Member {
  readonly name: string;
  readonly isId: boolean;
  /** Columns whose path ends here, and dates. */
  readonly ends: readonly number[];
  readonly dates: readonly number[];
  /** The members of a path that leads on. */
  readonly level: Level | null;
  /** The reading in which this member was met: a second one of the same name is ignored. */
  seen: number;
}

function namesOf(path: string): string[] {
  const names = path.split('.');
  invariant(
    names.every((name) => /^(?!\d+$)[^$\0][^\0]*$/.test(name)),
    `a column's path is made of member names: ${path}`,
  );
  return names;
}

const ID = '_id';

function levelOf(paths: readonly PathOf[], depth = 0): Level {
  const first = paths.map(({ names }) => names[0]!);
  const names = [...new Set(depth === 0 ? [ID, ...first] : first)];
  const members = names.map((name) => {
    const here = paths.filter((path) => path.names[0] === name);
    const ends = here.filter((path) => path.names.length === 1);
    const onward = here
      .filter((path) => path.names.length > 1)
      .map((path) => ({ ...path, names: path.names.slice(1) }));
    return {
      name,
      isId: depth === 0 && name === ID,
      ends: ends.flatMap((path) => ('column' in path ? path.column : [])),
      dates: ends.flatMap((path) => ('date' in path ? path.date : [])),
      level: onward.length > 0 ? levelOf(onward, depth + 1) : null,
      seen: 0,
    };
  });
  const columns = paths.flatMap((path) => ('column' in path ? path : []));
  return { members, names: new Names(names), columns, reading: 0 };
}

/** Does `visit` for the wanted members of the object at `at`, of several with one name for the first. */
function eachMember<T>(
  bytes: Uint8Array,
  at: number,
  level: Level,
  visit: (bytes: Uint8Array, type: number, at: number, member: Member, into: T) => void,
  into: T,
): void {
  const reading = ++level.reading;
  const { names, members } = level;
  let name = names.start;
  let i = at + 4;
  while (bytes[i] !== 0) {
    const type = bytes[i]!;
    name = names.find(name, bytes, i + 1);
    const valueAt = i + 1 + name.bytes.length;
    i = endOfValue(bytes, type, valueAt);
    if (name.place < 0) continue;
    const member = members[name.place]!;
    if (member.seen === reading) continue;
    member.seen = reading;
    visit(bytes, type, valueAt, member, into);
  }
}

/** Reads a whole document whose members were found, none of them twice. */
function readFound(
  bytes: Uint8Array,
  { types, starts }: Members,
  places: readonly number[],
  { members }: Level,
  into: Into,
): void {
  for (let n = 0; n < members.length; n++) {
    const place = places[n]!;
    const type = types[place]!;
    if (type === 0) continue;
    readMember(bytes, type, starts[place]!, members[n]!, into);
  }
}

/** Fills the columns and dates that this member leads to, or the id. */
function readMember(bytes: Uint8Array, type: number, at: number, member: Member, into: Into): void {
  const { cells } = into;
  if (member.level) {
    if (type === BsonType.object) eachMember(bytes, at, member.level, readMember, into);
    if (type === BsonType.array) {
      const { found } = into;
      for (const { column } of member.level.columns) found[column] = [];
      gatherAll(bytes, at, member.level, found);
      for (const { column, labels } of member.level.columns) {
        cells[column] = labels ? arrayOf(found[column]!) : cellOf(found[column]!);
      }
    }
  }
  if (type === BsonType.date) {
    for (const date of member.dates) into.dates[date] = dateMillis(bytes, at);
  }
  if (member.ends.length === 0 && !member.isId) return;
  const cell = readValue(bytes, type, at);
  for (const column of member.ends) cells[column] = cell;
  if (member.isId) into.id = cell as RowId;
}

function readValue(bytes: Uint8Array, type: number, at: number): Cell {
  if (type !== BsonType.array && type !== BsonType.undefined) return scalarAt(bytes, type, at);
  const found: Scalar[] = [];
  gatherValues(bytes, type, at, found);
  return arrayOf(found);
}

/** Collects the value where a path ends; an array stands for its elements. */
function gatherValues(bytes: Uint8Array, type: number, at: number, found: Scalar[]): void {
  if (type !== BsonType.array) {
    found.push(scalarAt(bytes, type, at));
    return;
  }
  const { length } = found;
  for (let i = at + 4; bytes[i] !== 0; ) {
    const elementAt = endOfName(bytes, i + 1) + 1;
    found.push(scalarAt(bytes, bytes[i]!, elementAt));
    i = endOfValue(bytes, bytes[i]!, elementAt);
  }
  if (found.length === length) found.push(EMPTY_ARRAY);
}

/**
 * Collects, as a match does, the values of all paths that lead into an array's elements, which are
 * gone through once. An array is entered at most once in a row.
 */
function gatherAll(bytes: Uint8Array, at: number, level: Level, found: Found): void {
  let i = at + 4;
  if (bytes[i] === 0) gatherNothing(level, found);
  while (bytes[i] !== 0) {
    const type = bytes[i]!;
    const elementAt = endOfName(bytes, i + 1) + 1;
    if (type === BsonType.object) gatherLevel(bytes, elementAt, level, found);
    else gatherNothing(level, found);
    i = endOfValue(bytes, type, elementAt);
  }
}

/** The same for one object. */
function gatherLevel(bytes: Uint8Array, at: number, level: Level, found: Found): void {
  eachMember(bytes, at, level, gatherMember, found);
  for (const member of level.members) {
    if (member.seen === level.reading) continue;
    for (const column of member.ends) found[column]!.push(null);
    if (member.level) gatherNull(member.level, found);
  }
}

function gatherMember(
  bytes: Uint8Array,
  type: number,
  at: number,
  { ends, level }: Member,
  found: Found,
): void {
  for (const column of ends) gatherValues(bytes, type, at, found[column]!);
  if (!level) return;
  if (type === BsonType.object) gatherLevel(bytes, at, level, found);
  else if (type === BsonType.array) gatherAll(bytes, at, level, found);
  else gatherNull(level, found);
}

function gatherNull({ columns }: Level, found: Found): void {
  for (const { column } of columns) found[column]!.push(null);
}

function gatherNothing({ columns }: Level, found: Found): void {
  for (const { column, sorted } of columns) found[column]!.push(sorted ? NOTHING : EMPTY_ARRAY);
}

/**
 * The cell for the values found on a path through arrays: one value matches and sorts as an array
 * of it does, and takes less room.
 */
function cellOf(found: readonly Scalar[]): Cell {
  return found.length === 1 && found[0] !== EMPTY_ARRAY ? found[0]! : arrayOf(found);
}

/** The same, but one value stays an array, which shows no label. */
function arrayOf(found: readonly Scalar[]): Cell {
  return found.every((value) => value === EMPTY_ARRAY) ? [] : found;
}

/** NaN for dates that no Date can hold. */
function dateMillis(bytes: Uint8Array, at: number): number {
  const ms = roundedInt64At(bytes, at);
  return Math.abs(ms) <= MAX_DATE ? ms : Number.NaN;
}

function decimalText(cell: Cell): string | null {
  return typeof cell === 'number' && Number.isSafeInteger(cell) ? String(cell) : null;
}
