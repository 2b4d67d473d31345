/** Rows, logs and snapshots to files. */
import { RowCounter } from '../../../clients/typescript/index.ts';
import { failureText } from '../../present/failureText.ts';
import { placeOf, sortingOf, wanted } from '../../query/question.ts';
import { serviceName } from '../../state/view.ts';
import { tableOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { notify } from '../notices.ts';
import { rowsAt, service } from '../service/service.ts';
import { isAdmin, session } from '../service/session.ts';
import { minute, view } from '../store.ts';

export type Format = 'csv' | 'ndjson';
type Wanted = Readonly<Record<string, unknown>>;

const ACCEPT: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

function place() {
  const { table, project } = view.peek();
  const found = placeOf(tableOf(table), project, isAdmin.peek());
  if (!found) throw new Error(say('Select a project first.'));
  return found;
}

/** The body of an export of the view's rows. */
export function exportBody(columns: readonly string[]): Wanted {
  const now = view.peek();
  return {
    ...wanted({ ...now, columns }, place().view, new Date(minute.peek())),
    ...sortingOf(now),
    columns,
  };
}

/** The browser asks for the rows itself, and saves them as they come. */
export function saveByForm(body: Wanted, format: Format, frame: HTMLIFrameElement): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `${rowsAt(place()).path}/export`;
  form.target = frame.name;
  form.hidden = true;
  const fields = {
    request: JSON.stringify(body),
    accept: ACCEPT[format],
    access_token: session.peek()?.token ?? '',
  };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

interface Pickers {
  showSaveFilePicker?(options: {
    suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

const picker = () => (globalThis as Pickers).showSaveFilePicker;
export const canPick = () => picker() !== undefined;

/**
 * Streams the rows into a file that somebody chooses, counting them as they pass.
 *
 * @returns the saved rows and bytes; undefined when no file was chosen
 */
export async function saveToFile(
  body: Wanted,
  format: Format,
  signal: AbortSignal,
  onProgress: (rows: number, bytes: number) => void,
): Promise<{ readonly rows: number; readonly bytes: number } | undefined> {
  const suggestedName = `${serviceName(view.peek().table)}.${format}`;
  const file = await picker()
    ?.call(globalThis, { suggestedName })
    .catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
      return undefined;
    });
  if (!file) return undefined;
  onProgress(0, 0);
  const { stream, total } = await rowsAt(place()).exportFile(body, { signal, format });
  let bytes = 0;
  const counter = new RowCounter(format);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    start(out) {
      if (format === 'csv') out.enqueue(BYTE_ORDER_MARK);
    },
    transform(chunk, out) {
      bytes += chunk.length;
      counter.take(chunk);
      onProgress(counter.rows, bytes);
      out.enqueue(chunk);
    },
  });
  await stream.pipeThrough(counted).pipeTo(await file.createWritable(), { signal });
  return { rows: total, bytes };
}

/** Excel knows by it that a file is UTF-8; the service begins a file for a form with it. */
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

export const saveLog = (task: string) =>
  saveStream(`${task}.log`, () => service.tasks.logText({ task_id: task }));

export const saveSnapshot = (task: string, name: string) =>
  saveStream(name, async () => (await service.tasks.snapshot(task)).stream);

/** A download that a token is needed for, small enough for memory; a notice tells where it fails. */
async function saveStream(
  name: string,
  ask: () => Promise<ReadableStream<Uint8Array>>,
): Promise<void> {
  try {
    const blob = await new Response(await ask()).blob();
    const address = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (error) {
    notify(failureText(error));
  }
}
