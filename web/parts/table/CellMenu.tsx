/**
 * The menu of a value: by a button that shows where the pointer is, by the other mouse button, and by a key.
 * It listens for all cells at once, since there are hundreds.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Deed, Spot } from '../../present/deeds.ts';
import type { View } from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { onElsewhere } from '../controls/listening.ts';
import { isCommand } from '../controls/roving.ts';

interface ButtonGiven {
  /** Another one hides the button: a panel that opens would lie under it. */
  readonly view: View;
  /** Whether a menu is open: its own presses are heard all the same, for the next one. */
  readonly isOpen: boolean;
  /** Opens the menu of the element's value. */
  readonly open: (cell: HTMLElement, at?: Spot) => void;
}

/** A button at the end of the cell under the pointer; it takes no room, and no stop of Tab. */
export function CellButton({ view, isOpen, open }: ButtonGiven) {
  const over = useSignal<{ readonly cell: HTMLElement; readonly at: Spot } | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // The press that closes a menu is one on what lies under the pointer, and not on this button.
  useLayoutEffect(() => {
    over.value = undefined;
  }, [view, isOpen]);
  useEffect(() => {
    const onOver = ({ target, pointerType, buttons }: PointerEvent) => {
      if (pointerType !== 'mouse' || buttons !== 0 || !(target instanceof Element)) return;
      if (button.current?.contains(target)) return;
      const cell = cellAt(target);
      if (cell === over.peek()?.cell) return;
      over.value = cell && { cell, at: endOf(cell) };
    };
    const hide = () => {
      over.value = undefined;
    };
    // Before the press: some systems select the word under the pointer with it.
    let selected = '';
    const onPress = () => {
      selected = String(getSelection());
    };
    const onContextMenu = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      // The button covers the end of its cell, and all of a narrow one.
      const isOnButton = button.current?.contains(event.target);
      const cell = isOnButton ? over.peek()?.cell : cellAt(event.target);
      // Selected text, links to elsewhere, and clicks with Shift open the browser's own menu.
      if (!cell || event.shiftKey || selected !== '' || event.target.closest('a:not(.row-link)'))
        return;
      event.preventDefault();
      open(cell, { left: event.clientX, top: event.clientY });
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointermove', onOver, { signal });
    document.addEventListener('scroll', hide, { capture: true, passive: true, signal });
    document.addEventListener('keydown', hide, { capture: true, signal });
    document.addEventListener('pointerdown', onPress, { capture: true, signal });
    document.addEventListener('contextmenu', onContextMenu, { signal });
    return () => listening.abort();
  }, []);
  if (!over.value || isOpen) return null;
  const { cell, at } = over.value;
  const label = say('Actions on this value');
  return (
    <button
      ref={button}
      type="button"
      class="cell-button"
      tabIndex={-1}
      aria-label={label}
      title={`${label} (.)`}
      style={{ left: `${at.left - BUTTON}px`, top: `${at.top}px` }}
      onClick={() => open(cell)}
    >
      <Icon name="more" size={14} />
    </button>
  );
}

/** The cell of a row or record that an element stands in. */
const cellAt = (target: Element) => target.closest<HTMLElement>('[data-column]') ?? undefined;

/** Its width with the room beside it, pixels. */
const BUTTON = 26;

/** The upper end of the visible part of the cell. */
function endOf(cell: HTMLElement): Spot {
  const { right, top, height } = cell.getBoundingClientRect();
  const box = cell.closest('.table-box, .panel')?.getBoundingClientRect();
  return {
    left: Math.min(right, (box?.right ?? right) - 12),
    top: top + (Math.min(height, 36) - 22) / 2,
  };
}

interface Given {
  /** `Status: Failure` */
  readonly title: string;
  readonly deeds: readonly Deed[];
  /** Where it opens. */
  readonly at: Spot;
  /** Closes the menu; `isBack`: the focus goes back. */
  readonly close: (isBack: boolean) => void;
  /** Opens the menu of the value that many before or after this one. */
  readonly goBeside: (step: number) => void;
}

export function CellMenu({ title, deeds, at, close, goBeside }: Given) {
  const sheet = useRef<HTMLDivElement>(null);
  const place = useSignal(at);
  const isNew = useRef(true);
  useLayoutEffect(() => {
    // Its value may have been scrolled into sight for it, which is told before the next frame.
    isNew.current = true;
    const frame = requestAnimationFrame(() => {
      isNew.current = false;
    });
    const { width, height } = sheet.current!.getBoundingClientRect();
    place.value = {
      left: Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE)),
      top: Math.max(EDGE, Math.min(at.top, innerHeight - height - EDGE)),
    };
    sheet.current!.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
    return () => cancelAnimationFrame(frame);
  }, [at]);
  useEffect(
    () =>
      onElsewhere(sheet.current!, ['pointerdown', 'scroll'], ({ type }) => {
        if (type !== 'scroll' || !isNew.current) close(false);
      }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event)) return;
    const items = [...sheet.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = MOVES[event.key]?.(at, items.length);
    const beside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab' || event.key === '.') close(true);
    else if (beside !== undefined) goBeside(beside);
    else if (to !== undefined) items[to]?.focus({ preventScroll: true });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={sheet}
      class="cell-menu"
      role="menu"
      tabIndex={-1}
      aria-label={title}
      style={{ left: `${place.value.left}px`, top: `${place.value.top}px` }}
      onKeyDown={onKeyDown}
    >
      <div class="cell-menu-title" aria-hidden="true">
        {title}
      </div>
      {deeds.map(({ title, act }) => (
        <button
          type="button"
          role="menuitem"
          class="cell-menu-item"
          tabIndex={-1}
          key={title}
          onClick={() => {
            close(true);
            act();
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** Pixels that the menu stays away from the window's edge. */
const EDGE = 8;

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};
