/**
 * A worker to play with, on the store of a running demo:
 *
 *     npm run demo                                                        (in one terminal)
 *     npx tsx examples/worker.ts --uri "$(npx tsx src/dev/cli/devDatabase.ts)" --queue 3   (in another)
 *
 * It takes the tasks it queued, oldest first, writes their logs and snapshots, and stops working on one that is
 * cancelled through the service meanwhile. Ctrl-C hands the task in hand back. examples/README.md
 * tells the contract that real workers keep.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { type Db, type Document, MongoClient } from 'mongodb';
import { Worker } from './worker/worker.ts';

const HELP = `Usage: npx tsx examples/worker.ts --uri <mongodb://…> [options]
  --uri <address>   the store (or MONGODB_URI)
  --db <name>       its database, default table_search (or MONGODB_DB)
  --queue <n>       first queues n tasks of the first project there is, in folder "examples"
  --all             takes every task that waits, not only those in folder "examples"
  --tasks <n>       ends after n tasks; otherwise Ctrl-C ends it
  --step <ms>       time of each of a task's ten steps, default 1000
  --name <text>     the worker's name, default worker-<pid>@<host>`;

/** Demo tasks stay as their story has them: the worker keeps to a folder of its own. */
const FOLDER = 'examples';

const { values } = parseArgs({
  options: {
    uri: { type: 'string', default: process.env.MONGODB_URI ?? '' },
    db: { type: 'string', default: process.env.MONGODB_DB ?? 'table_search' },
    queue: { type: 'string', default: '0' },
    all: { type: 'boolean', default: false },
    tasks: { type: 'string' },
    step: { type: 'string', default: '1000' },
    name: { type: 'string', default: `worker-${process.pid}@${hostname()}` },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || values.uri === '') {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const client = await MongoClient.connect(values.uri, { serverSelectionTimeoutMS: 5_000 });
try {
  const db = client.db(values.db);
  await queue(db, Number(values.queue));
  const worker = new Worker({
    db,
    name: values.name,
    stepMs: Number(values.step),
    folder: values.all ? undefined : FOLDER,
    signal: stop.signal,
    say: console.log,
  });
  await worker.run(values.tasks === undefined ? undefined : Number(values.tasks));
} finally {
  await client.close();
}

/** Queues tasks as the rest of the product would, under the next free row ids. */
async function queue(db: Db, n: number): Promise<void> {
  const project = await db.collection('projects').findOne({}, { sort: { _id: 1 } });
  const tasks = db.collection<Document & { _id: number }>('tasks');
  for (let i = 0; i < n; i++) {
    const [last] = await tasks
      .find({ _id: { $gte: 0 } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    const task_id = randomUUID();
    await tasks.insertOne({
      _id: (last?._id ?? 0) + 1,
      task_id,
      scope: project ? 'project' : 'system',
      project_id: project?.identifier ?? null,
      folder: FOLDER,
      user_email: null,
      args: { rows: 10 },
      status: 'PENDING',
      datamimic_status: null,
      date_queued: new Date(),
      date_started: null,
      date_done: null,
      eta: null,
      exception_type: null,
      traceback: null,
      worker: null,
      retries: 0,
      preserve: false,
      name: 'service.tasks.generate_data',
      routing_key: 'service.generate_data',
      task_type: 'generate_data',
      artifacts: [],
      snapshot_file_id: null,
    });
    console.log(`queued ${task_id}; to cancel it: POST /api/v2/tasks/${task_id}/cancel`);
  }
}
