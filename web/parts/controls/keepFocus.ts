/** The focus goes on where its element leaves the page: else the next key is nobody's, and Tab begins at the top. */

/** The nearest of these around the element takes the focus. In a dialog and a menu the first button does. */
const ROOMS = '.panel, #rows, dialog, .head-sheet';

export function keepFocus(): void {
  /** The element that had it last or was pressed since, and those around it. */
  let around: readonly Element[] = [];
  for (const type of ['focusin', 'pointerdown']) {
    addEventListener(type, ({ target }) => {
      around = withAncestors(target);
    });
  }
  const isLost = () => document.activeElement === document.body && around[0]?.isConnected === false;
  const goOn = () => {
    if (!isLost()) return;
    const room =
      around.find((one) => one.isConnected && one.matches(ROOMS)) ??
      document.querySelector('.panel') ??
      document.querySelector('#rows');
    const taker = room?.matches('[tabindex]') ? room : room?.querySelector('button');
    (taker as HTMLElement | null | undefined)?.focus({ preventScroll: true });
  };
  // Not at once: it may be on its way, as from a menu back to its button.
  const observer = new MutationObserver(() => isLost() && setTimeout(goOn));
  observer.observe(document.body, { childList: true, subtree: true });
}

function withAncestors(target: EventTarget | null): readonly Element[] {
  const all: Element[] = [];
  for (let at = target as Element | null; at; at = at.parentElement) all.push(at);
  return all;
}
