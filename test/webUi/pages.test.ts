/** Pages beside the tables: an unknown address, one for others; and the titles of all pages. */
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { MEMBER, searchBox, suite, useStage } from './stage.ts';

suite("the web UI's other pages", () => {
  const stage = useStage();

  it('say that an address does not exist, and lead back', async () => {
    stage.expectInConsole(/404/);
    const page = await stage.open('/task?status=FAILURE');
    await page.getByRole('heading', { name: 'This page does not exist', level: 1 }).waitFor();
    expect(await page.title()).equal('This page does not exist · Table search');
    await page.getByRole('main').getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.locator('tr.row').first().waitFor();
    expect(new URL(page.url()).pathname).equal('/tasks');
    await page.goBack();
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Users' }).click();
    await page.locator('tr.row').first().waitFor();
  });

  it('say so to those who are not signed in, too', async () => {
    stage.expectInConsole(/404/);
    const page = await stage.open('/nope', { as: 'nobody' });
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Token').waitFor();
  });

  it('say that there is no such table, and lead to those that are there', async () => {
    const page = await stage.open('/tables/nothere');
    await page.getByRole('heading', { name: 'There is no such table', level: 1 }).waitFor();
    expect(await page.getByText('Only admins').count()).equal(0);
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await page.locator('tr.row, .empty').first().waitFor();
  });

  it('name the parts of an address that are left out', async () => {
    const page = await stage.open(
      '/tasks?status=FAILURE&colour=red&date_queued=2026-99-99..&per=7',
    );
    const notice = page.locator('.notice');
    await notice.waitFor();
    expect(await notice.innerText()).equal(
      'These parts of the address were left out: colour=red, date_queued=2026-99-99.., per=7',
    );
    await page.locator('.chip', { hasText: 'Failure' }).waitFor();
    const clean = await stage.open('/tasks?status=FAILURE&date_queued=365d&sort=-date_done&page=1');
    await clean.locator('.live.is-live').waitFor();
    expect(await clean.locator('.notice').count()).equal(0);
    const none = await stage.open('/tables/nothere?x=1');
    await none.getByRole('heading', { name: 'There is no such table' }).waitFor();
    expect(await none.locator('.notice').count()).equal(0);
  });

  it('align what a member may see with what they are told', async () => {
    const page = await stage.open('/audit', { as: MEMBER });
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    const buttons = await page.locator('.main .button').all();
    expect(buttons.length).at.least(3);
    const first = await buttons[0]!.boundingBox();
    expect(first!.x).closeTo(title!.x, 1);
  });

  it('are named in the tab by what they show', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await page.locator('tr.row').first().waitFor();
    expect(await page.title()).equal('Failed tasks · Table search');
    await searchBox(page).fill('timeout');
    await until(async () => (await page.title()) === '“timeout” in failed tasks · Table search');
    const door = await stage.open('/', { as: 'nobody' });
    expect(await door.title()).equal('Table search');
  });

  it('have no word that does not fit another, nor a field for a name', async () => {
    const page = await stage.open('/tasks');
    await page.locator('tr.row').first().waitFor();
    await page.getByLabel('Find exception').first().waitFor();
    const labels = await page.evaluate<string>(
      "[...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel).join(', ')",
    );
    expect(labels).not.match(/\ba [aeiou]/i);
    await page.locator('body').press('e');
    const text = await page.getByRole('dialog').innerText();
    expect(text).include('Exception').not.match(/\w_\w/);
    await page.keyboard.press('Escape');
    await page.locator('body').press('?');
    expect(await page.getByRole('dialog').innerText()).not.match(/date_queued|exception_type/);
  });
});
