/**
 * One demo at a time on a folder and a port: a second one is told where the first is, and how to be
 * another.
 *
 *     <dataDir>/demo.json   the address and process of the demo that runs, there while it runs
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../cli/failure.ts';
import { type Config, storeUri } from '../../config.ts';
import { isAlive, runningEmbedded } from '../embedded/dataFolder.ts';

interface Note {
  readonly url: string;
  readonly pid: number;
}

const noteIn = (dataDir: string) => path.join(dataDir, 'demo.json');

/** @throws CliError when the folder or the port belongs to another one that runs */
export async function refuseSecond(config: Config): Promise<void> {
  const { dataDir, host, port } = config;
  const isEmbedded = storeUri(config, undefined) === undefined;
  if (isEmbedded && (await runningEmbedded(dataDir)) !== undefined) {
    const note = await noteOf(dataDir);
    const where = note ? ` at ${note.url} (process ${note.pid})` : '';
    const what = note ? 'A demo' : 'A service';
    throw new CliError(`${what} runs already${where}, on ${dataDir}. ${another(dataDir)}`);
  }
  if (port !== 0 && (await isOneOfUs(host, port))) {
    const url = `http://${host}:${port}`;
    throw new CliError(`A table-search runs already at ${url}. ${another(dataDir)}`);
  }
}

/** Leaves a note for as long as it runs. */
export async function whileRunning(dataDir: string, url: string, ended: Promise<void>) {
  const note: Note = { url, pid: process.pid };
  const name = noteIn(dataDir);
  await writeFile(name, `${JSON.stringify(note)}\n`, { mode: 0o600 }).catch(() => {});
  await ended;
  await rm(name, { force: true }).catch(() => {});
}

async function noteOf(dataDir: string): Promise<Note | undefined> {
  try {
    const note = JSON.parse(await readFile(noteIn(dataDir), 'utf8')) as Note;
    return isAlive(note.pid) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Whether what answers there is this program. */
async function isOneOfUs(host: string, port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://${host}:${port}/openapi.json`, { signal });
    // While it starts, it answers with a problem of its own.
    return /"table-search"|urn:table-search:/.test(await answer.text());
  } catch {
    return false;
  }
}

function another(dataDir: string): string {
  const isScript = process.env.npm_lifecycle_event === 'demo';
  const command = isScript ? 'npm run demo --' : 'table-search demo';
  return `Another one beside it: ${command} --port 0 --data-dir ${dataDir}-2`;
}
