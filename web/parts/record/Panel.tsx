/** One record, whole, beside the rows it is of. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { copy } from '../../data/copy.ts';
import { dialog } from '../../data/dialogs.ts';
import { closePanel, neighbour, openOther } from '../../data/moves.ts';
import { recordOf } from '../../data/record.ts';
import { go, shown, tab, table, view } from '../../data/store.ts';
import type { Row } from '../../present/answer.ts';
import { skipOf } from '../../present/plan.ts';
import { keyTextOf, rowName, titled } from '../../present/rowName.ts';
import { typeLabels } from '../../state/surroundings.ts';
import type { Tab } from '../../state/view.ts';
import { actionsFor, columnOf, stateColumn } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { cellValue } from '../table/Cell.tsx';
import { DocumentView } from './DocumentView.tsx';
import { LogView } from './LogView.tsx';
import { PanelGrip } from './PanelGrip.tsx';
import { Record } from './Record.tsx';

export function Panel({ open }: { readonly open: string }) {
  const fetched = useSignal<Row | 'missing' | undefined>(undefined);
  const panel = useRef<HTMLElement>(null);
  const isIt = (row: Row) => keyTextOf(row, table.value.key) === open;
  const onPage = shown.value?.rows.find(isIt);
  // Rows stay in their place while one is open. What it is like once the answers lack it is asked for.
  const answer = shown.value?.answer;
  const inAnswer = answer?.data.find(isIt);
  const isInAnswer = inAnswer !== undefined;
  const asking = useRef<{ readonly abort: AbortController; again: boolean } | undefined>(undefined);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    return () => asking.current?.abort.abort();
  }, []);
  /** Asks until it is known as it was after the last answer; one that is under way is not given up for another. */
  const ask = async () => {
    const abort = new AbortController();
    const mine = { abort, again: true };
    asking.current = mine;
    while (mine.again) {
      mine.again = false;
      // Null: it could not be asked for.
      const found = await recordOf(open, abort.signal).catch(() => null);
      if (abort.signal.aborted) return;
      if (found !== null) fetched.value = found ?? 'missing';
    }
    asking.current = undefined;
  };
  useEffect(() => {
    if (isInAnswer) {
      asking.current?.abort.abort();
      asking.current = undefined;
      fetched.value = undefined;
    } else if (asking.current) asking.current.again = true;
    else void ask();
  }, [isInAnswer || answer]);
  const found = isInAnswer ? (onPage ?? inAnswer) : (fetched.value ?? onPage);
  const row = found === 'missing' ? undefined : found;
  const { one, name } = table.value;
  const tabs: readonly Tab[] = ['record', ...table.value.tabs];
  const state = stateColumn(table.value);
  const which = tabs.includes(tab.value) ? tab.value : 'record';
  return (
    <aside
      ref={panel}
      class="panel"
      tabIndex={-1}
      aria-label={say('{what} details', { what: say(one) })}
    >
      <PanelGrip />
      <header class="panel-head">
        <div class="panel-title">
          {row && state !== undefined && cellValue(columnOf(name, state), row[state])}
          <h2 class="panel-name">
            {row ? rowName(table.value, row, typeLabels.value) : titled(say(one))}
          </h2>
        </div>
        <div class="panel-tools">
          <Step to={neighbour(open, -1)} icon="up" title={say('Previous row (k)')} />
          <Step to={neighbour(open, 1)} icon="down" title={say('Next row (j)')} />
          <button
            type="button"
            class="button is-icon"
            aria-label={say('Close (Escape)')}
            title={say('Close (Escape)')}
            onClick={closePanel}
          >
            <Icon name="close" />
          </button>
        </div>
        <button type="button" class="panel-key mono" title={say('Copy')} onClick={() => copy(open)}>
          {open} <Icon name="copy" size={13} />
        </button>
      </header>
      {tabs.length > 1 && (
        <div class="tabs" role="tablist" aria-label={say('Sections')}>
          {tabs.map((one) => (
            <button
              type="button"
              class="tab"
              role="tab"
              id={`tab-${one}`}
              aria-controls="panel-body"
              aria-selected={which === one}
              key={one}
              onClick={() => go({ ...view.value, tab: one }, 'replace')}
            >
              {say(TAB_TITLES[one])}
            </button>
          ))}
        </div>
      )}
      <div
        class="panel-body"
        id="panel-body"
        {...(tabs.length > 1 && { role: 'tabpanel', 'aria-labelledby': `tab-${which}` })}
      >
        {found === 'missing' && (
          <p class="dim">{say('It was deleted, or you do not have access.')}</p>
        )}
        {row && which === 'record' && <Record row={row} />}
        {row && which === 'log' && <LogView row={row} />}
        {row && which === 'document' && <DocumentView id={open} row={row} />}
      </div>
      {row && <PanelActions row={row} />}
    </aside>
  );
}

interface StepGiven {
  /** The key of a row; undefined where the page ends. */
  readonly to: string | undefined;
  readonly icon: 'up' | 'down';
  readonly title: string;
}

/** Leads to the record of another row of the page. */
function Step({ to, icon, title }: StepGiven) {
  return (
    <button
      type="button"
      class="button is-icon"
      aria-label={title}
      title={title}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) openOther(to);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

function PanelActions({ row }: { readonly row: Row }) {
  const actions = actionsFor(table.value.name);
  if (actions.length === 0) return null;
  return (
    <footer class="panel-foot">
      {actions
        .filter((action) => !skipOf(action, row))
        .map((action) => (
          <button
            type="button"
            class={`button ${action.dangerous ? 'is-danger' : ''}`}
            key={action.id}
            onClick={() => {
              dialog.value = { kind: 'action', action: action.id, on: [row] };
            }}
          >
            {say(action.title)}
          </button>
        ))}
    </footer>
  );
}

const TAB_TITLES: Readonly<Record<Tab, string>> = {
  record: 'Details',
  log: 'Log',
  document: 'Document',
};
