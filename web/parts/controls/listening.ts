/** Things that happen to the page while a part shows: each function calls `act` then, and returns one that ends it. */

/** Somebody goes back or forward, which leads to another view. The page announces new tables by the same event. */
export function onBack(act: () => void): () => void {
  const leave = ({ isTrusted }: PopStateEvent) => {
    if (isTrusted) act();
  };
  addEventListener('popstate', leave);
  return () => removeEventListener('popstate', leave);
}

/** Something outside of the element is pressed, or scrolls. */
export function onElsewhere(
  root: Element,
  types: readonly ('pointerdown' | 'scroll')[],
  act: (event: Event) => void,
): () => void {
  const listening = new AbortController();
  const away = (event: Event) => {
    if (!root.contains(event.target as Node)) act(event);
  };
  const how = { capture: true, passive: true, signal: listening.signal };
  for (const type of types) document.addEventListener(type, away, how);
  return () => listening.abort();
}

/** Whether the focus goes on to another part of the page, which this one may lie over; a dialog gives it back. */
export function leaves({ relatedTarget: to, currentTarget }: FocusEvent): boolean {
  if (!(to instanceof Element) || to.closest('dialog')) return false;
  return !(currentTarget as Element).contains(to);
}

/** One of the elements has a size, at first, or another one. */
export function onResize(act: (size: DOMRectReadOnly) => unknown, ...of: readonly Element[]) {
  const observer = new ResizeObserver(([entry]) => act(entry!.contentRect));
  for (const one of of) observer.observe(one);
  return () => observer.disconnect();
}
