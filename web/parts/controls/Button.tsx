/** A button of the UI, in any of its looks; no form takes it for its own unless it says so. */
import type { ButtonHTMLAttributes } from 'preact';

interface Given extends Omit<ButtonHTMLAttributes, 'class'> {
  /** Classes of `style/controls.css`: `is-primary`, `is-plain`, `is-small`, `is-danger`. */
  readonly look?: string;
}

export const Button = ({ look, ...attributes }: Given) => (
  <button type="button" {...attributes} class={look ? `button ${look}` : 'button'} />
);
