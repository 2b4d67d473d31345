/** Orders in DuckDB and ClickHouse, and the SQL of an explore. */
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Db, Document } from 'mongodb';
import { openClickHouse } from '../peers/clickhouse.ts';
import type { Counting, CountQuestion } from '../peers/counting.ts';
import type { Columns } from '../peers/document.ts';
import { openDuckDb } from '../peers/duckdb.ts';
import { isAbsent } from '../peers/peer.ts';

/** `joined`: all that `q` looks in, folded; dates are milliseconds. */
const COLUMNS: Columns = {
  id: 'bigint',
  status: 'text',
  region: 'text',
  city: 'text',
  placed: 'bigint',
  joined: 'text',
};

/** Parts the fields of the joined text; no question has it. */
const BETWEEN = '\u001f';

/** The counter in an order's id. */
export const serialOf = (id: unknown): number => Number.parseInt(String(id).slice(18), 16);

export async function openPeers(folder: string, db: Db, count: number): Promise<Counting[]> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'orders.tsv');
  await writeLines(db, file);
  const all = [
    await openDuckDb(path.join(folder, 'duckdb'), file, count, COLUMNS),
    await openClickHouse(path.join(folder, 'clickhouse'), file, count, COLUMNS),
  ];
  for (const one of all) {
    if (isAbsent(one)) console.error(`${one.name} takes no part: ${one.absent}`);
  }
  return all.filter((one): one is Counting => !isAbsent(one));
}

async function writeLines(db: Db, file: string): Promise<void> {
  const emails = new Map<string, string>();
  for await (const { _id, email } of db.collection('customers').find()) {
    emails.set(String(_id), email);
  }
  const out = createWriteStream(file);
  const fields = { number: 1, status: 1, ship: 1, customerId: 1, 'lines.sku': 1, placedAt: 1 };
  let chunk = '';
  for await (const one of db.collection('orders').find().project(fields)) {
    const texts = [one._id, one.number, emails.get(String(one.customerId))];
    const skus = one.lines.map(({ sku }: Document) => sku);
    const joined = [...texts, ...skus].join(BETWEEN).toLowerCase();
    const { region, city } = one.ship;
    const line = [serialOf(one._id), one.status, region, city, one.placedAt.getTime(), joined];
    chunk += `${line.join('\t')}\n`;
    if (chunk.length < 2 ** 20) continue;
    if (!out.write(chunk)) await once(out, 'drain');
    chunk = '';
  }
  out.end(chunk);
  await once(out, 'finish');
}

type Bucket = { readonly start: string; readonly end: string };

/** @param buckets those of the index's answer */
export function questionOf(
  { filters = {}, select = [], facets = [], histogram, sorting }: Document,
  fold: (text: string) => string,
  buckets: readonly Bucket[] = [],
): CountQuestion {
  const ends = buckets.map(({ end }) => Date.parse(end)).slice(-1);
  return {
    ...{ text: fold(filters.q ?? ''), equals: [], sortBy: sorting.sort_by },
    conditions: select.map(({ field, in: among, not_in }: Document) => ({
      ...{ column: field, op: among ? 'in' : 'not_in', values: among ?? not_in },
    })),
    facets: facets.map(({ field }: Document) => field),
    ...(histogram && {
      histogram: {
        ...{ column: histogram.field, by: histogram.by },
        edges: [...buckets.map(({ start }) => Date.parse(start)), ...ends],
      },
    }),
  };
}
