/** The open dialog: one at most. */

import { signal } from '@preact/signals';
import type { Row } from '../present/answer.ts';
import type { Outcome } from '../present/plan.ts';

export type OpenDialog =
  | { readonly kind: 'none' | 'help' | 'palette' | 'export' | 'views' | 'sweep' }
  | {
      readonly kind: 'action';
      readonly action: string;
      /** The rows it is for; `all`: all rows that match. */
      readonly on: readonly Row[] | 'all';
      /** Whether the next row is meant once it is done. */
      readonly goesOn?: true;
    }
  | {
      readonly kind: 'failures';
      /** Rows that an action was not done to, or of which that is not known. */
      readonly outcomes: readonly Outcome[];
    };

export const dialog = signal<OpenDialog>({ kind: 'none' });

/** On narrow screens: whether facets show over the table. */
export const sheet = signal<'none' | 'facets'>('none');

export const openDialog = (next: OpenDialog): void => {
  dialog.value = next;
};

export const closeDialog = () => openDialog({ kind: 'none' });

/** Closes this one: an answer may come when another is open. */
export const closing = (one: OpenDialog) => () => {
  if (dialog.peek() === one) closeDialog();
};
