/**
 * `table-search open` on a collection that it never saw, and `init` on a hundred collections.
 *
 *     open ─► link ─► rows of the first search ─► live by the index, against a bare scan
 *     init ─► a definition file of a hundred tables: time, and the most memory
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Db, MongoClient } from 'mongodb';
import { peakOf } from '../../test/support/usage.ts';
import { bareScan } from '../bareScan.ts';
import { takeJob } from '../job.ts';
import { fillOrders } from '../own/orders.ts';
import { product } from '../product.ts';

const { readTablesFile } =
  await product<typeof import('../../src/tables/file/index.ts')>('tables/file/index');

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const COLLECTIONS = 100;
/** Documents of all these collections together, for each order. */
const AN_ORDER = 10;

export interface OpenJob {
  readonly uri: string;
  readonly dbName: string;
  readonly orders: number;
}

export interface OpenResult {
  readonly orders: number;
  /** From the start of the process, seconds. */
  readonly link: number;
  readonly firstRows: number;
  readonly live: number;
  /** Orders a second, from the link on, and of a bare scan of the fields that `open` declares. */
  readonly rate: number;
  readonly bare: number;
  readonly init: { readonly documents: number; readonly seconds: number; readonly peak: number };
}

/** A row of a search, or a table of the list. */
type Row = Readonly<Record<string, unknown>>;

takeJob(async ({ uri, dbName, orders }: OpenJob): Promise<OpenResult> => {
  const client = await MongoClient.connect(uri);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-open-'));
  try {
    const db = client.db(dbName);
    await fillOrders(db, orders);
    const opened = await open(uriOf(uri, db), orders);
    const bare = await bareScanOf(db, orders, uriOf(uri, db), path.join(folder, 'orders.yaml'));
    const hundred = client.db(`${dbName}_hundred`);
    await fillHundred(db, hundred, Math.ceil((orders * AN_ORDER) / COLLECTIONS));
    const init = await runInit(uriOf(uri, hundred), path.join(folder, 'hundred.yaml'));
    const documents = orders * AN_ORDER;
    return { orders, ...opened, bare, init: { documents, ...init } };
  } finally {
    rmSync(folder, { recursive: true });
    await client.close();
  }
});

function uriOf(uri: string, { databaseName }: Db): string {
  const url = new URL(uri);
  url.pathname = databaseName;
  return url.href;
}

const start = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });

async function open(uri: string, orders: number) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const child = start(['open', uri]);
  try {
    const [, url, token] = await linkOf(child);
    const link = seconds();
    const ask = async (route: string, body?: object): Promise<{ data: Row[] } | undefined> => {
      const response = await fetch(`${url}/api/v2/tables${route}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return response.ok ? ((await response.json()) as { data: Row[] }) : undefined;
    };
    while (!(await ask('/orders/search', {}))?.data.length) await sleep(20);
    const firstRows = seconds();
    const isLive = async () => {
      return (await ask(''))?.data.every(({ count }) => count !== null) ?? false;
    };
    // Seldom: each question takes the load some of its time.
    while (!(await isLive())) await sleep(200);
    const live = seconds();
    return { link, firstRows, live, rate: orders / (live - link) };
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

async function linkOf(child: ChildProcess): Promise<RegExpExecArray> {
  let said = '';
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const link = /^(\S+)\/#token=(\S+)\n/.exec(said);
    if (link) return link;
  }
  throw new Error('open ended without a link');
}

/** The fields are those that `open` declares: `init` writes the same definitions. */
async function bareScanOf(db: Db, orders: number, uri: string, file: string): Promise<number> {
  await runInit(uri, file);
  const read = readTablesFile(readFileSync(file, 'utf8'));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return await bareScan(db, read.tables.find(({ name }) => name === 'orders')!.resource, orders);
}

/** A hundred collections with the first orders each, unless they are there. */
async function fillHundred(from: Db, to: Db, each: number): Promise<void> {
  for (let n = 0; n < COLLECTIONS; n++) {
    const coll = `orders_${n}`;
    if ((await to.collection(coll).estimatedDocumentCount()) === each) continue;
    const out = { $out: { db: to.databaseName, coll } };
    await from
      .collection('orders')
      .aggregate([{ $limit: each }, out])
      .toArray();
  }
}

/** @returns seconds, and the most memory that was resident, bytes */
async function runInit(uri: string, file: string): Promise<{ seconds: number; peak: number }> {
  const began = performance.now();
  const child = start(['init', uri, '-o', file]);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid!));
  }, 20);
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`init ended with ${code}`);
    return { seconds: (performance.now() - began) / 1_000, peak };
  } finally {
    clearInterval(timer);
  }
}
