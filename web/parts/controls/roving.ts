/**
 * Many controls as one stop of Tab: the one that was used last has `tabindex=0`, the others `-1`, and
 * arrows go from one to the next. It keeps up with controls that come and go.
 *
 *     Tab ─▶ [ a · B · c ] ─▶ Tab          B was used last
 *              ←   →
 */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The control that a key leads to; undefined where the key keeps its own effect. */
export type Lead = (
  from: HTMLElement,
  key: string,
  controls: readonly HTMLElement[],
) => HTMLElement | undefined;

/** Whether a key is one of the browser, such as its way back, or a command of the page. */
export const isCommand = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey;

/** Moves the focus to the control that the key leads to. @returns it; undefined where it leads to none */
export function walk(
  event: KeyboardEvent,
  controls: () => readonly HTMLElement[],
  lead: Lead,
): HTMLElement | undefined {
  if (event.defaultPrevented || event.shiftKey || isCommand(event)) return undefined;
  const to = lead(event.target as HTMLElement, event.key, controls());
  if (!to) return undefined;
  event.preventDefault();
  to.focus();
  return to;
}

export function useRoving(root: RefObject<HTMLElement | null>, selector: string, lead: Lead): void {
  useEffect(() => (root.current ? rove(root.current, selector, lead) : undefined), []);
}

/** Along a line, by two keys; Home and End lead to its ends. */
export const along =
  (back: string, on: string): Lead =>
  (from, key, controls) => {
    if (key === 'Home') return controls[0];
    if (key === 'End') return controls.at(-1);
    const step = key === back ? -1 : key === on ? 1 : 0;
    return step === 0 ? undefined : controls[controls.indexOf(from) + step];
  };

function rove(root: HTMLElement, selector: string, lead: Lead): () => void {
  let current: HTMLElement | undefined;
  const controls = () =>
    [...root.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
  // With each key stroke: a style for each control, or attributes that stay the same, would cost milliseconds.
  const settle = () => {
    const all = [...root.querySelectorAll<HTMLElement>(selector)];
    if (!current || !all.includes(current) || !current.checkVisibility()) {
      current = all.find((one) => one.checkVisibility());
    }
    for (const one of all) {
      const index = one === current ? 0 : -1;
      if (one.tabIndex !== index) one.tabIndex = index;
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.matches(selector)) return;
    current = target;
    settle();
  };
  const onKey = (event: KeyboardEvent) => {
    const isOne = event.target instanceof HTMLElement && event.target.matches(selector);
    if (isOne && walk(event, controls, lead)) event.stopPropagation();
  };
  const observer = new MutationObserver(settle);
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener('focusin', onFocus);
  root.addEventListener('keydown', onKey);
  settle();
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', onFocus);
    root.removeEventListener('keydown', onKey);
  };
}
