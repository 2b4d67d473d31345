/** One record, whole, beside the rows it is of. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../../present/answer.ts';
import { skipOf } from '../../present/plan.ts';
import { rowName, titled } from '../../present/rowName.ts';
import { typeLabels } from '../../state/surroundings.ts';
import type { Tab } from '../../state/view.ts';
import type { Action } from '../../tables/action.ts';
import { columnOf, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { ActionButtons } from '../controls/ActionButtons.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { along, walk } from '../controls/roving.ts';
import { cellValue } from '../table/Cell.tsx';
import { PanelGrip } from './PanelGrip.tsx';

interface Given {
  readonly table: Table;
  /** The key of the record. */
  readonly open: string;
  /** Undefined while it is not known. */
  readonly row: Row | 'missing' | undefined;
  readonly tab: Tab;
  /** Whether a row comes before it, and after it. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly deeds: PanelDeeds;
  /** The tab that shows. */
  readonly children: ComponentChildren;
}

export interface PanelDeeds {
  readonly close: () => void;
  readonly copy: (text: string) => void;
  /** Opens the row before or after this one. */
  readonly openBeside: (key: string, step: 1 | -1) => void;
  readonly showTab: (tab: Tab) => void;
  /** Pixels; null: a share of the window. */
  readonly setWidth: (width: number | null) => void;
  readonly begin: (action: Action, row: Row) => void;
}

export function Panel({ table, open, row: found, tab, deeds, ...given }: Given) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const row = found === 'missing' ? undefined : found;
  const { one, name, looks } = table;
  const tabs: readonly Tab[] = ['record', ...table.tabs];
  const state = Object.keys(looks).find((one) => looks[one]!.look === 'status');
  return (
    <aside
      ref={panel}
      class="panel"
      tabIndex={-1}
      aria-label={say('{what} details', { what: say(one) })}
    >
      <PanelGrip setWidth={deeds.setWidth} />
      <header class="panel-head">
        <div class="panel-title">
          {row && state !== undefined && cellValue(columnOf(name, state), row[state])}
          <h2 class="panel-name">
            {row ? rowName(table, row, typeLabels.value) : titled(say(one))}
          </h2>
        </div>
        <div class="panel-tools">
          <IconButton
            {...{ icon: 'up', label: `${say('Previous row')} (k)`, disabled: !given.hasPrevious }}
            onClick={() => deeds.openBeside(open, -1)}
          />
          <IconButton
            {...{ icon: 'down', label: `${say('Next row')} (j)`, disabled: !given.hasNext }}
            onClick={() => deeds.openBeside(open, 1)}
          />
          <IconButton icon="close" label={`${say('Close')} (Escape)`} onClick={deeds.close} />
        </div>
        <button
          type="button"
          class="panel-key mono"
          title={say('Copy')}
          onClick={() => deeds.copy(open)}
        >
          {open} <Icon name="copy" size={13} />
        </button>
      </header>
      {tabs.length > 1 && (
        <div
          class="tabs"
          role="tablist"
          aria-label={say('Sections')}
          onKeyDown={(event) => {
            const { currentTarget: list } = event;
            walk(event, () => [...list.querySelectorAll<HTMLElement>('.tab')], TABS)?.click();
          }}
        >
          {tabs.map((one) => (
            <button
              type="button"
              class="tab"
              role="tab"
              id={`tab-${one}`}
              aria-controls="panel-body"
              aria-selected={tab === one}
              tabIndex={tab === one ? 0 : -1}
              key={one}
              onClick={() => deeds.showTab(one)}
            >
              {say(TAB_TITLES[one])}
            </button>
          ))}
        </div>
      )}
      <div
        class="panel-body"
        id="panel-body"
        {...(tabs.length > 1 && { role: 'tabpanel', 'aria-labelledby': `tab-${tab}` })}
      >
        {found === 'missing' && (
          <p class="dim">{say('It was deleted, or you do not have access.')}</p>
        )}
        {given.children}
      </div>
      {row && (
        <footer class="panel-foot">
          <ActionButtons
            actions={table.actions.filter((one) => !skipOf(one, row))}
            begin={(action) => deeds.begin(action, row)}
          />
        </footer>
      )}
    </aside>
  );
}

const TABS = along('ArrowLeft', 'ArrowRight');

const TAB_TITLES: Readonly<Record<Tab, string>> = {
  record: 'Details',
  log: 'Log',
  document: 'Document',
};
