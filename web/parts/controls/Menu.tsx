/** A button with something that opens below it; Escape, Back, and a press or the focus elsewhere close it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { leaves, onBack, onElsewhere } from './listening.ts';

interface Given {
  readonly label: string;
  readonly face: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether its buttons lead elsewhere, so that a press of one closes it. */
  readonly isLeft?: true;
}

export function Menu({ label, face, children, isLeft }: Given) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = ({ target }: Event) =>
    isLeft && target instanceof Element && target.closest('button') !== null;
  // Before it is painted: an open menu that does not listen yet would outlive Back.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const close = () => setOpen(false);
    const ends = [onBack(close), onElsewhere(root.current!, ['pointerdown'], close)];
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
      button.current?.focus();
    };
    document.addEventListener('keydown', onKey, true);
    return () => {
      for (const end of ends) end();
      document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={root} onFocusOut={(event) => leaves(event) && setOpen(false)}>
      <button
        ref={button}
        type="button"
        class="button"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys press the buttons in it
        <section
          class="menu-sheet"
          aria-label={label}
          // Before the press opens a dialog, which gives the focus back to where it was.
          onClickCapture={(event) => isPressed(event) && button.current?.focus()}
          onClick={(event) => isPressed(event) && setOpen(false)}
        >
          {children}
        </section>
      )}
    </div>
  );
}
