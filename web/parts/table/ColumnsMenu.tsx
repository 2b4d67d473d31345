/** The menu for columns and their order, the height of rows, and the format of times. */
import { computed } from '@preact/signals';
import { prefer, preferences } from '../../data/preferences.ts';
import { go, table, view } from '../../data/store.ts';
import { columnsOf, columnTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { Menu } from '../controls/Menu.tsx';
import { Tick } from '../controls/Tick.tsx';

const chosenColumns = computed(() => view.value.columns);

/** The columns that show: those of the address that are there, or the table's own. */
const shownColumns = computed((): readonly string[] => {
  const { columns } = table.value;
  const known = table.value.description.columns;
  const wanted = (chosenColumns.value ?? columns).filter((one) => Object.hasOwn(known, one));
  return wanted.length > 0 ? wanted : columns;
});
export const columnsShown = () => shownColumns.value;

export function setColumns(next: readonly string[]): void {
  const same = next.join() === table.peek().columns.join();
  go({ ...view.peek(), columns: same ? null : next }, 'replace');
}

const DENSITIES = [
  { value: 'compact', title: 'Compact' },
  { value: 'normal', title: 'Normal' },
  { value: 'relaxed', title: 'Relaxed' },
] as const;
const TIMES = [
  { value: 'relative', title: 'Relative' },
  { value: 'absolute', title: 'Absolute' },
] as const;

export function ColumnsMenu() {
  const columns = columnsShown();
  const rest = columnsOf(table.value.name).filter((one) => !columns.includes(one));
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
        value={preferences.value.density}
        set={(density) => prefer({ density })}
      />
      <Choice
        title={say('Times')}
        options={TIMES}
        value={preferences.value.times}
        set={(times) => prefer({ times })}
      />
      <div class="menu-title is-next">{say('Columns')}</div>
      <ul class="menu-list">
        {columns.map((column, at) => (
          <li class="menu-row" key={column}>
            <Tick
              title={columnTitle(table.value.name, column)}
              value
              disabled={columns.length === 1}
              set={() => setColumns(columns.filter((one) => one !== column))}
            />
            <Move columns={columns} at={at} by={-1} />
            <Move columns={columns} at={at} by={1} />
          </li>
        ))}
        {rest.map((column) => (
          <li class="menu-row" key={column}>
            <Tick
              title={columnTitle(table.value.name, column)}
              value={false}
              set={() => setColumns([...columns, column])}
            />
          </li>
        ))}
      </ul>
      <button type="button" class="button is-plain" onClick={() => resetColumns()}>
        {say('Reset columns')}
      </button>
    </Menu>
  );
}

function resetColumns(): void {
  setColumns(table.value.columns);
  const { widths } = preferences.peek();
  const prefix = `${table.value.name} `;
  prefer({
    widths: Object.fromEntries(Object.entries(widths).filter(([key]) => !key.startsWith(prefix))),
  });
}

interface MoveGiven {
  readonly columns: readonly string[];
  readonly at: number;
  readonly by: -1 | 1;
}

function Move({ columns, at, by }: MoveGiven) {
  const to = at + by;
  const title = columnTitle(table.value.name, columns[at]!);
  return (
    <button
      type="button"
      class="button is-icon is-small"
      disabled={to < 0 || to >= columns.length}
      aria-label={say(by < 0 ? 'Move {what} left' : 'Move {what} right', { what: title })}
      onClick={() => setColumns(swapped(columns, at, to))}
    >
      <Icon name={by < 0 ? 'up' : 'down'} size={13} />
    </button>
  );
}

function swapped<T>(list: readonly T[], one: number, other: number): readonly T[] {
  const next = [...list];
  [next[one], next[other]] = [next[other]!, next[one]!];
  return next;
}

interface ChoiceGiven<T extends string> {
  readonly title: string;
  readonly options: readonly { readonly value: T; readonly title: string }[];
  readonly value: T;
  readonly set: (value: T) => void;
}

export function Choice<T extends string>({ title, options, value, set }: ChoiceGiven<T>) {
  return (
    <fieldset class="choice">
      <legend class="menu-title">{title}</legend>
      <div class="segments">
        {options.map((one) => (
          <button
            type="button"
            class="segment"
            key={one.value}
            aria-pressed={one.value === value}
            onClick={() => set(one.value)}
          >
            {say(one.title)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
