/** The menu for columns and their order, the height of rows, and the format of times. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { times } from '../../state/surroundings.ts';
import { columnsOf, columnTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Choice } from '../controls/Choice.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Menu } from '../controls/Menu.tsx';
import { Tick } from '../controls/Tick.tsx';

const DENSITIES = [
  { value: 'compact', title: 'Compact' },
  { value: 'normal', title: 'Normal' },
  { value: 'relaxed', title: 'Relaxed' },
] as const;
const TIMES = [
  { value: 'relative', title: 'Relative' },
  { value: 'absolute', title: 'Absolute' },
] as const;

interface Given {
  readonly table: Table;
  /** The visible columns, in their order. */
  readonly columns: readonly string[];
  readonly density: Density;
  readonly set: (columns: readonly string[]) => void;
  readonly reset: () => void;
  readonly prefer: (change: { readonly density: Density } | { readonly times: Times }) => void;
}

type Density = (typeof DENSITIES)[number]['value'];
type Times = (typeof TIMES)[number]['value'];

export function ColumnsMenu({ table: { name }, columns, density, set, reset, prefer }: Given) {
  return (
    <Menu
      label={say('Columns')}
      face={
        <>
          <Icon name="columns" /> <span class="tool-text">{say('Columns')}</span>
        </>
      }
    >
      <Choice
        title={say('Row height')}
        options={DENSITIES}
        value={density}
        set={(density) => prefer({ density })}
      />
      <Choice
        title={say('Times')}
        options={TIMES}
        value={times.value}
        set={(times) => prefer({ times })}
      />
      <div class="menu-title is-next">{say('Columns')}</div>
      <ColumnList {...{ name, columns, set }} />
      <Button look="is-plain" onClick={reset}>
        {say('Reset columns')}
      </Button>
    </Menu>
  );
}

/** More columns than these can be searched. */
const MANY = 15;

/** Shows while the menu is open. */
function ColumnList({
  name,
  columns,
  ...given
}: Pick<Given, 'columns' | 'set'> & Pick<MoveGiven, 'name'>) {
  const rest = columnsOf(name).filter((one) => !columns.includes(one));
  const [sought, seek] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef({ column: '', control: 0 });
  const set: MoveGiven['set'] = (column, next, control) => {
    pressed.current = { column, control };
    given.set(next);
  };
  // The line of the column stands elsewhere, and its control has lost the focus: the next press is meant for it too.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    const { column, control } = pressed.current;
    const line = list.current?.children[[...columns, ...rest].indexOf(column)];
    line?.querySelectorAll<HTMLElement>('input, button')[control]?.focus();
  }, [columns]);
  const wanted = sought.trim().toLowerCase();
  const find = say('Find columns');
  const isLeftOut = (column: string) => !columnTitle(name, column).toLowerCase().includes(wanted);
  return (
    <>
      {columns.length + rest.length > MANY && (
        <input
          type="search"
          class="input"
          aria-label={find}
          placeholder={find}
          value={sought}
          onInput={({ currentTarget }) => seek(currentTarget.value)}
        />
      )}
      <ul class="menu-list" ref={list}>
        {columns.map((column, at) => (
          <li class="menu-row" key={column} hidden={isLeftOut(column)}>
            <Tick
              title={columnTitle(name, column)}
              value
              disabled={columns.length === 1}
              set={() =>
                set(
                  column,
                  columns.filter((one) => one !== column),
                  0,
                )
              }
            />
            <Move {...{ name, columns, set, at }} by={-1} />
            <Move {...{ name, columns, set, at }} by={1} />
          </li>
        ))}
        {rest.map((column) => (
          <li class="menu-row" key={column} hidden={isLeftOut(column)}>
            <Tick
              title={columnTitle(name, column)}
              value={false}
              set={() => set(column, [...columns, column], 0)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface MoveGiven {
  readonly columns: readonly string[];
  /** `control`: which one of the line was pressed. */
  readonly set: (column: string, next: readonly string[], control: number) => void;
  readonly name: string;
  readonly at: number;
  readonly by: -1 | 1;
}

function Move({ name, columns, set, at, by }: MoveGiven) {
  const to = at + by;
  const title = columnTitle(name, columns[at]!);
  return (
    <IconButton
      icon={by < 0 ? 'up' : 'down'}
      small
      label={say(by < 0 ? 'Move {what} left' : 'Move {what} right', { what: title })}
      disabled={to < 0 || to >= columns.length}
      onClick={() => set(columns[at]!, swapped(columns, at, to), by < 0 ? 1 : 2)}
    />
  );
}

function swapped<T>(list: readonly T[], one: number, other: number): readonly T[] {
  const next = [...list];
  [next[one], next[other]] = [next[other]!, next[one]!];
  return next;
}
