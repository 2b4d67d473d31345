/** From a field's statistics to aggregation stages. */
import type { Document, Filter as MongoFilter } from 'mongodb';
import type { Resource } from '../definition/definition.ts';
import { FIRST_DATE, LAST_DATE, secondsOf, storedPath, valuesOf } from '../query/pipeline.ts';
import { typeOf } from './askable.ts';
import { isFiniteNumber } from './pipeline.ts';

/** How many values are finite numbers, or dates; and these in order, at `value`. */
export function statsStages(
  resource: Resource,
  match: MongoFilter<Document>,
  name: string,
): { readonly counts: Document[]; readonly sorted: Document[] } {
  const field = resource.fields[name];
  const isDate = typeOf(resource, name) === 'date';
  const found =
    field?.kind === 'seconds' ? [secondsOf(field)] : valuesOf(storedPath(resource, name));
  const values = [{ $match: match }, { $project: { _id: 0, value: found } }, { $unwind: '$value' }];
  const isCounted = isDate ? { $eq: [{ $type: '$value' }, 'date'] } : isFiniteNumber('$value');
  const within = { $max: [FIRST_DATE, { $min: [LAST_DATE, '$value'] }] };
  return {
    counts: [...values, { $group: { _id: isCounted, count: { $sum: 1 } } }],
    sorted: [
      ...values,
      { $match: { $expr: isCounted } },
      ...(isDate ? [{ $project: { value: within } }] : []),
      { $sort: { value: 1 } },
    ],
  };
}
