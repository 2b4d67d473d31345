/** The rows of the view to a file. */
import { useRef, useState } from 'preact/hooks';
import { closeDialog } from '../data/dialogs.ts';
import { columnsShown } from '../data/rows/columns.ts';
import { canPick, exportBody, type Format, saveByForm, saveToFile } from '../data/rows/saving.ts';
import { noticed } from '../data/service/service.ts';
import { refuse } from '../data/service/session.ts';
import { matchedBy, shown, table, view } from '../data/store.ts';
import { ExportDialog, type ExportState, type Problem } from '../parts/dialogs/ExportDialog.tsx';
import { failureText } from '../present/failureText.ts';
import { bytesOf, countOf } from '../state/times.ts';
import { heard, say } from '../words/words.ts';

export function ExportRegion() {
  const [state, setState] = useState<ExportState>({ is: 'asked' });
  const stop = useRef(new AbortController());
  // The rows of the search before are none that would be exported.
  const isCurrent = shown.value && matchedBy(shown.value.of) === matchedBy(view.value);
  const total = isCurrent ? shown.value?.answer.meta.pagination.total_items : undefined;
  const failed = (text: string) => setState({ is: 'failed', text });
  const refused = ({ status, title = '', detail = '' }: Problem) => {
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
      else failed(say('Nothing was saved. {why}', { why: failureText(noticed(error)) }));
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
