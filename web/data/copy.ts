/** Texts to the clipboard. */
import { notify } from './notices.ts';

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('Copied');
  } catch {
    notify('This browser does not let the page copy');
  }
}
