/**
 * Members of records that show stored values as they are. A value of another type than the member's is
 * dirty data, and shows too: the schema says the type that clean values have.
 */

import type { FieldType } from './definition.ts';
import {
  AS_STORED,
  BOOLEAN_OR_NULL,
  DATE_OR_NULL,
  type JsonSchema,
  NUMBER_OR_NULL,
  TEXT_OR_NULL,
} from './jsonSchema.ts';
import {
  asJson,
  asKey,
  at,
  type JoinedRow,
  type Json,
  type Presenter,
  shown,
  shownAt,
  valuesAt,
} from './record.ts';

const CLEAN: Readonly<Record<FieldType, JsonSchema>> = {
  string: TEXT_OR_NULL,
  number: NUMBER_OR_NULL,
  decimal: NUMBER_OR_NULL,
  boolean: BOOLEAN_OR_NULL,
  date: DATE_OR_NULL,
  objectId: { ...TEXT_OR_NULL, description: '24 hexadecimal digits.' },
  uuid: { ...TEXT_OR_NULL, format: 'uuid' },
  mixed: AS_STORED,
};

const schemaOf = (type: FieldType): JsonSchema =>
  type === 'mixed'
    ? CLEAN.mixed
    : { anyOf: [CLEAN[type], { description: 'A value of another type, as it is stored.' }] };

/** Types with values that columns do not tell as they are stored: their JSON is kept. */
const IN_REST: ReadonlySet<FieldType> = new Set(['mixed', 'decimal']);

/** The value at a dotted path; all of them if an array crosses the path. */
export function storedMember(path: string, type: FieldType): Presenter {
  const [, ...names] = path.split('.');
  if (names.length > 0) {
    const inside = { names, several: false };
    return shown(schemaOf(type), [path], ({ document }) => valueAt(document, path), { inside });
  }
  const plain = IN_REST.has(type) ? 'json' : 'value';
  return shownAt(schemaOf(type), plain, path, path === '_id' ? asKey : asJson);
}

function valueAt(document: unknown, path: string): Json {
  const value = at(document, path);
  if (value !== undefined) return asJson(value);
  const values = listAt(document, path);
  return values.length === 0 ? null : values;
}

/** All values at a dotted path through arrays, as a list; null is none, since columns do not tell it from nothing. */
export function storedListMember(path: string, type: FieldType): Presenter {
  const [, ...names] = path.split('.');
  const schema = { type: 'array', items: schemaOf(type) };
  const show = ({ document }: JoinedRow) =>
    at(document, path) === null ? [] : listAt(document, path);
  return shown(schema, [path], show, { inside: { names, several: true } });
}

const listAt = (document: unknown, path: string): Json[] =>
  valuesAt(document, path).flatMap((value) => (value === undefined ? [] : [asJson(value)]));

/** Seconds from one date to another, to the millisecond; null unless both are dates. */
export function secondsMember(from: string, to: string, description?: string): Presenter {
  const schema = { type: ['number', 'null'], ...(description && { description }) };
  return shown(schema, [from, to], ({ document }) => {
    const [start, end] = [at(document, from), at(document, to)];
    if (!(start instanceof Date && end instanceof Date)) return null;
    const milliseconds = end.getTime() - start.getTime();
    return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
  });
}
