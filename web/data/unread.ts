/** Parts of an address that the view leaves out: a filter that is left out in silence would show too many rows. */
import { unreadParts } from '../state/address.ts';
import { addressFields, tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { notify } from './notices.ts';
import { isAdmin } from './service/session.ts';
import { isLost, view } from './store.ts';

/** @param address of the view that shows */
export function tellUnread(address: string): void {
  const { table } = view.peek();
  // The page says itself that there is no such table.
  if (isLost.peek() || !tablesFor(isAdmin.peek()).includes(table)) return;
  const unread = unreadParts(new URL(address, location.origin).search, addressFields(table)!);
  if (unread.length === 0) return;
  notify(say('These parts of the address were left out: {what}', { what: unread.join(', ') }));
}
