/** The answer to a question that a component asks while it shows. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { signIns } from '../../state/surroundings.ts';

/**
 * Asks when the component appears and when `by` changes; the end of the component, or the next question,
 * aborts the request. An answer stays until the next one arrives. The component asks again once somebody has signed in:
 * the token of a request may have expired.
 *
 * @param failed takes the error of a request that was not aborted
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  by: readonly unknown[],
  failed: (error: unknown) => void = () => {},
): T | undefined {
  const answer = useSignal<T | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (found) => {
        answer.value = found;
      },
      (error: unknown) => {
        if (!abort.signal.aborted) failed(error);
      },
    );
    return () => abort.abort();
  }, [...by, signIns.value]);
  return answer.value;
}
