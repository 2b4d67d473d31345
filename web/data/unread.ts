/** Parts of an address that the view leaves out: a filter that is left out in silence would show too many rows. */
import { unreadParts } from '../state/address.ts';
import { addressFields } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { notify } from './notices.ts';
import { isLost, view } from './store.ts';

/** @param query of the view that shows */
export function tellUnread(query: string): void {
  if (isLost.peek()) return;
  const unread = unreadParts(query, addressFields(view.peek().table)!);
  if (unread.length === 0) return;
  notify(say('These parts of the address were left out: {what}', { what: unread.join(', ') }));
}
