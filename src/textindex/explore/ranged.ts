/**
 * Ranges and statistics read a column or the ids. Ids have an order in every table, and so need no
 * column.
 */
import type { Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { OrderedCells } from '../order/keys.ts';
import type { Order } from '../order/order.ts';
import type { Ids } from '../order/rowIds.ts';
import type { RowNumber } from '../storage/brands.ts';

/** Either `cells` and their order, or a dictionary. */
export interface Ranged {
  readonly isOfDates: boolean;
  readonly cells: OrderedCells | undefined;
  readonly ascending: Order | undefined;
  readonly dictionary?: Dictionary | undefined;
  /** A row's values, each once. */
  valuesAt(row: RowNumber): readonly Scalar[] | undefined;
}

const NONE: OrderedCells['arrays'] = new Map();

/** The ids that are numbers. */
export function rangedIds(ids: Ids, byId: Order): Ranged {
  const elementsOf = (row: RowNumber) => [ids.scalarAt(row)];
  return {
    isOfDates: false,
    cells: { ascending: ids, arrays: NONE, elementsOf },
    ascending: byId,
    valuesAt: elementsOf,
  };
}
