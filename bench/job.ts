/**
 * Parts of the bench in processes of their own, so that one's memory and heat are not another's.
 *
 *     inOwnProcess('load/main.ts', job) ──► takeJob(work) ──► result
 *                        meanwhile ◄── ready ──┘
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';

type Message<R> = { readonly is: 'ready' } | { readonly is: 'result'; readonly result: R };

/**
 * Runs a main file of the bench with a job; returns the outcome of its work.
 *
 * @param meanwhile done when the work says that it is ready, and before that goes on
 */
export async function inOwnProcess<R>(
  main: string,
  job: unknown,
  meanwhile = async () => {},
): Promise<R> {
  const child = fork(new URL(main, import.meta.url));
  try {
    return await new Promise<R>((resolve, reject) => {
      child.on('message', (message) => {
        const told = message as Message<R>;
        if (told.is === 'result') resolve(told.result);
        else meanwhile().then(() => child.send('go on'), reject);
      });
      child.once('exit', (code) => reject(new Error(`${main} ended with ${code}`)));
      child.send(job as object);
    });
  } finally {
    if (child.connected) child.disconnect();
  }
}

/**
 * The other end: does the work of the one job this process is for, and ends. The work may say once that
 * it is ready, and goes on when the other end has done what it wants to do then.
 */
export function takeJob<J, R>(work: (job: J, ready: () => Promise<void>) => Promise<R>): void {
  const ready = async () => {
    process.send!({ is: 'ready' });
    await once(process, 'message');
  };
  process.once('message', (job) => {
    work(job as J, ready).then(
      (result) => process.send!({ is: 'result', result }, () => process.exit(0)),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // The parent is gone: the result is not wanted any more.
  process.once('disconnect', () => process.exit(1));
}
