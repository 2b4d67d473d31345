/** Dialogs of the web UI: late answers and failures, presses at their edge, and room at 400 %. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { gate, until } from '../support/until.ts';
import { settled, suite, useStage } from './stage.ts';

suite('dialogs of the web UI', () => {
  const stage = useStage();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const opened = async (address = '/tasks?status=FAILURE') => {
    const page = await stage.open(address);
    await page.locator('tr.row').first().waitFor();
    return page;
  };
  /** Saves the view under the name. */
  async function save(page: Page, name: string): Promise<void> {
    await button(page, 'Views').click();
    await page.getByLabel('Save this view as').fill(name);
    await button(page, 'Save').click();
  }
  /** Closes the dialog, whatever is on its way. */
  async function leave(page: Page): Promise<void> {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('say that a change is on its way, and are no other ones that a late answer closes', async () => {
    const page = await opened();
    const held = gate();
    await page.route('**/api/v2/views', async (route) => {
      if (route.request().method() === 'POST') await held.passed;
      await route.continue();
    });
    await save(page, 'Late');
    await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor();
    await leave(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    held.open();
    await page.getByRole('link', { name: 'Late' }).waitFor();
    expect(await page.getByRole('dialog').count()).equal(1);
  });

  it('tell by a notice what failed when they were closed', async () => {
    stage.expectInConsole(/503/);
    const page = await opened();
    const held = gate();
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    const body = JSON.stringify({ ...problem, code: 'StoreUnavailable' });
    await page.route('**/api/v2/views', async (route) => {
      await held.passed;
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body });
    });
    await save(page, 'Never');
    await leave(page);
    held.open();
    await page.locator('.notice', { hasText: 'The store is away.' }).waitFor();
  });

  it('stay where their own edge is pressed, which may be a scrollbar', async () => {
    const page = await opened();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    const { x, y, width, height } = (await dialog.boundingBox())!;
    await page.mouse.click(x + width - 0.5, y + height / 2);
    await settled(page);
    expect(await dialog.count()).equal(1);
    await page.mouse.click(x - 20, y + height / 2);
    await dialog.waitFor({ state: 'detached' });
  });

  it('tell that no file comes, where the service is away or a proxy answers in its place', async () => {
    stage.expectInConsole(/ERR_|502/);
    // The stage's own script, in the page that the browser shows in place of the file.
    stage.expectInConsole(/'sessionStorage' property from 'Window'/);
    const page = await opened();
    await page.keyboard.press('e');
    const failed = page.getByRole('status').filter({ hasText: 'The service cannot be reached.' });
    await page.route('**/search/export', (route) => route.abort());
    await button(page, 'Download').click();
    await failed.waitFor({ timeout: 5_000 });
    await page.keyboard.press('Escape');
    await failed.waitFor({ state: 'detached' });
    await page.unroute('**/search/export');
    const body = '<h1>Bad gateway</h1>';
    await page.route('**/search/export', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    );
    await page.keyboard.press('e');
    await button(page, 'Download').click();
    await failed.waitFor({ timeout: 5_000 });
  });

  it('say that a stop was heard, which waits for the requests that have begun', async () => {
    const page = await opened('/tasks?status=STARTED');
    const held = gate();
    await page.locator('tr.row').first().getByRole('checkbox').click();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    const act = dialog.getByRole('button', { name: /^Cancel \d+ task/ });
    await act.waitFor();
    await page.route('**/api/v2/**', async (route) => {
      if (!route.request().url().includes('search')) await held.passed;
      await route.continue();
    });
    await act.click();
    await button(page, 'Stop').click();
    await button(page, 'Stopping…').waitFor({ timeout: 5_000 });
    held.open();
    await dialog.waitFor({ state: 'detached' });
  });

  it('tell from the beginning that a file is on its way, and end a clean-up with its answer alone', async () => {
    const page = await opened();
    const held = gate();
    await page.evaluate(
      'globalThis.showSaveFilePicker = async () => ({ createWritable: async () => new WritableStream() })',
    );
    await page.route('**/search/export', async (route) => {
      await held.passed;
      // The page has given it up by then.
      await route.abort().catch(() => undefined);
    });
    await page.keyboard.press('e');
    await button(page, 'Save to file…').click();
    await button(page, 'Stop').click({ timeout: 5_000 });
    await page.getByText('Stopped. Nothing was saved.').waitFor();
    held.open();
    await page.keyboard.press('Escape');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Clean up/ }).click();
    const passed = gate();
    await page.route('**/tasks/cleanup', async (route) => {
      await passed.passed;
      await route.continue();
    });
    await dialog.getByRole('button', { name: /^Revoke [\d,]+ task/ }).click();
    await dialog.getByRole('progressbar').waitFor();
    for (const one of await dialog.getByRole('button').all()) {
      expect(await one.isDisabled(), await one.innerText()).equal(true);
    }
    passed.open();
    await dialog.waitFor({ state: 'detached' });
  });

  it('offer the ways to sign in once the service tells them, where it was away at first', async () => {
    stage.expectInConsole(/ERR_FAILED/);
    const page = await stage.open('/livez', { as: 'nobody' });
    await page.route('**/page/sign-in', (route) => route.abort());
    await page.goto(`${stage.service.url}/`);
    await page.getByLabel('Token').waitFor();
    await settled(page);
    await page.unroute('**/page/sign-in');
    await page.getByRole('region', { name: 'Demo users' }).waitFor({ timeout: 10_000 });
  });

  it('have room at 320 pixels for the names of views, and for all of their buttons', async () => {
    const page = await opened();
    await button(page, 'Views').click();
    await page.getByLabel('Save this view as').fill('Failures of the night');
    await button(page, 'Everyone').click();
    await page.getByLabel('Open Tasks with this view').check();
    await button(page, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 320, height: 640 });
    await button(page, 'Views').click();
    const name = page.locator('.menu-row .nav-text', { hasText: 'Failures of the night' });
    await name.waitFor();
    const cut = await page.evaluate<number>(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.menu-row .nav-text'))",
    );
    expect(cut, 'pixels of the name out of sight').most(0);
    await leave(page);
    await page.evaluate('globalThis.showSaveFilePicker ??= async () => undefined');
    await page.locator('body').press('e');
    const dialog = page.getByRole('dialog');
    await button(page, 'Save to file…').waitFor();
    const { x } = (await dialog.boundingBox())!;
    for (const one of await dialog.getByRole('button').all()) {
      expect((await one.boundingBox())!.x, await one.innerText()).least(x);
    }
  });

  it('open the menu of a column within a window that is as low as its head', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 320, height: 330 } });
    await page.locator('.table-box[aria-busy=false]').waitFor();
    const head = page.locator('.head-menu').first();
    const { y, height } = (await head.boundingBox())!;
    await page.setViewportSize({ width: 320, height: Math.ceil(y + height) + 4 });
    await head.click();
    await page.getByRole('dialog').waitFor();
    await until(
      () =>
        page.evaluate<boolean>(`{
          const one = document.activeElement;
          const { left, top, width, height } = one.getBoundingClientRect();
          one.matches('.head-command') && one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }`),
      'the first command is out of sight',
    );
  });
});
