/** The order of rows, as the heads of columns show and change it. */
import { MOST_SORTS, type Sort } from '../../../clients/typescript/viewAddress.ts';
import { fieldOf } from '../../tables/tables.ts';
import { ask, sortApplied, sorts, steady, table, view } from '../store.ts';

/** The field that sorts by the column; undefined where the table cannot. */
export function sortOfColumn(column: string): string | undefined {
  const field = fieldOf(table.value, column);
  return table.value.description.orders.includes(field) ? field : undefined;
}

/** The requested order, or the one that the service applied. It is steady, so that no answer renders the heads again. */
const sortsShown = steady((): readonly Sort[] =>
  sorts.value.length > 0
    ? sorts.value
    : (sortApplied.value ?? []).map(({ sort_by: by, sort_order: order }) => ({ by, order })),
);

/** The field's order, and its place among several. */
export function sortShown(field: string) {
  const all = sortsShown.value;
  const at = all.findIndex(({ by }) => by === field);
  return at < 0 ? undefined : { order: all[at]!.order, place: all.length > 1 ? at + 1 : undefined };
}

export const setSort = (sort: readonly Sort[]): void => ask({ sort });

/** The latest, the largest, or the first of the alphabet comes first. */
function firstOrder(field: string): Sort['order'] {
  const { ranges, columns } = table.peek().description;
  return ranges[field] !== undefined || columns[field] === 'number' ? 'desc' : 'asc';
}

const turned = (order: Sort['order']) => (order === 'asc' ? 'desc' : 'asc');

/** One way, the other, and then as the table sorts by itself. */
export function sortBy(field: string): void {
  const { sort } = view.peek();
  const first = firstOrder(field);
  const isOnly = sort.length === 1 && sort[0]!.by === field;
  if (isOnly && sort[0]!.order !== first) setSort([]);
  else setSort([{ by: field, order: isOnly ? turned(first) : first }]);
}

/** Adds the field behind the others; once more turns it over, and then leaves it out. */
export function sortAlsoBy(field: string): void {
  const all = sortsShown.value;
  const first = firstOrder(field);
  const had = all.find(({ by }) => by === field);
  if (!had) setSort([...all.slice(0, MOST_SORTS - 1), { by: field, order: first }]);
  else if (had.order !== first) setSort(all.filter((one) => one !== had));
  else setSort(all.map((one) => (one === had ? { ...one, order: turned(first) } : one)));
}
