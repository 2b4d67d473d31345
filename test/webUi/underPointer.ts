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

/**
 * Runs in every page of every browser test. The row under the mouse stays there until the mouse moves on,
 * somebody scrolls, or the page asks for other rows. The stage fails the test in which the console says otherwise.
 */
export const HOLDS_ROWS = `{
  let mouse, aimed, held, asked, calm = 0;
  const forget = () => { held = undefined; };
  const rowAt = ({ x, y }) => document.elementFromPoint(x, y)?.closest('tr.row');
  const topOf = (row) => row.getBoundingClientRect().top;
  addEventListener('mousemove', ({ clientX: x, clientY: y }) => {
    if (mouse?.x === x && mouse.y === y) return;
    [mouse, aimed] = [{ x, y }, true];
    forget();
  }, true);
  for (const one of ['scroll', 'wheel', 'resize']) addEventListener(one, forget, true);
  /** The address, without the open record, and the typed text: they decide on the rows. */
  const question = () => {
    const rest = new URLSearchParams(location.search);
    for (const one of ['open', 'tab', 'cols']) rest.delete(one);
    return [location.pathname, rest, document.querySelector('#search')?.value].join(' ');
  };
  const look = () => {
    const box = document.querySelector('.table-box');
    const now = question();
    if (now !== asked || !box || box.ariaBusy !== 'false') {
      [asked, calm] = [now, 0];
      return forget();
    }
    calm += 1;
    if (held) {
      const same = [...document.querySelectorAll('tr.row')].filter(({ dataset }) => dataset.key === held.key);
      if (same.some((one) => Math.abs(topOf(one) - held.top) < 1)) return;
      console.error('moved under the pointer:', held.key, 'from', held.top, 'to', same.map(topOf).join());
      forget();
    }
    if (!aimed || calm < 3) return;
    aimed = false;
    const row = rowAt(mouse);
    if (row) held = { key: row.dataset.key, top: topOf(row) };
    window.heldRow = held?.key;
  };
  addEventListener('DOMContentLoaded', () => setInterval(look, 50));
}`;
