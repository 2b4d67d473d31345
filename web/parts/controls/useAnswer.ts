/** The answer to a question that a component asks while it shows, and whether it is waited for. */
import { batch, useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { OVERDUE_MS, waitAfter } from '../../present/failureText.ts';
import { signIns } from '../../state/surroundings.ts';

/**
 * Asks when the component appears and when `by` changes; the end of the component, or the next question,
 * aborts the request. An answer stays until the next one arrives. The component asks again once somebody has signed in,
 * as the token of a request may have expired, and where a failure passes.
 *
 * @returns the latest answer, the error of a request that has failed since, and a function that asks once more
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  by: readonly unknown[],
): readonly [answer: T | undefined, failure: unknown, again: () => void] {
  const answer = useSignal<T | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tries = 0;
    const attempt = async (): Promise<void> => {
      try {
        const found = await ask(abort.signal);
        // Some parts of a question cannot be given up: its answer may come after that to a later one.
        if (abort.signal.aborted) return;
        batch(() => {
          answer.value = found;
          failure.value = undefined;
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        failure.value = error;
        const wait = waitAfter(error, tries++);
        if (wait !== undefined) timer = setTimeout(attempt, wait);
      }
    };
    void attempt();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [...by, retries, signIns.value]);
  return [answer.value, failure.value, () => setRetries((n) => n + 1)];
}

/** A wait that is worth a word: a shorter one would flicker. Milliseconds. */
export const SLOW_MS = 150;

/** Whether the component has shown for so long, since `by` changed, that it may say that it waits. */
export function useSlow(ms = SLOW_MS, by?: unknown): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), ms);
    return () => clearTimeout(timer);
  }, [by]);
  return isSlow;
}

/** The tries of something that may hang: how many there were before this one, whether it is overdue, and another. */
export function useTries(
  retry: () => void,
): readonly [tries: number, isOverdue: boolean, again: () => void] {
  const [tries, setTries] = useState(0);
  const isOverdue = useSlow(OVERDUE_MS, tries);
  const again = () => {
    setTries((n) => n + 1);
    retry();
  };
  return [tries, isOverdue, again];
}
