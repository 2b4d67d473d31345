/** A link to another view of the UI. */
import type { JSX } from 'preact';
import { addressOf } from '../../state/address.ts';
import type { View } from '../../state/view.ts';
import { addressFields } from '../../tables/tables.ts';
import { follow } from './follow.ts';

interface Given {
  readonly to: View;
  readonly go: (to: View) => void;
  readonly children: JSX.Element;
}

export function Link({ to, go, children }: Given) {
  return (
    <a
      class="link"
      href={addressOf(to, addressFields)}
      onClick={(event) => follow(event, () => go(to))}
    >
      {children}
    </a>
  );
}
