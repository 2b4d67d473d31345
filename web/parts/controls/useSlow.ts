/** A wait that is worth a word: a shorter one would flicker. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Milliseconds. */
const SLOW_MS = 150;

/** Whether the component has shown for so long that it may say that it waits. */
export function useSlow(): boolean {
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isSlow.value = true;
    }, SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow.value;
}
