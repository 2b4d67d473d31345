/** The web UI from end to end: a Chromium, the service, a MongoDB. */
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { until } from '../support/until.ts';
import {
  ADMIN,
  columnTexts,
  MEMBER,
  searchBox,
  show,
  suite,
  totalOf,
  useStage,
  waitForTotal,
} from './stage.ts';

const TASKS = '/api/v2/admin/tasks/search';
const HARBOUR = '0993998b-42f5-49de-a4db-b30aa9798041';

suite('the web UI', () => {
  const stage = useStage();

  const { ask, totalFor } = stage;

  it('lets somebody in by a token, and says what is wrong with others', async () => {
    const page = await stage.open('/tasks?status=FAILURE', { as: 'nobody' });
    const field = page.getByLabel('Token');
    await field.fill('nonsense');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'not a valid token' }).waitFor();
    // `open` prints no token but a link, which is pasted as well as one.
    await field.fill(`http://127.0.0.1:1/#token=${await stage.token(ADMIN)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForTotal(page, await totalFor({ select: [{ field: 'status', in: ['FAILURE'] }] }));
    expect(page.url()).match(/\/tasks\?status=FAILURE$/);
    await page.reload();
    await page.locator('tr.row').first().waitFor();
  });

  it('takes a link with a token where the page shows already, also in the place of another person', async () => {
    const { url } = stage.service;
    const page = await stage.open('/', { as: 'nobody' });
    await page.getByLabel('Token').waitFor();
    await page.goto(`${url}/#token=nonsense`);
    await page.getByRole('alert').filter({ hasText: 'not a valid token' }).waitFor();
    expect(page.url()).equal(`${url}/`);
    await page.goto(`${url}/#token=${await stage.token(MEMBER)}`);
    await page.getByRole('heading', { name: 'Select a project' }).waitFor();
    expect(page.url()).equal(`${url}/`);
    await page.goto(`${url}/#token=${await stage.token(ADMIN)}`);
    await waitForTotal(page, await totalFor({}));
    expect(page.url()).equal(`${url}/`);
    await page.reload();
    await waitForTotal(page, await totalFor({}));
  });

  it('lets somebody in as one of the people of a demo, an admin or a member, and out again', async () => {
    const page = await stage.open('/', { as: 'nobody' });
    const people = page.getByRole('region', { name: 'Demo users' });
    const tables = page.getByRole('navigation', { name: 'Tables' });
    await people.getByRole('button', { name: /^Maren .* sees and changes everything/ }).click();
    await waitForTotal(page, await totalFor({}));
    expect(await tables.getByRole('listitem').allInnerTexts()).include('Audit log');
    await page.getByRole('button', { name: 'Clean up' }).waitFor();
    await tables.getByRole('button', { name: /^Sign out/ }).click();
    await people.getByRole('button', { name: /^Tomás .* sees their own projects/ }).click();
    await page.getByRole('heading', { name: 'Select a project' }).waitFor();
    expect(await tables.getByRole('listitem').allInnerTexts()).not.include('Audit log');
    await page.getByRole('link', { name: 'Harbour Atlas' }).click();
    const path = `/api/v2/projects/${HARBOUR}/tasks/search`;
    await waitForTotal(page, await totalFor({}, path, MEMBER));
    expect(await page.getByRole('button', { name: 'Clean up' }).count()).equal(0);
    await tables.getByRole('button', { name: /^Sign out/ }).click();
    await people.waitFor();
    expect(await page.evaluate('sessionStorage.token')).equal(undefined);
    const asked = await page.evaluate('performance.getEntries().map(({ name }) => name).join()');
    expect(asked + page.url(), 'no token in an address').not.match(/eyJ/);
  });

  it('searches while somebody types, marks what it found, makes chips of fields, and completes values', async () => {
    const page = await stage.open('/tasks');
    await waitForTotal(page, await totalFor({}));
    const box = searchBox(page);
    await page.keyboard.press('/');
    await page.keyboard.type('timeout');
    await waitForTotal(page, await totalFor({ filters: { q: 'timeout' } }));
    expect(await box.inputValue()).equal('timeout');
    const marks = await page.locator('tbody mark').allInnerTexts();
    expect(marks.length).greaterThan(0);
    for (const mark of marks) expect(mark.toLowerCase()).equal('timeout');
    await page.waitForURL(/\?q=timeout$/);
    await box.fill('');
    await box.fill('status:failure -scope:system backup');
    await box.press('Enter');
    await waitForTotal(
      page,
      await totalFor({
        filters: { q: 'backup' },
        select: [
          { field: 'status', in: ['FAILURE'] },
          { field: 'scope', not_in: ['system'] },
        ],
      }),
    );
    expect(await box.inputValue()).equal('backup');
    const chips = page.getByRole('list', { name: 'Active filters' });
    expect((await chips.innerText()).replace(/\s+/g, ' ')).match(/Status Failure Scope not system/);
    await page.getByRole('button', { name: /Remove Scope/ }).click();
    await waitForTotal(
      page,
      await totalFor({ filters: { q: 'backup' }, select: [{ field: 'status', in: ['FAILURE'] }] }),
    );
    await show(page, '/tasks');
    await box.fill('');
    await box.pressSequentially('worker:gpu');
    await page.getByRole('option', { name: /worker-gpu-1/ }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    await page.getByRole('button', { name: /Remove Worker: worker-gpu/ }).waitFor();
    await box.fill('worker:pharos');
    await box.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Several values match' }).waitFor();
    expect(await box.inputValue()).match(/^worker:pharos/);
  });

  it('loses nothing that is typed while the service finds out what is meant', async () => {
    const [{ values }] = (await ask({ facets: [{ field: 'worker', contains: 'gpu' }] })).facets;
    const [{ value }] = values;
    const page = await stage.open('/tasks');
    await waitForTotal(page, await totalFor({}));
    const held: Route[] = [];
    // A request for values has one facet and no histogram.
    await page.route(`**${TASKS}/explore`, (route) => {
      const { facets, histogram } = route.request().postDataJSON();
      if (facets?.length === 1 && !histogram) held.push(route);
      else void route.continue();
    });
    const box = searchBox(page);
    await box.pressSequentially(`worker:${value} `);
    await until(() => held.length > 0, 'values are not asked for');
    await box.pressSequentially('time');
    await page.unroute(`**${TASKS}/explore`);
    for (const route of held) await route.continue().catch(() => {});
    await page.getByRole('button', { name: `Remove Worker: ${value}`, exact: true }).waitFor();
    expect(await box.inputValue()).equal('time');
    const select = [{ field: 'worker', in: [value] }];
    await waitForTotal(page, await totalFor({ filters: { q: 'time' }, select }));
  });

  it('counts by value at the side; what is chosen there is asked for, or away', async () => {
    const page = await stage.open('/tasks');
    const facets = page.getByRole('complementary', { name: 'Filters' });
    const { facets: counted } = await ask({ facets: [{ field: 'status' }] });
    const failures = counted[0].values.find((one: { value: string }) => one.value === 'FAILURE');
    const choice = facets.getByRole('button', { name: /^Failure/ });
    await choice.waitFor();
    expect(await choice.innerText()).include(failures.count.toLocaleString('en'));
    await choice.click();
    await waitForTotal(page, failures.count);
    // It leaves its own condition out, so that others can still be chosen.
    await facets.getByRole('button', { name: /^Success/ }).waitFor();
    await choice.click();
    await facets.getByRole('button', { name: 'Exclude Failure' }).click();
    await waitForTotal(
      page,
      await totalFor({ select: [{ field: 'status', not_in: ['FAILURE'] }] }),
    );
  });

  it('counts by value on a phone too, where that covers the rows', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    await waitForTotal(page, await totalFor({}));
    await page.getByRole('button', { name: 'Filters' }).click();
    const facets = page.getByRole('complementary', { name: 'Filters' });
    await facets.getByRole('button', { name: /^Failure/ }).click();
    await facets.getByRole('button', { name: 'Close filters' }).click();
    await facets.waitFor({ state: 'detached' });
    await waitForTotal(page, await totalFor({ select: [{ field: 'status', in: ['FAILURE'] }] }));
  });

  it('sorts by the head of a column, and pages by key and press', async () => {
    const page = await stage.open('/tasks?cols=date_done,task_id');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.waitForURL(/sort=-date_done/);
    const body = { sorting: { sort_by: 'date_done' }, pagination: { per_page: 25, page: 2 } };
    await page.getByRole('row', { selected: false }).nth(24).waitFor();
    // At a column's title, arrows lead to the next title.
    await page.locator('tr.row').first().press('ArrowRight');
    await page.waitForURL(/page=2/);
    const { data } = await ask(body);
    const ids = data.map(({ task_id }: { task_id: string }) => task_id);
    await page.locator('tbody tr.row', { hasText: ids[0] }).waitFor();
    expect(await columnTexts(page, 'Task ID')).eql(ids);
    const total = await totalOf(page);
    const range = await page.locator('.pager-range').innerText();
    expect(range).equal(`26–50 of ${total.toLocaleString('en')}`);
    // An empty field asks for no other page, and a page below the first is the first one.
    const field = page.getByRole('spinbutton', { name: 'Page' });
    for (const [given, shown] of [
      ['', '2'],
      ['-3', '1'],
      ['-3', '1'],
      ['2', '2'],
    ] as const) {
      await field.fill(given);
      await field.press('Enter');
      await page.waitForURL((url) => url.search.includes('page=2') === (shown === '2'));
      // The field shows the page of the latest answer.
      await until(async () => (await field.inputValue()) === shown, `“${given}” shows no ${shown}`);
    }
    await page.getByRole('button', { name: /Previous page/ }).click();
    await page.waitForURL((url) => !url.search.includes('page='));
  });

  it('shows the same to whoever is given the address', async () => {
    const first = await stage.open('/tasks');
    await searchBox(first).fill('status:failure data');
    await searchBox(first).press('Enter');
    await first.waitForURL(/status=FAILURE/);
    await first.locator('tr.row').nth(1).click();
    await first.waitForURL(/open=/);
    const name = await first.locator('.panel-key').innerText();
    const { pathname, search } = new URL(first.url());
    const second = await stage.open(pathname + search);
    await second.locator('.panel-key', { hasText: name.trim() }).waitFor();
    await waitForTotal(second, await totalOf(first));
    expect(await searchBox(second).inputValue()).equal('data');
  });

  it('shows a member their projects alone, and nothing that hints at more', async () => {
    const page = await stage.open('/tasks', { as: MEMBER });
    const { data } = await ask({}, '/api/v2/projects/search', MEMBER);
    const names = data.map(
      (one: { name: string | null; identifier: string }) => one.name ?? one.identifier,
    );
    await page.getByRole('heading', { name: 'Select a project' }).waitFor();
    // They come after the heading.
    await page
      .locator('.choose-item')
      .nth(names.length - 1)
      .waitFor();
    expect(await page.locator('.choose-item').allInnerTexts()).have.members(names);
    await page.getByRole('link', { name: 'Harbour Atlas' }).click();
    await waitForTotal(
      page,
      await totalFor({}, `/api/v2/projects/${HARBOUR}/tasks/search`, MEMBER),
    );
    expect(await page.getByRole('navigation', { name: 'Tables' }).innerText()).not.match(/Audit/);
    stage.expectInConsole(/404/);
    await show(page, '/tasks?project=d9167959-57f6-428e-950f-48ad7fde5d0f');
    await page.getByRole('alert').filter({ hasText: 'Not found' }).waitFor();
  });

  it('says which filter to drop where nothing is left', async () => {
    const page = await stage.open('/tasks?q=no+such+thing+anywhere&status=FAILURE');
    await page.getByText('No tasks match').waitFor();
    const failures = await totalFor({ select: [{ field: 'status', in: ['FAILURE'] }] });
    const tasks = `${failures.toLocaleString('en')} tasks`;
    await page.getByRole('button', { name: 'Status: Failure 0 tasks' }).waitFor();
    await page.getByRole('button', { name: new RegExp(`^Text: .* ${tasks}$`) }).click();
    await waitForTotal(page, failures);
  });

  it('says that there are too many filters, not only that something is too long', async () => {
    const many = Array.from({ length: 60 }, (_, n) => `worker=w${n}`).join('&');
    stage.expectInConsole(/422/);
    for (const [locale, text] of [
      ['en-GB', 'Filters: This must not list more than 50.'],
      ['de-DE', 'Filter: Es sind höchstens 50 möglich.'],
    ] as const) {
      const page = await stage.open(`/tasks?${many}`, { locale });
      await page.locator('.state-line', { hasText: text }).waitFor();
    }
  });
});
