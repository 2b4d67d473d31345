/** The open record: its row, wherever it is found, and the tab that shows. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../clients/typescript/index.ts';
import { copy } from '../data/copy.ts';
import { openDialog } from '../data/dialogs.ts';
import { closePanel, leadsOn, openBeside } from '../data/moves.ts';
import { notify } from '../data/notices.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { foundBy, live } from '../data/rows/asking.ts';
import { recordShown } from '../data/rows/cells.ts';
import { changesOf, metadataOf, recordOf } from '../data/rows/record.ts';
import { saveLog, saveSnapshot } from '../data/rows/saving.ts';
import { service } from '../data/service/service.ts';
import { isAdmin } from '../data/service/session.ts';
import { go, keyOf, shown, tab, table, view } from '../data/store.ts';
import { Problem } from '../parts/controls/Problem.tsx';
import { Waiting } from '../parts/controls/Waiting.tsx';
import { DocumentView } from '../parts/record/DocumentView.tsx';
import { LogView } from '../parts/record/LogView.tsx';
import { Panel, type PanelDeeds } from '../parts/record/Panel.tsx';
import { Record, type RecordDeeds } from '../parts/record/Record.tsx';
import type { Row } from '../present/answer.ts';
import { kept } from '../present/merge.ts';
import { keyTextOf } from '../present/rowName.ts';
import { serviceName, type Tab } from '../state/view.ts';
import { fieldOf } from '../tables/tables.ts';

const showTab = (tab: Tab) => go({ ...view.peek(), tab }, 'replace');

const PANEL: PanelDeeds = {
  ...{ close: closePanel, copy, openBeside, showTab },
  setWidth: (recordWidth) => prefer({ recordWidth }),
  begin: ({ id }, row) => openDialog({ kind: 'action', action: id, on: [row] }),
};

const RECORD: RecordDeeds = {
  ...{ go, copy, saveSnapshot, tell: notify },
  showLog: () => showTab('log'),
  setWraps: (wraps) => prefer({ wraps }),
  askFirst: async (of, signal) => (await foundBy(of, signal))?.row,
  ...{ askChanges: changesOf, askMetadata: metadataOf },
};

export function RecordRegion({ open }: { readonly open: string }) {
  const { row, failure, retry } = useRecord(open);
  const { tabs } = table.value;
  // A row whose key is no condition cannot be requested; its document can.
  const first =
    row === undefined && !isAskable() ? tabs.find((one) => one === 'document') : undefined;
  const shownTab = first ?? tabs.find((one) => one === tab.value) ?? 'record';
  return (
    <Panel
      {...{ table: table.value, open, row, tab: shownTab, deeds: PANEL }}
      {...{ hasPrevious: leadsOn(open, -1), hasNext: leadsOn(open, 1) }}
    >
      {row === undefined && first === undefined ? (
        <Due failure={failure} retry={retry} />
      ) : (
        row !== 'missing' && <Body open={open} row={row ?? NO_ROW} tab={shownTab} />
      )}
    </Panel>
  );
}

const NO_ROW: Row = {};

/** In place of a row that has not come; nobody waits for one that is never asked for. */
function Due({ failure, retry }: Pick<Found, 'failure' | 'retry'>) {
  if (!isAskable()) return null;
  return failure === undefined ? <Waiting retry={retry} /> : <Problem why={failure} />;
}

/** No row can have such a key: a link that was cut off, say. */
const isNoKey = (error: unknown) => error instanceof ApiError && error.status === 422;

function isAskable(): boolean {
  const { key, description } = table.value;
  return description.conditions.includes(fieldOf(table.value, key));
}

interface BodyGiven {
  readonly open: string;
  readonly row: Row;
  readonly tab: Tab;
}

function Body({ open, row, tab }: BodyGiven) {
  const { wraps } = preferences.value;
  useEffect(() => {
    if (tab === 'record') recordShown.value = row;
  }, [row, tab]);
  if (tab === 'document') {
    const name = serviceName(table.value.name);
    const ask = (id: string, signal: AbortSignal) => service.document(name, id, { signal });
    return <DocumentView id={open} {...{ row, ask, copy }} />;
  }
  if (tab === 'log') {
    const { setWraps } = RECORD;
    return <LogView {...{ row, follow, wraps, setWraps }} download={saveLog} tell={notify} />;
  }
  return <Record {...{ table: table.value, row, admin: isAdmin.value, wraps, ...RECORD }} />;
}

const follow = (task_id: string, signal: AbortSignal, onOpen: () => void) =>
  service.tasks.followLog({ task_id }, { signal, onOpen });

/** How often the page requests a record that the table does not show, milliseconds. */
const EVERY_MS = 5_000;

interface Found {
  /** Undefined: it has not come. */
  readonly row: Row | 'missing' | undefined;
  /** Why the last request for it failed. */
  readonly failure: unknown;
  /** Asks for it once more. */
  readonly retry: () => void;
}

/** The row of the page; once the answers lack it, the service's answer about it. */
function useRecord(open: string): Found {
  const failure = useSignal<unknown>(undefined);
  const fetched = useSignal<Row | 'missing' | undefined>(undefined);
  const isIt = (row: Row) => keyTextOf(row, table.value) === open;
  const onPage = shown.value?.rows.find(isIt);
  // Rows stay in their place while one is open: once the answers lack it, the service is asked for it.
  const answer = shown.value?.answer;
  const inAnswer = answer?.data.find(isIt);
  const isInAnswer = inAnswer !== undefined;
  const asking = useRef<{ readonly abort: AbortController; again: boolean } | undefined>(undefined);
  useEffect(() => () => asking.current?.abort.abort(), []);
  /** Asks until it is known as it was after the last answer; one that is under way is not given up for another. */
  const ask = async () => {
    const abort = new AbortController();
    const mine = { abort, again: true };
    asking.current = mine;
    while (mine.again) {
      mine.again = false;
      try {
        const found = await recordOf(open, abort.signal);
        if (abort.signal.aborted) return;
        const before = [fetched.peek()].filter((one) => typeof one === 'object');
        fetched.value = found ? kept(before, [found], keyOf)[0] : 'missing';
        failure.value = undefined;
      } catch (error) {
        if (abort.signal.aborted) return;
        if (isNoKey(error)) fetched.value = 'missing';
        else failure.value = error;
      }
    }
    asking.current = undefined;
  };
  useEffect(() => {
    if (isInAnswer || !isAskable()) {
      asking.current?.abort.abort();
      asking.current = undefined;
      fetched.value = undefined;
      return undefined;
    }
    if (asking.current) asking.current.again = true;
    else void ask();
    // No answer comes where rows change that the table does not show.
    const timer = setInterval(() => {
      const { state } = live.peek();
      const isFollowed = state === 'live' || state === 'slow';
      if (isFollowed && !document.hidden && !asking.current) void ask();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isInAnswer || answer]);
  return {
    row: isInAnswer ? (onPage ?? inAnswer) : (fetched.value ?? onPage),
    failure: failure.value,
    retry() {
      asking.current?.abort.abort();
      void ask();
    },
  };
}
