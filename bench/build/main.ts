/**
 * The build of a table of tasks from documents already read, and its changes a second.
 *
 *     raw documents ──► extract, put: 32 at a time, in turns of 4 ms ──► maintenance, in turns of 4 ms
 *
 * That is how the service loads a table: maintenance during a load would leave holes in its memory.
 * Reading from the store is not counted, nor is anything that the store does.
 */
import { type Db, MongoClient } from 'mongodb';
import type { Row } from '../../src/textindex/index.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { taskReading } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { percentile, time } from '../measure.ts';
import { product } from '../product.ts';
import type { Place } from '../store.ts';
import { definitionUnderTest, layoutUnderTest } from '../without.ts';

const { createIndex } =
  await product<typeof import('../../src/textindex/index.ts')>('textindex/index');
const { CaseFolding } =
  await product<typeof import('../../src/store/caseFolding.ts')>('store/caseFolding');

export interface BuildJob {
  readonly place: Place;
}

export interface BuildResult {
  /** Rows a second into the table, maintenance included. */
  readonly rowsPerSecond: number;
  /** The same with taking documents apart. */
  readonly documentsPerSecond: number;
  /** Milliseconds of the turns, each of which blocks the event loop. */
  readonly turnP999: number;
  readonly turnMax: number;
  /** Changed rows a second, one after the other as fast as they go, maintenance included. */
  readonly changesPerSecond: number;
}

const SLICE = 32;
const TURN_MS = 4;
/** Documents of one reply, as the service asks for them. */
const BATCH = 2_000;
const CHANGES = 200_000;
const CHANGES_AT_ONCE = 1_000;

takeJob(async ({ place }: BuildJob): Promise<BuildResult> => {
  const client = await MongoClient.connect(place.uri);
  try {
    return await buildTasks(client.db(place.dbName));
  } finally {
    await client.close();
  }
});

async function buildTasks(db: Db): Promise<BuildResult> {
  const fold = await new CaseFolding(db).fold();
  const { definition, projection, extract, columns } = taskReading();
  const expectedRows = await db.collection('tasks').estimatedDocumentCount();
  const table = createIndex(definitionUnderTest(definition), {
    ...{ fold, expectedRows, layout: layoutUnderTest },
  });
  const turns: number[] = [];
  let extracting = 0;
  let count = 0;
  const cursor = db.collection('tasks').find({}, { projection, raw: true, batchSize: BATCH });
  while (await cursor.hasNext()) {
    const documents = cursor.readBufferedDocuments() as unknown as Uint8Array[];
    for (let from = 0; from < documents.length; ) {
      const started = performance.now();
      let now = started;
      for (; from < documents.length && now - started < TURN_MS; from += SLICE) {
        const rows = documents.slice(from, from + SLICE).map((document) => extract(document));
        extracting += performance.now() - now;
        for (const row of rows) table.put(row);
        count += rows.length;
        now = performance.now();
      }
      turns.push(now - started);
    }
  }
  for (let more = true; more; ) {
    turns.push(
      time(() => {
        more = table.maintain(TURN_MS);
      }),
    );
  }
  const building = turns.reduce((sum, ms) => sum + ms, 0);
  return {
    rowsPerSecond: (count / (building - extracting)) * 1000,
    documentsPerSecond: (count / building) * 1000,
    turnP999: percentile(turns, 0.999),
    turnMax: Math.max(...turns),
    changesPerSecond: saturate(table, await someRows(db, { projection, extract }), columns),
  };
}

/** Rows to change; read when all is built, since they would be in the collector's way. */
async function someRows(
  db: Db,
  { projection, extract }: Pick<ReturnType<typeof taskReading>, 'projection' | 'extract'>,
): Promise<Row[]> {
  const tasks = db.collection('tasks').find({}, { projection, raw: true }).limit(20_000);
  const documents = (await tasks.toArray()) as unknown as Uint8Array[];
  return documents.map((document) => extract(document));
}

/** States move on, dates are set, one in five is a new task, as workers write. */
function saturate(
  table: ReturnType<typeof createIndex>,
  rows: readonly Row[],
  columns: readonly string[],
): number {
  const next = randomFrom(29);
  const place = (name: string) => columns.indexOf(name);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  let fresh = 1_000_000_000;
  let spent = 0;
  for (let changed = 0; changed < CHANGES; changed += CHANGES_AT_ONCE) {
    const batch = Array.from({ length: CHANGES_AT_ONCE }, (): Row => {
      const row = rows[Math.floor(next() * rows.length)]!;
      const cells = [...row.cells];
      cells[place('status')] = ['STARTED', 'SUCCESS', 'FAILURE'][Math.floor(next() * 3)]!;
      cells[place('date_done')] = new Date(Date.UTC(2026, 0, 1) + Math.floor(next() * 1e9));
      if (next() >= 0.2) return { id: row.id, cells };
      cells[place('task_id')] = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
      return { id: fresh++, cells };
    });
    spent += time(() => {
      for (const row of batch) table.put(row);
      table.maintain(1);
    });
  }
  spent += time(() => {
    while (table.maintain(TURN_MS));
  });
  return (CHANGES / spent) * 1000;
}
