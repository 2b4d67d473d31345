/**
 * Exports the view as a file: all rows of one moment, in its order and columns.
 *
 * Where the browser lets a page write to a file that somebody chose, the page streams the rows into it and
 * counts them. Elsewhere a form asks for them, and the browser saves them as any download. Neither
 * way holds them in memory.
 */
import { useRef, useState } from 'preact/hooks';
import { bytesOf, countOf } from '../../state/times.ts';
import { columnTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Choice } from '../controls/Choice.tsx';
import { Dialog } from './Dialog.tsx';

const FORMATS = [
  { value: 'csv', title: 'CSV' },
  { value: 'ndjson', title: 'NDJSON' },
] as const;
type Format = (typeof FORMATS)[number]['value'];
const WHICH = [
  { value: 'shown', title: 'Visible' },
  { value: 'all', title: 'All' },
] as const;

interface Given {
  readonly table: Table;
  /** Undefined while the rows are counted. */
  readonly total: number | undefined;
  /** The columns that the table shows. */
  readonly columns: readonly string[];
  readonly state: ExportState;
  /** Streams the rows into a file; undefined where the browser cannot. */
  readonly save: ((columns: readonly string[], format: Format) => void) | undefined;
  /** Lets the browser save them; the frame loads the service's answer. */
  readonly download: (columns: readonly string[], format: Format, frame: HTMLIFrameElement) => void;
  /** Undefined: what came is no answer of the service. */
  readonly refused: (problem: Problem | undefined) => void;
  readonly stop: () => void;
  readonly close: () => void;
}

export function ExportDialog(given: Given) {
  const { table, total, state, save, download, refused, stop, close } = given;
  const [format, setFormat] = useState<Format>('csv');
  const [which, setWhich] = useState<(typeof WHICH)[number]['value']>('shown');
  const frame = useRef<HTMLIFrameElement>(null);
  const columns = which === 'shown' ? given.columns : Object.keys(table.description.columns);
  const isRunning = state.is === 'running';
  const isOff = isRunning || total === undefined;
  const count = total === undefined ? '' : countOf(total);
  return (
    <Dialog
      title={say('Export {what}', { what: `${count} ${say(table.many)}`.trim() })}
      close={isRunning ? undefined : close}
    >
      <Choice title={say('Format')} options={FORMATS} value={format} set={setFormat} />
      <Choice title={say('Columns')} options={WHICH} value={which} set={setWhich} />
      <p class="dim">{columns.map((one) => columnTitle(table.name, one)).join(', ')}</p>
      {state.is === 'running' && (
        <>
          <progress class="progress" max={total} value={state.rows} aria-label={say('Progress')} />
          <p role="status">
            {state.rows > 0 &&
              say('{n} of {total} rows, {size}', {
                n: countOf(state.rows),
                total: count,
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
        <Button onClick={isRunning ? stop : close}>{say(isRunning ? 'Stop' : 'Close')}</Button>
        {save && (
          <Button disabled={isOff} onClick={() => save(columns, format)}>
            {say('Save to file…')}
          </Button>
        )}
        <Button
          look="is-primary"
          disabled={isOff}
          onClick={() => download(columns, format, frame.current!)}
        >
          {say('Download')}
        </Button>
      </footer>
      <iframe
        ref={frame}
        name="download"
        title={say('Download')}
        class="hidden"
        onLoad={({ currentTarget }) => {
          const text = textIn(currentTarget);
          if (text !== '') refused(problemIn(text));
        }}
      />
    </Dialog>
  );
}

export type ExportState =
  | { readonly is: 'asked' }
  | { readonly is: 'running'; readonly rows: number; readonly bytes: number }
  | { readonly is: 'over' | 'failed'; readonly text: string };

/** An error of the service. */
export interface Problem {
  readonly status?: number;
  readonly title?: string;
  readonly detail?: string;
}

/** A file is saved and never loads. A refusal loads, as JSON; so does the page of a proxy, or the browser's own one. */
function textIn({ contentDocument }: HTMLIFrameElement): string {
  // No page reads that of the browser.
  return contentDocument === null
    ? 'unreachable'
    : (contentDocument.body?.textContent ?? '').trim();
}

function problemIn(text: string): Problem | undefined {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return undefined;
  }
}
