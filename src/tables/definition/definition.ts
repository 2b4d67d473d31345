/**
 * The definition of a searchable resource as data: where its fields are stored, its filters and how
 * each one matches, its sorts, and the members of its records.
 *
 *     definition ──► JSON Schema ──► plan ──► pipeline | index ──► record
 *
 * Everything downstream is derived from here: a new field is a change to one definition.
 */
import { invariant, type ProblemCode } from '../../errors.ts';
import { type DatabaseIndex, indexOn } from '../../store/indexes.ts';
import type { Joined, Presenter } from './record.ts';
import type { Window } from './window.ts';

/** How a field's values tend to look; the index lays out its columns by it. Never changes answers. */
export type Expect = 'uuid' | 'unique' | 'many' | 'few' | 'number' | 'date';

/**
 * The type that a field is asked by: values of another type match nothing that asks for it. `number`
 * and `decimal` are numbers of any BSON type, compared by value. A JSON number asks the first for a
 * double, and the second for the double and the decimal written so. `uuid` is a string, asked in lower case.
 */
export const FIELD_TYPES = [
  'string',
  'number',
  'decimal',
  'boolean',
  'date',
  'objectId',
  'uuid',
  'mixed',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * The questions that a field can answer. Searches use text inside it (`contains`), equality and
 * order. An explore can select its values (`select`), count by value as well (`facet`), and select
 * a range and count dates by time (`range`).
 */
export type Use = 'contains' | 'equals' | 'sort' | 'select' | 'facet' | 'range';

/**
 * A value stored in the document, at a dotted path that may lead through arrays. The index keeps no column
 * of a field without a use: an explore can sort by it, and the store then orders the rows.
 */
export interface StoredField {
  readonly kind: 'stored';
  readonly path: string;
  readonly expect: Expect;
  readonly uses: readonly Use[];
  /** Left out, a value is asked by the type of the JSON value that it is compared with. */
  readonly type?: FieldType;
  /** A document may hold several values, by an array anywhere on the path. */
  readonly several?: true;
}

/** The seconds from one date to another, to the millisecond; null unless both are dates. */
export interface SecondsField {
  readonly kind: 'seconds';
  /** Paths of the documents. */
  readonly from: string;
  readonly to: string;
  readonly uses: readonly ('sort' | 'range')[];
}

/** The decimal text of an integral number stored at `path`; asked with contains only. */
export interface DecimalField {
  readonly kind: 'decimal';
  readonly path: string;
  readonly expect: Expect;
  readonly uses: readonly ['contains'];
}

/** The label of the value in another field; asked with contains only. */
export interface ValueLabelField {
  readonly kind: 'value label';
  readonly of: string;
  /** The name of the set of labels: see valueLabels.ts. */
  readonly labels: string;
}

/**
 * A text of another resource's document, found by this resource's field `through`:
 * `documents of `to` whose field `key` equals the value`, and of those the field `text`.
 */
export interface RelatedField {
  readonly kind: 'related';
  readonly through: string;
  readonly to: string;
  readonly key: string;
  readonly text: string;
  /** Where `key` and `text` are stored in the documents of `to`. */
  readonly keyPath: string;
  readonly textPath: string;
  /** Keys of another type are dirty data and relate to nothing. */
  readonly keyType: KeyType;
}

export type KeyType = 'string' | 'number' | 'objectId';

export type Field = StoredField | SecondsField | DecimalField | ValueLabelField | RelatedField;

export const stored = (path: string, expect: Expect, ...uses: Use[]): StoredField => ({
  kind: 'stored',
  path,
  expect,
  uses,
});
export const decimal = (path: string): DecimalField => ({
  kind: 'decimal',
  path,
  expect: 'unique',
  uses: ['contains'],
});
export const valueLabel = (of: string, labels: string): ValueLabelField => ({
  kind: 'value label',
  of,
  labels,
});
export const related = (
  through: string,
  to: Pick<Resource, 'name' | 'fields'>,
  target: Pick<RelatedField, 'key' | 'text' | 'keyType'>,
): RelatedField => ({
  kind: 'related',
  through,
  to: to.name,
  ...target,
  keyPath: pathOf(to, target.key),
  textPath: pathOf(to, target.text),
});

/**
 * How the body's member of `filters` is read, and its condition. All but `choice` and `option` may
 * be null, which means not provided.
 */
export type Filter =
  /** Free text over several fields; `shown`: the members of a record that show those of other names. */
  | {
      readonly kind: 'text';
      readonly fields: readonly string[];
      readonly named?: NamedValues;
      readonly shown?: Readonly<Record<string, string>>;
    }
  /** Case-insensitive, literal, anywhere in the value. */
  | { readonly kind: 'contains'; readonly field: string }
  /** Equality with a string, after trimming. */
  | { readonly kind: 'exact'; readonly field: string }
  /**
   * Equality with an id; UUIDs in any case. `invalid`: the code of the 400 for a value that is no
   * UUID.
   */
  | { readonly kind: 'id'; readonly field: string; readonly invalid?: ProblemCode }
  | { readonly kind: 'integer'; readonly field: string }
  | { readonly kind: 'boolean'; readonly field: string }
  | { readonly kind: 'enum'; readonly field: string; readonly values: readonly string[] }
  /** Contains or equality, as the choice named `by` says. */
  | { readonly kind: 'matchMode'; readonly field: string; readonly by: string }
  /** Governs other filters; selects nothing itself. Its first value is the default. */
  | { readonly kind: 'choice'; readonly values: readonly ['like', 'exact'] }
  /** Changes the records shown; selects nothing. */
  | { readonly kind: 'option' }
  /** Equality with one of several values that have labels; each is given as it is or by its label. */
  | {
      readonly kind: 'labelled';
      readonly field: string;
      readonly labels: string;
      /** The error for a text that is neither, and its sentence. */
      readonly invalid: ProblemCode;
      readonly wrong: string;
      readonly meaning: string;
    };

/** Free text that equals a label or an alias also selects its value. */
interface NamedValues {
  /** A field of kind `value label`. */
  readonly by: string;
  readonly meaning: string;
}

export interface Resource {
  readonly name: string;
  readonly collection: string;
  /** Left out, documents of any age are rows. */
  readonly window?: Window;
  /** The field that is the document's `_id`: the tiebreak of every order. */
  readonly key: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** The values of a search's `sort_by`; the first is the default. */
  readonly sorts: readonly [string, ...string[]];
  /** The fields that an explore can sort by. */
  readonly orders: readonly string[];
  /** Related documents that records show, joined for the rows of a page only: see `Presenter`. */
  readonly joins: readonly Join[];
  /** Members of a record, in the order they are shown. */
  readonly record: Readonly<Record<string, Presenter>>;
  /** The database indexes that the service makes. */
  readonly indexes: readonly DatabaseIndex[];
  /** Its rows leave memory last: decisions read them while the store is away. */
  readonly keptLongest?: true;
}

/** All resources, by name. */
export type Resources = Readonly<Record<string, Resource>>;

/** The documents that the related field leads to, by the value or values at the path `through`. */
export interface Join extends Joined {
  readonly field: RelatedField;
  readonly through: string;
}

/**
 * A resource as written by hand: its joins follow from the members of its record. Where it names database
 * indexes, each sort without one gets its own. Without `orders`, an explore sorts by every field.
 */
type Written = Omit<Resource, 'joins' | 'indexes' | 'orders'> & {
  readonly orders?: readonly string[];
  readonly indexes?: readonly DatabaseIndex[];
};

/** Checks a definition against itself and freezes it. */
export function defineResource(resource: Written): Resource {
  const has = (name: string, use: Use) => {
    const field = resource.fields[name];
    invariant(field, `${resource.name}: no field ${name}`);
    const uses: readonly Use[] = 'uses' in field ? field.uses : ['contains'];
    invariant(uses.includes(use), `${resource.name}.${name} cannot be asked with ${use}`);
  };
  for (const sort of resource.sorts) {
    has(sort, 'sort');
    const field = resource.fields[sort]!;
    // Only dirty data has an array on the path of a field with a type.
    const nested = field.kind === 'stored' && !field.type && field.path.includes('.');
    invariant(!nested, `${resource.name}.${sort} may lead through arrays and cannot be sorted by`);
  }
  for (const filter of Object.values(resource.filters)) {
    switch (filter.kind) {
      case 'text':
        for (const field of filter.fields) has(field, 'contains');
        if (filter.named) has(filter.named.by, 'contains');
        break;
      case 'contains':
        has(filter.field, 'contains');
        break;
      case 'matchMode':
        has(filter.field, 'contains');
        has(filter.field, 'equals');
        break;
      case 'choice':
      case 'option':
        break;
      default:
        has(filter.field, 'equals');
    }
  }
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind === 'stored' && field.uses.includes('range')) {
      invariant(
        (field.expect === 'date' || field.expect === 'number') &&
          (field.type !== undefined || !field.path.includes('.')) &&
          // The index has the ids by this name.
          (name !== resource.key || name === 'id'),
        `${resource.name}.${name} cannot be asked for a range`,
      );
    }
    if (field.kind === 'value label') has(field.of, 'equals');
    if (field.kind === 'related') has(field.through, 'equals');
  }
  const joins = Object.values(resource.record).flatMap(({ joins: shown }) =>
    shown ? joinOf(resource, shown) : [],
  );
  const { orders = ordersOf(resource) } = resource;
  return Object.freeze({ ...resource, joins, indexes: indexesOf(resource), orders });
}

