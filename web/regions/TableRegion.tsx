/** The rows of the view, with the menu of a column. */
import { useComputed } from '@preact/signals';
import { openRow } from '../data/moves.ts';
import { preferences } from '../data/preferences.ts';
import { scrolled } from '../data/rows/arrivals.ts';
import { failure, isAsking } from '../data/rows/asking.ts';
import { columnsShown, moveColumn, pinnedOf, setWidth, widthOf } from '../data/rows/columns.ts';
import { headMenu } from '../data/rows/headMenu.ts';
import { canChoose, chooseRange, toggleChosen, togglePage } from '../data/rows/selecting.ts';
import { slow } from '../data/rows/slow.ts';
import { sortAlsoBy, sortBy, sortOfColumn, sortShown } from '../data/rows/sorting.ts';
import {
  chosen,
  cursor,
  flashes,
  opened,
  page,
  perPage,
  rowsAddress,
  shown,
  table,
  total,
} from '../data/store.ts';
import { DataTable, type TableDeeds } from '../parts/table/DataTable.tsx';
import { isPicked } from '../present/chosen.ts';
import { EmptyRegion } from './EmptyRegion.tsx';
import { HeadMenuRegion } from './HeadMenuRegion.tsx';

const DEEDS: TableDeeds = {
  open: openRow,
  reach: (at) => {
    cursor.value = at;
  },
  pick: (key, isRange) => {
    if (isRange) chooseRange(key);
    else toggleChosen(key);
    return isPicked(key, chosen.peek());
  },
  pickPage: togglePage,
  scroll: (isScrolled) => {
    scrolled.value = isScrolled;
  },
  sort: sortBy,
  sortAlso: sortAlsoBy,
  openMenu: (column, head) => {
    headMenu.value = { column, head };
  },
  move: moveColumn,
  setWidth: (column, width) => setWidth(table.peek().name, column, width),
};

export function TableRegion() {
  const { name } = table.value;
  // Only the rows of `shown`: counts that come later change nothing here.
  const rows = useComputed(() => shown.value?.rows).value;
  const q = useComputed(() => shown.value?.of.q ?? '').value;
  const heads = useComputed(() =>
    columnsShown().map((column) => {
      const field = sortOfColumn(column);
      const { order, place } = (field !== undefined && sortShown(field)) || {};
      return { column, width: widthOf(table.value.name, column), field, order, place };
    }),
  ).value;
  return (
    <DataTable
      {...{ table: table.value, rows, q, heads, columns: columnsShown(), deeds: DEEDS }}
      {...{ from: rowsAddress.value, page: page.value, perPage: perPage.value }}
      {...{ total: total.value, pinned: pinnedOf(name), density: preferences.value.density }}
      {...{ hasMarks: canChoose(name), chosen: chosen.value, open: opened.value }}
      {...{ cursor: cursor.value, flashes: flashes.value, isAsking: isAsking.value }}
      {...{ isSlow: slow.value, hasFailed: failure.value !== undefined }}
      empty={<EmptyRegion />}
    >
      <HeadMenuRegion />
    </DataTable>
  );
}
