/** A dialog of the browser's own: it holds the focus until it closes, and Escape closes it. */
import type { ComponentChildren, TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { say } from '../../words/words.ts';
import { IconButton } from '../controls/IconButton.tsx';
import { onBack } from '../controls/listening.ts';

interface Given {
  readonly title: string;
  /** Undefined where nothing closes the dialog: its action is under way, or nobody is signed in. */
  readonly close: (() => void) | undefined;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** A click beside it does not close it. */
  readonly firm?: boolean;
}

export function Dialog({ title, close, children, class: name = '', firm = false }: Given) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    // The browser gives the focus back at once: the next key is meant for the element that had it.
    return () => dialog.close();
  }, []);
  // A dialog that stayed would be about the view that somebody has left.
  useLayoutEffect(() => close && onBack(close), [close === undefined]);
  return (
    <dialog
      ref={ref}
      class={`dialog ${name}`}
      aria-label={title}
      // A second Escape would close it, even against the page, and a third one reach the page behind it.
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !close) event.preventDefault();
      }}
      // So does Back on a phone. The browser may report the close after the dialog is gone.
      onClose={() => {
        if (!close) ref.current?.showModal();
        else if (ref.current) close();
      }}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
      onPointerDown={(event) => {
        if (!firm && isBeside(event)) close?.();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 class="dialog-title">{title}</h2>
          {close && <IconButton icon="close" label={say('Close')} onClick={close} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A press on its edge or scrollbar is none beside it. */
function isBeside({ target, currentTarget, clientX, clientY }: TargetedPointerEvent<Element>) {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const isWithin = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !isWithin;
}
