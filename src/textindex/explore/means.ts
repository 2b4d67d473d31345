/** The parts of a table that pages and explores are made with. */
import type { Query } from '../api.ts';
import type { ColumnOf } from '../column.ts';
import type { HitSet } from '../evaluate/hitSet.ts';
import type { Order } from '../order/order.ts';
import type { Ids } from '../order/rowIds.ts';
import type { RowNumbers } from '../storage/rowNumbers.ts';
import type { Space } from '../storage/space.ts';
import type { Ranged } from './ranged.ts';

export interface Means {
  readonly space: Space;
  readonly numbers: RowNumbers;
  readonly ids: Ids;
  /** Rows by their ids. */
  readonly byId: Order;
  /** The rows of the whole table that a query finds. */
  readonly find: (query: Query) => HitSet;
  readonly columnOf: ColumnOf;
  /** A column that has ranges, or the ids by the name `id`, for ranges and statistics. */
  readonly rangedOf: (name: string) => Ranged;
}
