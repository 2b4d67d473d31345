/** The open dialog: one at most. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { carryOut, countForSweep, planForAll, sweep } from '../data/carryOut.ts';
import { closeDialog, closing, dialog, type OpenDialog } from '../data/dialogs.ts';
import { openAddress } from '../data/moves.ts';
import { notify } from '../data/notices.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { columnsShown } from '../data/rows/columns.ts';
import { canPick, exportBody, type Format, saveByForm, saveToFile } from '../data/rows/saving.ts';
import { labelOf } from '../data/service/projects.ts';
import { isAdmin, refuse } from '../data/service/session.ts';
import { matchedBy, shown, table, time, view } from '../data/store.ts';
import {
  areShared,
  changeView,
  createView,
  deleteView,
  movable,
  moveViews,
  refreshViews,
  savedAddress,
  views,
} from '../data/views.ts';
import { useAnswer } from '../parts/controls/useAnswer.ts';
import { ActionDialog, SweepDialog } from '../parts/dialogs/ActionDialog.tsx';
import { ExportDialog, type ExportState, type Problem } from '../parts/dialogs/ExportDialog.tsx';
import { FailuresDialog } from '../parts/dialogs/FailuresDialog.tsx';
import { HelpDialog } from '../parts/dialogs/HelpDialog.tsx';
import { ViewsDialog } from '../parts/dialogs/ViewsDialog.tsx';
import { failureText } from '../present/failureText.ts';
import { type Progress, planFor } from '../present/plan.ts';
import { bytesOf, countOf } from '../state/times.ts';
import type { Sweep } from '../tables/action.ts';
import { actionOf, tablesFor } from '../tables/tables.ts';
import { heard, say } from '../words/words.ts';
import { PaletteRegion } from './PaletteRegion.tsx';

export function DialogsRegion() {
  const open = dialog.value;
  switch (open.kind) {
    case 'help':
      return (
        <HelpDialog
          table={table.value.name}
          tables={tablesFor(isAdmin.value).length}
          time={time.value}
          hasShortcuts={preferences.value.shortcuts}
          setShortcuts={(shortcuts) => prefer({ shortcuts })}
          close={closeDialog}
        />
      );
    case 'palette':
      return <PaletteRegion />;
    case 'export':
      return <ExportRegion />;
    case 'views':
      return <ViewsRegion of={open} />;
    case 'action':
      return <ActionRegion key={open.action} of={open} />;
    case 'sweep':
      return table.value.sweep ? (
        <SweepRegion of={table.value.sweep} close={closing(open)} />
      ) : null;
    case 'failures':
      return <FailuresDialog outcomes={open.outcomes} close={closeDialog} />;
    default:
      return null;
  }
}

/** The confirmation of an action, and how far it is. */
function ActionRegion({ of }: { readonly of: OpenDialog & { kind: 'action' } }) {
  const action = actionOf(of.action);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const chosen = useMemo(() => (of.on === 'all' ? undefined : planFor(action, of.on)), []);
  const [plan = chosen, problem, again] = useAnswer(
    async (signal) => chosen ?? planForAll(action, signal),
    [],
  );
  const [progress, setProgress] = useState<Progress>();
  return (
    <ActionDialog
      {...{ action, plan, progress, problem, again }}
      begin={(meant) => void carryOut(meant, stop.current.signal, setProgress)}
      stop={() => stop.current.abort()}
      close={closeDialog}
    />
  );
}

interface SweepGiven {
  readonly of: Sweep;
  readonly close: () => void;
}

function SweepRegion({ of, close }: SweepGiven) {
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked');
  const [failed, setFailed] = useState<unknown>();
  const [count, problem = failed, again] = useAnswer((signal) => countForSweep(of, signal), []);
  return (
    <SweepDialog
      {...{ of, count, state, problem, again, table: table.value }}
      begin={() => {
        setState('running');
        sweep(of).then(close, (error: unknown) => {
          setState('over');
          setFailed(error);
        });
      }}
      close={close}
    />
  );
}

