/**
 * Parts of the bench in processes of their own, so that one's memory and heat are not another's.
 *
 *     inOwnProcess('load/main.ts', job) ──► takeJob(work) ──► result
 */
import { type ChildProcess, fork } from 'node:child_process';

/** Runs a main file of the bench with a job; returns what its work gave. */
export async function inOwnProcess<R>(
  main: string,
  job: unknown,
  options: { readonly flags?: readonly string[]; readonly quiet?: boolean } = {},
): Promise<R> {
  const child = start(main, options.flags ?? []);
  try {
    return await new Promise<R>((resolve, reject) => {
      child.once('message', (result) => resolve(result as R));
      child.once('exit', (code) => reject(new Error(`${main} ended with ${code}`)));
      child.send(job as object);
    });
  } finally {
    if (child.connected) child.disconnect();
  }
}

function start(main: string, flags: readonly string[]): ChildProcess {
  const execArgv = ['--expose-gc', ...flags, ...process.execArgv];
  return fork(new URL(main, import.meta.url), { execArgv });
}

/** The other end: does the work of the one job this process is for, and ends. */
export function takeJob<J, R>(work: (job: J) => Promise<R>): void {
  process.once('message', (job) => {
    work(job as J).then(
      (result) => process.send!(result, () => process.exit(0)),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // The parent is gone: the result is not wanted any more.
  process.once('disconnect', () => process.exit(1));
}
