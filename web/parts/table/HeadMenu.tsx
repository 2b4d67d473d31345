/** The menu of a column: its order and place, a range, and the figures of all rows that match. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { figuresOf } from '../../data/columnStats.ts';
import { groupBy } from '../../data/moves.ts';
import { noticed } from '../../data/service.ts';
import { setSort, sortAlsoBy, sortOfColumn, sortShown } from '../../data/sorting.ts';
import { sorts, table } from '../../data/store.ts';
import { pin, pinnedOf } from '../../data/widths.ts';
import { failureText } from '../../present/failureText.ts';
import { columnTitle, facetOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { RangeForm } from '../box/RangeForm.tsx';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { columnsShown, setColumns } from './ColumnsMenu.tsx';
import { Figures } from './Figures.tsx';
import { headMenu } from './HeadCell.tsx';

export function HeadMenu() {
  const open = headMenu.value;
  if (!open || !columnsShown().includes(open.column)) return null;
  return <Sheet key={`${table.value.name} ${open.column}`} {...open} />;
}

interface Given {
  readonly column: string;
  readonly head: Element;
}

const close = () => {
  headMenu.value = undefined;
};

/**
 * Closes the menu, acts, and moves the focus to the column's head: it may stand in another place then.
 * Where the column is hidden, the focus goes to the head that stands in its place.
 */
function closeFor(act: () => void, column: string): void {
  const at = columnsShown().indexOf(column);
  close();
  act();
  setTimeout(() => {
    const now = columnsShown().indexOf(column);
    const heads = document.querySelectorAll<HTMLElement>('.head-sort');
    (heads[now < 0 ? at : now] ?? heads[heads.length - 1])?.focus();
  });
}

function Sheet({ column, head }: Given) {
  const sheet = useRef<HTMLDivElement>(null);
  const problem = useSignal('');
  const { name } = table.value;
  const title = columnTitle(name, column);
  useEffect(() => {
    const at = sheet.current!;
    const { left, bottom } = head.getBoundingClientRect();
    at.showPopover();
    at.style.left = `${Math.max(8, Math.min(left, innerWidth - at.offsetWidth - 8))}px`;
    at.style.top = `${bottom + 2}px`;
    at.style.maxHeight = `${innerHeight - bottom - 12}px`;
    at.querySelector<HTMLElement>('button')?.focus();
  }, []);
  const figures = useAnswer(
    (signal) => figuresOf(table.peek(), column, signal),
    [],
    (error) => {
      problem.value = failureText(noticed(error));
    },
  );
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
    >
      <div class="menu-title">{title}</div>
      <Commands column={column} />
      <RangeForm column={column} done={() => closeFor(() => {}, column)} />
      {problem.value !== '' && <p class="problem">{problem.value}</p>}
      {figures && <Figures column={column} {...figures} />}
    </div>
  );
}

interface Command {
  readonly title: string;
  readonly icon: IconName;
  readonly act: () => void;
}

/** The icon `up` stands for ascending order. */
function commandsOf(column: string): readonly Command[] {
  const { name } = table.value;
  const field = sortOfColumn(column);
  const counted = facetOf(table.value, column);
  const columns = columnsShown();
  const at = columns.indexOf(column);
  const pinned = pinnedOf(name);
  const isPinned = at < pinned;
  /** A pinned column stands behind the others that are pinned. */
  const place = (to: number) => {
    const others = columns.filter((one) => one !== column);
    setColumns([...others.slice(0, to), column, ...others.slice(to)]);
  };
  const commands: Command[] = [];
  const add = (title: string, icon: IconName, act: () => void) =>
    commands.push({ title, icon, act });
  if (field !== undefined) {
    add(say('Sort ascending'), 'up', () => setSort([{ by: field, order: 'asc' }]));
    add(say('Sort descending'), 'down', () => setSort([{ by: field, order: 'desc' }]));
    if (sorts.value.length > 0 && sortShown(field) === undefined)
      add(say('Also sort by this'), 'lines', () => sortAlsoBy(field));
  }
  if (counted !== undefined) add(say('Group by this column'), 'lines', () => groupBy(counted));
  add(say(isPinned ? 'Unpin' : 'Pin to the left'), 'keep', () => {
    place(isPinned ? pinned - 1 : pinned);
    pin(name, isPinned ? pinned - 1 : pinned + 1);
  });
  if (columns.length > 1) {
    add(say('Hide column'), 'slash', () => {
      if (isPinned && pinned > 1) pin(name, pinned - 1);
      setColumns(columns.filter((one) => one !== column));
    });
  }
  return commands;
}

function Commands({ column }: { readonly column: string }) {
  return (
    <>
      {commandsOf(column).map(({ title, icon, act }) => (
        <button
          type="button"
          class="head-command"
          key={title}
          onClick={() => closeFor(act, column)}
        >
          <Icon name={icon} size={13} /> {title}
        </button>
      ))}
    </>
  );
}
