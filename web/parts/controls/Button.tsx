/** A button of the UI, in any of its looks; no form takes it for its own unless it says so. */
import type { ButtonHTMLAttributes } from 'preact';

interface Given extends Omit<ButtonHTMLAttributes, 'class'> {
  /** Classes of `style/controls.css`: `is-primary`, `is-plain`, `is-small`, `is-danger`. */
  readonly look?: string;
}

export const Button = ({ look, disabled, ...attributes }: Given) => (
  <button
    type="button"
    {...attributes}
    {...(disabled && OFF)}
    class={look ? `button ${look}` : 'button'}
  />
);

/** The browser would take the focus from a disabled button, also while its own press is under way. */
const OFF = {
  'aria-disabled': true,
  tabIndex: -1,
  onClick: (event: Event) => event.preventDefault(),
} as const;
