/**
 * The rows. Places are reused from answer to answer, and a row that is the same is left alone, so that only
 * what differs is painted; a changed cell is made anew, which starts its flash.
 */
import { computed, useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { scrolled } from '../data/arrivals.ts';
import { failure, isAsking } from '../data/asking.ts';
import { follow, openRow } from '../data/moves.ts';
import { prefer, preferences } from '../data/preferences.ts';
import {
  canChoose,
  chooseRange,
  isPicked,
  partChosen,
  toggleChosen,
  togglePage,
} from '../data/selecting.ts';
import type { Row } from '../data/service.ts';
import { slow } from '../data/slow.ts';
import {
  chosen,
  cursor,
  flashes,
  go,
  keyOf,
  opened,
  page,
  perPage,
  rowsAddress,
  shown,
  sortApplied,
  table,
  total,
  view,
} from '../data/store.ts';
import { finderOf } from '../present/highlight.ts';
import { withRow } from '../state/address.ts';
import { asking } from '../state/view.ts';
import { columnOf, columnTitle, describedBy, type Look, searchedFields } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { cellValue } from './Cell.tsx';
import { columnsShown } from './ColumnsMenu.tsx';
import { Empty } from './Empty.tsx';
import { Icon } from './Icon.tsx';
import { along } from './roving.ts';
import { useRowsInSteps } from './rowsInSteps.ts';

const MARK_WIDTH = 40;
const NONE: readonly Row[] = [];

export function DataTable() {
  const scroller = useRef<HTMLDivElement>(null);
  const { name, many } = table.value;
  const columns = columnsShown();
  // Not all of what is shown: counts that come later change nothing here.
  const found = useComputed(() =>
    shown.value?.table === table.value.name ? shown.value.rows : undefined,
  ).value;
  const q = useComputed(() => shown.value?.q ?? '').value;
  const { rows, isWhole } = useRowsInSteps(found ?? NONE, scroller);
  const finder = useMemo(() => finderOf(q), [q]);
  const at = page.value;
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [name, at]);
  const widths = columns.map((one) => widthOf(name, one));
  const places = placesOf(name, columns);
  const picked = chosen.value;
  const open = opened.value;
  const first = (at - 1) * perPage.value;
  const hasMarks = canChoose(name);
  const marks = hasMarks ? MARK_WIDTH : 0;
  const busy = useComputed(() => isAsking.value).value || !isWhole;
  return (
    <div
      ref={scroller}
      class={`table-box ${slow.value ? 'is-slow' : ''}`}
      aria-busy={busy}
      onPointerDown={({ clientX, clientY }) => {
        pressed = { x: clientX, y: clientY, text: selectedText() };
      }}
      onScroll={({ currentTarget }) => {
        scrolled.value = currentTarget.scrollTop > 4;
      }}
    >
      <table
        class="table"
        aria-label={say(table.value.title)}
        aria-rowcount={(total.value ?? 0) + 1}
        style={{ '--width': `${widths.reduce((sum, one) => sum + one, marks)}px` }}
      >
        <colgroup>
          {hasMarks && <col style={{ width: `${MARK_WIDTH}px` }} />}
          {columns.map((one, at) => (
            <col key={one} style={{ width: `${widths[at]}px` }} />
          ))}
        </colgroup>
        <thead onKeyDown={walkHeads}>
          <tr aria-rowindex={1}>
            {hasMarks && (
              <th class="mark-cell" scope="col">
                <AllMark rows={rows} />
              </th>
            )}
            {columns.map((one) => (
              <HeadCell key={one} column={one} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const key = keyOf(row);
            return (
              <RowLine
                key={at}
                id={key}
                row={row}
                from={rowsAddress.value}
                at={at}
                index={first + at + 2}
                columns={columns}
                places={places}
                finder={finder}
                flash={flashes.value.get(key)}
                hasMark={hasMarks}
                isChosen={isPicked(key, picked)}
                isOpen={open === key}
                isCursor={cursor.value === at}
              />
            );
          })}
        </tbody>
      </table>
      {found?.length === 0 && !failure.value && <Empty />}
      {!found && !failure.value && (
        <p class="loading">{slow.value ? say('Loading {what}…', { what: say(many) }) : ''}</p>
      )}
    </div>
  );
}

function AllMark({ rows }: { readonly rows: readonly Row[] }) {
  const part = partChosen(rows, chosen.value);
  return (
    <label class="mark">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={say('Select all rows on this page')}
        checked={part === 'all'}
        indeterminate={part === 'some'}
        onChange={togglePage}
      />
    </label>
  );
}

