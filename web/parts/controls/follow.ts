/** Links that change the view here, and those that somebody opens in a tab or window of its own. */

const MIDDLE = 1;

/** Whether a press opens a link elsewhere, by the keys and the button that browsers have for it. */
const isApart = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === MIDDLE || (button === 0 && (ctrlKey || metaKey || shiftKey));

/** Does this for a press that opens the link here. */
export function follow(event: MouseEvent, act: () => void): void {
  if (isApart(event)) return;
  event.preventDefault();
  act();
}

/**
 * The page itself opens its links elsewhere from now on. A tab that a script opens gets a copy of this one's session
 * storage, and is signed in.
 */
export function startNewTabs(): void {
  addEventListener('click', openApart);
  addEventListener('auxclick', openApart);
}

function openApart(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isApart(event) || event.defaultPrevented || !link?.href) return;
  if (link.target !== '' || link.origin !== location.origin) return;
  event.preventDefault();
  open(link.href, '_blank');
}
