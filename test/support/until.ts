/** Waiting for a fact itself, however long a busy machine takes to bring it about. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses between two questions, milliseconds: short at first, longer where it takes time anyway. */
const FIRST_MS = 5;
const LONGEST_MS = 50;

/** A value that may come yet: undefined and false mean that it has not. */
type NotYet = undefined | false;

/**
 * Asks until there is an answer, and returns it.
 *
 * @throws after `ms` milliseconds, in the words of `what`, which a function finds at that time.
 */
export async function until<T>(
  ask: () => T | NotYet | Promise<T | NotYet>,
  what: string | (() => string) = 'it did not come',
  ms = 30_000,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * 1.5)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as T;
    if (performance.now() > deadline) {
      throw new Error(`${typeof what === 'string' ? what : what()}, after ${ms} ms`);
    }
    await sleep(pause);
  }
}

/** Holds up what waits for it to be passed, until it is opened. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
