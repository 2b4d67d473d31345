/** From a field's statistics to aggregation stages. */
import type { Document, Filter as MongoFilter } from 'mongodb';
import type { Resource } from '../definition/definition.ts';
import { FIRST_DATE, LAST_DATE, secondsOf, storedPath, valuesOf } from '../query/pipeline.ts';
import { typeOf } from './askable.ts';

/** The values at `value`, then: how many are finite numbers, or dates; these in order. */
export function statsStages(
  resource: Resource,
  match: MongoFilter<Document>,
  name: string,
): { readonly values: Document[]; readonly counts: Document[]; readonly sorted: Document[] } {
  const field = resource.fields[name];
  const isDate = typeOf(resource, name) === 'date';
  const found =
    field?.kind === 'seconds' ? [secondsOf(field)] : valuesOf(storedPath(resource, name));
  const finite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const counts = isDate
    ? { $eq: [{ $type: '$value' }, 'date'] }
    : { $and: [{ $isNumber: '$value' }, { $not: { $in: ['$value', finite] } }] };
  const within = { $max: [FIRST_DATE, { $min: [LAST_DATE, '$value'] }] };
  return {
    values: [{ $match: match }, { $project: { _id: 0, value: found } }, { $unwind: '$value' }],
    counts: [{ $group: { _id: counts, count: { $sum: 1 } } }],
    sorted: [
      { $match: { $expr: counts } },
      ...(isDate ? [{ $project: { value: within } }] : []),
      { $sort: { value: 1 } },
    ],
  };
}
