/** The answer to a question that a component asks while it shows. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { signIns } from '../../state/surroundings.ts';

/**
 * Asks when the component appears and when `by` changes; the end of the component, or the next question,
 * aborts the request. An answer stays until the next one arrives. A failed request is made again once somebody
 * has signed in: its token may have expired.
 *
 * @param failed takes the error of a request that was not aborted
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  by: readonly unknown[],
  failed: (error: unknown) => void = () => {},
): T | undefined {
  const answer = useSignal<T | undefined>(undefined);
  const again = useAgain();
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (found) => {
        answer.value = found;
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        again.failed();
        failed(error);
      },
    );
    return () => abort.abort();
  }, [...by, again.by]);
  return answer.value;
}

/** `by` changes when somebody has signed in after a failure. */
export function useAgain(): { readonly by: number; readonly failed: () => void } {
  const now = signIns.value;
  const asked = useRef(now);
  const hasFailed = useRef(false);
  if (hasFailed.current && asked.current !== now) {
    hasFailed.current = false;
    asked.current = now;
  }
  return {
    by: asked.current,
    failed: () => {
      hasFailed.current = true;
    },
  };
}
