/** The number of selected rows, and the actions on them. */
import { countOf } from '../../state/times.ts';
import type { Action, Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { ActionButtons } from '../controls/ActionButtons.tsx';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Menu } from '../controls/Menu.tsx';

interface Given {
  readonly table: Table;
  readonly count: number;
  /** How many rows match in all, where not all of them are selected; else 0. */
  readonly more: number;
  readonly chooseAll: () => void;
  readonly clear: () => void;
  readonly begin: (action: Action) => void;
}

/** In one line with the pages: where it is too narrow for all buttons, these are in a menu. */
export function Selection({ clear, ...given }: Given) {
  const { table, count } = given;
  return (
    <>
      <p class="pager-range" role="status">
        <strong class="figure">{countOf(count)}</strong>{' '}
        {say('{what} selected', { what: say(count === 1 ? table.one : table.many) })}
      </p>
      <div class="selection-wide">
        <Deeds {...given} />
      </div>
      <div class="selection-narrow">
        <Menu
          isLeft
          label={say('Actions')}
          face={
            <>
              {say('Actions')} <Icon name="up" size={13} />
            </>
          }
        >
          <Deeds {...given} />
        </Menu>
      </div>
      <IconButton
        icon="close"
        label={say('Clear selection')}
        title={`${say('Clear selection')} (Escape)`}
        onClick={clear}
      />
    </>
  );
}

function Deeds({ table, more, chooseAll, begin }: Omit<Given, 'clear'>) {
  return (
    <>
      {more > 0 && (
        <Button look="is-plain" onClick={chooseAll}>
          {say('Select all {n} that match', { n: countOf(more) })}
        </Button>
      )}
      <ActionButtons actions={table.actions} begin={begin} />
    </>
  );
}
