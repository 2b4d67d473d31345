/** Ctrl-C: the first one ends the work under way in order, another one at once. */
import { CliError, EXIT } from './failure.ts';

export class Interrupted extends CliError {
  constructor(what = '') {
    super(`Interrupted. ${what}`.trim(), EXIT.interrupted);
  }
}

/** Resolves once the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

let abort: AbortController | undefined;

/** Aborted by the first SIGINT or SIGTERM, with `Interrupted` as its reason. */
export function interruption(): AbortSignal {
  if (abort) return abort.signal;
  const mine = new AbortController();
  abort = mine;
  const onSignal = () => {
    if (mine.signal.aborted) process.exit(EXIT.interrupted);
    mine.abort(new Interrupted());
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return mine.signal;
}