/** Equality alone serves other definitions, such as the rows that a member may see. */
const ASKED: readonly Use[] = ['contains', 'sort', 'select', 'facet', 'range'];

function ordersOf({ fields }: Written): readonly string[] {
  const isOrdered = (field: Field | undefined): boolean => {
    if (field?.kind === 'seconds') return true;
    if (field?.kind === 'related') return isOrdered(fields[field.through]);
    if (field?.kind !== 'stored') return false;
    return field.uses.length === 0 || field.uses.some((use) => ASKED.includes(use));
  };
  return Object.keys(fields).filter((name) => isOrdered(fields[name]));
}

function indexesOf({ name, fields, sorts, key, indexes }: Written): readonly DatabaseIndex[] {
  if (!indexes) return [];
  const paths = sorts.flatMap((sort) => (sort === key ? [] : pathOf({ name, fields }, sort)));
  const without = paths.filter((path) => indexOn(indexes, path) === undefined);
  const ofSorts = without.map((path): DatabaseIndex => {
    return { key: { [path]: 1, _id: 1 }, forPipelines: true };
  });
  return [...indexes, ...ofSorts];
}

function joinOf(resource: Written, shown: Joined): Join {
  const field = resource.fields[shown.by];
  invariant(field?.kind === 'related', `${resource.name}.${shown.by} is not related`);
  // Memory has this one text of the related document.
  const isText = shown.shows.join() === field.textPath;
  invariant(isText || !shown.one, `${resource.name}.${shown.by} shows its text`);
  return { ...shown, field, through: pathOf(resource, field.through) };
}

function pathOf({ name, fields }: Pick<Resource, 'name' | 'fields'>, field: string): string {
  const stored = fields[field];
  invariant(stored?.kind === 'stored', `${name}.${field} is not stored`);
  return stored.path;
}

/** The type that a stored field is asked by; undefined for fields without one. */
export function typeOfField(
  { fields }: Pick<Resource, 'fields'>,
  name: string,
): FieldType | undefined {
  const field = fields[name];
  return field?.kind === 'stored' ? field.type : undefined;
}

/** The name of a resource for people: those of a definition file are named `table:orders`. */
export const tableName = (resource: string): string => resource.replace(/^table:/, '');
