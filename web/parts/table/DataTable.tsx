/**
 * The rows. Places are reused from answer to answer, and an equal row is left alone, so that the browser
 * paints only differences. A changed cell becomes a new element, which starts its flash.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from '../../present/answer.ts';
import { type Chosen, isPicked, partChosen } from '../../present/chosen.ts';
import { finderOf } from '../../present/highlight.ts';
import { keyTextOf } from '../../present/rowName.ts';
import { withRow } from '../../state/address.ts';
import { columnOf, type Table, tableOf, tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { onResize } from '../controls/listening.ts';
import { cellTitle, cellValue, isFigure } from './Cell.tsx';
import { type Head, HeadCell, type HeadDeeds, walkHeads } from './HeadCell.tsx';
import { STEADY } from './moveHead.ts';
import { type Density, useRowsInSteps } from './rowsInSteps.ts';

const MARK_WIDTH = 40;
const NONE: readonly Row[] = [];

interface Given {
  readonly table: Table;
  /** Undefined while none have come. */
  readonly rows: readonly Row[] | undefined;
  /** The text that they were searched for. */
  readonly q: string;
  /** The address of the rows. */
  readonly from: string;
  readonly page: number;
  readonly perPage: number;
  readonly total: number | undefined;
  readonly columns: readonly string[];
  /** The head of each column. */
  readonly heads: readonly Head[];
  /** How many columns stay in sight. */
  readonly pinned: number;
  readonly density: Density;
  readonly hasMarks: boolean;
  readonly chosen: Chosen;
  /** The key of the open record. */
  readonly open: string | null;
  /** The place of the row that Tab leads to. */
  readonly cursor: number;
  /** Cells that have just changed, by the key of their row. */
  readonly flashes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly isAsking: boolean;
  /** Whether it has been asked for so long that this shows. */
  readonly isSlow: boolean;
  readonly hasFailed: boolean;
  readonly deeds: TableDeeds;
  /** In place of rows where none match. */
  readonly empty: ComponentChildren;
  /** The menu of a column. */
  readonly children?: ComponentChildren;
}

export interface TableDeeds extends HeadDeeds, RowDeeds {
  readonly pickPage: () => void;
  /** Tells whether the rows are scrolled down. */
  readonly scroll: (isScrolled: boolean) => void;
}

export function DataTable(given: Given) {
  const { table, page, chosen, open, cursor, flashes, deeds, columns, hasMarks, heads } = given;
  const { name } = table;
  const scroller = useRef<HTMLDivElement>(null);
  const isScrolled = useRef(false);
  const keyOf = (row: Row) => keyTextOf(row, table);
  const { rows, isWhole } = useRowsInSteps({
    ...{ rows: given.rows ?? NONE, keyOf, box: scroller, isScrolled, density: given.density },
  });
  const finder = useMemo(() => finderOf(given.q), [given.q]);
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [name, page]);
  // Whatever takes the place of the rows begins at its top, and so do the rows that come back.
  useEffect(() => () => deeds.scroll(false), []);
  useKeptFocus(scroller);
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const { current: box } = scroller;
    const act = () => {
      markEdges(box!);
      setRoom(box!.clientWidth);
    };
    return onResize(act, box!, box!.firstElementChild!);
  }, []);
  const marks = hasMarks ? MARK_WIDTH : 0;
  const widths = heads.map(({ width }) => width);
  const places = useMemo(() => placesOf(name, columns), [name, columns]);
  const pinned = Math.min(given.pinned, fitting(widths, marks, room));
  const pins = useMemo(() => pinsOf(widths, pinned, marks), [heads, pinned, marks]);
  const first = (page - 1) * given.perPage;
  const ofAll = { name, from: given.from, columns, places, pins, finder, hasMark: hasMarks, deeds };
  return (
    <div class="table-frame">
      <div
        ref={scroller}
        class={`table-box ${given.isSlow ? 'is-slow' : ''}`}
        aria-busy={given.isAsking || !isWhole}
        onPointerDown={({ clientX, clientY }) => {
          pressed = { x: clientX, y: clientY, text: selectedText() };
        }}
        onScroll={({ currentTarget }) => {
          isScrolled.current = currentTarget.scrollTop > 4;
          deeds.scroll(isScrolled.current);
          markEdges(currentTarget);
        }}
      >
        <table
          class="table rows-table"
          aria-label={tableTitle(table.name)}
          aria-rowcount={(given.total ?? 0) + 1}
          style={{ '--width': `${widths.reduce((sum, one) => sum + one, marks)}px` }}
        >
          <colgroup>
            {hasMarks && <col class="mark-cell" style={{ width: `${MARK_WIDTH}px` }} />}
            {heads.map(({ column, width }) => (
              <col key={column} style={{ width: `${width}px` }} />
            ))}
          </colgroup>
          <thead onKeyDown={walkHeads}>
            <tr aria-rowindex={1}>
              {hasMarks && (
                <th class="mark-cell is-pinned" scope="col">
                  <AllMark part={partChosen(rows.map(keyOf), chosen)} pick={deeds.pickPage} />
                </th>
              )}
              {heads.map((one, at) => (
                <HeadCell key={one.column} {...one} name={name} pin={pins[at]} deeds={deeds} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const key = keyOf(row);
              return (
                <RowLine
                  key={at}
                  {...{ ...ofAll, id: key, row, at, index: first + at + 2 }}
                  flash={flashes.get(key)}
                  isChosen={isPicked(key, chosen)}
                  isOpen={open === key}
                  isCursor={at === Math.min(cursor, rows.length - 1)}
                />
              );
            })}
          </tbody>
        </table>
        {given.rows?.length === 0 && !given.hasFailed && given.empty}
        {!given.rows && !given.hasFailed && (
          <p class="loading">{given.isSlow && say('Loading {what}…', { what: say(table.many) })}</p>
        )}
      </div>
      {given.children}
    </div>
  );
}

