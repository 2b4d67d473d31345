/** The rows of the view, with the menu of a column, and their pages or the actions on the selected ones. */
import { computed, useComputed } from '@preact/signals';
import { goToPage, openRow } from '../data/moves.ts';
import { preferences } from '../data/preferences.ts';
import { scrolled } from '../data/rows/arrivals.ts';
import { countRows, failure, isAsking } from '../data/rows/asking.ts';
import { figuresOf } from '../data/rows/columnStats.ts';
import { columnsShown, moveColumn, pinnedOf, setWidth, widthOf } from '../data/rows/columns.ts';
import { closeFor, closeHeadMenu, commandsOf, headMenu } from '../data/rows/headMenu.ts';
import {
  begin,
  canChoose,
  chooseAll,
  chooseRange,
  toggleChosen,
  togglePage,
} from '../data/rows/selecting.ts';
import { slow } from '../data/rows/slow.ts';
import { sortAlsoBy, sortBy, sortOfColumn, sortShown } from '../data/rows/sorting.ts';
import { labelOf } from '../data/service/projects.ts';
import {
  ask,
  chosen,
  conditions,
  cursor,
  flashes,
  go,
  isChoosing,
  opened,
  page,
  paginationShown,
  perPage,
  question,
  rowsAddress,
  shown,
  sortApplied,
  table,
  total,
  view,
} from '../data/store.ts';
import { RangeForm } from '../parts/box/RangeForm.tsx';
import { DataTable, type TableDeeds } from '../parts/table/DataTable.tsx';
import { Empty } from '../parts/table/Empty.tsx';
import { HeadMenu } from '../parts/table/HeadMenu.tsx';
import { Pager } from '../parts/table/Pager.tsx';
import { Selection } from '../parts/table/Selection.tsx';
import { isPicked, NONE_CHOSEN } from '../present/chosen.ts';
import { is } from '../tables/links.ts';

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

/** Ways on where no rows match. */
export const EmptyRegion = () => (
  <Empty {...{ table: table.value, view: view.value, labelOf, count: countRows, go }} />
);

/** The menu of the column whose head was pressed. */
function HeadMenuRegion() {
  const open = headMenu.value;
  if (!open || !columnsShown().includes(open.column)) return null;
  const { column } = open;
  return (
    <HeadMenu
      key={`${table.value.name} ${column}`}
      {...{ ...open, table: table.value, labelOf, close: closeHeadMenu }}
      commands={commandsOf(column)}
      ask={(signal) => figuresOf(column, signal)}
      act={(act) => closeFor(act, column)}
    >
      <RangeForm
        {...{ table: table.value, conditions: conditions.value, column }}
        set={(next) => closeFor(() => ask({ conditions: next }), column)}
      />
    </HeadMenu>
  );
}

/** Whether the question leaves out the rows that the table has apart. */
const isWithout = computed(() => {
  const { apart, views } = table.value;
  const asked = question.value;
  return !!apart && asked?.view === views.admin && !(apart.field in asked.body.filters);
});

export function PagerRegion() {
  const pagination = paginationShown.value;
  if (!pagination) return <footer class="pager" />;
  const { apart } = table.value;
  return (
    <Pager
      {...{ ...pagination, table: table.value, columns: columnsShown(), goTo: goToPage }}
      {...{ perPage: perPage.value, isWithout: isWithout.value, sort: sortApplied.value?.[0] }}
      selection={isChoosing.value && <SelectionRegion />}
      showApart={() => apart && ask({ conditions: [is(apart.field, apart.value)] })}
      setPerPage={(count) => ask({ perPage: count })}
    />
  );
}

function SelectionRegion() {
  const picked = chosen.value;
  const all = total.value ?? 0;
  const count = picked === 'all' ? all : picked.size;
  return (
    <Selection
      {...{ table: table.value, count, chooseAll, begin }}
      more={picked !== 'all' && all > count ? all : 0}
      clear={() => {
        chosen.value = NONE_CHOSEN;
      }}
    />
  );
}
