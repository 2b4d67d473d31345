/**
 * A task in the peers: its columns, and one text that joins everything `q` looks at, folded
 * already.
 *
 *     tasks (MongoDB, as the index reads them) ──► one line a task, parted by tabs ──► COPY, import
 *
 * Backup tasks are left out: an admin's search never shows them unasked, and without them the peers
 * need not look at the scope at all.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Db, Document } from 'mongodb';
import type { Cell, Fold, Scalar } from '../../src/textindex/index.ts';
import { taskReading } from '../indexUnderTest.ts';
import { product } from '../product.ts';

const { taskCatalogue } = await product<
  typeof import('../../src/apps/admin/resources/taskTypes.ts')
>('apps/admin/resources/taskTypes');

/**
 * The columns of a line, with their types in SQL. Dates are milliseconds, none is -1; no text is ''.
 * `email` stands as it is, since it is counted; `user_email` is folded, to be searched.
 */
export const COLUMNS = {
  id: 'bigint',
  task_id: 'text',
  project_id: 'text',
  project_name: 'text',
  user_email: 'text',
  email: 'text',
  routing_key: 'text',
  status: 'text',
  worker: 'text',
  task_type: 'text',
  scope: 'text',
  date_queued: 'bigint',
  date_started: 'bigint',
  date_done: 'bigint',
  joined: 'text',
} as const;

/** Columns by name, with their types in SQL. */
export type Columns = Readonly<Record<string, 'bigint' | 'text'>>;

/** Parts the fields of the joined text; no question has it. */
const BETWEEN = '\u001f';

const JOINED = ['task_id', 'project_id', 'user_email', 'name', 'routing_key', 'folder', 'worker'];
const JOINED_TOO = ['status', 'exception_type'];

/** Writes the file that both databases are filled from; returns the number of lines. */
export async function writeLines(db: Db, fold: Fold, file: string): Promise<number> {
  const { projection, extract, columns } = taskReading();
  const names = await projectNames(db);
  const out = createWriteStream(file);
  const cursor = db.collection<Document>('tasks').find({}, { projection, raw: true });
  let lines = 0;
  let chunk = '';
  while (await cursor.hasNext()) {
    for (const raw of cursor.readBufferedDocuments()) {
      const { id, cells } = extract(raw as unknown as Uint8Array);
      const cell = (name: string): Cell => cells[columns.indexOf(name)]!;
      if (cell('scope') !== 'system' && cell('scope') !== 'project') continue;
      chunk += `${lineOf(String(id), cell, names, fold)}\n`;
      lines++;
    }
    if (chunk.length < 1_000_000) continue;
    if (!out.write(chunk)) await once(out, 'drain');
    chunk = '';
  }
  out.end(chunk);
  await once(out, 'finish');
  return lines;
}

function lineOf(
  id: string,
  cell: (name: string) => Cell,
  names: ReadonlyMap<string, string>,
  fold: Fold,
): string {
  const folded = (name: string) => textsOf(cell(name)).map((text) => fold.fold(text));
  const name = fold.fold(
    textsOf(cell('project_id'))
      .flatMap((key) => names.get(key) ?? [])
      .join(),
  );
  const label = taskCatalogue().byValue(cell('task_type'))?.label ?? '';
  const joined = [...[...JOINED, ...JOINED_TOO].flatMap(folded), name, fold.fold(label)].join(
    BETWEEN,
  );
  const plain = (column: string) => textsOf(cell(column)).join(BETWEEN);
  const fields = [
    ...[id, plain('task_id'), plain('project_id'), name],
    ...[folded('user_email').join(BETWEEN)],
    ...['user_email', 'routing_key', 'status', 'worker', 'task_type', 'scope'].map(plain),
    ...[dateOf(cell('date_queued')), dateOf(cell('date_started')), dateOf(cell('date_done'))],
    joined,
  ];
  const line = fields.join('\t');
  if (/[\n\r\\]/.test(line) || fields.length !== line.split('\t').length) {
    throw new Error(`task ${id} has characters that the file cannot hold`);
  }
  return line;
}

const textsOf = (cell: Cell): string[] =>
  (Array.isArray(cell) ? (cell as readonly Scalar[]) : [cell as Scalar]).filter(
    (one): one is string => typeof one === 'string',
  );

function dateOf(cell: Cell): string {
  if (cell === null) return '-1';
  if (cell instanceof Date) return String(cell.getTime());
  throw new Error('a date that is none');
}

/** Names of projects by identifier; the peers know one for each. */
async function projectNames(db: Db): Promise<ReadonlyMap<string, string>> {
  const projects = await db.collection('projects').find({}).sort({ _id: -1 }).toArray();
  return new Map(
    projects.flatMap(({ identifier, name }): [string, string][] =>
      typeof name === 'string' ? [[identifier, name]] : [],
    ),
  );
}
