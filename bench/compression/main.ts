/**
 * What compressing costs: pages of 100 tasks over HTTP, plain, by gzip and by brotli, from a service in a
 * process of its own; and the same with traces, where the environment has OTEL_EXPORTER_OTLP_ENDPOINT.
 *
 *     npx tsx bench/compression/main.ts [seconds]      after `npm run build`
 *
 * Each round takes all three in turn, so that what else the machine does falls on all of them.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { mintToken } from '../../src/serve/auth/mint.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECONDS = Number(process.argv[2] ?? 8);
const ROUNDS = 3;
const ENCODINGS = ['identity', 'gzip', 'br'] as const;
const SECRET = 'a secret for benches only, longer than 32 bytes';
const body = JSON.stringify({ pagination: { per_page: 100 } });

const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as { port: number };
    server.close(() => resolve(free));
  });
});
const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-compression-'));
const child = spawn(process.execPath, ['dist/cli/main.js', 'demo', '--port', String(port)], {
  cwd: ROOT,
  env: { ...process.env, DATA_DIR: dataDir, AUTH_JWT_SECRET: SECRET, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const url = `http://127.0.0.1:${port}`;
const nobody = { authIssuer: undefined, authAudience: undefined };
const token = await mintToken({ userId: 1, admin: true, lifeS: 3_600 }, SECRET, nobody);
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const search = `${url}/api/v2/admin/tasks/search`;

/** Processor time of the service so far, milliseconds; as Linux counts it. */
function processorMs(): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function fire(encoding: string, connections: number, seconds: number) {
  const before = processorMs();
  const result = await autocannon({
    ...{ url: search, method: 'POST', body, connections, duration: seconds },
    headers: { ...headers, 'accept-encoding': encoding },
  });
  const requests = result['2xx'];
  if (requests === 0 || result.non2xx > 0) throw new Error(`${encoding}: ${result.non2xx} refused`);
  return {
    perSecond: requests / result.duration,
    micros: ((processorMs() - before) * 1_000) / requests,
    bytes: result.throughput.total / requests,
    p50: result.latency.p50,
  };
}

try {
  const ready = () =>
    fetch(search, { method: 'POST', headers, body }).then(
      (answer) => answer.headers.get('search-route') === 'index',
      () => false,
    );
  while (!(await ready())) await sleep(200);
  for (const encoding of ENCODINGS) await fire(encoding, 4, 3);
  for (const connections of [1, 16]) {
    for (const encoding of ENCODINGS) {
      const rounds: Awaited<ReturnType<typeof fire>>[] = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push(await fire(encoding, connections, SECONDS));
      const median = (of: keyof (typeof rounds)[number]) =>
        rounds.map((one) => one[of]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
      console.log(
        `${connections} connections, ${encoding}: ${median('perSecond').toFixed(0)} a second, ` +
          `${median('micros').toFixed(0)} µs of processor each, ${median('bytes').toFixed(0)} bytes each`,
      );
    }
  }
} finally {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
