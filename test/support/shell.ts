/** Lines as a reader pastes them: a real shell, and the curl of this machine. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The output of the lines on stdout. @throws when they fail, with their stderr. */
export async function pasted(lines: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, PATH: await pathWithCurl(), ...env } };
  const { stdout } = await run('sh', ['-euc', lines], options);
  return stdout;
}

let path: Promise<string> | undefined;

function pathWithCurl(): Promise<string> {
  const own = process.env.PATH ?? '';
  path ??= run('sh', ['-c', 'command -v curl']).then(
    () => own,
    () => `${folderWithCurl()}${delimiter}${own}`,
  );
  return path;
}

/** As much of curl as the documents and the demo use, for machines that have none. */
const CURL = `#!${process.execPath}
const { writeFileSync } = require('node:fs');
const { values, positionals } = require('node:util').parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    fail: { type: 'boolean', short: 'f' },
    'no-buffer': { type: 'boolean', short: 'N' },
    output: { type: 'string', short: 'o' },
    'max-time': { type: 'string' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});
const headers = (values.header ?? []).map((line) => line.split(/:\\s*(.*)/s).slice(0, 2));
const method = values.data === undefined ? 'GET' : 'POST';
const limit = Number(values['max-time'] ?? 0) * 1000;
if (limit > 0) setTimeout(() => process.exit(28), limit);
const run = async () => {
  const answer = await fetch(positionals[0], { method, headers, body: values.data });
  if (values.fail && !answer.ok) process.exit(22);
  for await (const piece of answer.body) writeFileSync(values.output ?? 1, piece, { flag: 'a' });
};
run().catch(() => process.exit(7));
`;

function folderWithCurl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'curl-'));
  const file = join(folder, 'curl');
  writeFileSync(file, CURL);
  chmodSync(file, 0o755);
  return folder;
}
