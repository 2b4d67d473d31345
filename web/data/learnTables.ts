/** Asks which tables of your own there are, and shows what the address means by them. */
import { batch, signal } from '@preact/signals';
import type { OwnTables } from '../../clients/typescript/index.ts';
import { hasBuiltIn, setOwnTables } from '../tables/ownTables.ts';
import { noticed, service } from './service.ts';
import { session } from './session.ts';

/** Whether the service keeps saved views. */
export const keepsViews = signal(false);

/** The token that they were asked for with, since another caller may see others; and the answer. */
let learned: { readonly token: string | undefined; readonly done: Promise<void> } | undefined;

export function learnTables(): Promise<void> {
  const token = session.peek()?.token;
  if (!learned || learned.token !== token) learned = { token, done: learn() };
  return learned.done;
}

async function learn(): Promise<void> {
  try {
    const { data, meta } = await service.get<OwnTables>('/api/v2/tables');
    batch(() => {
      hasBuiltIn.value = meta.built_in_tables;
      keepsViews.value = meta.saved_views;
      setOwnTables(data);
    });
    // The address names fields that were unknown before.
    if (data.length > 0) dispatchEvent(new PopStateEvent('popstate'));
  } catch (error) {
    // The tables that are built in do not wait for the others.
    noticed(error);
  }
}
