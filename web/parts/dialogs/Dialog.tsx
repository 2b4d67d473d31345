/** A dialog of the browser's own: it holds the focus until it closes, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { say } from '../../words/words.ts';
import { IconButton } from '../controls/IconButton.tsx';
import { onBack } from '../controls/onBack.ts';

interface Given {
  readonly title: string;
  /** Undefined where nothing closes the dialog: its action is under way, or nobody is signed in. */
  readonly close: (() => void) | undefined;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** A click beside it does not close it. */
  readonly firm?: boolean;
  /** Called a frame after it has closed. */
  readonly closed?: () => void;
}

export function Dialog(given: Given) {
  const { title, close, children, class: name = '', firm = false } = given;
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      // Preact calls this after a frame: a key may have led on by then.
      const isFree = document.activeElement === document.body;
      if (isFree && before instanceof HTMLElement) before.focus();
      given.closed?.();
    };
  }, []);
  // A dialog that stayed would be about the view that somebody has left.
  useLayoutEffect(() => close && onBack(close), [close === undefined]);
  /** Once: the browser tells of a close later, when another dialog may be open. */
  const isShut = useRef(false);
  const shut = () => {
    if (!close || isShut.current) return;
    isShut.current = true;
    // Gives the focus back at once: the next key is meant for what had it.
    ref.current?.close();
    close();
  };
  return (
    <dialog
      ref={ref}
      class={`dialog ${name}`}
      aria-label={title}
      // A second Escape closes it, whatever the page says to that.
      onClose={close ? shut : () => ref.current?.showModal()}
      onCancel={(event) => {
        event.preventDefault();
        shut();
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current && !firm) shut();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 class="dialog-title">{title}</h2>
          {close && <IconButton icon="close" label={say('Close')} onClick={shut} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}
