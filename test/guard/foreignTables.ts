/**
 * Tables of a file: orders of a thousand owners, and notes with a hidden field. Does time tell a
 * row beyond a grant, or a hidden value, from one that is not there?
 */
import path from 'node:path';
import type { Db } from 'mongodb';
import { absentId, foreignId, foreignText } from './foreign.ts';

const OWNERS = 1_000;
const ORDERS = 30_000;
const NOTES = 5_000;
/** As many as pipelines read in some milliseconds: they read all of them for each request. */
const FEW = 3_000;

/** The claims of the curious caller, and their orders: the first ones, since no comparison asks for these. */
export const CLAIMS = { roles: ['curious'], owner: 'curious' };
const OWN = 30;

/** Their definitions. */
export const FOREIGN_TABLES = path.join(import.meta.dirname, 'foreignTables.yaml');

export async function fillForeignTables(db: Db): Promise<void> {
  const orders = Array.from({ length: ORDERS }, (_, n) => ({
    _id: foreignId(n),
    owner: n < OWN ? CLAIMS.owner : `owner-${n % OWNERS}`,
    worker: `worker-${foreignText(n)}`,
    folder: `/in/${n % 100}`,
  }));
  const notes = Array.from({ length: NOTES }, (_, n) => ({
    _id: absentId(n),
    title: `Note ${n % 500}`,
    secret: foreignText(n),
  }));
  await db.collection<{ _id: string }>('own_orders').insertMany(orders);
  await db.collection<{ _id: string }>('own_notes').insertMany(notes);
}

/** Leaves rows for all pairs, so that 500 pairs by pipeline take seconds and not minutes. */
export async function thinForeignTables(db: Db): Promise<void> {
  for (const name of ['own_orders', 'own_notes']) {
    await db.collection<{ _id: string }>(name).deleteMany({ _id: { $gte: foreignId(FEW) } });
  }
}
