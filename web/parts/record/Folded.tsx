/** The beginning of a long value, until its reader asks for all of it. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { say } from '../../words/words.ts';

/** Values of more letters or elements would push the members below them out of sight. */
export const isLong = (value: unknown) =>
  (typeof value === 'string' && value.length > 600) || (Array.isArray(value) && value.length > 40);

interface Given {
  readonly isLong: boolean;
  readonly children: JSX.Element;
}

export function Folded({ isLong, children }: Given) {
  const isWhole = useSignal(false);
  if (!isLong || isWhole.value) return children;
  return (
    <>
      <div class="folded">{children}</div>
      <button
        type="button"
        class="button is-small"
        onClick={() => {
          isWhole.value = true;
        }}
      >
        {say('Show all')}
      </button>
    </>
  );
}
