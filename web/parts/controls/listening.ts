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
  act: () => void,
): () => void {
  const listening = new AbortController();
  const away = ({ target }: Event) => {
    if (!root.contains(target as Node)) act();
  };
  const how = { capture: true, passive: true, signal: listening.signal };
  for (const type of types) document.addEventListener(type, away, how);
  return () => listening.abort();
}

/** One of the elements has a size, at first, or another one. */
export function onResize(act: (size: DOMRectReadOnly) => unknown, ...of: readonly Element[]) {
  const observer = new ResizeObserver(([entry]) => act(entry!.contentRect));
  for (const one of of) observer.observe(one);
  return () => observer.disconnect();
}
