/**
 * Follows the pointer from a press on an element to its release, also outside of the element.
 *
 * @param move takes the pointer's place, pixels from the left of the window
 * @param release is told whether the pointer was let go; it may also have been taken away
 */
export function drag(
  event: PointerEvent,
  move: (left: number) => void,
  release?: (isDone: boolean) => void,
): void {
  // Another button opens a menu, and its release may never be told.
  if (event.button !== 0) return;
  event.preventDefault();
  const grip = event.currentTarget as HTMLElement;
  grip.setPointerCapture(event.pointerId);
  const listening = new AbortController();
  const { signal } = listening;
  const end = ({ type }: PointerEvent) => {
    listening.abort();
    release?.(type === 'pointerup');
  };
  grip.addEventListener('pointermove', ({ clientX }) => move(clientX), { signal });
  grip.addEventListener('pointerup', end, { signal });
  grip.addEventListener('pointercancel', end, { signal });
  // The element may leave the page.
  document.addEventListener('lostpointercapture', end, { signal });
}
