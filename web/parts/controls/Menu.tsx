/** A button with something that opens below it; Escape, a press elsewhere, and Back close it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { onBack } from './onBack.ts';

interface Given {
  readonly label: string;
  readonly face: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Menu({ label, face, children, class: name = 'button' }: Given) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Before it is painted: an open menu that does not listen yet would outlive Back.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const away = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    const endOnBack = onBack(() => setOpen(false));
    document.addEventListener('pointerdown', away);
    document.addEventListener('keydown', onKey, true);
    return () => {
      endOnBack();
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class={name}
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <section class="menu-sheet" aria-label={label}>
          {children}
        </section>
      )}
    </div>
  );
}
