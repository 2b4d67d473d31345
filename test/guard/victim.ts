/**
 * The service as a process of its own, so that its memory and its event loop can be measured while it is
 * attacked. It ends with the process that started it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '../../src/config.ts';
import { mintToken } from '../../src/serve/auth/mint.ts';
import { until } from '../support/until.ts';
import { peakOf, residentOf } from '../support/usage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECRET = 'a secret for attacks, of 32 bytes or more';

export interface Victim {
  readonly url: string;
  readonly port: number;
  token(userId: number, admin?: boolean, claims?: object): Promise<string>;
  /** Resident memory now, bytes. */
  resident(): number;
  /** Most resident memory since the last call of `forgetPeak`, bytes. */
  peak(): number;
  forgetPeak(): Promise<void>;
  /** Longest that the event loop was blocked since the last call, milliseconds; see probe.ts. */
  held(): Promise<number>;
  /** The units that callers hold of each quota, where they hold any. */
  holdings(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

/** Starts the service on this database. */
export async function startVictim(
  uri: string,
  dbName: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Victim> {
  const env = {
    ...process.env,
    MONGODB_URI: uri,
    MONGODB_DB: dbName,
    AUTH_JWT_SECRET: SECRET,
    PORT: '0',
    // As in deploy/: freed buffers go back to the system.
    MALLOC_MMAP_THRESHOLD_: '131072',
    ...settings,
  };
  const loaded = ['tsx', './test/guard/probe.ts'].flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, [...loaded, 'src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ready = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const port = /"port":(\d+).*"listening"/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  const ended = exited.then(([code]) => {
    throw new Error(`the service ended with ${code}`);
  });
  const port = await Promise.race([ready, ended]);
  ended.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/readyz`)).ok);

  const config = readConfig({ AUTH_JWT_SECRET: SECRET });
  return {
    url,
    port,
    token: (userId, admin = false, claims = {}) =>
      mintToken({ userId, admin, lifeS: 3_600, claims: { ...claims } }, SECRET, config),
    resident: () => residentOf(child.pid!),
    peak: () => peakOf(child.pid!),
    forgetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, '5'),
    async held() {
      child.send('held?');
      const [longest] = await once(child, 'message');
      return longest as number;
    },
    async holdings() {
      const text = await (await fetch(`${url}/metrics`)).text();
      const all = text.matchAll(/^table_search_quota_held\{quota="(\w+)"\} (\d+)$/gm);
      return new Map([...all].map(([, name, n]) => [name!, Number(n)]));
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
