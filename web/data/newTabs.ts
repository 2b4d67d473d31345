/**
 * Links of the page in tabs of their own, by the keys and buttons that browsers have for it. The tab is signed
 * in: it gets a copy of this tab's session storage only where a script opens it.
 */
export function startNewTabs(): void {
  addEventListener('click', openApart);
  addEventListener('auxclick', openApart);
}

const MIDDLE = 1;

function openApart(event: MouseEvent): void {
  const { button, ctrlKey, metaKey, shiftKey, target } = event;
  const isApart = button === MIDDLE || (button === 0 && (ctrlKey || metaKey || shiftKey));
  const link = target instanceof Element ? target.closest('a') : null;
  if (!isApart || event.defaultPrevented || !link?.href) return;
  if (link.target !== '' || link.origin !== location.origin) return;
  event.preventDefault();
  open(link.href, '_blank');
}
