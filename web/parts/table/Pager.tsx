/** The range of the rows and their exact total, or the selection; and the way to other pages. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../present/answer.ts';
import { countOf } from '../../state/times.ts';
import { PER_PAGE, type TableName } from '../../state/view.ts';
import { fieldTitle, type Table, tableOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import type { IconName } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';

type Pagination = Answer['meta']['pagination'];

interface Given extends Pagination {
  readonly table: Table;
  readonly columns: readonly string[];
  /** Rows a page, as the view asks for them. */
  readonly perPage: number;
  /** How the service sorted the rows. */
  readonly sort: Answer['meta']['applied_sorting'][number] | undefined;
  /** Whether the total is without the rows that the table has apart. */
  readonly isWithout: boolean;
  /** The number of selected rows, and the actions on them; in place of the range. */
  readonly selection: ComponentChildren;
  readonly goTo: (page: number) => void;
  readonly showApart: () => void;
  readonly setPerPage: (count: number) => void;
}

export function Pager(given: Given) {
  const { table, total_pages: pages, current_page: page, selection, goTo } = given;
  const field = useRef<HTMLInputElement>(null);
  const showPage = () => {
    field.current!.value = String(page);
  };
  // No prop of the field: rows that come would take the number from who types it.
  useLayoutEffect(showPage, [page]);
  const link = (icon: IconName, label: string, to: number) => (
    <IconButton
      {...{ icon, label, small: true, size: 16 }}
      disabled={to < 1 || to > pages || to === page}
      onClick={() => goTo(to)}
    />
  );
  return (
    <footer class={`pager ${selection ? 'is-selection' : ''}`}>
      {selection || <Range {...given} />}
      <nav class="pager-nav" aria-label={say('Pages of {what}', { what: say(table.many) })}>
        {link('first', say('First page'), 1)}
        {link('left', `${say('Previous page')} (←)`, page - 1)}
        <label class="pager-page">
          <span class="hidden">{say('Page')}</span>
          <input
            ref={field}
            class="input is-small figure"
            type="number"
            min={1}
            max={Math.max(1, pages)}
            onChange={({ currentTarget }) => {
              const wanted = currentTarget.valueAsNumber;
              // The field keeps the number of the page below until another page arrives.
              showPage();
              if (!Number.isNaN(wanted)) goTo(wanted);
            }}
          />
          <span class="dim figure">{say('of {n}', { n: countOf(Math.max(1, pages)) })}</span>
        </label>
        {link('right', `${say('Next page')} (→)`, page + 1)}
        {link('last', say('Last page'), pages)}
      </nav>
    </footer>
  );
}

/** Says which rows the total is without, and shows them alone. */
function Apart({ table: { apart }, total_items: total, isWithout, showApart }: Given) {
  if (!apart || !isWithout) return null;
  const what = say(apart.many);
  const deed = say('Show {what} only', { what });
  return (
    <Button look="is-plain is-small pager-apart" title={deed} onClick={showApart}>
      {/* Without any row, the excluded rows are the way on. */}
      {total > 0 ? say('without {what}', { what }) : deed}
    </Button>
  );
}

function Range(given: Given) {
  const { table, total_items: total, current_page: page, per_page: per } = given;
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
      <Apart {...given} />
      <Reach table={table} />
      <Order {...given} />
      <label class="pager-per">
        <span class="dim">{say('Rows')}</span>
        <select
          class="select is-small"
          aria-label={say('Rows per page')}
          value={given.perPage}
          onChange={({ currentTarget }) => given.setPerPage(Number(currentTarget.value))}
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
function Reach({ table: { window } }: Pick<Given, 'table'>) {
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
function Order({ table: { name }, columns, sort }: Given) {
  const { sort_by, sort_order } = sort ?? {};
  if (sort_by === undefined || columns.includes(sort_by)) return null;
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
