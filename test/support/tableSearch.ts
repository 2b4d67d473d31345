/** `table-search` as a process: in a pipe, or in a pseudo-terminal that Python's `pty` opens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The module by which Node loads TypeScript, for `--import`. */
export const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

const absolute = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

type Command = readonly [command: string, ...args: string[]];

/**
 * `npm test` builds the programs first, and says so by `TEST_BUILT`: they start in a third of the
 * time. A test file that runs alone takes the sources.
 */
const program = (name: string): Command => {
  if (process.env.TEST_BUILT !== undefined) return [process.execPath, absolute(`dist/${name}.js`)];
  const source = absolute(`src/${name}.ts`);
  return [process.execPath, '--conditions=source', '--import', TSX, source];
};

export const TABLE_SEARCH = program('cli/main');

/** The service alone. */
export const SERVICE = program('main');

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The environment of a command: its own variables, and the places of programs. */
const clean = (env: Environment): NodeJS.ProcessEnv => {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...env };
};

/** In a pipe. */
export function start(args: readonly string[], env: Environment): ChildProcess {
  const [command, ...own] = TABLE_SEARCH;
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return spawn(command, [...own, ...args], { cwd: ROOT, env: clean(env), stdio: [...stdio] });
}

export const run = (args: readonly string[], env: Environment) => endOf(start(args, env));

export async function endOf(child: ChildProcess): Promise<Ended> {
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

/** Starts the service on a free port; the lines of its log as they come. */
export function serviceProcess(env: Environment) {
  const [command, ...own] = SERVICE;
  const child = spawn(command, own, {
    cwd: ROOT,
    env: clean({ PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(JSON.parse(line)));
  const exited = Promise.all([once(child, 'close'), once(reader, 'close')]).then(
    ([[code]]) => code as number | null,
  );
  const find = (message: string) => {
    const line = lines.find(({ msg }) => msg === message);
    if (line === undefined && child.exitCode !== null) {
      throw new Error(`ended without saying ${message}: ${JSON.stringify(lines.at(-1))}`);
    }
    return line;
  };
  /** Waits for the line with this message. */
  const said = (message: string) => until(() => find(message), `no line ${message}`, 120_000);
  return { child, lines, exited, said };
}

/** Opens a terminal of so many cells, runs the command in it, and ends as that does. */
const TERMINAL = `
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        some = os.read(terminal, 65536)
    except OSError:
        break
    if not some:
        break
    sys.stdout.buffer.write(some)
    sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
`;

export interface Screen {
  readonly code: number | null;
  /** Everything that was written to the terminal, its own line ends as `\n`. */
  readonly text: string;
}

/** In a terminal. */
export async function runInTerminal(
  args: readonly string[],
  env: Environment,
  columns = 100,
): Promise<Screen> {
  const command = ['-c', TERMINAL, String(columns), ...TABLE_SEARCH, ...args];
  const child = spawn('python3', command, {
    cwd: ROOT,
    env: clean({ TERM: 'xterm-256color', ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, text: shown.replaceAll('\r\n', '\n') };
}

// biome-ignore lint/complexity/useRegexLiterals: no control characters in a source file
const STYLES = new RegExp('\\u001b\\[[0-9;]*m', 'g');

/** Without colours. */
export const plain = (text: string): string => text.replace(STYLES, '');
