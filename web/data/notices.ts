/** Short notices of actions, shown once and then gone. */
import { signal } from '@preact/signals';
import type { Notice } from '../present/notice.ts';
import { dialog } from './dialogs.ts';

export const notices = signal<readonly Notice[]>([]);

const STAYS_MS = 9_000;
/** People need time to read a notice that offers an action, and to reach it by keys. */
const OFFERS_MS = 30_000;
const MOST = 3;
let next = 1;

export function notify(text: string, offers: Pick<Notice, 'undo' | 'details'> = {}): void {
  const id = next;
  next += 1;
  const one = { id, text, ...offers };
  // A text that is said again shows once.
  const others = notices.peek().filter((other) => other.text !== text || !isPlain(other));
  const tooMany = others.length < MOST ? undefined : pushedOut(others, one);
  notices.value = [...others.filter((other) => other !== tooMany), one];
  // A notice of a failure stays until somebody closes it.
  if (!offers.details) expire(id, offers.undo ? OFFERS_MS : STAYS_MS);
}

const isPlain = ({ undo, details }: Notice) => !undo && !details;

/** The oldest notice without an offer; a notice with an offer gives way only to another such one. */
const pushedOut = (shown: readonly Notice[], next: Notice) =>
  shown.find(isPlain) ?? (isPlain(next) ? undefined : shown[0]);

function expire(id: number, ms: number): void {
  setTimeout(() => {
    if (isHeld(id)) expire(id, STAYS_MS);
    else dismiss(id);
  }, ms);
}

/** Whether somebody is about to use it, or a dialog lies over it. */
const isHeld = (id: number) =>
  dialog.peek().kind !== 'none' ||
  document.querySelector(`[data-notice="${id}"]:is(:hover, :focus-within)`) !== null;

/** Takes the latest action back that a notice still offers to undo. */
export function undoLatest(): void {
  const latest = notices.peek().findLast(({ undo }) => undo);
  if (!latest) return;
  dismiss(latest.id);
  latest.undo?.();
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((one) => one.id !== id);
}
