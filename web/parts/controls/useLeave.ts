/** The focus goes on where an element goes that has it: else the next key would be nobody's. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** @param leave moves the focus on; called before the element goes, and only where the focus is within it */
export function useLeave<T extends Element>(
  root: RefObject<T | null>,
  leave: (from: T) => void,
): void {
  const end = () => {
    const { current: from } = root;
    if (from?.contains(document.activeElement)) leave(from);
  };
  // A cleanup of another effect comes when the element is gone.
  useLayoutEffect(() => end, []);
}
