/** Short words about what was done, said once and then gone. */
import { signal } from '@preact/signals';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly act?: { readonly title: string; readonly act: () => void } | undefined;
}

export const notices = signal<readonly Notice[]>([]);

const STAYS_MS = 9_000;
let next = 1;

export function notify(text: string, act?: Notice['act']): void {
  const id = next;
  next += 1;
  notices.value = [...notices.peek().slice(-2), { id, text, act }];
  setTimeout(() => dismiss(id), STAYS_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((one) => one.id !== id);
}
