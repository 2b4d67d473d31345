/** The peers that this machine has, filled with the tasks of a database. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Db } from 'mongodb';
import type { Fold } from '../../src/textindex/fold.ts';
import { writeLines } from './document.ts';
import { type Absent, isAbsent, type Peer } from './peer.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export interface Peers {
  readonly present: readonly Peer[];
  readonly absent: readonly Absent[];
  close(): Promise<void>;
}

/** @param folder kept: what is filled already is used as it is. */
export async function openPeers(folder: string, db: Db, fold: Fold): Promise<Peers> {
  mkdirSync(folder, { recursive: true });
  const lines = path.join(folder, 'tasks.tsv');
  const count = await writeLines(db, fold, lines);
  const all = [
    await openPostgres(path.join(folder, 'postgres'), lines, count),
    await openSqlite(path.join(folder, 'sqlite'), lines, count),
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
