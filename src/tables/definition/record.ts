/**
 * From stored values to the JSON of a record. Stored data is dirty: a value of the wrong type shows
 * as null, never as an error, and never as something of a type that clients do not expect.
 */

import { invariant } from '../../errors.ts';
import type { Plain } from '../../store/bson/cells.ts';
import type { Inside } from '../../store/bson/inside.ts';
import type { StoredRest } from '../../textindex/index.ts';
import {
  AS_STORED,
  BOOLEAN_OR_NULL,
  DATE_OR_NULL,
  fullObject,
  type JsonSchema,
  NUMBER_OR_NULL,
  TEXT_OR_NULL,
} from './jsonSchema.ts';
import type { ValueLabels } from './valueLabels.ts';

/** A document as the driver returns it. */
export type StoredDocument = Readonly<Record<string, unknown>>;

/** A page's document with the related documents its record shows. */
export interface JoinedRow {
  /** The document; for a row from memory, only the members that presenters read as values. */
  readonly document: StoredDocument;
  readonly memory?: MemoryMembers;
  /** Related documents that its record shows, by the related field that leads to them. */
  readonly joined: Readonly<Record<string, readonly StoredDocument[]>>;
}

/** A row from memory. */
export type MemoryRow = JoinedRow & { readonly memory: MemoryMembers };

/** The members that a row from memory has instead of most of its document. */
export interface MemoryMembers {
  readonly layout: MemoryLayout;
  /** The values at the layout's paths. */
  readonly values: readonly unknown[];
  /**
   * The JSON of the members that the layout names, a line each in its order; an empty line for a
   * member left out.
   */
  readonly rest: StoredRest;
}

/** How rows of one kind lie in memory: the same object for all of them. */
export interface MemoryLayout {
  readonly paths: readonly string[];
  readonly inRest: readonly { readonly name: string }[];
}

/** The context of presenters, besides the row. */
export interface RecordContext {
  readonly labels: ValueLabels;
  /** Filters of kind `option` that were set, such as `with_lines`. */
  readonly options: ReadonlySet<string>;
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json };

/** One member of a record: its value and its schema. */
export interface Presenter {
  /** The value, or undefined if the contract leaves the member out. */
  (row: JoinedRow, context: RecordContext): Json | undefined;
  readonly schema: JsonSchema;
  /** The paths of the document that it looks at; nothing else is there when rows are exported. */
  readonly paths: readonly string[];
  /** The members of the document that these paths begin with. */
  readonly reads: readonly string[];
  /** It shows the one member that it reads, by this presenter; null as if nothing were stored. */
  readonly plain?: Plain;
  readonly show?: (value: unknown) => Json;
  /** It shows, as JSON, the value at this place inside the one member that it reads. */
  readonly inside?: Inside;
  /** Some records leave the member out. */
  readonly optional?: true;
  /** It reads the context, besides the document. */
  readonly needsContext?: true;
  /** The related documents that it shows. */
  readonly joins?: Joined;
  /** It shows this member, of records for which the condition holds. */
  readonly when?: ConditionalMember;
}

/** Related documents that a member shows, reached by a related field of the row's resource. */
export interface Joined {
  /** The related field, by whose name the row has them. */
  readonly by: string;
  /** Paths of theirs that the member reads. */
  readonly shows: readonly string[];
  /** Only the document with the lowest `_id` for a key. */
  readonly one: boolean;
}

/** Whether a record has a member. */
export interface ConditionalMember {
  /** The members of the document that `holds` reads. */
  readonly reads: readonly string[];
  readonly holds: (row: Pick<JoinedRow, 'document'>, context: RecordContext) => boolean;
  readonly member: Presenter;
}

/**
 * A member whose every value fits the schema.
 *
 * @param paths of the document that it looks at
 */
export const shown = (
  schema: JsonSchema,
  paths: readonly string[],
  value: (row: JoinedRow, context: RecordContext) => Json | undefined,
  more: Omit<Presenter, 'schema' | 'paths' | 'reads'> = {},
): Presenter => {
  const reads = [...new Set(paths.map((path) => path.split('.', 1)[0]!))];
  return Object.assign(value, { schema, paths, reads, ...more });
};

/** A member that shows the value at a path. */
export const shownAt = (
  schema: JsonSchema,
  plain: Plain,
  path: string,
  show: (value: unknown) => Json,
): Presenter =>
  shown(
    schema,
    [path],
    ({ document }) => show(at(document, path)),
    path.includes('.') ? {} : { plain, show },
  );

/**
 * The text of the related document that this field leads to, and its path there. It is null without
 * one: a dangling key is dirty data, not an error.
 */
export function relatedText(by: string, path: string): Presenter {
  const show = ({ joined }: JoinedRow) => {
    const document = joined[by]?.[0];
    // From memory it has the text by its path, from the store as it lies there.
    return asText(document?.[path] ?? at(document, path));
  };
  return shown(TEXT_OR_NULL, [], show, { joins: { by, shows: [path], one: true } });
}

/** The member, in records for which the condition holds. */
export function shownWhen(
  reads: readonly string[],
  holds: (row: Pick<JoinedRow, 'document'>, context: RecordContext) => boolean,
  member: Presenter,
): Presenter {
  invariant(!member.joins, 'a member of a condition shows no related document');
  const value = (row: JoinedRow, context: RecordContext) =>
    holds(row, context) ? member(row, context) : undefined;
  const paths = [...reads, ...member.paths];
  return shown(member.schema, paths, value, { optional: true, when: { reads, holds, member } });
}

/** The schema of a record of these members. */
export function recordSchema(record: Readonly<Record<string, Presenter>>): JsonSchema {
  const members = Object.entries(record);
  return {
    ...fullObject(Object.fromEntries(members.map(([name, { schema }]) => [name, schema]))),
    required: members.flatMap(([name, { optional }]) => (optional ? [] : [name])),
  };
}

