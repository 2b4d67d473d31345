/**
 * AG Grid, infinite row model: `rowModelType: 'infinite', datasource: agGridRows(client.table('adminTasks'))`.
 *
 * Blocks of rows are pages of the service: `cacheBlockSize` (100 where nothing is said) is at most
 * `DB_ITEM_LIMIT`.
 */
import { type AnyTable, pageOf, type Value, type Wish } from './asked.ts';

/** As much of AG Grid's `IGetRowsParams` as is used. */
interface GetRowsParams {
  readonly startRow: number;
  readonly endRow: number;
  // AG Grid's own lists are not read-only.
  sortModel: { colId: string; sort: 'asc' | 'desc' }[];
  // biome-ignore lint/suspicious/noExplicitAny: as AG Grid has it
  filterModel: any;
  successCallback(rows: object[], lastRow?: number): void;
  failCallback(): void;
}

/** One column of a filter model, of AG Grid's text, number, date and set filters. */
interface ColumnFilter {
  readonly filterType?: string;
  readonly type?: string;
  readonly filter?: string | number;
  readonly filterTo?: number;
  readonly dateFrom?: string | null;
  readonly dateTo?: string | null;
  readonly values?: readonly Value[];
}

/** @param onError told why a block could not be shown, which AG Grid does not keep */
export function agGridRows(table: AnyTable, onError: (error: unknown) => void = () => {}) {
  return {
    getRows(params: GetRowsParams): void {
      const { startRow, endRow, sortModel, filterModel } = params;
      const perPage = endRow - startRow;
      const [sorted] = sortModel;
      const load = async () => {
        const wishes = Object.entries(filterModel ?? {}).map(([field, filter]) =>
          wishOf(field, filter as ColumnFilter),
        );
        const sort = sorted && { field: sorted.colId, descending: sorted.sort === 'desc' };
        return await pageOf(table, { page: startRow / perPage + 1, perPage, sort, wishes });
      };
      load().then(
        ({ rows, total }) => params.successCallback(rows, total),
        (error: unknown) => {
          onError(error);
          params.failCallback();
        },
      );
    },
  };
}

function wishOf(field: string, given: ColumnFilter): Wish {
  const { filterType, type, values, dateFrom, dateTo } = given;
  if (filterType === 'set') return { field, in: values ?? [] };
  const isDate = filterType === 'date';
  const from = isDate ? moment(dateFrom) : given.filter;
  const to = isDate ? moment(dateTo) : given.filterTo;
  switch (type) {
    case 'contains':
      return { field, contains: String(from) };
    case 'equals':
      if (!isDate) return { field, in: [from ?? null] };
      break;
    case 'notEqual':
      if (!isDate) return { field, not_in: [from ?? null] };
      break;
    case 'blank':
      return { field, in: [null] };
    case 'greaterThan':
    case 'greaterThanOrEqual':
      // Dates are days there, and a moment is hardly ever a day's first.
      if (from !== undefined && (isDate || type === 'greaterThanOrEqual')) return { field, from };
      break;
    case 'lessThan':
      if (from !== undefined) return { field, to: from };
      break;
    case 'inRange':
      if (from !== undefined && to !== undefined) return { field, from, to };
      break;
  }
  throw new Error(`${field} cannot be filtered by ${type ?? filterType}.`);
}

/** AG Grid writes days as `2026-11-20 00:00:00`, in the zone of the browser. */
const moment = (text: string | null | undefined): string | undefined =>
  text ? new Date(text.replace(' ', 'T')).toISOString() : undefined;
