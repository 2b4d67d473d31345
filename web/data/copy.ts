/** Texts to the clipboard. */

import { say } from '../words/words.ts';
import { notify } from './notices.ts';
import { lengthWarning } from './unread.ts';

export async function copy(text: string, warning?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify([say('Copied'), warning].filter(Boolean).join('. '));
  } catch {
    notify(say('Your browser blocked copying'));
  }
}

/** @param address of the view, or of one of its rows */
export const copyLink = (address: string): void =>
  void copy(location.origin + address, lengthWarning());
