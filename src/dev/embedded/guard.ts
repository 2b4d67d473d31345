/**
 * Runs a mongod that cannot outlive the process that started it.
 *
 *     this process ──pipe──▶ sh (own session) ──▶ mongod
 *
 * A small shell stands between. It holds the reading end of a pipe whose writing end only this
 * process has. When this process ends, by whatever means, `kill -9` included, the kernel closes the
 * pipe, the shell's `read` returns at once and the mongod is ended. Nothing polls, and there is no
 * moment at which the mongod runs without its guard (mongodb-memory-server starts a second Node
 * process after the mongod, which looks every 2 s and costs 40 MB).
 *
 * The shell leads its own session, so Ctrl-C at a terminal reaches this process alone: the mongod
 * keeps serving until what is under way has finished and `end()` is called.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `$1` is the signal that ends the mongod, `$2` a folder to remove afterwards or nothing, the rest
 * the command. The first line on stdout is the mongod's process id; what mongod prints before it
 * has opened its log goes to stderr. Once the owner has gone both are broken pipes, on which a
 * shell that reports "Killed" would itself be killed: hence the trap and the redirection.
 */
const GUARD = `
signal=$1 remove=$2
shift 2
exec 3<&0 </dev/null
"$@" >&2 3<&- &
mongod=$!
trap '' PIPE
{
  read -r _ <&3
  kill -"$signal" "$mongod"
  left=60
  while [ "$left" -gt 0 ]; do
    sleep 1
    kill -0 "$mongod" || exit
    left=$((left - 1))
  done
  kill -KILL "$mongod"
} >/dev/null 2>&1 &
guard=$!
echo "$mongod"
exec 3<&- >/dev/null 2>&1
wait "$mongod"
code=$?
kill "$guard"
if [ -n "$remove" ]; then rm -rf -- "$remove"; fi
exit "$code"
`;

/** The exit code that stands for a mongod that was ended because its shell had been killed. */
const SHELL_KILLED = 128;

/** How much of what mongod prints outside its log is kept for an error message, in characters. */
const OUTPUT_KEPT = 4000;

export interface GuardedOptions {
  /** The mongod binary. */
  readonly command: string;
  readonly args: readonly string[];
  /** `KILL` for data that is not needed afterwards, `TERM` for a clean shutdown. */
  readonly endSignal: 'TERM' | 'KILL';
  /** A folder that is removed after the mongod has ended, however it ended. */
  readonly removeAfter?: string;
}

/** A mongod under guard. */
export interface Guarded {
  /** The mongod's own process id. */
  readonly pid: number;
  /** Resolves with the exit code (128 + n after signal n) once the mongod has ended. */
  readonly exited: Promise<number>;
  /** The end of what it printed outside its log file, for error messages. */
  output(): string;
  /** Lets the guard end the mongod; resolves when it has ended. */
  end(): Promise<number>;
}

/**
 * Starts `command` under guard. Neither the guard nor the mongod keeps this process's event loop
 * alive.
 *
 * @throws when the shell cannot be started.
 */
export async function runGuarded(options: GuardedOptions): Promise<Guarded> {
  const { command, args, endSignal, removeAfter = '' } = options;
  const shell = spawn(
    '/bin/sh',
    ['-c', GUARD, 'mongod-guard', endSignal, removeAfter, command, ...args],
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  let output = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_KEPT);
  });
  // The guard may end while its pipe is being closed: that is what was wanted.
  shell.stdin.on('error', () => {});
  await once(shell, 'spawn');
  const shellEnded = once(shell, 'exit') as Promise<[code: number | null]>;
  const [line] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number.parseInt(line, 10);
  const exited = shellEnded.then(async ([code]) => {
    if (code !== null) return code;
    // The shell itself was killed. Its reading half lives on and ends the mongod when told.
    shell.stdin.destroy();
    while (isAlive(pid)) await sleep(50);
    return SHELL_KILLED;
  });
  for (const stream of [shell.stdin, shell.stdout, shell.stderr]) {
    (stream as unknown as Socket).unref();
  }
  shell.unref();

  return {
    pid,
    exited,
    output: () => output.trim(),
    end: () => {
      shell.ref();
      shell.stdin.destroy();
      return exited;
    },
  };
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
