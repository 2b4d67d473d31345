/** The menu of a column: its order and place, a range, and the figures of all rows that match. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ColumnFigures } from '../../present/answer.ts';
import type { Deed } from '../../present/deeds.ts';
import type { LabelOf } from '../../state/view.ts';
import { columnTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { leaves } from '../controls/listening.ts';
import { Problem } from '../controls/Problem.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { Waiting } from '../controls/Waiting.tsx';
import { Figures } from './Figures.tsx';

interface Given {
  readonly table: Table;
  readonly column: string;
  /** The menu opens below it. */
  readonly head: Element;
  /** The icon `up` stands for ascending order. */
  readonly commands: readonly (Deed & { readonly icon: IconName })[];
  /** Null: there are none. */
  readonly ask: (signal: AbortSignal) => Promise<ColumnFigures | null>;
  readonly labelOf: LabelOf;
  /** Closes the menu, and acts. */
  readonly act: (act: () => void) => void;
  readonly close: () => void;
  /** The form of a range. */
  readonly children: ComponentChildren;
}

/** The height that it has at least, where the window has it; pixels. */
const LEAST = 180;

export function HeadMenu({ table: { name }, column, head, commands, ask, ...given }: Given) {
  const { labelOf, act, close, children } = given;
  const sheet = useRef<HTMLDivElement>(null);
  const title = columnTitle(name, column);
  useEffect(() => {
    const at = sheet.current!;
    const { left, bottom } = head.getBoundingClientRect();
    at.showPopover();
    at.style.left = `${Math.max(8, Math.min(left, innerWidth - at.offsetWidth - 8))}px`;
    // Over the head where the window is too low, as at 400 %.
    const top = Math.min(bottom + 2, Math.max(8, innerHeight - LEAST));
    at.style.top = `${top}px`;
    at.style.maxHeight = `${innerHeight - top - 10}px`;
    at.querySelector<HTMLElement>('button')?.focus();
  }, []);
  const [figures, failure, again] = useAnswer(ask, []);
  return (
    <div
      ref={sheet}
      class="head-sheet"
      popover="auto"
      role="dialog"
      aria-label={say('Column menu: {what}', { what: title })}
      onToggle={({ newState }) => {
        if (newState !== 'closed') return;
        close();
        // A press elsewhere has the focus there.
        if (document.activeElement !== document.body) return;
        head.querySelector<HTMLElement>('.head-sort')?.focus();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onFocusOut={(event) => leaves(event) && close()}
    >
      <div class="menu-title">{title}</div>
      {commands.map((one) => (
        <button type="button" class="head-command" key={one.title} onClick={() => act(one.act)}>
          <Icon name={one.icon} size={13} /> {one.title}
        </button>
      ))}
      {children}
      <Problem why={failure} />
      {figures === undefined && failure === undefined && (
        <div class="figures-wait">
          <Waiting word={say('Counting…')} retry={again} />
        </div>
      )}
      {figures && <Figures {...{ name, column, labelOf, ...figures }} />}
    </div>
  );
}