/** Looks that stand to the right, so that their digits compare. */
const FIGURES: readonly Look[] = ['number', 'seconds', 'bytes', 'money'];

function HeadCell({ column }: { readonly column: string }) {
  const { name } = table.value;
  const { look } = columnOf(name, column);
  const title = columnTitle(name, column);
  const sort = sortOfColumn(column);
  const order = sort === undefined ? undefined : sortShown(sort);
  const isFigure = FIGURES.includes(look);
  return (
    <th
      scope="col"
      class={isFigure ? 'is-figure' : ''}
      aria-sort={order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined}
    >
      {sort === undefined ? (
        <span class="head-text">{title}</span>
      ) : (
        <button
          type="button"
          class="head-sort"
          tabIndex={-1}
          onKeyDown={(event) => resizeByKey(event, name, column)}
          onClick={() => sortBy(sort)}
        >
          {title}
          {order ? <Icon name={order === 'asc' ? 'up' : 'down'} size={13} /> : null}
        </button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a rule across the page cannot be moved */}
      <span
        class="head-grip"
        role="separator"
        tabIndex={-1}
        aria-orientation="vertical"
        aria-label={say('Width of {what}', { what: title })}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={MAX_WIDTH}
        aria-valuenow={widthOf(name, column)}
        onKeyDown={(event) => resizeByKey(event, name, column)}
        onPointerDown={(event) => startResize(event, name, column)}
        onDblClick={() => setWidth(name, column, undefined)}
      />
    </th>
  );
}

/** The field that sorts by the column; undefined where the table cannot. */
function sortOfColumn(column: string): string | undefined {
  const { sorts } = describedBy(table.value);
  if (sorts.includes(column)) return column;
  return undefined;
}

const wantedSort = computed(() => view.value.sort);

function sortShown(sort: string): 'asc' | 'desc' | undefined {
  const { sort_by, sort_order } = sortApplied.value ?? {};
  const applied = wantedSort.value ?? { by: sort_by, order: sort_order };
  return applied.by === sort ? applied.order : undefined;
}

/** Down, up, and then as the table sorts by itself. */
function sortBy(by: string): void {
  const order = sortShown(by);
  const next = order === 'desc' ? 'asc' : 'desc';
  go(
    asking(view.peek(), { sort: order === 'asc' && view.peek().sort ? null : { by, order: next } }),
  );
}

interface RowGiven {
  readonly id: string;
  readonly row: Row;
  /** The address of the rows. */
  readonly from: string;
  readonly at: number;
  readonly index: number;
  readonly columns: readonly string[];
  /** Where a phone shows each column, as a class. */
  readonly places: readonly string[];
  readonly finder: RegExp | undefined;
  readonly flash: ReadonlySet<string> | undefined;
  readonly hasMark: boolean;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly isCursor: boolean;
}

/** Made anew when what it is given differs, or the table, or the time that ages are told by: it has no hooks. */
function RowLine({
  id: key,
  row,
  from,
  at,
  index,
  columns,
  places,
  finder,
  flash,
  ...is
}: RowGiven) {
  const { name } = table.value;
  const { hasMark, isChosen, isOpen, isCursor } = is;
  const searched = searchedFields(name);
  return (
    <tr
      class={`row ${isChosen ? 'is-chosen' : ''} ${isOpen ? 'is-open' : ''}`}
      tabIndex={isCursor ? 0 : -1}
      aria-rowindex={index}
      aria-selected={hasMark ? isChosen : undefined}
      data-key={key}
      onFocusIn={() => {
        // The focus may be on a control in the row.
        cursor.value = at;
      }}
      onClick={(event) => {
        if (!isControl(event.target) && !isSelecting(event)) openRow(key);
      }}
    >
      {hasMark && (
        <td class="mark-cell">
          <label class="mark">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={say('Select {what}', { what: key })}
              checked={isChosen}
              onClick={({ shiftKey, currentTarget }) => {
                if (shiftKey) chooseRange(key);
                else toggleChosen(key);
                // The browser has turned it over already, and a range may have left this row as it was.
                currentTarget.checked = isPicked(key, chosen.peek());
              }}
            />
          </label>
        </td>
      )}
      {columns.map((column, index) => {
        const shown = columnOf(name, column);
        const isFigure = FIGURES.includes(shown.look);
        const value = row[column];
        const mark = searched.includes(column) ? finder : undefined;
        const changed = flash?.has(column) ?? false;
        return (
          <td
            key={changed ? `${column} ${JSON.stringify(value)}` : column}
            class={`cell ${places[index]} ${isFigure ? 'is-figure' : ''} ${changed ? 'is-changed' : ''}`}
            title={titleOf(value)}
            data-column={column}
          >
            {index === 0 ? (
              <a
                class="row-link"
                href={withRow(from, key)}
                tabIndex={-1}
                onClick={(event) => {
                  if (isSelecting(event)) event.preventDefault();
                  else follow(event, () => openRow(key));
                }}
              >
                {cellValue(shown.look === 'link' ? TEXT : shown, value, mark)}
              </a>
            ) : (
              cellValue(shown, value, mark)
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** A link stands in no other link. */
const TEXT = { look: 'text' } as const;

/** On a phone a row has two lines: the first date at the end of the first one, and four other columns. */
function placesOf(name: string, columns: readonly string[]): readonly string[] {
  const when = columns.find((one, at) => at > 0 && columnOf(name, one).look === 'date');
  const others = columns.filter((one) => one !== when);
  return columns.map((one) => {
    const at = others.indexOf(one);
    return at < 0 ? 'at-when' : at < 4 ? `at-${at}` : 'at-more';
  });
}

const titleOf = (value: unknown) =>
  typeof value === 'string' && value.length > 14 && !/^\d{4}-\d\d-\d\dT/.test(value)
    ? value
    : undefined;

const selectedText = () => String(getSelection());
/** Where the button was pressed last, pixels, and the text that was selected by then. */
let pressed = { x: 0, y: 0, text: '' };
/** Pixels by which a pointer may move within a click. */
const STEADY = 4;

/** Whether somebody selects text: that is no click on the row. */
function isSelecting({ clientX, clientY, detail }: MouseEvent): boolean {
  // Assistive technology clicks without a pointer.
  if (detail === 0) return false;
  if (Math.hypot(clientX - pressed.x, clientY - pressed.y) > STEADY) return true;
  const text = selectedText();
  return text !== '' && text !== pressed.text;
}

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, label') !== null;

const widthOf = (name: string, column: string): number =>
  preferences.value.widths[`${name} ${column}`] ?? columnOf(table.value.name, column).width;

function setWidth(name: string, column: string, width: number | undefined): void {
  const { [`${name} ${column}`]: _, ...rest } = preferences.peek().widths;
  prefer({ widths: width === undefined ? rest : { ...rest, [`${name} ${column}`]: width } });
}

const MIN_WIDTH = 56;
const MAX_WIDTH = 1_000;
/** Pixels by a key. */
const STEP = 16;

const within = (width: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width)));

/**
 * The heads are one step up from the first row, so that Tab need not pass them: arrows go from one
 * to the next. A column that cannot be sorted has its grip for a head.
 */
function walkHeads(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.defaultPrevented || event.shiftKey) return;
  const { currentTarget: heads, target, key } = event;
  const controls = [...heads.querySelectorAll<HTMLElement>(WALKED)];
  const from = (target as Element).closest('th')?.querySelector<HTMLElement>(WALKED);
  const to = from && along('ArrowLeft', 'ArrowRight')(from, key, controls);
  const next = key === 'ArrowDown' ? document.querySelector<HTMLElement>('tr.row') : to;
  if (!next) return;
  event.preventDefault();
  next.focus();
}
const WALKED = 'input, .head-sort, .head-text + .head-grip';

/** With Shift, arrows move it, and Home makes it as wide as it was at first. */
function resizeByKey(event: KeyboardEvent, name: string, column: string): void {
  if (!event.shiftKey) return;
  const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (step === undefined && event.key !== 'Home') return;
  event.preventDefault();
  const width = step === undefined ? undefined : within(widthOf(name, column) + step);
  setWidth(name, column, width);
}

function startResize(event: PointerEvent, name: string, column: string): void {
  event.preventDefault();
  event.stopPropagation();
  const grip = event.currentTarget as HTMLElement;
  grip.setPointerCapture(event.pointerId);
  const began = event.clientX - widthOf(name, column);
  const move = ({ clientX }: PointerEvent) => setWidth(name, column, within(clientX - began));
  grip.addEventListener('pointermove', move);
  const end = () => grip.removeEventListener('pointermove', move);
  grip.addEventListener('pointerup', end, { once: true });
  grip.addEventListener('pointercancel', end, { once: true });
}
