/**
 * Where the store begins with a search by pipeline: with the rows that its caller may see.
 *
 *     orders within shop = "7d0a…" where number = "41c2…"     hint: shop_1__id_1
 *     without that index                                      first $match shop, then the rest
 *
 * Left to itself, the server begins with the rarest value and fetches the document with that
 * `number` to see whose it is. The time would then reveal whether another shop has such an order.
 * Callers who may see everything learn nothing by that, and the server chooses.
 */
import type { Document } from 'mongodb';
import { type Beginning, onlyAfter } from '../../store/commands.ts';
import { indexOn } from '../../store/indexes.ts';
import { matchWithin, storedPath } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';

/** A hint keeps the order of its index, which saves a sort. */
export function beginningWithin(plan: Plan): Beginning {
  const { within, where } = plan;
  if (within.op === 'all' || within.op === 'none' || where.op === 'none') return {};
  return { hint: indexWithin(plan), stages: onlyAfter(matchWithin(plan)) };
}

/** The same for a pipeline that puts the rows into the plan's order. */
export function orderedWithin(plan: Plan): Beginning {
  const { stages, ...beginning } = beginningWithin(plan);
  return stages ? { ...beginning, stages: [...stages, ...wholeMember(plan)] } : beginning;
}

/**
 * A stage that reads the whole member below which the order's path leads. Past a limit the store reads the path
 * alone, and drops elements of arrays that are no objects. A sort takes these for null.
 */
function wholeMember({ resource, sorting: [{ by }] }: Plan): Document[] {
  if (resource.fields[by]?.kind !== 'stored') return [];
  const [member, ...below] = storedPath(resource, by).split('.');
  return below.length > 0 ? [{ $set: { [member!]: `$${member}` } }] : [];
}

/** The name of the database index that finds the rows within; it may not exist. */
function indexWithin({ resource, within }: Plan): string | undefined {
  for (const part of within.op === 'and' ? within.of : [within]) {
    if (part.op !== 'equals') continue;
    const index = indexOn(resource.indexes, storedPath(resource, part.column));
    if (index !== undefined) return index;
  }
  return undefined;
}
