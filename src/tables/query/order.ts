/**
 * From a plan's order to aggregation stages.
 *
 *     one sort that the contract names    $sort (field, _id)                   a database index may do it
 *     any other order                     $project keys ─► $lookup labels ─► $sort (keys, _id)
 *
 * Where no database index does it, the sort stands inside the `$facet`, before the page's `$limit`: the store
 * then keeps no more rows than the page ends with. Before the `$facet` it sorts all rows, on disk where they are many.
 *
 * A key is `{rank, value}`, where `rank` puts `[]` before null and after MinKey, as the store does. An
 * array's key is its least element, or its greatest one descending, since the store refuses to sort by
 * two arrays of one document.
 *
 * An order by a label is the one place with a `$lookup` for all rows: the store must know each row's
 * label to sort by it.
 */
import type { Document, Filter as MongoFilter } from 'mongodb';
import type { Beginning } from '../../store/commands.ts';
import { indexOn } from '../../store/indexes.ts';
import type { RelatedField, Resource, Resources } from '../definition/definition.ts';
import {
  isKey,
  isText,
  matchAll,
  oneValueOf,
  secondsOf,
  storedPath,
  valuesOf,
} from './pipeline.ts';
import type { Plan, Sort } from './plan.ts';

/** The page of ids and the exact count of a plan with related texts resolved. `$match`: its rows. */
export function pageStages(
  plan: Plan,
  resources: Resources,
  $match: MongoFilter<Document> = matchAll(plan, []),
  beginning: Beginning = {},
): Document[] {
  // A page far past the end is read again as the last one; here its number must only stay finite.
  const skip = Math.min((plan.page - 1) * plan.perPage, Number.MAX_SAFE_INTEGER);
  const order = orderStages(plan, resources);
  const count = [{ $count: 'total' }];
  const page = [{ $skip: skip }, { $limit: plan.perPage }];
  return sortsFirst(plan, beginning)
    ? [{ $match }, ...order, { $facet: { count, page } }]
    : [{ $match }, { $facet: { count, page: [...order, ...page] } }];
}

/** The ids of matching documents, in the plan's order. */
export const orderStages = (plan: Plan, resources: Resources): Document[] => [
  ...sortStages(plan, resources),
  { $project: { _id: 1 } },
];

/** Whether it is an order that the index keeps, by one field as it is stored. */
export function isKeptOrder({ fields, key }: Resource, [{ by }, second]: Plan['sorting']): boolean {
  if (second) return false;
  const field = fields[by];
  if (by === key) return true;
  return field !== undefined && 'uses' in field && field.uses.some((use) => use === 'sort');
}

/** Whether the index can put rows in this order: it has columns of the fields, kept in order or not. */
export const isIndexed = ({ resource: { fields, key }, sorting }: Plan): boolean =>
  sorting.every(({ by }) => {
    const field = fields[by]!;
    return by === key || field.kind !== 'stored' || field.uses.length > 0;
  });

/**
 * Whether to sort before the `$facet`: a database index of the service, or the one by id, may have the
 * order. A dotted path stays there too: a `$facet` gets arrays on the path without their elements that
 * are no objects, which sort as null.
 */
function sortsFirst({ resource, sorting }: Plan, { hint, stages }: Beginning): boolean {
  const [{ by }] = sorting;
  if (!isStoredOrder(resource, sorting)) return false;
  const path = storedPath(resource, by);
  if (path.includes('.')) return true;
  // No database index has the order of the documents that come out of these stages.
  if (stages && hint === undefined) return false;
  return path === '_id' || indexOn(resource.indexes, path) !== undefined;
}

const isStoredOrder = (resource: Resource, sorting: Plan['sorting']) =>
  resource.fields[sorting[0].by]?.kind === 'stored' && isKeptOrder(resource, sorting);

function sortStages({ resource, sorting }: Plan, resources: Resources): Document[] {
  const [first] = sorting;
  if (isStoredOrder(resource, sorting)) {
    return [sorted([[storedPath(resource, first.by), first]])];
  }
  const keys = sorting.map((sort, i) => [`k${i}`, sort] as const);
  const projected = keys.map(([name, sort]) => [name, keyOf(resource, sort)]);
  const labels = keys.flatMap(([name, { by }]) => {
    const field = resource.fields[by];
    return field?.kind === 'related' ? labelStages(name, field, resources) : [];
  });
  return [{ $project: Object.fromEntries(projected) }, ...labels, sorted(keys)];
}

/** The id decides ties, in the direction of the last key. */
function sorted(keys: readonly (readonly [string, Sort])[]): Document {
  const directions = keys.map(([name, { descending }]) => [name, descending ? -1 : 1]);
  return { $sort: Object.fromEntries([...directions, ['_id', directions.at(-1)![1]]]) };
}

function keyOf(resource: Resource, { by, descending }: Sort): Document | string {
  const field = resource.fields[by]!;
  if (field.kind === 'seconds') return secondsOf(field);
  if (by === resource.key) return '$_id';
  if (field.kind === 'related') return oneValueOf(storedPath(resource, field.through));
  const values = valuesOf(storedPath(resource, by));
  const further = { [descending ? '$gt' : '$lt']: ['$$this', '$$value'] };
  const extreme = {
    $reduce: {
      input: '$$values',
      initialValue: { $arrayElemAt: ['$$values', 0] },
      in: { $cond: [further, '$$this', '$$value'] },
    },
  };
  const isEmpty = { $eq: ['$$values', []] };
  const rank = { $cond: [{ $eq: [{ $type: '$$value' }, 'minKey'] }, 0, 2] };
  const key = { $let: { vars: { value: extreme }, in: { rank, value: '$$value' } } };
  const emptyKey = { rank: { $literal: 1 }, value: null };
  return { $let: { vars: { values }, in: { $cond: [isEmpty, emptyKey, key] } } };
}

/** Puts the label of the key at `name` in its place, as a record shows it: null for none. */
function labelStages(name: string, field: RelatedField, resources: Resources): Document[] {
  const target = resources[field.to]!;
  const text = `$${storedPath(target, field.text)}`;
  return [
    {
      $lookup: {
        from: target.collection,
        localField: name,
        foreignField: field.keyPath,
        pipeline: [
          { $match: { $expr: isKey(field.keyPath, field.keyType) } },
          { $sort: { _id: 1 } },
          { $limit: 1 },
          {
            $project: {
              _id: 0,
              text: { $cond: [isText(text), text, null] },
            },
          },
        ],
        as: name,
      },
    },
    { $addFields: { [name]: { $ifNull: [{ $first: `$${name}.text` }, null] } } },
  ];
}
