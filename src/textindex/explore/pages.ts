/** Pages of hits in the orders of a table, and the page that was found last. */
import { invariant } from '../../errors.ts';
import type { PageRequest, RowId, Scalar, SortKey } from '../api.ts';
import type { HitSet } from '../evaluate/hitSet.ts';
import type { Ranks } from '../order/page.ts';
import { hitsBefore } from '../order/places.ts';
import { type RowKey, scalarOf } from '../order/rowOrder.ts';
import { selectIn } from '../order/selectPage.ts';
import type { FoundRows, RankedRow } from '../partitions/partition.ts';
import type { Sorted } from '../partitions/ranks.ts';
import { compareScalars } from '../scalars.ts';
import type { RowNumber } from '../storage/brands.ts';
import type { Means } from './means.ts';
import { selectOrdered, wayOfOrder } from './orderedPage.ts';
import type { RowSet } from './rowSet.ts';

/** The most rows of a page whose numbers are remembered; exports do not read their rows again. */
const MAX_REMEMBERED = 10_000;

export class Pages {
  readonly #means: Means;
  /** The page that was found last, and the row of it that is likely to be read next. */
  #found: { readonly ids: readonly RowId[]; readonly rows: readonly RowNumber[] } | undefined;
  #next = 0;

  constructor(means: Means) {
    this.#means = means;
  }

  /** The hits in an order that is kept. */
  found({ sortBy, descending }: PageRequest, found: HitSet, count: number): FoundRows {
    const { space, ids, byId, columnOf } = this.#means;
    const column = sortBy === 'id' ? undefined : columnOf(sortBy, { sort: true });
    const order = column?.order(descending) ?? byId;
    const keys = column?.keys(descending) ?? ids;
    const keysOf = (row: RowNumber) => [keys.scalarAt(row)];
    const select = (ranks: Ranks) => selectIn(space, order, descending, found, count, ranks);
    return {
      count,
      ids: (ranks) => this.#remembered(select(ranks), ranks),
      ranked: (ranks) => {
        const rows = space.scratch.during(() => select(ranks));
        return this.#withKeys(rows, keysOf, (row) => keys.at(row));
      },
      before: ({ id, keys: [scalar], number }) => {
        const isLess = (row: RowNumber) => {
          const other = keys.at(row);
          if (other !== number) return other < number;
          const byKey = compareScalars(keys.scalarAt(row), scalar!);
          const ahead = byKey || compareScalars(ids.scalarAt(row), id);
          return descending ? ahead <= 0 : ahead < 0;
        };
        const place = order.placeOf(isLess);
        const less = space.scratch.during(() => hitsBefore(space, order, found, count, place));
        return descending ? count - less : less;
      },
    };
  }

  /** The same in an order that is not kept. */
  foundBy(order: readonly SortKey[], hits: RowSet): FoundRows {
    const keys = this.#keysOf(order);
    const keysOf = (row: RowNumber, id: RowId) =>
      keys.map(({ column, descending, labelOf }) =>
        column ? scalarOf(column, row, descending, labelOf) : id,
      );
    const { scratch } = this.#means.space;
    return {
      count: hits.count,
      ids: (ranks) => this.#remembered(selectOrdered(this.#means, hits, keys, ranks), ranks),
      ranked: (ranks) => {
        // A deep page asks some sixty times: each time would take memory for all values again.
        const copy = hits.copy();
        const rows = scratch.during(() => selectOrdered(this.#means, copy, keys, ranks));
        copy.free();
        return this.#withKeys(rows, keysOf, () => 0);
      },
    };
  }

  #withKeys(
    rows: readonly RowNumber[],
    keysOf: (row: RowNumber, id: RowId) => readonly Scalar[],
    numberOf: (row: RowNumber) => number,
  ): Sorted<RankedRow> {
    const { ids } = this.#means;
    const at = (i: number): RankedRow => {
      const row = rows[i]!;
      return {
        number: numberOf(row),
        get id() {
          return ids.scalarAt(row);
        },
        get keys() {
          return keysOf(row, this.id);
        },
      };
    };
    return { count: rows.length, at };
  }

  /** How a page of these hits is found in an order, as a line. */
  wayOf(order: readonly SortKey[], hits: RowSet): string {
    const named = order.map(
      ({ column, descending }) => `${column}${descending ? ' descending' : ''}`,
    );
    const way = wayOfOrder(this.#means, hits, this.#keysOf(order));
    return `order ${named.join(', ')}: ${hits.count} rows ${way}`;
  }

  #keysOf(order: readonly SortKey[]): readonly RowKey[] {
    const { columnOf } = this.#means;
    return order.map(({ column, ...key }) => {
      const isId = column === 'id' && !key.labelOf;
      return { ...key, column: isId ? undefined : columnOf(column) };
    });
  }

  /** Most often the caller asks for the rows of the page that was found last, in their order. */
  rowOf(id: RowId): RowNumber | undefined {
    const found = this.#found;
    const { ids, byId } = this.#means;
    if (!found || found.ids[this.#next] !== id) return ids.find(byId, id);
    const row = found.rows[this.#next];
    this.#next++;
    return row;
  }

  /** Rows have changed: those of the page may be others. */
  forget(): void {
    this.#found = undefined;
    this.#next = 0;
  }

  /** The ids of a page's rows, which are remembered. */
  #remembered(rows: readonly RowNumber[], { first, end }: Ranks): readonly RowId[] {
    invariant(rows.length === end - first, `rows ${first} to ${end} are found`);
    const ids = rows.map((number) => this.#means.ids.scalarAt(number));
    this.forget();
    if (ids.length <= MAX_REMEMBERED) this.#found = { ids, rows };
    return ids;
  }
}
