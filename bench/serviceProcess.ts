/** The service as it is built, in a process of its own: as its clients meet it, and how much memory it takes. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mintToken } from '../src/serve/auth/mint.ts';
import { freePort } from '../test/support/freePort.ts';
import { peakOf, residentOf, threadMsOf, waitedMsOf } from '../test/support/usage.ts';
import { percentile } from './measure.ts';
import type { Place } from './store.ts';

const SECRET = 'a secret for the bench, of more than 32 bytes';
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** From the start of the process to the live index, milliseconds. */
  readonly liveAfterMs: number;
  /** Resident memory, bytes. */
  memory(): number;
  /** The most that was resident since it began, bytes. */
  peakMemory(): number;
  /** Bytes that it gave to the disk since it began. */
  diskBytes(): number;
  /** For how long its event loop's thread has run, and could have run but had no processor, milliseconds. */
  thread(): { readonly ran: number; readonly waited: number };
  /** Whether its log has this message, where `LOG_LEVEL` lets it through. */
  said(message: string): boolean;
  stop(): Promise<void>;
}

/** Starts it and waits until its index is live. */
export async function startServiceProcess(
  { uri, dbName }: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const port = String(await freePort());
  const env = { MONGODB_URI: uri, MONGODB_DB: dbName, AUTH_JWT_SECRET: SECRET, PORT: port };
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...env, LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Set<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { level, msg } = JSON.parse(line);
    said.add(msg);
    if (level !== 'info') console.log(line);
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const none = { authIssuer: undefined, authAudience: undefined };
  const token = await mintToken({ userId: 1, admin: true, lifeS: 3_600 }, SECRET, none);
  const isLive = async () => {
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.json() as Promise<{ index?: { state: string } }>,
      () => undefined,
    );
    return ready?.index?.state === 'live';
  };
  while (!(await isLive())) await sleep(50);
  const liveAfterMs = performance.now() - began;
  const pid = child.pid!;
  return {
    pid,
    url,
    token,
    liveAfterMs,
    said: (message) => said.has(message),
    memory: () => residentOf(pid),
    peakMemory: () => peakOf(pid),
    diskBytes() {
      const io = readFileSync(`/proc/${pid}/io`, 'utf8');
      return Number(/^write_bytes: (\d+)/m.exec(io)?.[1]);
    },
    thread: () => ({ ran: threadMsOf(pid), waited: waitedMsOf(pid) }),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const WORDS = ['backup', 'a', 'fail', 'example', 'worker-1', '7c', 'sync', 'error'];

/** Searches at a steady rate until the work is done; the time of each from when it was sent, ms. */
export async function whileSearching<T>(
  { url, token }: ServiceProcess,
  perSecond: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly p50: number; readonly p99: number }> {
  const times: number[] = [];
  let n = 0;
  let refused = 0;
  const agent = new Agent({ keepAlive: true });
  const headers = {
    ...{ 'content-type': 'application/json', authorization: `Bearer ${token}` },
    'accept-encoding': 'gzip, deflate',
  };
  // Not by fetch, which takes as much of a processor as the service does for the answer.
  const ask = () => {
    const began = performance.now();
    const sent = request(`${url}/api/v2/admin/tasks/search`, { method: 'POST', agent, headers });
    sent.once('response', (answer) => {
      answer.once('close', () => {
        if (answer.complete && answer.statusCode === 200) times.push(performance.now() - began);
        else refused += 1;
      });
      answer.resume();
    });
    sent.once('error', () => {
      refused += 1;
    });
    sent.end(JSON.stringify({ filters: { q: WORDS[n++ % WORDS.length] } }));
  };
  const timer = setInterval(ask, 1_000 / perSecond);
  const result = await work();
  clearInterval(timer);
  while (times.length + refused < n) await sleep(5);
  agent.destroy();
  if (refused > 0) console.error(`${refused} of ${n} searches were not answered`);
  times.sort((a, b) => a - b);
  return { result, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