/**
 * The record a client sees, listing exactly the members of the definition. Not for rows from memory,
 * some of whose members are JSON already.
 */
export function present(
  record: Readonly<Record<string, Presenter>>,
  row: JoinedRow,
  context: RecordContext,
): Readonly<Record<string, Json>> {
  const shown: Record<string, Json> = {};
  // A row of the store is decoded at each access.
  const decoded = { document: row.document, joined: row.joined };
  for (const member in record) {
    const value = record[member]!(decoded, context);
    if (value !== undefined) shown[member] = value;
  }
  return shown;
}

/** The value at a dotted path of plain objects; undefined if the path breaks off. */
export function at(document: unknown, path: string): unknown {
  // To split the path takes longer than the rest.
  if (!path.includes('.')) return member(document, path);
  let value: unknown = document;
  for (const step of path.split('.')) value = member(value, step);
  return value;
}

function member(of: unknown, name: string): unknown {
  if (of === null || typeof of !== 'object') return undefined;
  // Arrays and the driver's classes have members that no document holds.
  if (Object.getPrototypeOf(of) !== Object.prototype) return undefined;
  return Object.hasOwn(of, name) ? (of as StoredDocument)[name] : undefined;
}

/**
 * The values that a match on the path sees: it enters an array on the way once, and sees the
 * elements of one at the end.
 */
export function valuesAt(document: unknown, path: string): unknown[] {
  const values: unknown[] = [];
  collect(document, path.split('.'), 0, values);
  return values;
}

function collect(value: unknown, steps: readonly string[], from: number, values: unknown[]): void {
  if (Array.isArray(value)) for (const one of value) collectOne(one, steps, from, values);
  else collectOne(value, steps, from, values);
}

const collectOne: typeof collect = (value, steps, from, values) => {
  if (from === steps.length) values.push(value);
  else collect(member(value, steps[from]!), steps, from + 1, values);
};

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const asBoolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

/** An integer or any other number JSON can carry; longs beyond 2^53 come as their decimal text. */
export function asNumber(value: unknown): number | string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const bson = bsonTypeOf(value);
  return bson === 'Long' || bson === 'Decimal128' ? String(value) : null;
}

/**
 * ISO 8601, UTC, milliseconds; null for a value that is no date, or one that JavaScript cannot
 * hold.
 */
export function asDate(value: unknown): string | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}

const ID: JsonSchema = {
  type: ['number', 'string', 'boolean', 'object', 'null'],
  description: 'A number or text; of documents written by others, whatever their ids are.',
};

export const text = (path: string) => shownAt(TEXT_OR_NULL, 'text', path, asText);
export const boolean = (path: string) => shownAt(BOOLEAN_OR_NULL, 'boolean', path, asBoolean);
export const number = (path: string) => shownAt(NUMBER_OR_NULL, 'number', path, asNumber);
export const date = (path: string) => shownAt(DATE_OR_NULL, 'date', path, asDate);
/** A key: a number or text, and for dirty data the JSON of its type. */
export const id = (path: string) => shownAt(ID, 'json', path, asKey);
/** A nested structure, as stored. */
export const json = (path: string) => shownAt(AS_STORED, 'json', path, asJson);
/** The same, with this value if nothing is stored. */
export const jsonOr = (path: string, nothing: Json, schema: JsonSchema): Presenter =>
  shown(schema, [path], ({ document }) => asJson(document[path] ?? nothing), { plain: 'json' });
/** Members in an object of their own. */
export const group = (members: Readonly<Record<string, Presenter>>) => {
  const all = Object.values(members).flatMap(({ paths, joins }) => {
    invariant(!joins, 'a group shows no related document');
    return paths;
  });
  return shown(recordSchema(members), all, (row, context) => present(members, row, context), {
    needsContext: true,
  });
};

/**
 * Any BSON value as JSON: dates as ISO text, ids, UUIDs and decimals as text, values unknown to JSON as
 * null.
 */
export function asJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return jsonOfObject(value);
    default:
      return null;
  }
}

/** NaN and the infinities as text, like decimals: a null would name no document. */
export const asKey = (value: unknown): Json =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : asJson(value);

function jsonOfObject(value: object): Json {
  if (Array.isArray(value)) return value.map(asJson);
  if (value instanceof Date) return asDate(value);
  switch (bsonTypeOf(value)) {
    case undefined:
      // fromEntries defines own properties, so a stored member named `__proto__` stays data.
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
    case 'Binary':
      return binaryText(value as StoredBinary);
    case 'BSONRegExp':
      return regExpText(value as StoredRegExp);
    case 'MinKey':
    case 'MaxKey':
      return null;
    case 'Code':
    case 'DBRef':
      return asJson((value as { toJSON(): unknown }).toJSON());
    default:
      return String(value);
  }
}

interface StoredRegExp {
  readonly pattern: string;
  readonly options: string;
}

const regExpText = ({ pattern, options }: StoredRegExp): string => `/${pattern}/${options}`;

interface StoredBinary {
  readonly sub_type: number;
  readonly position: number;
  toUUID(): object;
  toString(encoding: 'base64'): string;
}

/** A UUID as people write it; all else in base64. */
const binaryText = (binary: StoredBinary): string =>
  binary.sub_type === UUID && binary.position === 16
    ? String(binary.toUUID())
    : binary.toString('base64');
/** The subtype of UUIDs, unless an old driver wrote them. */
const UUID = 4;

/** The driver's class of a value. A document may hold a member of this name, which is data. */
function bsonTypeOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, '_bsontype')
    ? (value as { _bsontype?: string })._bsontype
    : undefined;
}
