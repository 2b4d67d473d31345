/**
 * Notices on an address. One names the parts that the view leaves out: a filter that is left out in silence would show too
 * many rows. Another one says that the address is too long for servers.
 */
import { computed, effect } from '@preact/signals';
import { unreadParts } from '../state/address.ts';
import { addressFields, tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { notify } from './notices.ts';
import { isAdmin } from './service/session.ts';
import { isLost, rowsAddress, view } from './store.ts';

/** Proxies often refuse a longer address. The service refuses one of twice that length. */
const LONGEST = 8_000;

const isLong = computed(() => rowsAddress.value.length > LONGEST);

/** Undefined where the address of the view can be shared and loaded again. */
export const lengthWarning = () =>
  isLong.value
    ? say('The address of this view may be too long to share or reload. Use fewer values.')
    : undefined;

effect(() => {
  const text = lengthWarning();
  if (text !== undefined) notify(text);
});

/** @param address of the view that shows */
export function tellUnread(address: string): void {
  const { table } = view.peek();
  // The page says itself that there is no such table.
  if (isLost.peek() || !tablesFor(isAdmin.peek()).includes(table)) return;
  const unread = unreadParts(new URL(address, location.origin).search, addressFields(table)!);
  if (unread.length === 0) return;
  notify(say('These parts of the address were left out: {what}', { what: unread.join(', ') }));
}
