/**
 * Schemathesis (PyPI) against a running service. It draws requests from `/openapi.json` and checks
 * every answer against it; exceptions.ts has the failures that are none.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PythonTools } from '../support/pythonTools.ts';
import { type Report, readReport } from './report.ts';

export const REQUIREMENTS = new URL('requirements.txt', import.meta.url);
const HOOKS = new URL('hooks.py', import.meta.url);

export interface Asked {
  readonly url: string;
  readonly token: string;
  /** Ids that exist, for each parameter of a path; most requests have one of these. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly seed: number;
  /** Requests drawn for each operation. */
  readonly draws: number;
  /**
   * Some of `examples`, `coverage` (every keyword of every schema, at its bounds), `fuzzing`,
   * `stateful`.
   */
  readonly phases: readonly string[];
  readonly onOutput?: (text: string) => void;
}

/** @returns what it found; `errors` has its last words where it ended before its time. */
export async function schemathesis(tools: PythonTools, asked: Asked): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'schemathesis-'));
  try {
    const config = path.join(folder, 'schemathesis.toml');
    const report = path.join(folder, 'report.ndjson');
    await writeFile(config, settings(asked));
    await copyFile(HOOKS, path.join(folder, 'schemathesis_hooks.py'));
    const [command, ...args] = [
      ...tools.script('schemathesis'),
      ...[`--config-file=${config}`, '--no-color', 'run', `${asked.url}/openapi.json`],
      ...['--checks=all', '--continue-on-failure', '--no-shrink'],
      ...[`--seed=${asked.seed}`, `--max-examples=${asked.draws}`],
      ...[`--phases=${asked.phases.join(',')}`, '--generation-database=none'],
      ...['--suppress-health-check=all', '--request-timeout=30'],
      ...['--report=ndjson', `--report-ndjson-path=${report}`],
    ];
    const env = { ...tools.env, PYTHONPATH: [folder, tools.env.PYTHONPATH].join(path.delimiter) };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed = (printed + text).slice(-4_000);
        asked.onOutput?.(text);
      });
    }
    const [code] = await once(child, 'close');
    // 1: some checks failed.
    if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${code}: ${printed}`);
    return await readReport(report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function settings({ token, ids }: Asked): string {
  const names = Object.keys(ids);
  return [
    'hooks = "schemathesis_hooks"',
    '[headers]',
    `Authorization = "Bearer ${token}"`,
    '[dictionaries]',
    ...names.map((name) => `${name} = { values = ${JSON.stringify(ids[name])} }`),
    '[parameters]',
    ...names.map((name) => `${name} = { dictionary = "${name}", probability = 0.9 }`),
    // Ids are wrong one time in ten each, and half of the time where a request has nothing else.
    ...['[[operations]]', 'include-method = ["GET", "DELETE"]', 'generation.max-examples = 12'],
    ...['[[operations]]', 'include-method = ["PATCH", "PUT"]', 'generation.max-examples = 8'],
  ].join('\n');
}
