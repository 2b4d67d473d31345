/**
 * From a plan to aggregation stages.
 *
 *     $match (values, escaped regexes) ─► $sort (order.ts) ─► $facet { count, page of ids }    or the sort inside
 *     then, for the ids of that page only:  $match _id  and  $match _id ─► $lookup shops, customers
 *
 * Related texts (a shop's name, a customer's email) are resolved to keys first, by a read of the
 * small collection, so that no `$lookup` ever runs over the large one. The page carries ids and
 * not documents because a `$facet` answer is one document and ends at 16 MB.
 */
import type { Document, Filter as MongoFilter, Timestamp } from 'mongodb';
import { invariant } from '../../errors.ts';
import { amongIds } from '../../store/bson/asData.ts';
import { queryValue } from '../../store/bson/storeValue.ts';
import { type Bound, MAX_DATE, type Scalar } from '../../textindex/index.ts';
import {
  type Join,
  type KeyType,
  type RelatedField,
  type Resource,
  type Resources,
  type SecondsField,
  typeOfField,
} from '../definition/definition.ts';
import { ALL, and, oneOf, or, type Predicate } from '../definition/predicate.ts';
import type { RelationKey } from '../definition/relationKey.ts';
import { type Window, windowStart } from '../definition/window.ts';
import type { Plan } from './plan.ts';

/** A related text to look for: which keys of `to` have documents whose `text` field contains it. */
export interface RelatedLookup {
  readonly field: RelatedField;
  readonly text: string;
}

/** The predicate with every related text replaced by membership in the keys it leads to. */
export async function withResolved(
  resource: Resource,
  predicate: Predicate,
  keysOf: (lookup: RelatedLookup) => Promise<readonly RelationKey[]>,
): Promise<Predicate> {
  if (predicate.op === 'and' || predicate.op === 'or') {
    const parts: Predicate[] = [];
    // One after the other: the first read decides the moment of all.
    for (const part of predicate.of) parts.push(await withResolved(resource, part, keysOf));
    return predicate.op === 'and' ? and(...parts) : or(...parts);
  }
  if (predicate.op !== 'contains' || predicate.label === undefined) return predicate;
  const field = resource.fields[predicate.label];
  invariant(field?.kind === 'related', `${resource.name}.${predicate.label} is not related`);
  return oneOf(predicate.column, await keysOf({ field, text: predicate.text }));
}

/** A `$match` for a predicate without related texts. */
export function matchOf(resource: Resource, predicate: Predicate): MongoFilter<Document> {
  switch (predicate.op) {
    case 'all':
      return {};
    case 'none':
      return { _id: { $in: [] } };
    case 'and':
      return { $and: predicate.of.map((part) => matchOf(resource, part)) };
    case 'or':
      return { $or: predicate.of.map((part) => matchOf(resource, part)) };
    case 'equals': {
      const path = storedPath(resource, predicate.column);
      const values = predicate.values.map(queryValue);
      return { [path]: values.length === 1 ? values[0] : { $in: values } };
    }
    case 'contains': {
      invariant(predicate.label === undefined, 'related texts are resolved before matching');
      const field = resource.fields[predicate.column];
      if (field?.kind === 'decimal') return decimalContains(field.path, predicate.text);
      const path = storedPath(resource, predicate.column);
      return typeOfField(resource, predicate.column) === 'objectId'
        ? {
            $expr: {
              $anyElementTrue: [
                { $map: { input: valuesOf(path), in: hasHex('$$this', predicate.text) } },
              ],
            },
          }
        : { [path]: regex(predicate.text) };
    }
  }
}

/** Matches documents with one of these values at the path, as `$in` does. */
export function matchOfValues(path: string, values: readonly Scalar[]): MongoFilter<Document> {
  const stored = values.filter((value) => value !== null).map(queryValue);
  if (stored.length === values.length) return { [path]: { $in: stored } };
  // Before MongoDB 8 null matches undefined too, which is no value. Few documents have both.
  const both = { [path]: { $type: 'undefined' }, $expr: { $in: [null, valuesOf(path)] } };
  const isNull = { [path]: { $eq: null, $not: { $type: 'undefined' } } };
  return { $or: [{ [path]: { $in: stored } }, isNull, both] };
}

/** Matches rows of a plan with related texts resolved that meet these conditions too. */
export function matchAll(
  { resource, within, where, since }: Plan,
  conditions: readonly MongoFilter<Document>[],
): MongoFilter<Document> {
  const search = matchOf(resource, and(within, where));
  const all = since ? [matchOfWindow(resource.window!, since), search] : [search];
  return all.length + conditions.length === 1 ? search : { $and: [...all, ...conditions] };
}

/** Matches the rows that the caller may see, without the plan's own conditions. */
export const matchWithin = (plan: Plan): MongoFilter<Document> =>
  matchAll({ ...plan, where: ALL }, []);

/** Matches rows of a window that begins at this date. */
const matchOfWindow = ({ path }: Window, from: Date) => matchOfBounds(path, { from });

