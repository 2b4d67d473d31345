/** The peers that this machine has, filled with the tasks of a database. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { product } from '../product.ts';
import type { Place } from '../store.ts';
import { openClickHouse } from './clickhouse.ts';
import type { Counting } from './counting.ts';
import { COLUMNS, writeLines } from './document.ts';
import { openDuckDb } from './duckdb.ts';
import { openLucene } from './lucene.ts';
import { type Absent, isAbsent, type Peer } from './peer.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const { CaseFolding } =
  await product<typeof import('../../src/store/caseFolding.ts')>('store/caseFolding');

export interface Peers<P> {
  readonly present: readonly P[];
  readonly absent: readonly Absent[];
  close(): Promise<void>;
}

/** @param folder kept: a peer that has the same load already is used as it is. */
export async function openPeers(folder: string, place: Place): Promise<Peers<Peer>> {
  const { file, count } = await linesFor(folder, place);
  return peersOf([
    await openPostgres(path.join(folder, 'postgres'), file, count),
    await openSqlite(path.join(folder, 'sqlite'), file, count),
    await openLucene(path.join(folder, 'lucene'), file, count),
  ]);
}

/** The databases of these, and two that are made for counting, which are filled at each start. */
export async function openCountingPeers(folder: string, place: Place): Promise<Peers<Counting>> {
  const { file, count } = await linesFor(folder, place);
  return peersOf([
    await openPostgres(path.join(folder, 'postgres'), file, count),
    await openSqlite(path.join(folder, 'sqlite'), file, count),
    await openDuckDb(path.join(folder, 'duckdb'), file, count),
    await openClickHouse(path.join(folder, 'clickhouse'), file, count),
  ]);
}

function peersOf<P extends { close(): Promise<void> }>(all: readonly (P | Absent)[]): Peers<P> {
  const present = all.filter((peer): peer is P => !isAbsent(peer));
  const absent = all.filter(isAbsent);
  for (const { name, absent: why } of absent) console.error(`${name} takes no part: ${why}`);
  return {
    present,
    absent,
    async close() {
      for (const peer of present) await peer.close();
    },
  };
}

async function linesFor(folder: string, { uri, dbName }: Place) {
  mkdirSync(folder, { recursive: true });
  const client = await MongoClient.connect(uri);
  const file = path.join(folder, 'tasks.tsv');
  const count = await linesOf(client.db(dbName), file).finally(() => client.close());
  return { file, count };
}

/** Writes the file the databases are filled from, unless it is there; returns its number of lines. */
async function linesOf(db: Db, file: string): Promise<number> {
  const load = await db.collection('fixture_loads').findOne();
  const of = `${load?.done_at?.getTime()} ${Object.keys(COLUMNS)}`;
  const note = `${file}.json`;
  const known = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : undefined;
  if (known?.of === of) return known.count;
  // Filled with other lines.
  for (const peer of ['postgres', 'sqlite', 'lucene']) {
    rmSync(path.join(path.dirname(file), peer), { recursive: true, force: true });
  }
  const count = await writeLines(db, await new CaseFolding(db).fold(), file);
  writeFileSync(note, JSON.stringify({ of, count }));
  return count;
}
