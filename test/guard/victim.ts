/**
 * The service as a process of its own, so that its memory and its event loop can be measured while it is
 * attacked; and a light caller, whose answers tell how much others notice.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken } from '../../src/auth/mint.ts';
import { readConfig } from '../../src/config.ts';
import { until } from '../support/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECRET = 'a secret for attacks, of 32 bytes or more';

export interface Victim {
  readonly url: string;
  readonly port: number;
  token(userId: number, admin?: boolean): Promise<string>;
  /** Resident memory now, bytes. */
  resident(): Promise<number>;
  /** Most resident memory since the last call of `forgetPeak`, bytes. */
  peak(): Promise<number>;
  forgetPeak(): Promise<void>;
  /** Longest that the event loop was held since the last call, milliseconds. */
  held(): Promise<number>;
  /** A figure of `GET /metrics`. */
  metric(name: string): Promise<number>;
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
    ...settings,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const port = await listeningPort(child.stdout);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/readyz`)).ok);

  const status = async (field: string) => {
    const text = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1_024;
  };
  const metric = async (name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const config = readConfig({ AUTH_JWT_SECRET: SECRET });
  return {
    url,
    port,
    token: (userId, admin = false) => mintToken({ userId, admin, lifeS: 3_600 }, SECRET, config),
    resident: () => status('VmRSS'),
    peak: () => status('VmHWM'),
    async forgetPeak() {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(`/proc/${child.pid}/clear_refs`, '5');
    },
    held: async () => 1_000 * (await metric('nodejs_eventloop_lag_max_seconds')),
    metric,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function listeningPort(stdout: AsyncIterable<Buffer>): Promise<number> {
  let text = '';
  for await (const chunk of (
    stdout as unknown as NodeJS.ReadableStream & {
      iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Buffer>;
    }
  ).iterator({ destroyOnReturn: false })) {
    text += chunk;
    const found = /"port":(\d+)/.exec(text);
    if (found) return Number(found[1]);
  }
  throw new Error(`the service did not start: ${text}`);
}

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

/** One request, answered; status 0 where the connection was cut. */
export function call(victim: Victim, asked: Call): Promise<Reply> {
  const { method = 'GET', path, token, headers, body } = asked;
  const started = performance.now();
  return new Promise<Reply>((resolve) => {
    const done = (status: number, retryAfter?: string, text = '') =>
      resolve({ status, retryAfter, ms: performance.now() - started, text });
    const sent = request(victim.url + path, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    });
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => done(answer.statusCode!, answer.headers['retry-after'], text));
      answer.on('error', () => done(0));
    });
    // An idle connection may be closed in the moment in which it is used again.
    sent.on('error', () => (sent.reusedSocket ? resolve(call(victim, asked)) : done(0)));
    sent.end(body);
  });
}

/** Asks again and again, one at a time, while the attack goes on; the milliseconds of each answer. */
export async function meanwhile(
  attack: Promise<unknown>,
  ask: () => Promise<Reply>,
): Promise<{ readonly replies: readonly Reply[]; readonly p50: number; readonly p99: number }> {
  const replies: Reply[] = [];
  let over = false;
  void attack.finally(() => {
    over = true;
  });
  while (!over) {
    replies.push(await ask());
    await sleep(5);
  }
  await attack;
  const sorted = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { replies, p50: at(0.5), p99: at(0.99) };
}

/** Does `work` `times` times, `width` at once. */
export async function flood<T>(
  times: number,
  width: number,
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const one = async () => {
    while (next < times) results.push(await work(next++));
  };
  await Promise.all(Array.from({ length: width }, one));
  return results;
}

/** How often each status came. */
export function tally(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Whether every refusal says when to come back. */
export const saysWhen = (replies: readonly Reply[]) =>
  replies.every(({ status, retryAfter }) => ![429, 503].includes(status) || Number(retryAfter) > 0);
