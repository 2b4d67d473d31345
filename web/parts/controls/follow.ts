/** A link that changes the view here, and still opens elsewhere with the keys that browsers have for it. */
export function follow(event: MouseEvent, act: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  act();
}
