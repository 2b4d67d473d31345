/** Texts to the clipboard. */

import { say } from '../words/words.ts';
import { notify } from './notices.ts';

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(say('Copied'));
  } catch {
    notify(say('Your browser blocked copying'));
  }
}
