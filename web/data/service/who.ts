/** Names of users: the signed-in one, of whom the token has only a number, and those who changed a record. */

import { signal } from '@preact/signals';
import { hasBuiltIn } from '../../tables/ownTables.ts';
import { users } from '../../tables/users.ts';
import { rowsAt } from './service.ts';
import { session } from './session.ts';

export const who = signal<string | undefined>(undefined);

export async function learnWho(): Promise<void> {
  who.value = undefined;
  const id = session.peek()?.userId ?? '';
  const found = await namesOf([id]);
  if (session.peek()?.userId === id) who.value = found.get(id);
}

/** Names of users by id: first and last name, or else the email address. Unknown users have none. */
export async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(ids)].filter((id) => /^\d{1,15}$/.test(id));
  if (!hasBuiltIn.peek() || known.length === 0) return new Map();
  const body = {
    select: [{ field: 'id', in: known.map(Number) }],
    pagination: { per_page: known.length },
  };
  const found = await rowsAt({ view: users.views.admin, path: {} })
    .explore(body)
    .catch(() => undefined);
  return new Map(
    (found?.data ?? []).flatMap(({ id, first_name, last_name, email }) => {
      const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
      const text = name.trim() || String(email ?? '');
      return text ? [[String(id), text]] : [];
    }),
  );
}
