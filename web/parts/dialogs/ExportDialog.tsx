/**
 * Exports the view as a file: all rows of one moment, in its order and columns.
 *
 * Where the browser lets a page write to a file that somebody chose, the rows are streamed into it and
 * counted; elsewhere a form asks for them, and the browser saves them as it saves any download. Neither
 * way are they held in memory.
 */
import { useRef, useState } from 'preact/hooks';
import { columnsShown } from '../../data/columns.ts';
import { closeDialog } from '../../data/dialogs.ts';
import { canPick, exportBody, saveByForm, saveToFile } from '../../data/saving.ts';
import { noticed } from '../../data/service.ts';
import { shown, table } from '../../data/store.ts';
import { failureText } from '../../present/failureText.ts';
import { bytesOf, countOf } from '../../state/times.ts';
import { columnTitle } from '../../tables/tables.ts';
import { heard, say } from '../../words/words.ts';
import { Choice } from '../controls/Choice.tsx';
import { Dialog } from './Dialog.tsx';

const FORMATS = [
  { value: 'csv', title: 'CSV' },
  { value: 'ndjson', title: 'NDJSON' },
] as const;
const WHICH = [
  { value: 'shown', title: 'Visible' },
  { value: 'all', title: 'All' },
] as const;

export function ExportDialog() {
  const [format, setFormat] = useState<(typeof FORMATS)[number]['value']>('csv');
  const [which, setWhich] = useState<(typeof WHICH)[number]['value']>('shown');
  const [state, setState] = useState<State>({ is: 'asked' });
  const stop = useRef(new AbortController());
  const frame = useRef<HTMLIFrameElement>(null);
  const total = shown.value?.answer.meta.pagination.total_items ?? 0;
  const columns = which === 'shown' ? columnsShown() : Object.keys(table.value.description.columns);

  const toFile = async () => {
    const body = exportBody(columns);
    stop.current = new AbortController();
    const { signal } = stop.current;
    try {
      const saved = await saveToFile(body, format, signal, (rows, bytes) =>
        setState({ is: 'running', rows, bytes }),
      );
      if (saved)
        setState({
          is: 'over',
          text: say('Saved {n} rows ({size}).', {
            n: countOf(saved.rows),
            size: bytesOf(saved.bytes),
          }),
        });
    } catch (error) {
      const why = failureText(noticed(error));
      setState({
        is: 'failed',
        text: signal.aborted ? say('Stopped. The file is incomplete.') : why,
      });
    }
  };
  const byForm = () => {
    saveByForm(exportBody(columns), format, frame.current!);
    setState({
      is: 'over',
      text: say('Your browser is downloading {n} rows. See its downloads for progress.', {
        n: countOf(total),
      }),
    });
  };
  return (
    <Dialog
      title={say('Export {what}', { what: `${countOf(total)} ${say(table.value.many)}` })}
      busy={state.is === 'running'}
      firm={state.is === 'running'}
    >
      <Choice title={say('Format')} options={FORMATS} value={format} set={setFormat} />
      <Choice title={say('Columns')} options={WHICH} value={which} set={setWhich} />
      <p class="dim">{columns.map((one) => columnTitle(table.value.name, one)).join(', ')}</p>
      {state.is === 'running' && (
        <>
          <progress class="progress" max={total} value={state.rows} aria-label={say('Progress')} />
          <p role="status">
            {say('{n} of {total} rows, {size}', {
              n: countOf(state.rows),
              total: countOf(total),
              size: bytesOf(state.bytes),
            })}
          </p>
        </>
      )}
      {(state.is === 'over' || state.is === 'failed') && (
        <p role="status" class={state.is === 'failed' ? 'problem' : ''}>
          {state.text}
        </p>
      )}
      <footer class="dialog-foot">
        {state.is === 'running' ? (
          <button type="button" class="button" onClick={() => stop.current.abort()}>
            {say('Stop')}
          </button>
        ) : (
          <button type="button" class="button" onClick={closeDialog}>
            {say('Close')}
          </button>
        )}
        {canPick() && (
          <button
            type="button"
            class="button"
            disabled={state.is === 'running'}
            onClick={() => void toFile()}
          >
            {say('Save to file…')}
          </button>
        )}
        <button
          type="button"
          class="button is-primary"
          disabled={state.is === 'running'}
          onClick={byForm}
        >
          {say('Download')}
        </button>
      </footer>
      <iframe
        ref={frame}
        name="download"
        title={say('Download')}
        class="hidden"
        onLoad={() => {
          const why = refusalIn(frame.current);
          if (why) setState({ is: 'failed', text: why });
        }}
      />
    </Dialog>
  );
}

type State =
  | { readonly is: 'asked' }
  | { readonly is: 'running'; readonly rows: number; readonly bytes: number }
  | { readonly is: 'over' | 'failed'; readonly text: string };

/** A file is saved and never loads; what does load is a refusal, as JSON. */
function refusalIn(frame: HTMLIFrameElement | null): string | undefined {
  try {
    const text = frame?.contentDocument?.body?.textContent ?? '';
    if (text.trim() === '') return undefined;
    const { title, detail } = JSON.parse(text) as { title?: string; detail?: string };
    return `${heard(title ?? '')}. ${heard(detail ?? '')}`;
  } catch {
    return undefined;
  }
}
