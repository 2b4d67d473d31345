/** A question that an element asks only while it is in sight, and not with each change. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How often the text may change, milliseconds. */
const AGAIN_MS = 5_000;

/**
 * The text while the element is in sight: a later one after five seconds at the earliest. Undefined before the element
 * has been in sight.
 */
export function useWhileSeen(element: RefObject<Element | null>, text: string): string | undefined {
  const isSeen = useSignal(false);
  const shown = useSignal<string | undefined>(undefined);
  const at = useRef(0);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      isSeen.value = entry?.isIntersecting === true;
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isSeen.value) return;
    const timer = setTimeout(
      () => {
        at.current = Date.now();
        shown.value = text;
      },
      Math.max(0, at.current + AGAIN_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [text, isSeen.value]);
  return shown.value;
}
