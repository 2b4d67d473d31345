/**
 * Compares the row, the facet value or the button under the pointer before and after an action: a second
 * click must hit the same one as the first.
 */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

interface Lying {
  readonly what: string;
  /** Where its upper edge is, pixels. */
  readonly top: number;
}

const LYING = `(([x, y]) => {
  const hit = document.elementFromPoint(x, y);
  const one = hit.closest('tr.row, .facet-value, th, button') ?? hit;
  const field = one.closest('.facet')?.querySelector('.facet-fold').firstChild.nextSibling.data;
  const text = one.querySelector('.facet-text')?.textContent ?? one.textContent;
  const what = one.dataset.key ?? [field, text].filter(Boolean).join(': ');
  return { what, top: one.getBoundingClientRect().top };
})`;

/** Fails where the action puts anything else under the pointer, which rests on the target, or moves it. */
export async function expectStill(
  page: Page,
  target: Locator,
  action: () => Promise<unknown>,
): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!;
  const at = [x + width / 2, y + height / 2] as const;
  const look = () => page.evaluate<Lying>(`${LYING}(${JSON.stringify(at)})`);
  await page.mouse.move(...at);
  const before = await look();
  await action();
  expect(await look(), 'under the pointer').eql(before);
}
