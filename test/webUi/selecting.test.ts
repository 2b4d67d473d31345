/** Rows are selected by hand: one, a range, a page. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { gate, until } from '../support/until.ts';
import { suite, useStage } from './stage.ts';

suite('selecting rows', () => {
  const stage = useStage();

  const rows = (page: Page) => page.locator('tr.row');
  const box = (page: Page, at: number) => rows(page).nth(at).getByRole('checkbox');
  const open = async (address = '/tasks') => {
    const page = await stage.open(address);
    await rows(page).nth(24).waitFor();
    return page;
  };
  /** The places of the selected rows. */
  const selected = (page: Page) =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('tr.row input')].flatMap((one, at) => one.checked ? [at] : [])`,
    );
  const isOpen = (page: Page) => new URL(page.url()).searchParams.has('open');

  it('takes all of the cell beside a checkbox for it; with Shift it selects a range, in either direction, and clears one', async () => {
    const page = await open();
    const cell = rows(page).nth(1).locator('td').first();
    const { width, height } = (await cell.boundingBox())!;
    const corners = [
      { x: 2, y: 2 },
      { x: width - 2, y: 2 },
      { x: width - 2, y: height - 3 },
      { x: 2, y: height - 3 },
    ];
    for (const [at, position] of corners.entries()) {
      await cell.click({ position });
      expect(await selected(page), `corner ${at}`).eql(at % 2 === 0 ? [1] : []);
      expect(isOpen(page)).equal(false);
    }
    await page.locator('thead .mark-cell').click({ position: { x: width - 2, y: 3 } });
    expect((await selected(page)).length).equal(25);
    await page.keyboard.press('Escape');
    const shift = { modifiers: ['Shift' as const] };
    await box(page, 6).click();
    await box(page, 3).click(shift);
    expect(await selected(page)).eql([3, 4, 5, 6]);
    await box(page, 8).click(shift);
    expect(await selected(page)).eql([3, 4, 5, 6, 7, 8]);
    await box(page, 4).click();
    await box(page, 7).click(shift);
    expect(await selected(page)).eql([3, 8]);
    // The cell beside the box, too.
    await box(page, 11).click();
    await rows(page)
      .nth(13)
      .locator('td')
      .first()
      .click({ position: { x: 2, y: 2 }, ...shift });
    expect(await selected(page)).eql([3, 8, 11, 12, 13]);
    expect(await page.evaluate('String(getSelection())'), 'no text is selected').equal('');
    // Nothing is selected any more.
    await page.keyboard.press('Escape');
    await box(page, 4).click();
    await page.keyboard.press('Escape');
    await box(page, 7).click({ modifiers: ['Shift'] });
    expect(await selected(page)).eql([7]);
  });

  it('says in the head whether none, some or all rows of the page are selected', async () => {
    const page = await open();
    const head = page.locator('thead').getByRole('checkbox');
    const state = () =>
      page.evaluate<string>(
        `{ const one = document.querySelector('thead input');
          one.indeterminate ? 'some' : String(one.checked); }`,
      );
    expect(await state()).equal('false');
    await box(page, 2).click();
    expect(await state()).equal('some');
    await head.click();
    expect(await state()).equal('true');
    expect((await selected(page)).length).equal(25);
    await box(page, 2).click();
    expect(await state()).equal('some');
    await head.click();
    await head.click();
    expect(await state()).equal('false');
    expect(await selected(page)).eql([]);
  });

  it('keeps the pages in reach, in one line of the same height, however narrow', async () => {
    const sizes = [
      { viewport: { width: 1440, height: 900 } },
      { viewport: { width: 1440, height: 900 }, locale: 'de-DE' },
      { viewport: { width: 390, height: 844 }, locale: 'de-DE' },
    ];
    for (const size of sizes) {
      const page = await stage.open('/tasks', size);
      await rows(page).nth(24).waitFor();
      const footer = page.locator('.pager');
      const before = await footer.boundingBox();
      await box(page, 0).click();
      await page.locator('.is-selection').waitFor();
      expect(await footer.boundingBox()).eql(before);
      const reaches = await page.evaluate<number>(
        `{ const one = document.querySelector('.pager'); one.scrollWidth - one.clientWidth; }`,
      );
      expect(reaches, 'nothing reaches beyond the line').equal(0);
      await page.getByRole('button', { name: /^(Next page|Nächste Seite)/ }).click();
      await page.waitForURL(/page=2/);
      await page.locator('.is-selection').waitFor();
    }
    const page = await open();
    await page.setViewportSize({ width: 390, height: 844 });
    await box(page, 0).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Cancel/ });
    await dialog.waitFor();
    // The menu has led there, and is closed.
    expect(await page.locator('.menu-sheet').count()).equal(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).equal('Actions');
  });

  it('clears rows that were selected while the answer to another search was on its way', async () => {
    const page = await open();
    const held = gate();
    await page.route('**/search/explore', async (route) => {
      await held.passed;
      await route.continue().catch(() => {});
    });
    const total = await page.locator('.total').innerText();
    await page.locator('#search').fill('a');
    await box(page, 2).click();
    expect(await selected(page)).eql([2]);
    held.open();
    await until(async () => (await page.locator('.total').innerText()) !== total);
    await page.locator('.is-selection').waitFor({ state: 'detached' });
    expect(await selected(page)).eql([]);
  });
});
