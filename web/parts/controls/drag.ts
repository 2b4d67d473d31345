/**
 * Follows the pointer from a press on an element to its release, also outside of the element.
 *
 * @param move takes the pointer's place, pixels from the left of the window
 */
export function drag(event: PointerEvent, move: (left: number) => void): void {
  event.preventDefault();
  const grip = event.currentTarget as HTMLElement;
  grip.setPointerCapture(event.pointerId);
  const onMove = ({ clientX }: PointerEvent) => move(clientX);
  grip.addEventListener('pointermove', onMove);
  const end = () => grip.removeEventListener('pointermove', onMove);
  grip.addEventListener('pointerup', end, { once: true });
  grip.addEventListener('pointercancel', end, { once: true });
}
