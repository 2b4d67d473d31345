/** The pages of the rows, or the actions on the selected ones. */

import { computed } from '@preact/signals';
import { goToPage } from '../data/moves.ts';
import { columnsShown } from '../data/rows/columns.ts';
import { begin, chooseAll } from '../data/rows/selecting.ts';
import {
  ask,
  chosen,
  isChoosing,
  paginationShown,
  perPage,
  question,
  sortApplied,
  table,
  total,
} from '../data/store.ts';
import { Pager } from '../parts/table/Pager.tsx';
import { Selection } from '../parts/table/Selection.tsx';
import { NONE_CHOSEN } from '../present/chosen.ts';
import { is } from '../tables/links.ts';

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
      {...pagination}
      perPage={perPage.value}
      table={table.value}
      columns={columnsShown()}
      sort={sortApplied.value?.[0]}
      isWithout={isWithout.value}
      selection={isChoosing.value && <SelectionRegion />}
      goTo={goToPage}
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
      table={table.value}
      count={count}
      more={picked !== 'all' && all > count ? all : 0}
      chooseAll={chooseAll}
      clear={() => {
        chosen.value = NONE_CHOSEN;
      }}
      begin={begin}
    />
  );
}
