/** An option of a list below a text box, which keeps the focus and names the active one. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Given {
  readonly id: string;
  readonly text: string;
  readonly isActive: boolean;
  readonly take: () => void;
  /** At its end. */
  readonly children: ComponentChildren;
}

export function Option({ id, text, isActive, take, children }: Given) {
  const option = useRef<HTMLDivElement>(null);
  // In sight, as an element with the focus is.
  useEffect(() => {
    if (isActive) option.current!.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the box, which names the active one
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the box's
    <div
      ref={option}
      id={id}
      class="option"
      role="option"
      aria-selected={isActive}
      // The box keeps the focus; and a finger that scrolls the list takes nothing.
      onPointerDown={(event) => event.preventDefault()}
      onClick={take}
    >
      <span class="option-text">{text}</span>
      {children}
    </div>
  );
}
