/** Commands that work on this machine: the service itself, its demo, demo data, tokens, benchmarks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT } from '../failure.ts';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly mongodb?: string;
  readonly db?: string;
  readonly dataDir?: string;
}

/** Options that stand for settings of the environment. */
const SETTINGS: Readonly<Record<keyof ServeOptions, string>> = {
  port: 'PORT',
  host: 'HOST',
  mongodb: 'MONGODB_URI',
  db: 'MONGODB_DB',
  dataDir: 'DATA_DIR',
};

function withSettings(command: Command): Command {
  return command
    .option('--port <port>', 'PORT: the port to listen on; 0 picks a free one')
    .option('--host <host>', 'HOST: the address to listen on')
    .option('--mongodb <uri>', 'MONGODB_URI: the store; unset, a mongod of its own')
    .option('--db <name>', 'MONGODB_DB: the database')
    .option('--data-dir <folder>', 'DATA_DIR: where a mongod of its own keeps its data');
}

function set(options: ServeOptions): void {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const value = options[name as keyof ServeOptions];
    if (value !== undefined) process.env[setting] = value;
  }
}

export function serveCommand(command: Command): Command {
  return withSettings(command)
    .description('run the service')
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (options: ServeOptions) => {
      set(options);
      await import('../../main.ts');
    });
}

const SERVE_EXAMPLES = `
Examples:
  on a store of yours, with a secret to check tokens by
    $ AUTH_JWT_SECRET=$(openssl rand -hex 32) table-search serve --mongodb 'mongodb://db-0,db-1/?replicaSet=rs0'
  on a mongod of its own, on any port
    $ AUTH_JWT_SECRET=$(openssl rand -hex 32) table-search serve --port 0

All other settings come from the environment: see docs/settings.md. The log is on stdout. SIGTERM or Ctrl-C finishes
what is under way and ends with 0; 1 means that it could not start, or that a part of it did not close.`;

export function demoCommand(command: Command): Command {
  return withSettings(command)
    .description('run the service with demo data, and print what to try')
    .addHelpText('after', DEMO_EXAMPLES)
    .action(async (options: ServeOptions) => {
      set(options);
      const { runDemo } = await import('../../dev/cli/demo.ts');
      process.exitCode = await runDemo(process.env);
    });
}

const DEMO_EXAMPLES = `
Examples:
  the demo: a MongoDB of its own, data, the service, and lines to paste
    $ table-search demo
  another one beside it
    $ table-search demo --port 0 --data-dir .data-2

The data stays in .data for the next time. Ctrl-C ends all of it. LOG_LEVEL=info shows each request.`;

export function fixturesCommand(command: Command): Command {
  return command
    .description('load demo data: the hand-made set, and generated records around it')
    .option('--set', 'the hand-made set alone (what happens without options, too)')
    .option('--tasks <n>', 'generate n tasks, and what belongs to them')
    .option('--seed <n>', 'what the generated records are drawn from (1)')
    .option('--users <n>', '10 x the square root of the tasks: 10000 for a million')
    .option('--projects <n>', '2 x the square root of the tasks: 2000 for a million')
    .option('--schedules <n>', 'one for 20 tasks')
    .option('--logs <n>', 'log lines, 12 for each of the newest tasks (as tasks, at most 100000)')
    .option('--now <moment>', 'the moment that its dates go up to (now)')
    .option('--replace', 'throw away what the collections of the service hold')
    .option('--uri <uri>', 'the store (MONGODB_URI; unset: the embedded one in DATA_DIR)')
    .option('--db <name>', 'the database (MONGODB_DB, or table_search)')
    .addHelpText('after', FIXTURES_EXAMPLES)
    .action(async (options: Readonly<Record<string, string | true>>) => {
      const { runFixtures } = await import('../../dev/cli/fixtures.ts');
      process.exitCode = await runFixtures(options, process.env);
    });
}

const FIXTURES_EXAMPLES = `
Examples:
  a million tasks and all that belongs to them
    $ table-search fixtures --tasks 1000000 --seed 7
  the hand-made set alone, into a store of yours
    $ table-search fixtures --set --uri mongodb://127.0.0.1:27017/?replicaSet=rs0
  the very same data, whenever it is loaded
    $ table-search fixtures --tasks 50000 --now 2026-11-20T10:00:00Z
  other data in place of what is there
    $ table-search fixtures --tasks 50000 --replace

With --now, the same options always give the same data, to the byte. A load that was interrupted is continued by running it again; one that is
complete does nothing. A store that holds other data is left alone unless --replace says otherwise. Where a demo or a
service runs on DATA_DIR (.data), its store is used.`;

export function tokenCommand(command: Command): Command {
  return command
    .description('print a token for local use')
    .option('--user <id>', 'the id of a user, such as 1')
    .option('--admin', 'with the role admin')
    .option('--expires <time>', 'how long it holds: 30m, 8h, 7d, at most 366d', '8h')
    .addHelpText('after', TOKEN_EXAMPLES)
    .action(async (options: { user?: string; admin?: boolean; expires: string }) => {
      const { runToken } = await import('../../dev/cli/token.ts');
      await runToken(options, process.env);
    });
}

const TOKEN_EXAMPLES = `
Examples:
  for the commands that ask the demo
    $ export TABLE_SEARCH_TOKEN=$(table-search token --user 1 --admin)
  for a member, for a week
    $ table-search token --user 2 --expires 7d

The token is signed with AUTH_JWT_SECRET, which must be the service's, or with the secret that the demo keeps in
DATA_DIR (.data). stdout has the token alone. stderr names the secret, and warns when the user is unknown or not active.`;

export function benchCommand(command: Command): Command {
  return command
    .description('measure search, load and writes; takes a while (in the repository only)')
    .argument('[options...]', 'as in `npm run bench -- --help`')
    .allowUnknownOption()
    .addHelpText('after', BENCH_EXAMPLES)
    .action(bench);
}

const BENCH_EXAMPLES = `
Examples:
  the searches alone, on a hundred thousand tasks, keeping no result
    $ table-search bench --only searches --tasks 100000 --no-result --no-peers
  what can be measured
    $ table-search bench -- --help`;

async function bench(given: readonly string[]): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../../..');
  if (!existsSync(path.join(root, 'bench/main.ts'))) {
    throw new CliError(
      'The benchmarks are not here: they run in the repository alone.',
      EXIT.failed,
    );
  }
  const args = ['--import', 'tsx', 'bench/main.ts', ...given];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  process.exitCode = code ?? EXIT.failed;
}
