/**
 * Moves a column by its head: a line shows where it will stand, and it stands there once it is let go.
 *
 *     │ task id │ status ┃ type │ queued │       over the left half of a head: in front of that column
 */
import { drag } from '../controls/drag.ts';

/** Pixels by which a pointer may move within a click. */
export const STEADY = 4;
/** Pixels at either end of the table where it is scrolled, and by how many. */
const EDGE = 48;
const SCROLL = 24;

/** @param move takes the place in front of which the column stands then, counted with the column itself */
export function startMove(event: PointerEvent, move: (place: number) => void): void {
  // A finger scrolls the table.
  if (event.button !== 0 || event.pointerType === 'touch') return;
  const button = event.currentTarget as HTMLElement;
  const head = button.closest('th')!;
  const box = head.closest('.table-box')!;
  const heads = [...head.parentElement!.querySelectorAll<HTMLElement>('th:not(.mark-cell)')];
  const { top, height } = head.getBoundingClientRect();
  let isMoving = false;
  let place: number | undefined;
  const mark = (to: number | undefined) => {
    place = to;
    for (const [at, one] of heads.entries()) {
      if (at === to) one.dataset.drop = 'before';
      else if (to === heads.length && at === to - 1) one.dataset.drop = 'after';
      else delete one.dataset.drop;
    }
  };
  // A drag keeps the browser from moving the focus, and a move of the focus ends typing elsewhere.
  button.focus({ preventScroll: true });
  drag(
    event,
    (left) => {
      isMoving ||= Math.abs(left - event.clientX) > STEADY;
      if (!isMoving) return;
      head.classList.add('is-moved');
      const { left: start, right: end } = box.getBoundingClientRect();
      box.scrollLeft += left < start + EDGE ? -SCROLL : left > end - EDGE ? SCROLL : 0;
      const over = document.elementFromPoint(left, top + height / 2)?.closest('th') as HTMLElement;
      const at = heads.indexOf(over);
      if (at < 0) return mark(undefined);
      const { left: from, width } = over.getBoundingClientRect();
      mark(left > from + width / 2 ? at + 1 : at);
    },
    (isDone) => {
      const to = place;
      head.classList.remove('is-moved');
      mark(undefined);
      if (!isMoving) return;
      // The release is no click on the head.
      const stop = (click: Event) => click.stopImmediatePropagation();
      button.addEventListener('click', stop, { capture: true });
      setTimeout(() => button.removeEventListener('click', stop, { capture: true }));
      if (isDone && to !== undefined) move(to);
    },
  );
}
