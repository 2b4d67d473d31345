/**
 * The rows. Places are reused from answer to answer, and a row that is the same is left alone, so that only
 * what differs is painted; a changed cell is made anew, which starts its flash.
 */

import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { scrolled } from '../../data/arrivals.ts';
import { failure, isAsking } from '../../data/asking.ts';
import { follow, openRow } from '../../data/moves.ts';
import {
  canChoose,
  chooseRange,
  isPicked,
  partChosen,
  toggleChosen,
  togglePage,
} from '../../data/selecting.ts';
import { slow } from '../../data/slow.ts';
import {
  chosen,
  cursor,
  flashes,
  keyOf,
  opened,
  page,
  perPage,
  rowsAddress,
  shown,
  table,
  total,
} from '../../data/store.ts';
import { pinnedOf, widthOf } from '../../data/widths.ts';
import type { Row } from '../../present/answer.ts';
import { finderOf } from '../../present/highlight.ts';
import { withRow } from '../../state/address.ts';
import { columnOf, searchedFields } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { cellValue } from './Cell.tsx';
import { columnsShown } from './ColumnsMenu.tsx';
import { Empty } from './Empty.tsx';
import { FIGURES, HeadCell, walkHeads } from './HeadCell.tsx';
import { HeadMenu } from './HeadMenu.tsx';
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
  useEffect(() => watchEdges(scroller.current!), []);
  const picked = chosen.value;
  const open = opened.value;
  const first = (at - 1) * perPage.value;
  const hasMarks = canChoose(name);
  const marks = hasMarks ? MARK_WIDTH : 0;
  const pins = pinsOf(widths, pinnedOf(name), marks);
  const busy = useComputed(() => isAsking.value).value || !isWhole;
  return (
    <div class="table-frame">
      <div
        ref={scroller}
        class={`table-box ${slow.value ? 'is-slow' : ''}`}
        aria-busy={busy}
        onPointerDown={({ clientX, clientY }) => {
          pressed = { x: clientX, y: clientY, text: selectedText() };
        }}
        onScroll={({ currentTarget }) => {
          scrolled.value = currentTarget.scrollTop > 4;
          markEdges(currentTarget);
        }}
      >
        <table
          class="table rows-table"
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
                <th class="mark-cell is-pinned" scope="col">
                  <AllMark rows={rows} />
                </th>
              )}
              {columns.map((one, at) => (
                <HeadCell key={one} column={one} pin={pins[at]} />
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
                  pins={pins}
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
      <HeadMenu />
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
  /** Where pinned columns stay, as styles. */
  readonly pins: readonly (string | undefined)[];
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
  pins,
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
        <td class="mark-cell is-pinned">
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
            style={pins[index]}
            class={`cell ${places[index]} ${pins[index] === undefined ? '' : 'is-pinned'} ${isFigure ? 'is-figure' : ''} ${changed ? 'is-changed' : ''}`}
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

/** Pinned columns stay at the left, each beside the one before. */
function pinsOf(widths: readonly number[], count: number, marks: number) {
  let left = marks;
  return widths.map((width, at) => {
    if (at >= count) return undefined;
    left += width;
    return `--left: ${left - width}px`;
  });
}

/** Marks the edges behind which the table goes on: they have a shadow. Pinned cells stay from then on. */
function markEdges(box: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = box;
  box.toggleAttribute('data-left', scrollLeft > 0);
  box.parentElement!.toggleAttribute('data-right', scrollLeft + clientWidth < scrollWidth - 1);
}

function watchEdges(box: HTMLElement) {
  const observer = new ResizeObserver(() => markEdges(box));
  observer.observe(box);
  observer.observe(box.firstElementChild!);
  return () => observer.disconnect();
}

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
