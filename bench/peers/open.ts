/** The peers that this machine has, filled with the tasks of a database. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { product } from '../product.ts';
import type { Place } from '../store.ts';
import { writeLines } from './document.ts';
import { type Absent, isAbsent, type Peer } from './peer.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const { CaseFolding } =
  await product<typeof import('../../src/mongo/caseFolding.ts')>('mongo/caseFolding');

export interface Peers {
  readonly present: readonly Peer[];
  readonly absent: readonly Absent[];
  close(): Promise<void>;
}

/** @param folder kept: what is filled already with the same load is used as it is. */
export async function openPeers(folder: string, { uri, dbName }: Place): Promise<Peers> {
  mkdirSync(folder, { recursive: true });
  const client = await MongoClient.connect(uri);
  const file = path.join(folder, 'tasks.tsv');
  const count = await linesOf(client.db(dbName), file).finally(() => client.close());
  const all = [
    await openPostgres(path.join(folder, 'postgres'), file, count),
    await openSqlite(path.join(folder, 'sqlite'), file, count),
  ];
  const present = all.filter((peer): peer is Peer => !isAbsent(peer));
  return {
    present,
    absent: all.filter(isAbsent),
    async close() {
      for (const peer of present) await peer.close();
    },
  };
}

/** Writes the file the databases are filled from, unless it is there; returns its number of lines. */
async function linesOf(db: Db, file: string): Promise<number> {
  const load = await db.collection('fixture_loads').findOne();
  const of = String(load?.done_at?.getTime());
  const note = `${file}.json`;
  const known = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : undefined;
  if (known?.of === of) return known.count;
  const count = await writeLines(db, await new CaseFolding(db).fold(), file);
  writeFileSync(note, JSON.stringify({ of, count }));
  return count;
}