/** Where fewer rows leave the focus without its row, another one has it. */
function useKeptFocus(box: { readonly current: HTMLElement | null }): void {
  const wasAtRow = document.activeElement?.closest('tr.row') != null;
  useLayoutEffect(() => {
    if (!wasAtRow || document.activeElement !== document.body) return;
    const next = box.current!.querySelector<HTMLElement>('tr.row[tabindex="0"]');
    next?.focus({ preventScroll: true });
  });
}

interface MarkGiven {
  readonly part: 'none' | 'some' | 'all';
  readonly pick: () => void;
}

function AllMark({ part, pick }: MarkGiven) {
  return (
    <label class="mark">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={say('Select all rows on this page')}
        checked={part === 'all'}
        indeterminate={part === 'some'}
        onChange={pick}
      />
    </label>
  );
}

interface RowDeeds {
  readonly open: (key: string) => void;
  /** Makes the row of this place the one that Tab leads to. */
  readonly reach: (at: number) => void;
  /** Selects or clears the row, or all up to it. @returns whether it is selected then */
  readonly pick: (key: string, isRange: boolean) => boolean;
}

interface RowGiven {
  readonly id: string;
  readonly row: Row;
  /** The table. */
  readonly name: string;
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
  readonly deeds: RowDeeds;
}

/** Rendered again only when its props, the language or the clock of its ages change: it has no hooks. */
function RowLine({ id: key, row, name, from, columns, finder, flash, deeds, ...is }: RowGiven) {
  const { hasMark, isChosen, isOpen, isCursor, at, pins, places } = is;
  const { searched } = tableOf(name).description;
  // For every row: signals skip a row with the same props only if it reads a signal, which here is the language.
  const select = say('Select {what}', { what: key });
  return (
    <tr
      class={`row ${isChosen ? 'is-chosen' : ''} ${isOpen ? 'is-open' : ''}`}
      tabIndex={isCursor ? 0 : -1}
      aria-rowindex={is.index}
      aria-selected={hasMark ? isChosen : undefined}
      data-key={key}
      // The focus may be on a control in the row.
      onFocusIn={() => deeds.reach(at)}
      onClick={(event) => {
        if (!isControl(event.target) && !isSelecting(event)) deeds.open(key);
      }}
    >
      {hasMark && (
        <td class="mark-cell is-pinned">
          <label class="mark">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={select}
              checked={isChosen}
              onClick={({ shiftKey, currentTarget }) => {
                // The browser has turned it over already, and a range may have left this row as it was.
                currentTarget.checked = deeds.pick(key, shiftKey);
              }}
            />
          </label>
        </td>
      )}
      {columns.map((column, index) => {
        const shown = columnOf(name, column);
        const value = row[column];
        const mark = searched.includes(column) ? finder : undefined;
        const changed = flash?.has(column) ?? false;
        return (
          <td
            key={changed ? `${column} ${JSON.stringify(value)}` : column}
            style={pins[index]}
            class={`cell ${places[index]} ${pins[index] === undefined ? '' : 'is-pinned'} ${isFigure(shown.look) ? 'is-figure' : ''} ${changed ? 'is-changed' : ''}`}
            title={cellTitle(shown, value)}
            data-column={column}
          >
            {index === 0 ? (
              <a
                class="row-link"
                href={withRow(from, key)}
                tabIndex={-1}
                onClick={(event) => {
                  if (isSelecting(event)) event.preventDefault();
                  else follow(event, () => deeds.open(key));
                }}
              >
                {cellValue(shown.look === 'link' ? TEXT : shown, value, mark, ROOM)}
              </a>
            ) : (
              cellValue(shown, value, mark, ROOM)
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Letters of a text that a cell may have room for. A browser lays out all that it gets, also beyond the cell's edge. */
const ROOM = 500;

/** A link stands in no other link. */
const TEXT = { look: 'text' } as const;

/** How many columns at the left leave room for the others, which could not be scrolled into sight else. */
function fitting(widths: readonly number[], marks: number, room: number): number {
  let end = marks;
  const over = widths.findIndex((width) => {
    end += width;
    return end > 0.7 * room;
  });
  return over < 0 ? widths.length : over;
}

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

/** On a phone a row has two lines: the first date at the end of the first one, and four other columns. */
function placesOf(name: string, columns: readonly string[]): readonly string[] {
  const when = columns.find((one, at) => at > 0 && columnOf(name, one).look === 'date');
  const others = columns.filter((one) => one !== when);
  return columns.map((one) => {
    const at = others.indexOf(one);
    return at < 0 ? 'at-when' : at < 4 ? `at-${at}` : 'at-more';
  });
}

const selectedText = () => String(getSelection());
/** Where the button was pressed last, pixels, and the text that was selected by then. */
let pressed = { x: 0, y: 0, text: '' };

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