/** The rows of the view to a file. */
function ExportRegion() {
  const [state, setState] = useState<ExportState>({ is: 'asked' });
  const stop = useRef(new AbortController());
  // The rows of the search before are none that would be exported.
  const isCurrent = shown.value && matchedBy(shown.value.of) === matchedBy(view.value);
  const total = isCurrent ? shown.value?.answer.meta.pagination.total_items : undefined;
  const failed = (text: string) => setState({ is: 'failed', text });
  const refused = (problem: Problem | undefined) => {
    if (!problem) return failed(heard('The service cannot be reached.'));
    const { status, title = '', detail = '' } = problem;
    if (status === 401) refuse(detail);
    failed(`${heard(title)}. ${heard(detail)}`);
  };

  const save = async (columns: readonly string[], format: Format) => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    try {
      const body = exportBody(columns);
      const saved = await saveToFile(body, format, signal, (rows, bytes) =>
        setState({ is: 'running', rows, bytes }),
      );
      if (!saved) return;
      const count = { n: countOf(saved.rows), size: bytesOf(saved.bytes) };
      setState({ is: 'over', text: say('Saved {n} rows ({size}).', count) });
    } catch (error) {
      // The browser writes the file whole or not at all.
      if (signal.aborted) failed(say('Stopped. Nothing was saved.'));
      else failed(say('Nothing was saved. {why}', { why: failureText(error) }));
    }
  };
  const download = (columns: readonly string[], format: Format, frame: HTMLIFrameElement) => {
    saveByForm(exportBody(columns), format, frame);
    setState({
      is: 'over',
      text: say('Your browser is downloading {n} rows. See its downloads for progress.', {
        n: countOf(total ?? 0),
      }),
    });
  };
  return (
    <ExportDialog
      {...{ total, state, download, refused }}
      table={table.value}
      columns={columnsShown()}
      save={canPick() ? (columns, format) => void save(columns, format) : undefined}
      stop={() => stop.current.abort()}
      close={closeDialog}
    />
  );
}

/** The saved views, and the view that shows as one to be saved. */
function ViewsRegion({ of }: { readonly of: OpenDialog }) {
  const [problem, setProblem] = useState<unknown>();
  /** The changes under way, and those behind them. */
  const [due, setDue] = useState(0);
  const last = useRef(Promise.resolve(true));
  const failed = (error: unknown) => {
    if (dialog.peek() === of) setProblem(error);
    else notify(failureText(error));
  };
  /** One change after the other: each is of the list that the one before leaves. */
  const attempt = (what: () => Promise<void>): Promise<boolean> => {
    // Not at its turn: the one before may have failed then.
    setProblem(undefined);
    setDue((now) => now + 1);
    last.current = last.current.then(async () => {
      try {
        await what();
        return true;
      } catch (error) {
        failed(error);
        return false;
      } finally {
        setDue((now) => now - 1);
      }
    });
    return last.current;
  };
  const [, unread, again] = useAnswer(() => refreshViews(), []);
  const address = savedAddress(view.value);
  return (
    <ViewsDialog
      {...{ problem, unread, again, labelOf, isSaving: due > 0 }}
      views={views.value}
      shown={{ table: view.value.table, address, projectId: projectShown() }}
      areShared={areShared.value}
      movable={movable.value}
      mayShare={isAdmin.value}
      create={(wish) => attempt(() => createView(view.peek(), wish))}
      change={(one, wish, replaces) =>
        attempt(() => changeView(one, wish, replaces ? address : undefined))
      }
      remove={(one) => attempt(() => deleteView(one))}
      move={() => attempt(moveViews)}
      open={openAddress}
      close={closing(of)}
    />
  );
}

/** The one project that the table shows. */
function projectShown(): string | null {
  const { project, conditions } = view.value;
  const named = conditions.flatMap((one) =>
    one.kind === 'values' && one.field === 'project_id' && !one.not ? one.values : [],
  );
  const [id] = named;
  return project ?? (typeof id === 'string' && named.length === 1 ? id : null);
}
