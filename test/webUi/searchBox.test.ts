/** The search box of the web UI: its keys, its roles, and what it says of what it cannot take. */
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { chromiumPath } from '../support/chromium.ts';
import { searchBox, useStage, waitForTotal } from './stage.ts';

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
    await page.getByRole('option', { name: /^Failure/ }).waitFor();
    await box.press('ArrowDown');
    await box.press('Tab');
    expect(await focused(page)).not.equal('search');
    await page.waitForURL(/status=FAILURE/);
    expect(await box.inputValue()).equal('');
  });

  const note = (page: Page, says: string | RegExp) =>
    page.locator('#search-note', { hasText: says });
  const chip = (page: Page, says: string) =>
    page.getByRole('list', { name: 'Active filters' }).locator('.chip', { hasText: says });
  const totalOfAll = () =>
    stage.database.db.collection('tasks').countDocuments({ scope: { $in: ['project', 'system'] } });

  it('takes a quoted value that is typed letter by letter', async () => {
    const names = await stage.database.db.collection('projects').distinct('name');
    const name = names.find((one) => /^\w+ \w+ \w+/.test(one));
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially(`time project:"${name.slice(0, -1)}`);
    expect(await box.inputValue()).equal(`time project:"${name.slice(0, -1)}`);
    await box.pressSequentially(`${name.at(-1)}" `);
    await chip(page, name).waitFor();
    expect((await box.inputValue()).trim()).equal('time');
    await page.waitForURL(/q=time&project_id=/);
    // Enter closes a quote that is open.
    await page.getByRole('button', { name: `Remove Project: ${name}` }).click();
    await box.fill(`project:"${name}`);
    await box.press('Enter');
    await chip(page, name).waitFor();
  });

  it('edits a filter as text when its chip is clicked, and excludes by a button alone', async () => {
    const page = await stage.open('/tasks?status=FAILURE&-scope=system');
    const box = searchBox(page);
    await chip(page, 'Failure').locator('.chip-text').click();
    expect(await box.inputValue()).equal('status:Failure');
    expect(await focused(page)).equal('search');
    await page.waitForURL((url) => !url.search.includes('status'));
    // Escape leaves the filter as it was.
    await box.press('Escape');
    await chip(page, 'Failure').waitFor();
    expect(await box.inputValue()).equal('');
    await chip(page, 'Failure').locator('.chip-text').click();
    // So does the browser's way back.
    await page.waitForURL((url) => !url.search.includes('status'));
    await page.goBack();
    await chip(page, 'Failure').waitFor();
    expect(await box.inputValue()).equal('');
    await chip(page, 'Failure').locator('.chip-text').click();
    // What is typed takes the place of its value, and all others are offered.
    await page.getByRole('option', { name: /^Pending/ }).waitFor();
    await page.keyboard.type('success');
    expect(await box.inputValue()).equal('status:success');
    await box.press('Enter');
    await page.waitForURL(/\?-scope=system&status=SUCCESS$/);
    await page.getByRole('button', { name: 'Exclude Status: Success' }).click();
    await page.waitForURL(/-status=SUCCESS/);
    await page.getByRole('button', { name: 'Exclude Status: Success', pressed: true }).click();
    await page.waitForURL(/&status=SUCCESS/);
  });

  it('reaches its filters by arrows: Delete removes one, minus excludes, Enter edits', async () => {
    const page = await stage.open('/tasks?status=FAILURE&scope=system');
    const box = searchBox(page);
    await box.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).equal('StatusFailure');
    await page.keyboard.press('-');
    await page.waitForURL(/-status=FAILURE/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await page.waitForURL((url) => !url.search.includes('scope'));
    await page.keyboard.press('Enter');
    expect(await box.inputValue()).equal('-status:Failure');
  });

  it('refuses a value that a closed list has not, and names those that are meant', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('status:failrue ');
    await note(page, 'There is no status “failrue”. Did you mean:').waitFor();
    expect(await box.getAttribute('aria-invalid')).equal('true');
    expect(await chip(page, '').count()).equal(0);
    await waitForTotal(page, await totalOfAll());
    await note(page, '').getByRole('button', { name: 'Failure' }).click();
    await page.waitForURL(/status=FAILURE/);
    expect(await note(page, '').count()).equal(0);
    await box.fill('status:foo');
    await box.press('Enter');
    await note(page, 'There is no status “foo”. One of these:').waitFor();
    expect(await note(page, '').getByRole('button').count()).equal(7);
    await box.fill('-scope:sistem ');
    await note(page, 'There is no scope “sistem”.').getByRole('button', { name: 'system' }).click();
    await page.waitForURL(/-scope=system/);
  });

  it('says that nothing has a value, and filters by it only when told to', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.fill('worker:zzz ');
    await note(page, 'No tasks with worker “zzz”.').waitFor();
    expect(await chip(page, '').count()).equal(0);
    await waitForTotal(page, await totalOfAll());
    await note(page, '').getByRole('button', { name: 'Filter anyway' }).click();
    await chip(page, 'zzz').waitFor();
    await waitForTotal(page, 0);
    expect(await note(page, '').count()).equal(0);
    await page.getByRole('button', { name: 'Remove Worker: zzz' }).click();
    const [worker] = await stage.database.db
      .collection('tasks')
      .distinct('worker', { worker: /^worker-0/ });
    await box.fill(`worker:${worker.replace('worker', 'wroker')}`);
    await box.press('Enter');
    await note(page, 'Did you mean').getByRole('button', { name: worker, exact: true }).click();
    await chip(page, worker).waitFor();
    await box.fill('task_id:nobody ');
    await note(page, 'No tasks with task id “nobody”.').waitFor();
  });

  it('says that a word with a colon is no filter, which ones there are, and what may be meant', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.fill('took:>60');
    const says = 'Tasks cannot be filtered by “took”, so it is searched as text. Filters: date,';
    await note(page, says).waitFor();
    await note(page, /, status, /).waitFor();
    await page.waitForURL(/q=took:%3E60/);
    await box.fill('wroker:zzz');
    await note(page, 'Did you mean:').getByRole('button', { name: 'worker:' }).click();
    expect(await box.inputValue()).equal('worker:zzz');
    await box.press('Enter');
    await note(page, 'No tasks with worker “zzz”.').waitFor();
  });

  it('filters by ranges of numbers, and by any length of time', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    const tasks = stage.database.db.collection('tasks');
    const scope = { $in: ['project', 'system'] };
    await box.fill('retries:>=2 ');
    await waitForTotal(page, await tasks.countDocuments({ scope, retries: { $gte: 2 } }));
    await page.getByRole('button', { name: /^Remove Retries/ }).click();
    await box.fill('date:90d ');
    await chip(page, 'last 90d').waitFor();
    const from = new Date(Date.now() - 90 * 86_400_000);
    await waitForTotal(page, await tasks.countDocuments({ scope, date_queued: { $gte: from } }));
  });

  const elsewhere = (page: Page) => page.locator('h1').first().click();

  it('keeps the filter whose editing is left, as it was or as it is typed', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    const box = searchBox(page);
    await chip(page, 'Failure').locator('.chip-text').click();
    await page.waitForURL((url) => !url.search.includes('status'));
    await elsewhere(page);
    await page.waitForURL(/status=FAILURE/);
    expect(await box.inputValue()).equal('');
    await chip(page, 'Failure').locator('.chip-text').click();
    await page.keyboard.type('success');
    await elsewhere(page);
    await page.waitForURL(/status=SUCCESS/);
    expect(await box.inputValue()).equal('');
    // The button that clears the text still removes the filter.
    await chip(page, 'Success').locator('.chip-text').click();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL((url) => !url.search.includes('status'));
    expect(await chip(page, '').count()).equal(0);
    expect(await box.inputValue()).equal('');
  });

  it('leaves its text behind when another table is opened', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('worker:zzz');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    expect(await box.inputValue()).equal('');
  });

  it('puts no filter into a table that is opened while its value is looked up', async () => {
    const page = await stage.open('/tasks');
    const lookup = await holdLookups(page);
    await searchBox(page).pressSequentially('worker:worker-0 ');
    await lookup.asked;
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await lookup.answer();
    expect(await searchBox(page).inputValue()).equal('');
    expect(await chip(page, '').count()).equal(0);
    expect(new URL(page.url()).search).equal('');
  });

  it('opens no list once the focus has left it', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    const lookup = await holdLookups(page);
    await box.pressSequentially('worker:wo');
    await lookup.asked;
    await elsewhere(page);
    await lookup.answer();
    expect(await box.getAttribute('aria-expanded')).equal('false');
  });

  it('shows an error of the service until something else is typed', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    stage.expectInConsole(/500/);
    await page.route('**/api/**', (route) =>
      isLookup(route.request()) ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await box.fill('worker:wo');
    await box.press('Enter');
    await note(page, '').waitFor();
    await box.fill('time');
    await note(page, '').waitFor({ state: 'detached' });
    expect(await box.getAttribute('aria-invalid')).equal('false');
  });
});

/** Whether it asks for values of a field that hold a text. */
const isLookup = (request: Request) => request.postData()?.includes('"contains"') === true;

/** Holds the answers to lookups of values back; `answer` lets them come, and waits for the page to have them. */
async function holdLookups(page: Page) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(isLookup);
  await page.route('**/api/**', async (route) => {
    if (isLookup(route.request())) await held;
    // The page may have aborted it.
    await route.continue().catch(() => {});
  });
  return {
    asked,
    async answer() {
      release();
      await (await asked).response().catch(() => null);
      await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    },
  };
}
