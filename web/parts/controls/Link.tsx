/** A link to another view of the UI. */
import type { JSX } from 'preact';
import { go } from '../../data/store.ts';
import { addressOf } from '../../state/address.ts';
import type { View } from '../../state/view.ts';
import { addressFields } from '../../tables/tables.ts';
import { follow } from './follow.ts';

export function Link({ to, children }: { readonly to: View; readonly children: JSX.Element }) {
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
