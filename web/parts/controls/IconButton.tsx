/** A button that shows an icon alone; its label names its action, also to who points at it. */
import type { ButtonHTMLAttributes } from 'preact';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';

type Attributes = 'title' | 'disabled' | 'tabIndex' | 'aria-pressed' | 'onClick';

interface Given extends Pick<ButtonHTMLAttributes, Attributes> {
  readonly icon: IconName;
  readonly label: string;
  readonly small?: boolean;
  /** The icon's, in pixels; a small button has a smaller one by default. */
  readonly size?: number;
  readonly class?: string;
}

export function IconButton({ icon, label, small, size, class: name, ...attributes }: Given) {
  const look = ['is-icon', small && 'is-small', name].filter(Boolean).join(' ');
  return (
    <Button look={look} aria-label={label} title={label} {...attributes}>
      <Icon name={icon} size={size ?? (small ? 13 : 16)} />
    </Button>
  );
}
