/**
 * Asks for the list of your own tables, and reads the address with it.
 *
 *     start ──► asked ──► paint, with them or after LATEST_MS     a failure that passes: asked again
 */
import { batch, signal } from '@preact/signals';
import type { OwnTables } from '../../../clients/typescript/index.ts';
import { hasBuiltIn, setOwnTables } from '../../tables/ownTables.ts';
import { isOfToken, persistently, service } from './service.ts';
import { oncePerToken } from './session.ts';

/**
 * Whether the UI knows the service's tables. `late`: their list has not come in time; the built-in ones are taken for
 * granted.
 */
export const tables = signal<'unknown' | 'late' | 'known'>('unknown');

/** Whether the service keeps saved views. */
export const keepsViews = signal(false);

/** The page shows without them after so long, milliseconds; most answers take 20. */
const LATEST_MS = 400;

/** Resolves when they are there, or cannot be learnt. */
export const learnTables = oncePerToken(learn, () => {
  tables.value = 'unknown';
});

/**
 * Asks for them again, after a request that was refused: the service may have been started with another file meanwhile.
 *
 * @returns whether they are others
 */
export async function learnOthers(): Promise<boolean> {
  const before = told;
  await learn();
  return told !== before;
}

/** The same as `learnTables`, but does not wait for a service that is slow or away. */
export async function learnTablesSoon(): Promise<void> {
  await Promise.race([learnTables(), new Promise((resolve) => setTimeout(resolve, LATEST_MS))]);
  if (tables.peek() === 'unknown') tables.value = 'late';
}

async function learn(): Promise<void> {
  try {
    const found = await persistently(() => service.get<OwnTables>('/api/v2/tables'));
    if (found) show(found.data, found.meta);
  } catch (error) {
    // A caller who may not see the list has no table of it. A token that is refused is another matter.
    if (!isOfToken(error)) tables.value = 'known';
  }
}

/** The tables that the UI knows, as text, without their numbers of rows. */
let told = '';

function show(own: OwnTables['data'], meta: OwnTables['meta']): void {
  const text = JSON.stringify([own.map(({ count, ...rest }) => rest), meta]);
  if (text === told && tables.peek() === 'known') return;
  const wereKnown = told !== '';
  told = text;
  batch(() => {
    hasBuiltIn.value = meta.built_in_tables;
    keepsViews.value = meta.saved_views;
    setOwnTables(own);
    tables.value = 'known';
  });
  // The address names fields that were unknown before, or are now.
  if (own.length > 0 || wereKnown) dispatchEvent(new PopStateEvent('popstate'));
}
