/** The name of the signed-in user: the token has only a number. */

import { signal } from '@preact/signals';
import { hasBuiltIn } from '../tables/ownTables.ts';
import { users } from '../tables/users.ts';
import { rowsAt } from './service.ts';
import { session } from './session.ts';

export const who = signal<string | undefined>(undefined);

export async function learnWho(): Promise<void> {
  who.value = undefined;
  const id = session.peek()?.userId ?? '';
  if (!hasBuiltIn.peek() || !/^\d{1,15}$/.test(id)) return;
  const body = { select: [{ field: 'id', in: [Number(id)] }], pagination: { per_page: 1 } };
  const found = await rowsAt({ view: users.views.admin, path: {} })
    .explore(body)
    .catch(() => undefined);
  const { first_name, last_name, email } = found?.data[0] ?? {};
  const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
  if (session.peek()?.userId === id) who.value = name.trim() || String(email ?? '') || undefined;
}
