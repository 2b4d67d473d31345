/**
 * Where the store is to begin with a search by pipeline: with the rows that its caller may see.
 *
 *     orders within shop = "7d0a…" where number = "41c2…"     hint: shop_1__id_1
 *
 * Without a hint the server begins with the rarest value and fetches the document with that
 * `number` to see whose it is. The time would then reveal whether another shop has such an order.
 * Callers who may see everything learn nothing by that, and get no hint.
 */
import { indexOn } from '../../store/indexes.ts';
import { storedPath } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';

/**
 * The name of the database index that finds the rows within; it may not exist. A plan that no row
 * can match needs none.
 */
export function indexWithin({
  resource,
  within,
  where,
}: Pick<Plan, 'resource' | 'within' | 'where'>): string | undefined {
  if (where.op === 'none') return undefined;
  for (const part of within.op === 'and' ? within.of : [within]) {
    if (part.op !== 'equals') continue;
    const index = indexOn(resource.indexes, storedPath(resource, part.column));
    if (index !== undefined) return index;
  }
  return undefined;
}
