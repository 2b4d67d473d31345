/** The search box of the web UI: its keys, its roles, and what it says of what it cannot take. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../support/chromium.ts';
import { searchBox, useStage } from './stage.ts';

const suite = chromiumPath() ? describe : describe.skip;

/** What has the focus, as its name in words. */
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');

suite('the search box, in a Chromium (skipped where none is found)', function box() {
  this.timeout(120_000);
  const stage = useStage();

  it('tells assistive technology whether it is open, and which option is active', async () => {
    const page = await stage.open('/tasks');
    const box = page.getByRole('combobox', { name: 'Search tasks' });
    expect(await box.getAttribute('aria-expanded')).equal('false');
    await box.pressSequentially('status:');
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await options.first().waitFor();
    expect(await box.getAttribute('aria-expanded')).equal('true');
    expect(await box.getAttribute('aria-activedescendant')).equal(null);
    await box.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    const selected = options.and(page.getByRole('option', { selected: true }));
    expect(await selected.getAttribute('id')).equal(active);
    expect(await box.getAttribute('aria-controls')).equal('suggestions');
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).equal('false');
  });

  it('is left by Tab, which inserts what is highlighted and nothing else', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('stat');
    await page.getByRole('option', { name: /^status:/ }).waitFor();
    await box.press('Tab');
    expect(await box.inputValue()).equal('stat');
    expect(await focused(page)).not.equal('search');
    await box.fill('');
    await box.pressSequentially('status:fail');
    await page.getByRole('option', { name: /^FAILURE/ }).waitFor();
    await box.press('ArrowDown');
    await box.press('Tab');
    expect(await focused(page)).not.equal('search');
    await page.waitForURL(/status=FAILURE/);
    expect(await box.inputValue()).equal('');
  });
});
