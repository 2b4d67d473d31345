/** A table, a person or a question leaves nothing behind that could be taken for a part of the next one. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { FACET_VALUES } from '../../web/present/facetLayout.ts';
import type { FacetWish } from '../../web/query/question.ts';
import { gate, until } from '../support/until.ts';
import { ADMIN, MEMBER, refuse, settled, show, suite, useStage, waitForTotal } from './stage.ts';

const USERS = '/api/v2/users/search';

suite('what is left behind', () => {
  const stage = useStage();

  const ready = (page: Page) => page.locator('.table-box[aria-busy=false]').waitFor();
  /** Holds such requests until the gate is opened. */
  const hold = async (page: Page, pattern: string) => {
    const held = gate();
    await page.route(pattern, async (route) => {
      await held.passed;
      await route.continue().catch(() => {});
    });
    return held;
  };

  it('is no count, bar or record of the table before, while the next one is on its way', async () => {
    const [{ id }] = (await stage.ask({ pagination: { per_page: 1 } })).data;
    const page = await stage.open(`/tasks?id=${id}`);
    await ready(page);
    await page.locator('.timeline-bars path').first().waitFor({ state: 'attached' });
    const held = await hold(page, `**${USERS}/explore`);
    // The task has this number as well.
    await show(page, `/users?open=${id}`);
    await page.getByText('Loading users…').waitFor();
    expect(await page.locator('.total').innerText()).equal('');
    expect(await page.locator('.timeline-bars path').count()).equal(0);
    expect(await page.locator('.panel .member').count()).equal(0);
    held.open();
    await waitForTotal(page, await stage.totalFor({}, USERS));
  });

  it('is no failure of the table before, and no word of rows that do not show', async () => {
    stage.expectInConsole(/503/);
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    const body = JSON.stringify({ title: 'Unavailable', status: 503, detail: 'Away.' });
    const answer = { status: 503, contentType: 'application/problem+json', body };
    await page.route('**/admin/tasks/search/explore', (route) => route.fulfill(answer));
    await page.locator('#search').fill('x');
    const line = page.locator('.state-line');
    await line.getByText('match an earlier search').waitFor();
    const held = await hold(page, `**${USERS}/explore`);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('Loading users…').waitFor();
    expect(await line.count()).equal(0);
    await page.unroute(`**${USERS}/explore`);
    await page.route(`**${USERS}/explore`, (route) => route.fulfill(answer));
    held.open();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.locator('.live.is-live').waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await line.waitFor();
    expect(await line.innerText()).not.include('rows are from');
  });

  it('is nothing of who signs out: no projects, offers or texts that values were searched by', async () => {
    const page = await stage.open('/schedules?enabled=~true');
    await ready(page);
    const search = page.getByPlaceholder(/^Find /).first();
    await search.fill('x');
    await page.locator('tr.row input').first().check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 1 schedule' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').fill(await stage.token(MEMBER));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('.choose-item').first().waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).equal(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // Another member, whose projects are late.
    const held = await hold(page, '**/projects/search/export');
    const select = [{ field: 'active', in: [true] }];
    const { data } = await stage.ask({ select, pagination: { per_page: 3 } }, USERS);
    const ids: number[] = data.map(({ id }: { id: number }) => id);
    const other = ids.find((id) => id !== ADMIN && id !== MEMBER)!;
    await page.getByLabel('Token').fill(await stage.token(other));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Select a project' }).waitFor();
    expect(await page.locator('.choose-item').count()).equal(0);
    held.open();
  });

  it('is no row of a person whose token expired, where another one signs in', async () => {
    stage.expectInConsole(/401/);
    const page = await stage.open('/projects');
    await ready(page);
    const explores = '**/projects/search/explore';
    await refuse(page, explores);
    await page.locator('#search').fill('a');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Token').fill(await stage.token(MEMBER));
    await page.unroute(explores);
    const held = await hold(page, explores);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Loading projects…').waitFor();
    expect(await page.locator('tr.row').count()).equal(0);
    held.open();
    const own = await stage.totalFor({ filters: { q: 'a' } }, '/api/v2/projects/search', MEMBER);
    await waitForTotal(page, own);
  });

  it('is no longer list of values: a field of two tables has a number for each', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    const limitIn = async (path: string) => {
      const request = await page.waitForRequest(
        (one) => one.url().endsWith(`${path}/search/explore`) && /"facets"/.test(one.postData()!),
      );
      const { facets } = JSON.parse(request.postData()!) as { facets: FacetWish[] };
      return facets.find(({ field }) => field === 'project_id')?.limit;
    };
    const title = page.getByRole('button', { name: /^Project/ });
    const more = limitIn('/admin/tasks');
    await page.locator('.facet', { has: title }).locator('.facet-more').click();
    expect(await more).equal(FACET_VALUES * 4);
    const others = limitIn('/admin/schedules');
    await page.getByRole('link', { name: 'Schedules' }).click();
    expect(await others).equal(FACET_VALUES);
  });

  it('is no number of rows in an export, while those of another search are counted', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await ready(page);
    const held = await hold(page, '**/admin/tasks/search/explore');
    await page.locator('#search').fill('timeout');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const download = page.getByRole('dialog', { name: 'Export tasks' }).getByText('Download');
    expect(await download.isDisabled()).equal(true);
    held.open();
    const select = [{ field: 'status', in: ['FAILURE'] }];
    const total = await stage.totalFor({ filters: { q: 'timeout' }, select });
    await page.getByRole('dialog', { name: `Export ${total} tasks` }).waitFor();
    expect(await page.getByText('Download', { exact: true }).isEnabled()).equal(true);
    // The same words, written otherwise, are the same question.
    await page.keyboard.press('Escape');
    await page.locator('#search').fill('"timeout"');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('dialog', { name: `Export ${total} tasks` }).waitFor();
  });

  it('is no late answer: the history of a record keeps its latest change', async () => {
    const select = [
      { field: 'scope', in: ['project'] },
      { field: 'status', in: ['SUCCESS'] },
    ];
    const [{ task_id, project_id }] = (await stage.ask({ select })).data;
    const keep = async (preserve: boolean) => {
      const path = `/api/v2/projects/${project_id}/tasks/${task_id}/preserve`;
      const asked = { token: await stage.token(ADMIN), body: { preserve } };
      expect((await stage.service.ask('PUT', path, asked)).status).equal(200);
    };
    await keep(true);
    const page = await stage.open(`/tasks?task_id=${task_id}`);
    await page.locator('.live.is-live').waitFor();
    await page.locator('.who', { hasText: 'Admin' }).waitFor();
    const held = gate();
    const late = page.waitForRequest(`**${USERS}/explore`);
    await page.route(
      `**${USERS}/explore`,
      async (route) => {
        await held.passed;
        await route.continue();
      },
      { times: 1 },
    );
    await page.locator('tr.row').click();
    const names = await late;
    await keep(false);
    await page.locator('.history-item').nth(1).waitFor();
    held.open();
    await (await names.response())!.finished();
    await settled(page);
    expect(await page.locator('.history-item').count()).equal(2);
  });

  it('is no scrolled table, nor one that is pointed at: the next one lets new rows in', async () => {
    const page = await stage.open('/tasks?per=100');
    await ready(page);
    await page.locator('.live.is-live').waitFor();
    await page.locator('tr.row').nth(3).hover();
    // The wheel scrolls here: a page hears of a script's scrolling only at its next frame.
    await page.mouse.wheel(0, 900);
    const scrolled = () => page.locator('.table-box').evaluate(({ scrollTop }) => scrollTop);
    await until(async () => (await scrolled()) >= 900, 'the table is not scrolled');
    await show(page, '/nope');
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await page.mouse.move(20, 20);
    await page.goBack();
    await page.locator('.live.is-live').waitFor();
    await ready(page);
    const tasks = stage.database.db.collection('tasks');
    const [{ task_id }] = (await stage.ask({ pagination: { per_page: 1 } })).data;
    const { _id, ...latest } = (await tasks.findOne({ task_id }))!;
    const added = { ...latest, task_id: crypto.randomUUID(), id: latest.id + 1 };
    await tasks.insertOne(added);
    try {
      await page.locator(`tr.row[data-key="${added.task_id}"]`).waitFor();
    } finally {
      await tasks.deleteOne({ task_id: added.task_id });
    }
  });

  it('is a focus: where fewer rows match, or none, it stays among them', async () => {
    const page = await stage.open('/tasks?per=25&cols=task_id,status');
    await ready(page);
    for (let step = 0; step < 19; step += 1) await page.keyboard.press('j');
    const isAt = (selector: string) =>
      until(
        async () => await page.evaluate(`document.activeElement.matches('${selector}')`),
        `the focus is not at ${selector}`,
      );
    await isAt('tr.row[aria-rowindex="20"]');
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: /^Only / }).click();
    await waitForTotal(page, 1);
    await isAt('tr.row[tabindex="0"]');
    // The key acts on that row.
    const key = await page.locator('tr.row').getAttribute('data-key');
    await page.keyboard.press('x');
    await page.locator(`tr.row.is-chosen[data-key="${key}"]`).waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.locator('tr.row').nth(24).waitFor();
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('j');
    // Other rows: Tab leads to the first one again.
    await page.locator('#search').fill('timeout');
    await waitForTotal(page, await stage.totalFor({ filters: { q: 'timeout' } }));
    await ready(page);
    expect(await page.locator('tr.row[tabindex="0"]').getAttribute('aria-rowindex')).equal('2');
  });
});
