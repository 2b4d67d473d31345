/** The abilities of each field type: its uses, by default and at most, and its looks. */
import type { FieldType } from '../definition/definition.ts';

/**
 * The questions that a field can answer: text inside it, equality, counts by value, order, ranges,
 * and its value in a record.
 */
export const FILE_USES = ['text', 'filter', 'facet', 'sort', 'range', 'show'] as const;
export type FileUse = (typeof FILE_USES)[number];

export const LOOKS = ['status', 'code', 'bytes', 'seconds', 'json'] as const;

/** How a value looks to people. */
export type Look =
  | (typeof LOOKS)[number]
  | { readonly link: string }
  /** The code of a currency (ISO 4217). */
  | { readonly money: string };

/** `label` and `seconds` are derived from other fields. */
export type FieldKind = FieldType | 'label' | 'seconds';

interface Abilities {
  /** Uses without a member `use`. */
  readonly usual: readonly FileUse[];
  /** All uses that it can have. */
  readonly possible: readonly FileUse[];
  readonly looks: readonly string[];
}

const NUMBERS = ['bytes', 'seconds', 'money', 'code', 'link'];
const TEXTS = ['status', 'code', 'link'];
const IDS = { usual: ['text', 'filter', 'show'], looks: TEXTS } as const;

export const ABILITIES: Readonly<Record<FieldKind, Abilities>> = {
  string: {
    usual: ['filter', 'facet', 'show'],
    possible: ['text', 'filter', 'facet', 'sort', 'show'],
    looks: TEXTS,
  },
  number: {
    usual: ['range', 'sort', 'show'],
    possible: ['filter', 'facet', 'sort', 'range', 'show'],
    looks: NUMBERS,
  },
  decimal: {
    usual: ['range', 'sort', 'show'],
    possible: ['filter', 'sort', 'range', 'show'],
    looks: NUMBERS,
  },
  boolean: {
    usual: ['facet', 'show'],
    possible: ['filter', 'facet', 'sort', 'show'],
    looks: ['status'],
  },
  date: {
    usual: ['range', 'sort', 'show'],
    possible: ['filter', 'sort', 'range', 'show'],
    looks: [],
  },
  objectId: { ...IDS, possible: ['text', 'filter', 'facet', 'sort', 'show'] },
  uuid: { ...IDS, possible: ['text', 'filter', 'facet', 'sort', 'show'] },
  mixed: { usual: ['show'], possible: ['show'], looks: ['json', 'code'] },
  label: {
    usual: ['text', 'filter', 'show'],
    possible: ['text', 'filter', 'show'],
    looks: TEXTS,
  },
  seconds: {
    usual: ['range', 'sort', 'show'],
    possible: ['sort', 'range', 'show'],
    looks: ['seconds'],
  },
};

/** Types of other systems, with their names here. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ array: '[string]', list: '[string]' },
    ...{ text: 'string', str: 'string', varchar: 'string' },
    ...{ int: 'number', int32: 'number', int64: 'number', integer: 'number', long: 'number' },
    ...{ double: 'number', float: 'number', decimal128: 'decimal', money: 'decimal' },
    ...{ bool: 'boolean', datetime: 'date', timestamp: 'date', time: 'date' },
    ...{ oid: 'objectId', id: 'objectId', guid: 'uuid' },
    ...{ object: 'mixed', json: 'mixed', any: 'mixed' },
  }),
);