/** The documents that the index reads at a moment, or after it; undefined where it reads all. */
export function filterAt({ window }: Resource): ((at: Timestamp) => Document) | undefined {
  return window && ((at) => matchOfWindow(window, windowStart(window, at)));
}

/** Bounds of a range, of one type; `to` is not in it. */
export interface Bounds {
  readonly from?: Bound;
  readonly to?: Bound;
}

/** Matches documents with a value within the bounds and of their type. */
export function matchOfBounds(path: string, bounds: Bounds): MongoFilter<Document> {
  if (path.includes('.')) {
    const isWithin = { $map: { input: valuesOf(path), in: isBetween('$$this', bounds) } };
    return { $expr: { $anyElementTrue: [isWithin] } };
  }
  const within = rangeOf(bounds);
  // Both bounds must hold for one and the same element.
  return {
    $or: [{ [path]: { ...within, $not: { $type: 'array' } } }, { [path]: { $elemMatch: within } }],
  };
}

/** Whether a value is within the bounds, and of their type; NaN comes before all numbers. */
export function isBetween(value: Document | string, { from, to }: Bounds): Document {
  const isDate = (from ?? to) instanceof Date;
  const least = isDate ? undefined : Number.NEGATIVE_INFINITY;
  const low = from === undefined ? least : queryValue(from);
  return {
    $and: [
      isDate ? { $eq: [{ $type: value }, 'date'] } : { $isNumber: value },
      ...(low !== undefined ? [{ $gte: [value, low] }] : []),
      ...(to !== undefined ? [{ $lt: [value, queryValue(to)] }] : []),
    ],
  };
}

export const rangeOf = ({ from, to }: Bounds) => ({
  ...(from !== undefined && { $gte: queryValue(from) }),
  ...(to !== undefined && { $lt: queryValue(to) }),
});

/** The ends of JavaScript's dates. */
export const FIRST_DATE = new Date(-MAX_DATE);
export const LAST_DATE = new Date(MAX_DATE);

/** The seconds between two dates that a JavaScript Date can hold; null unless there are two. */
export function secondsOf({ from, to }: SecondsField): Document {
  const isDate = (path: string) => [
    { $eq: [{ $type: `$${path}` }, 'date'] },
    { $gte: [`$${path}`, FIRST_DATE] },
    { $lte: [`$${path}`, LAST_DATE] },
  ];
  const seconds = { $divide: [{ $subtract: [`$${to}`, `$${from}`] }, 1_000] };
  return { $cond: [{ $and: [...isDate(from), ...isDate(to)] }, seconds, null] };
}

/** The documents of a page that match a condition. Order is not kept. */
export const rowStages = (ids: readonly unknown[], condition: Document = {}): Document[] => [
  { $match: { _id: amongIds(ids), ...condition } },
];

/**
 * A further condition on documents that are read by the ids of rows within. The driver has some ids as others: text
 * that is no UTF-8, a date that JavaScript has not. A document with the other id may not be the caller's.
 */
export const stillWithin = (resource: Resource, within: Predicate): Document =>
  within.op === 'all' ? {} : { $and: [matchOf(resource, within)] };

/**
 * One result of `joinStages`: a pair, in the order of the joined `_id`s, or a document without a
 * partner.
 */
export interface JoinedPair {
  readonly _id: unknown;
  readonly [JOINED]?: Document;
}

/** The member of a pair that is the joined document. */
export const JOINED = 'joined';

/**
 * Joins the documents of a page, pair by pair and without the documents themselves. The server
 * makes no document of more than 16 MB, so one near that size has no room for others.
 */
export function joinStages(
  { field, through, shows, one }: Join,
  resources: Resources,
  ids: readonly unknown[],
  condition: Document = {},
): Document[] {
  const { to, keyPath, keyType } = field;
  const shown = Object.fromEntries(shows.map((path) => [path, 1]));
  const isOfType = isKey('$this', keyType);
  return [
    ...rowStages(ids, condition),
    // A join by undefined would be an error, and one by several values with a `{$date: …}` among them.
    { $project: { [JOINED]: { $filter: { input: valuesOf(through), cond: isOfType } } } },
    {
      $lookup: {
        from: resources[to]!.collection,
        localField: JOINED,
        foreignField: keyPath,
        pipeline: [
          // A missing local field would join every document that lacks the key.
          { $match: { $expr: isKey(keyPath, keyType) } },
          { $sort: { _id: 1 } },
          ...(one ? [{ $limit: 1 }] : []),
          { $project: shown },
        ],
        as: JOINED,
      },
    },
    { $unwind: { path: `$${JOINED}`, preserveNullAndEmptyArrays: true } },
    { $project: { [JOINED]: 1 } },
  ];
}

/** Whether a value is itself of the key's type; the query operator would look into arrays too. */
export function isKey(path: string, type: KeyType): Document {
  if (type === 'number') return { $isNumber: `$${path}` };
  return type === 'string' ? isText(`$${path}`) : { $eq: [{ $type: `$${path}` }, type] };
}

