/** The head of a column: a click sorts, dragging moves the column, and there are a menu and a grip for the width. */
import { MAX_WIDTH, MIN_WIDTH } from '../../tables/columns.ts';
import { columnOf, columnTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { drag } from '../controls/drag.ts';
import { Icon } from '../controls/Icon.tsx';
import { along, isCommand, type Lead, walk } from '../controls/roving.ts';
import { isFigure } from './Cell.tsx';
import { startMove } from './moveHead.ts';

export interface HeadDeeds {
  readonly sort: (field: string) => void;
  /** Adds the field behind those that sort already. */
  readonly sortAlso: (field: string) => void;
  readonly openMenu: (column: string, head: Element) => void;
  /** Puts the column in front of the one at this place, or behind all. */
  readonly move: (column: string, place: number) => void;
  /** Undefined: as wide as it was at first. */
  readonly setWidth: (column: string, width: number | undefined) => void;
}

export interface Head {
  readonly column: string;
  /** Pixels. */
  readonly width: number;
  /** The field that sorts by the column; undefined where the table cannot. */
  readonly field: string | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  /** The field's place among several that sort. */
  readonly place: number | undefined;
}

interface Given extends Head {
  /** The table. */
  readonly name: string;
  /** Where it stays while others are scrolled, as a style. */
  readonly pin: string | undefined;
  readonly deeds: HeadDeeds;
}

export function HeadCell({ name, pin, deeds, ...head }: Given) {
  const { column, field, order, place, width } = head;
  const { look } = columnOf(name, column);
  const title = columnTitle(name, column);
  const openMenu = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    deeds.openMenu(column, (event.currentTarget as Element).closest('th')!);
  };
  return (
    <th
      scope="col"
      class={`${isFigure(look) ? 'is-figure' : ''} ${pin === undefined ? '' : 'is-pinned'}`}
      style={pin}
      aria-sort={order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined}
      onContextMenu={openMenu}
    >
      <button
        type="button"
        class={`head-sort ${field === undefined ? 'is-unsorted' : ''}`}
        tabIndex={-1}
        title={say(
          field === undefined
            ? 'Not sortable: rows do not show all that is stored. Drag to move'
            : 'Sort; with Shift, also sort. Drag to move',
        )}
        onKeyDown={(event) => resizeByKey(event, head, deeds)}
        onPointerDown={(event) => startMove(event, (place) => deeds.move(column, place))}
        onClick={(event) => {
          if (field === undefined) openMenu(event);
          else if (event.shiftKey) deeds.sortAlso(field);
          else deeds.sort(field);
        }}
      >
        <span class="head-text">{title}</span>
        {field !== undefined && (
          <span class="head-cue">
            <Icon name={order === 'desc' ? 'down' : 'up'} size={13} />
            {place !== undefined && <span class="head-place">{place}</span>}
          </span>
        )}
      </button>
      <button
        type="button"
        class="head-menu"
        tabIndex={-1}
        aria-haspopup="dialog"
        aria-label={say('Column menu: {what}', { what: title })}
        onClick={openMenu}
      >
        <Icon name="more" size={13} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule across the page cannot be moved */}
      <span
        class="head-grip"
        role="separator"
        tabIndex={-1}
        aria-orientation="vertical"
        aria-label={say('Width of {what}', { what: title })}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={MAX_WIDTH}
        aria-valuenow={width}
        onKeyDown={(event) => resizeByKey(event, head, deeds)}
        onPointerDown={(event) => startResize(event, head, deeds)}
        onDblClick={({ currentTarget }) => deeds.setWidth(column, widest(currentTarget))}
      />
    </th>
  );
}

/**
 * The heads are one step up from the first row, so that Tab need not pass them: arrows go from one
 * to the next.
 */
export function walkHeads(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { currentTarget: heads } = event;
  walk(event, () => [...heads.querySelectorAll<HTMLElement>(WALKED)], leadInHeads);
}
const WALKED = 'input, .head-sort, .head-menu';
const LINE = along('ArrowLeft', 'ArrowRight');
const leadInHeads: Lead = (from, key, heads) =>
  key === 'ArrowDown'
    ? (document.querySelector<HTMLElement>('tr.row') ?? undefined)
    : LINE(from, key, heads);

/** Pixels by a key. */
const STEP = 16;

/** With Shift, arrows move it, and Home makes it as wide as it was at first. */
function resizeByKey(event: KeyboardEvent, { column, width }: Head, deeds: HeadDeeds): void {
  if (!event.shiftKey || isCommand(event)) return;
  const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (step === undefined && event.key !== 'Home') return;
  event.preventDefault();
  deeds.setWidth(column, step === undefined ? undefined : width + step);
}

function startResize(event: PointerEvent, { column, width }: Head, deeds: HeadDeeds): void {
  event.stopPropagation();
  const began = event.clientX - width;
  drag(event, (left) => deeds.setWidth(column, left - began));
}

/** The width of the widest of its cells that show, pixels. */
function widest(grip: Element): number {
  const head = grip.closest('th')!;
  const range = document.createRange();
  const cells = [
    ...head.querySelectorAll('.head-text'),
    ...[...document.querySelectorAll<HTMLTableRowElement>('tr.row')].map(
      ({ cells }) => cells[head.cellIndex]!,
    ),
  ];
  const widths = cells.map((one) => {
    range.selectNodeContents(one);
    return range.getBoundingClientRect().width;
  });
  // Room for its padding, and in the head for the cue.
  return Math.max(widths[0]! + 44, ...widths.slice(1).map((one) => one + 22));
}
