/** Which rows of how many, always exact, or those that are selected; and the way to other pages. */

import { goToPage } from '../../data/moves.ts';
import {
  go,
  isChoosing,
  paginationShown,
  perPage,
  question,
  sortApplied,
  table,
  view,
} from '../../data/store.ts';
import type { Answer } from '../../present/answer.ts';
import { countOf } from '../../state/times.ts';
import { asking, type Condition, PER_PAGE, type TableName } from '../../state/view.ts';
import { fieldTitle, tableOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { columnsShown } from './ColumnsMenu.tsx';
import { Selection } from './Selection.tsx';

type Pagination = Answer['meta']['pagination'];

export function Pager() {
  const pagination = paginationShown.value;
  if (!pagination) return <footer class="pager" />;
  const { total_pages: pages, current_page: page } = pagination;
  return (
    <footer class={`pager ${isChoosing.value ? 'is-selection' : ''}`}>
      {isChoosing.value ? <Selection /> : <Range {...pagination} />}
      <nav class="pager-nav" aria-label={say('Pages of {what}', { what: say(table.value.many) })}>
        <PageButton to={1} label={say('First page')} icon="first" off={page <= 1} />
        <PageButton to={page - 1} label={say('Previous page (←)')} icon="left" off={page <= 1} />
        <label class="pager-page">
          <span class="hidden">{say('Page')}</span>
          <input
            class="input is-small figure"
            type="number"
            min={1}
            max={Math.max(1, pages)}
            value={page}
            onChange={({ currentTarget }) => goToPage(Number(currentTarget.value))}
          />
          <span class="dim figure">{say('of {n}', { n: countOf(Math.max(1, pages)) })}</span>
        </label>
        <PageButton to={page + 1} label={say('Next page (→)')} icon="right" off={page >= pages} />
        <PageButton to={pages} label={say('Last page')} icon="last" off={page >= pages} />
      </nav>
    </footer>
  );
}

/** Says which rows the total is without, and shows them alone. */
function Apart({ total }: { readonly total: number }) {
  const { apart, views } = table.value;
  const asked = question.value;
  if (!apart || asked?.view !== views.admin || apart.field in asked.body.filters) return null;
  const what = say(apart.many);
  const deed = say('Show {what} only', { what });
  const only: Condition = { kind: 'values', field: apart.field, not: false, values: [apart.value] };
  return (
    <button
      type="button"
      class="button is-plain is-small pager-apart"
      title={deed}
      onClick={() => go(asking(view.peek(), { conditions: [only] }))}
    >
      {/* Of no rows at all, those that are left out are the way on. */}
      {total > 0 ? say('without {what}', { what }) : deed}
    </button>
  );
}

function Range({ total_items: total, current_page: page, per_page: per }: Pagination) {
  const first = (page - 1) * per + 1;
  const last = Math.min(total, page * per);
  return (
    <>
      <p class="pager-range figure">
        {total > 0 &&
          say('{first}–{last} of {total}', {
            first: countOf(first),
            last: countOf(last),
            total: countOf(total),
          })}
      </p>
      <Apart total={total} />
      <Reach />
      <Order />
      <label class="pager-per">
        <span class="dim">{say('Rows')}</span>
        <select
          class="select is-small"
          aria-label={say('Rows per page')}
          value={perPage.value}
          onChange={({ currentTarget }) =>
            go(asking(view.value, { perPage: Number(currentTarget.value) }))
          }
        >
          {PER_PAGE.map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

const REACHES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  h: ['Last hour', 'Last {n} hours'],
  d: ['Last day', 'Last {n} days'],
  w: ['Last week', 'Last {n} weeks'],
};

/** How far back the table reaches, where older rows are left out. */
function Reach() {
  const { window } = table.value;
  if (!window) return null;
  const { span, by } = window;
  const n = Number.parseInt(span, 10);
  const [one, several] = REACHES[span.at(-1)!]!;
  const why = say('This table leaves out older rows.');
  const title = by === undefined ? why : `${why} ${say('{what} decides.', { what: by })}`;
  return (
    <p class="pager-order dim" title={title}>
      {say(n === 1 ? one : several, { n })}
    </p>
  );
}

/** The order of the rows, where no column head shows it. */
function Order() {
  const { name } = table.value;
  const { sort_by, sort_order } = sortApplied.value?.[0] ?? {};
  if (sort_by === undefined || columnsShown().includes(sort_by)) return null;
  return <p class="pager-order dim">{orderText(name, sort_by, sort_order === 'asc')}</p>;
}

/** Numbers are given in the order of creation: by them the newest row comes first, or the oldest. */
function orderText(name: TableName, field: string, isUp: boolean): string {
  if (field === 'id') return say(isUp ? 'Oldest first' : 'Newest first');
  const what = fieldTitle(name, field);
  return isDate(name, field)
    ? say(isUp ? '{what}, oldest first' : '{what}, newest first', { what })
    : say(isUp ? 'Sorted by {what}' : 'Sorted by {what}, descending', { what });
}

const isDate = (name: TableName, field: string) => tableOf(name).description.times.includes(field);

interface ButtonGiven {
  readonly to: number;
  readonly label: string;
  readonly icon: 'first' | 'left' | 'right' | 'last';
  readonly off: boolean;
}

function PageButton({ to, label, icon, off }: ButtonGiven) {
  return (
    <button
      type="button"
      class="button is-icon is-small"
      aria-label={label}
      title={label}
      disabled={off}
      onClick={() => goToPage(to)}
    >
      <Icon name={icon} />
    </button>
  );
}