/** Symbols, which old programs stored, equal texts. */
export const isText = (value: string): Document => ({
  $in: [{ $type: value }, ['string', 'symbol']],
});

/** Matches the empty text: `$regex` also finds a stored pattern that is the very one asked for. */
const MARK = '(?:search){0}';

/** Literal, case-insensitive, anywhere. Every character with a meaning to PCRE is escaped. */
export const regex = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: MARK + text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'),
  $options: 'i',
});

/**
 * Digits inside the decimal text of an integral number. `$regex` never matches numbers, so this
 * is the one place where `$expr` sees user text, and only digits and a sign get there. `$cond`
 * keeps `$trunc` away from values that are no numbers.
 */
function decimalContains(path: string, text: string): MongoFilter<Document> {
  if (!/^(-|-?\d+)$/.test(text)) return { _id: { $in: [] } };
  const value = `$${path}`;
  const limit = Number.MAX_SAFE_INTEGER;
  const integral = {
    $and: [
      { $gte: [value, -limit] },
      { $lte: [value, limit] },
      { $eq: [value, { $trunc: value }] },
    ],
  };
  const holdsText = { $gte: [{ $indexOfBytes: [{ $toString: { $toLong: value } }, text] }, 0] };
  return {
    $expr: {
      $cond: [{ $isNumber: value }, { $cond: [integral, holdsText, false] }, false],
    },
  };
}

/**
 * The values that the path leads to, as an array of distinct values: null for null or missing, nothing
 * for `[]` and undefined. A path through an array visits the objects in it, and nothing else.
 */
export function valuesOf(path: string): Document {
  const [first, ...tail] = path.split('.');
  return { $setUnion: [gathered(`$${first}`, tail, 0, [])] };
}

/**
 * The one value that the path leads to; null for none, for several, and where the path ends in an
 * array. An array on the way with one element leads where that element does. Beside it, an element
 * that leads nowhere or to an empty array makes several.
 */
export function oneValueOf(path: string): Document {
  const value = `$${path}`;
  const direct = { $cond: [{ $isArray: value }, null, { $ifNull: [value, null] }] };
  const [first, ...tail] = path.split('.');
  if (tail.length === 0) return direct;
  const one = { $ifNull: [{ $arrayElemAt: ['$$found', 0] }, null] };
  const isOne = { $and: [{ $eq: [{ $size: '$$found' }, 1] }, { $not: { $isArray: one } }] };
  const found = gathered(`$${first}`, tail, 0, [null]);
  const inside = { $let: { vars: { found }, in: { $cond: [isOne, one, null] } } };
  // A path through an array leads to an array.
  return { $cond: [{ $isArray: `$${[first, ...tail.slice(0, -1)].join('.')}` }, inside, direct] };
}

/**
 * Each step stands once in the expression, for a list and for a single value alike: written for each
 * of them, an expression of n steps would have 2ⁿ.
 *
 * `otherwise`: the value of an array's element that is no object to go through, of undefined at the end
 * of the path, and of an empty array anywhere.
 */
function gathered(
  value: string,
  tail: readonly string[],
  depth: number,
  otherwise: readonly null[],
): Document {
  const isList = { $isArray: value };
  const list = otherwise.length === 0 ? value : { $cond: [{ $eq: [value, []] }, otherwise, value] };
  if (tail.length === 0) {
    const isUndefined = (one: string) => ({ $eq: [{ $type: one }, 'undefined'] });
    const defined = { $filter: { input: list, cond: { $not: isUndefined('$$this') } } };
    const single = { $cond: [isUndefined(value), otherwise, [{ $ifNull: [value, null] }]] };
    return { $cond: [isList, otherwise.length === 0 ? defined : list, single] };
  }
  const [next, ...further] = tail;
  const element = `e${depth}`;
  const inside = {
    $cond: [
      { $eq: [{ $type: `$$${element}` }, 'object'] },
      gathered(`$$${element}.${next}`, further, depth + 1, otherwise),
      { $cond: [isList, otherwise, [null]] },
    ],
  };
  const elements = { $cond: [isList, list, [value]] };
  return {
    $reduce: {
      input: { $map: { input: elements, as: element, in: inside } },
      initialValue: [],
      in: { $concatArrays: ['$$value', '$$this'] },
    },
  };
}

/** Whether a value is an ObjectId with the text among its hexadecimal digits, in any case. */
export function hasHex(value: string, text: string): Document {
  const digits = text.toLowerCase();
  if (!/^[0-9a-f]*$/.test(digits)) return { $literal: false };
  const holds = { $gte: [{ $indexOfBytes: [{ $toString: value }, digits] }, 0] };
  return { $cond: [{ $eq: [{ $type: value }, 'objectId'] }, holds, false] };
}

export function storedPath(resource: Resource, name: string): string {
  const field = resource.fields[name];
  invariant(field?.kind === 'stored', `${resource.name}.${name} is not stored`);
  return field.path;
}
