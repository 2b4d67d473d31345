/** Which dialog is open: one at most. */
import { signal } from '@preact/signals';
import type { ActionId } from './actions.ts';
import type { Row } from './service.ts';

export type OpenDialog =
  | { readonly kind: 'none' | 'help' | 'palette' | 'export' | 'views' }
  | {
      readonly kind: 'action';
      readonly action: ActionId;
      /** The rows it is for; `all`: whatever matches. */
      readonly on: readonly Row[] | 'all';
    };

export const dialog = signal<OpenDialog>({ kind: 'none' });

/** On narrow screens: whether facets show over the table. */
export const sheet = signal<'none' | 'facets'>('none');

export const closeDialog = () => {
  dialog.value = { kind: 'none' };
};
