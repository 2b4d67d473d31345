/** The answer to a question that a component asks while it shows. */
import { batch, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { signIns } from '../../state/surroundings.ts';

/**
 * Asks when the component appears and when `by` changes; the end of the component, or the next question,
 * aborts the request. An answer stays until the next one arrives. The component asks again once somebody has signed in:
 * the token of a request may have expired.
 *
 * @returns the latest answer, and the error of a request that has failed since
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  by: readonly unknown[],
): readonly [answer: T | undefined, failure: unknown] {
  const answer = useSignal<T | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (found) => {
        // Some parts of a question cannot be given up: its answer may come after that to a later one.
        if (abort.signal.aborted) return;
        batch(() => {
          answer.value = found;
          failure.value = undefined;
        });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) failure.value = error;
      },
    );
    return () => abort.abort();
  }, [...by, signIns.value]);
  return [answer.value, failure.value];
}
