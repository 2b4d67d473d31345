/**
 * Things that the web UI keeps, takes back and takes away: views, columns, tasks, schedules, files.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { gate, until } from '../support/until.ts';
import {
  ADMIN,
  CLIPBOARD,
  columnTexts,
  MEMBER,
  settled,
  show,
  suite,
  totalOf,
  useStage,
  waitForTotal,
} from './stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: stored documents of any shape
type Stored = any;

suite('the web UI that keeps things', () => {
  const stage = useStage();
  const collection = (name: string) => stage.database.db.collection<Stored>(name);
  const ready = (page: Page) => page.locator('tr.row').first().waitFor();
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  async function withTwoViews(): Promise<Page> {
    const page = await stage.open('/tasks?status=FAILURE');
    await ready(page);
    for (const name of ['First', 'Second']) {
      await button(page, 'Views').click();
      await page.getByLabel('Save this view as').fill(name);
      await button(page, 'Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    return page;
  }

  /** Presses the second while the first request is under way. */
  async function deleteBoth(page: Page): Promise<void> {
    await button(page, 'Views').click();
    const first = page.waitForRequest('**/api/v2/views/*');
    await button(page, 'Delete First').click();
    await first;
    await button(page, 'Delete Second').click();
  }

  const viewNames = (page: Page) => page.locator('.nav-views .nav-text').allInnerTexts();

  /** A project of the member in which something like this is. */
  async function memberProject(like: object): Promise<Stored> {
    const found = await collection('projects').distinct('identifier', {
      'members.user_id': MEMBER,
    });
    return await collection('schedules').findOne({ ...like, project_id: { $in: found } });
  }

  it('keeps views by name, over reloads, until they are forgotten', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await ready(page);
    const total = await totalOf(page);
    await button(page, 'Views').click();
    await page.getByLabel('Save this view as').fill('What failed');
    await button(page, 'Save').click();
    // Leaving the page would cut a request that is on its way.
    await page.getByRole('link', { name: 'What failed' }).waitFor();
    await page.goto(`${stage.service.url}/schedules`);
    await ready(page);
    await page.getByRole('link', { name: 'What failed' }).click();
    await waitForTotal(page, total);
    expect(page.url()).match(/\/tasks\?status=FAILURE$/);
    // The list that the dialog asks for was made before the deletion, and arrives after it.
    const deleted = gate();
    const lists = '**/api/v2/views';
    const first = page.waitForRequest(lists);
    await page.route(
      lists,
      async (route) => {
        const answer = await route.fetch();
        await deleted.passed;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await button(page, 'Views').click();
    await button(page, 'Delete What failed').click();
    await page.keyboard.press('Escape');
    const link = page.getByRole('link', { name: 'What failed' });
    await link.waitFor({ state: 'detached' });
    deleted.open();
    await (await (await first).response())!.finished();
    await settled(page);
    expect(await link.count()).equal(0);
  });

  it('follows what another window of the browser does with a view, and misses none that is gone', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await ready(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await ready(other);
    await button(page, 'Views').click();
    await page.getByLabel('Save this view as').fill('What failed');
    await button(page, 'Save').click();
    await page.getByRole('link', { name: 'What failed' }).waitFor();
    // Browsers say so where somebody comes back to a window; all windows of a test are in sight.
    await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await other.getByRole('link', { name: 'What failed' }).waitFor();
    await button(other, 'Views').click();
    await button(other, 'Edit What failed').click();
    await button(page, 'Views').click();
    const listed = page.waitForResponse('**/api/v2/views/*');
    await button(page, 'Delete What failed').click();
    await listed;
    // The stage does not read the console of this window.
    await other.getByLabel('Name').fill('Another name');
    await button(other, 'Save').click();
    await other.getByRole('alert').filter({ hasText: 'This view no longer exists.' }).waitFor();
    expect(await button(other, 'Edit What failed').count()).equal(0);
    await page.getByLabel('Save this view as').fill('Gone twice');
    await button(page, 'Save').click();
    // The open list asks for the views again: an answer from now on would no longer offer this one.
    const again = page.waitForResponse((one) => {
      return one.request().method() === 'GET' && new URL(one.url()).pathname === '/api/v2/views';
    });
    await button(page, 'Views').click();
    await (await again).finished();
    await button(page, 'Delete Gone twice').waitFor();
    await stage.database.db.collection('views').deleteMany({});
    stage.expectInConsole(/404/);
    await button(page, 'Delete Gone twice').click();
    await button(page, 'Delete Gone twice').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).equal(0);
  });

  it('changes of a view what somebody changed, and keeps what somebody else did meanwhile', async () => {
    const view = {
      table: 'tasks',
      name: 'Ours',
      address: 'status=FAILURE',
      visibility: 'everyone',
    };
    const token = await stage.token(ADMIN);
    expect((await stage.service.post('/api/v2/views', view, token)).status).equal(201);
    const page = await stage.open('/tasks');
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (const one of [page, other]) {
      await button(one, 'Views').click();
      await button(one, 'Edit Ours').click();
    }
    await page.getByLabel('Name').fill('Renamed');
    await other.getByLabel('Description').fill('Described');
    await other.getByRole('button', { name: 'Only you' }).click();
    for (const one of [page, other]) {
      await button(one, 'Save').click();
      await button(one, 'Edit Renamed').waitFor();
    }
    const [stored] = await collection('views').find({}).toArray();
    const changed = { name: 'Renamed', description: 'Described', audience: `private:${ADMIN}` };
    expect(stored).include({ ...changed, address: 'status=FAILURE' });
  });

  it('says of a view with too many values that it cannot be saved, and of its address that it is too long to share', async () => {
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const page = await stage.open('/tasks', CLIPBOARD);
    await page.locator('.live.is-live').waitFor();
    await show(page, `/tasks?task_id=${ids}`);
    const notice = page.locator('.notice', { hasText: 'too long to share or reload' });
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await page.keyboard.press('y');
    await notice.filter({ hasText: 'Copied' }).waitFor();
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Save this view as').fill('Many');
    const save = dialog.getByRole('button', { name: 'Save' });
    expect((await save.boundingBox())!.y, 'in sight').below(900);
    await save.click();
    await dialog.getByText('This view has too many values to be saved.').waitFor();
  });

  it('deletes each view whose button is pressed, also while another is on its way', async () => {
    const page = await withTwoViews();
    const held = gate();
    await page.route('**/api/v2/views/*', async (route) => {
      await held.passed;
      await route.continue();
    });
    await deleteBoth(page);
    held.open();
    await page.locator('.nav-views').waitFor({ state: 'detached' });
    expect(await collection('views').countDocuments({ name: /^(First|Second)$/ })).equal(0);
  });

  it('says that a view was not deleted, also where the next one was', async () => {
    stage.expectInConsole(/503/);
    const page = await withTwoViews();
    const held = gate();
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    await page.route(
      '**/api/v2/views/*',
      async (route) => {
        await held.passed;
        const body = JSON.stringify({ ...problem, code: 'StoreUnavailable' });
        await route.fulfill({ status: 503, contentType: 'application/problem+json', body });
      },
      { times: 1 },
    );
    await deleteBoth(page);
    held.open();
    await button(page, 'Delete Second').waitFor({ state: 'detached' });
    await page
      .getByRole('alert')
      .filter({ hasText: 'The store is away.' })
      .waitFor({ timeout: 2_000 });
    expect(await button(page, 'Delete First').count()).equal(1);
  });

  it('saves a view once, however often the button is pressed, and marks the view that shows', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await ready(page);
    await button(page, 'Views').click();
    await page.getByLabel('Save this view as').fill('Once');
    const held = gate();
    await page.route('**/api/v2/views', async (route) => {
      if (route.request().method() === 'POST') await held.passed;
      await route.continue();
    });
    await button(page, 'Save').dblclick();
    held.open();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const link = page.getByRole('link', { name: 'Once' });
    await link.waitFor();
    expect(await collection('views').countDocuments({ name: 'Once' })).equal(1);
    expect(await link.getAttribute('aria-current')).equal('true');
    // It takes the address of another view, which it then is.
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.waitForURL(/\/tasks$/);
    await button(page, 'Views').click();
    await button(page, 'Edit Once').click();
    await page.getByLabel('Replace its filters').check();
    await button(page, 'Save').click();
    await page.locator('.nav-views [aria-current=true]', { hasText: 'Once' }).waitFor();
    // One that is deleted while it is edited is edited no more, and the focus stays in the dialog.
    await button(page, 'Edit Once').click();
    await page.getByLabel('Name').waitFor();
    await button(page, 'Delete Once').click();
    await button(page, 'Delete Once').waitFor({ state: 'detached' });
    await until(
      () => page.evaluate("document.activeElement.matches('#view-name')"),
      'the focus is not at the name',
    );
    expect(await page.getByLabel('Save this view as').count()).equal(1);
  });

  it('shares a view: others see it with a count that follows, and their table opens with it', async () => {
    const page = await stage.open('/schedules?enabled=~false');
    await ready(page);
    await button(page, 'Views').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Save this view as').fill('Switched off');
    await dialog.getByLabel('Description').fill('Nobody looks after these');
    await dialog.getByRole('button', { name: 'Everyone' }).click();
    await dialog.getByLabel('Open Schedules with this view').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [stored] = await collection('views').find({}).toArray();
    expect(stored).include({ table: 'schedules', address: 'enabled=~false', is_default: true });

    // A filter that the table no longer has.
    const address = 'enabled=~false&colour=red';
    await collection('views').updateOne({}, { $set: { address } });
    const project = { scope: 'project', project_id: { $type: 'string' } };
    const { project_id } = await memberProject(project);
    const off = { ...project, project_id, enabled: false };
    const member = await stage.open(`/schedules?project=${project_id}`, { as: MEMBER });
    await member.getByRole('link', { name: /^Switched off/ }).waitFor();
    await member.waitForURL(/enabled=~false/);
    await member.locator('.notice', { hasText: 'left out: colour=red' }).waitFor();
    expect(new URL(member.url()).searchParams.get('project')).equal(project_id);
    const link = member.locator('.nav-views a', { hasText: 'Switched off' });
    expect(await link.getAttribute('title')).equal('Switched off: Nobody looks after these');
    await waitForTotal(member, await collection('schedules').countDocuments(off));

    const count = page.locator('.nav-views .nav-count');
    const counted = async () => Number((await count.innerText()).replaceAll(',', ''));
    const all = () => collection('schedules').countDocuments({ enabled: false });
    await until(async () => (await counted()) === (await all()), 'there is no count');
    await collection('schedules').updateOne({ enabled: true }, { $set: { enabled: false } });
    await until(async () => (await counted()) === (await all()), 'the count does not follow');

    await button(page, 'Views').click();
    await button(page, 'Edit Switched off').click();
    await dialog.getByLabel('Name').fill('Off');
    await dialog.getByLabel('Open Schedules with this view').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: /^Off/ }).waitFor();
    // Others would lose it: the first press asks, and goes back to what it was as the focus leaves.
    await button(page, 'Delete Off').click();
    await button(page, 'Delete for everyone').press('Shift+Tab');
    await button(page, 'Delete for everyone').waitFor({ state: 'detached' });
    expect(await collection('views').countDocuments()).equal(1);
    await button(page, 'Delete Off').click();
    await button(page, 'Delete for everyone').press('Enter');
    await until(async () => (await collection('views').countDocuments()) === 0, 'it stays');
  });

  it('lets an admin delete a view of a table that is gone, whose rows it does not count', async () => {
    const tc_creation = new Date();
    const shared = { audience: 'everyone', owner: '999', table: 'gone', name: 'Of old days' };
    await collection('views').insertOne({
      ...{
        _id: `f${randomUUID().slice(1)}`,
        ...shared,
        description: '',
        address: 'a=1',
        is_default: true,
      },
      ...{ place: 1, tc_creation, tc_update: tc_creation },
    });
    const live = { table: 'tasks', name: 'Of today', address: '', visibility: 'everyone' };
    expect(
      (await stage.service.post('/api/v2/views', live, await stage.token(ADMIN))).status,
    ).equal(201);
    const page = await stage.open('/tasks');
    // Counts are asked for one after the other, in the order of the list; a 404 would stand in the console.
    await page.locator('.nav-views .nav-count').waitFor();
    expect(await viewNames(page)).have.members(['Of old days', 'Of today']);
    await button(page, 'Views').click();
    await button(page, 'Delete Of old days').click();
    await button(page, 'Delete for everyone').click();
    await until(async () => (await collection('views').countDocuments(shared)) === 0, 'it stays');
  });

  it('counts no rows for a view with a filter that is gone', async () => {
    const token = await stage.token(ADMIN);
    for (const [name, address] of [
      // Columns that are gone change no count.
      ['Of failures', 'status=FAILURE&cols=status,gone'],
      ['Of old filters', 'gone=1&status=FAILURE'],
    ]) {
      const view = { table: 'tasks', name, address, visibility: 'everyone' };
      expect((await stage.service.post('/api/v2/views', view, token)).status).equal(201);
    }
    const page = await stage.open('/tasks');
    // The latest view comes first, and counts come in the order of the list.
    await page.getByRole('link', { name: 'Of failures' }).locator('.nav-count').waitFor();
    expect(await viewNames(page)).eql(['Of old filters', 'Of failures']);
    expect(await page.locator('.nav-views .nav-count').count()).equal(1);
  });

  it('shows the views once the service tells them, where it could not at first', async () => {
    const view = { table: 'tasks', name: 'Late', address: 'status=FAILURE' };
    const token = await stage.token(ADMIN);
    expect((await stage.service.post('/api/v2/views', view, token)).status).equal(201);
    const page = await stage.open('/', { as: 'nobody' });
    stage.expectInConsole(/503/);
    await page.route('**/api/v2/views', (route) => route.fulfill({ status: 503, body: '' }), {
      times: 1,
    });
    await page.evaluate(`sessionStorage.token = ${JSON.stringify(token)}`);
    await page.goto(`${stage.service.url}/users`);
    await page.getByRole('link', { name: 'Late' }).waitFor();
  });

  it('shows them also where the dialog has asked for them in between, without an answer', async () => {
    const view = { table: 'tasks', name: 'Later', address: 'status=FAILURE' };
    const token = await stage.token(ADMIN);
    expect((await stage.service.post('/api/v2/views', view, token)).status).equal(201);
    const page = await stage.open('/', { as: 'nobody' });
    stage.expectInConsole(/503/);
    let refused = 0;
    await page.route('**/api/v2/views', (route) => {
      refused += 1;
      return route.fulfill({ status: 503, body: '' });
    });
    await page.evaluate(`sessionStorage.token = ${JSON.stringify(token)}`);
    await page.goto(`${stage.service.url}/users`);
    await until(() => refused > 2);
    const before = refused;
    await button(page, 'Views').click();
    await until(() => refused > before);
    await page.unroute('**/api/v2/views');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Later' }).waitFor();
  });

  it('takes over the views that the browser kept', async () => {
    const page = await stage.open('/tasks');
    await ready(page);
    const views = [{ name: 'Of earlier days', address: '/tasks?status=FAILURE' }];
    const kept = JSON.stringify(JSON.stringify({ views }));
    await page.evaluate(`localStorage.setItem('preferences', ${kept})`);
    await page.reload();
    await page.getByRole('link', { name: 'Of earlier days' }).waitFor();
    const listed = page.waitForResponse('**/api/v2/views');
    await button(page, 'Views').click();
    await (await listed).finished();
    // No list arrives any more: the page knows the views from answers to its changes alone.
    await page.route('**/api/v2/views', async (route) => {
      if (route.request().method() !== 'GET') await route.continue();
    });
    await button(page, 'Move to your account').click();
    const moved = { name: 'Of earlier days', address: 'status=FAILURE', owner: String(ADMIN) };
    await until(async () => (await collection('views').countDocuments(moved)) === 1, 'not moved');
    await button(page, 'Move to your account').waitFor({ state: 'detached' });
    expect(await page.locator('.nav-views a').count()).equal(1);
    await button(page, 'Edit Of earlier days').click();
    await page.getByLabel('Name').fill('Of these days');
    await button(page, 'Save').click();
    await page.getByLabel('Save this view as').fill('Of today');
    await button(page, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await viewNames(page)).eql(['Of today', 'Of these days']);
    await page.unrouteAll();
    await page.reload();
    await page.getByRole('link', { name: 'Of today' }).waitFor();
    expect(await viewNames(page)).eql(['Of today', 'Of these days']);
  });

  it('shows the columns that are chosen, in their order, and says them in the address', async () => {
    const page = await stage.open('/tasks?cols=status,worker');
    await ready(page);
    await button(page, 'Columns').click();
    // The focus of the keys stays with a button whose line moves, and with a column that comes into the list.
    const focused = page.locator(':focus');
    await button(page, 'Move Worker left').press('Enter');
    await button(page, 'Move Worker left').and(focused).waitFor();
    await page.getByLabel('Folder', { exact: true }).press('Space');
    await page
      .getByRole('checkbox', { name: 'Folder', exact: true, checked: true })
      .and(focused)
      .waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).searchParams.get('cols')).equal('worker,status,folder');
    const [, worker, status, folder] = await page.locator('thead th').allInnerTexts();
    expect([worker, status, folder].map((text) => text?.trim())).eql([
      'Worker',
      'Status',
      'Folder',
    ]);
    const before = await columnTexts(page, 'Worker');
    await page.reload();
    await ready(page);
    expect(await columnTexts(page, 'Worker')).eql(before);
  });

  it('speaks the language of the browser, or the one that is chosen', async () => {
    const page = await stage.open('/tasks?status=FAILURE', { locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Aufgaben', exact: true }).waitFor();
    await page.locator('.chip', { hasText: 'Fehlgeschlagen' }).waitFor();
    await page.locator('.total', { hasText: /Aufgaben$/ }).waitFor();
    await page.getByRole('combobox', { name: 'Aufgaben suchen' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).equal('de');
    await page.locator('body').press('Control+k');
    await page.getByRole('combobox', { name: 'Befehl' }).fill('english');
    await page.keyboard.press('Enter');
    const tasks = page.getByRole('heading', { name: 'Tasks', exact: true });
    await tasks.waitFor();
    await page.reload();
    await tasks.waitFor();
    expect(await page.locator('html').getAttribute('lang')).equal('en');
    // A later version may have kept one that this version has not.
    await page.evaluate(`localStorage.setItem('preferences', '{"language":"fr"}')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Aufgaben', exact: true }).waitFor();
  });

  it('keeps a task from being cleaned up, and takes that back', async () => {
    const page = await stage.open('/tasks?scope=project&preserve=~false&status=SUCCESS');
    await ready(page);
    const row = page.locator('tr.row').first();
    const task_id = await row.getAttribute('data-key');
    const isKept = async () => (await collection('tasks').findOne({ task_id })).preserve === true;
    await row.locator('input').check();
    await button(page, /^Preserve$/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preserve 1 task' }).click();
    await page.getByText('1 task preserved').waitFor();
    expect(await isKept()).equal(true);
    await button(page, 'Undo').click();
    await until(async () => !(await isKept()), 'it is kept on');
  });

  it('deletes a schedule when that is meant, and not before', async () => {
    const page = await stage.open('/schedules');
    await ready(page);
    const total = await totalOf(page);
    const row = page.locator('tr.row').first();
    const _id = await row.getAttribute('data-key');
    await row.locator('input').check();
    await button(page, /^Delete$/).click();
    // Before the dialog is there, Escape clears the selection.
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await collection('schedules').countDocuments({ _id })).equal(1);
    await button(page, /^Delete$/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 schedule' }).click();
    await page.getByText('1 schedule deleted').waitFor();
    await waitForTotal(page, total - 1);
    expect(await collection('schedules').countDocuments({ _id })).equal(0);
  });

  it('cleans up as many tasks as it says', async () => {
    const page = await stage.open('/tasks');
    await ready(page);
    await button(page, /Clean up/).click();
    const dialog = page.getByRole('dialog');
    const revoke = dialog.getByRole('button', { name: /^Revoke [\d,]+ tasks?$/ });
    await revoke.waitFor();
    const count = Number(/[\d,]+/.exec(await revoke.innerText())![0].replaceAll(',', ''));
    const revoked = () => collection('tasks').countDocuments({ status: 'REVOKED' });
    const before = await revoked();
    await revoke.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await revoked()) - before).equal(count);
    expect(count).greaterThan(0);
  });

  it('shows of a failure its message, the latest success of its type, and its history', async () => {
    const kind = { status: 'FAILURE', scope: 'project' };
    // One that can be preserved.
    const failed = { ...kind, traceback: { $type: 'string' }, preserve: false };
    const succeeded = { status: 'SUCCESS', scope: 'project', date_done: { $type: 'date' } };
    const [{ project_id, task_type }] = (await collection('tasks')
      .aggregate([
        { $match: { $or: [failed, succeeded] } },
        { $group: { _id: ['$project_id', '$task_type'], all: { $addToSet: '$status' } } },
        { $match: { 'all.1': { $exists: true } } },
        { $project: { project_id: { $first: '$_id' }, task_type: { $last: '$_id' } } },
        { $limit: 1 },
      ])
      .toArray()) as [Stored];
    const of = { project_id, task_type };
    const { task_id, traceback } = await collection('tasks').findOne({ ...of, ...failed });
    const [success] = await collection('tasks')
      .find({ ...of, ...succeeded })
      .sort({ date_done: -1 })
      .limit(1)
      .toArray();
    const page = await stage.open(`/tasks?open=${task_id}`);
    const panel = page.locator('.panel');
    const message = traceback
      .split('\n')
      .at(-1)
      .replace(/^\w+: /, '');
    await panel.locator('.failure-line', { hasText: message }).waitFor();
    const link = panel.getByRole('link', { name: 'Latest success of this type' });
    expect(await link.getAttribute('href')).include(`open=${success.task_id}`);
    await panel.getByRole('button', { name: 'Preserve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preserve 1 task' }).click();
    const entry = panel.locator('.history-item').first();
    await entry.getByText('task.preserve').waitFor();
    expect((await entry.locator('.history-change').innerText()).replace(/\s+/g, ' ')).equal(
      'Preserved – → preserved',
    );
    // Lines are wrapped until that is switched off, and the width is kept.
    const style = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.long')).whiteSpace");
    expect(await style()).equal('pre-wrap');
    await panel.getByRole('button', { name: 'Wrap lines' }).first().click();
    expect(await style()).equal('pre');
    const width = async () => (await panel.boundingBox())!.width;
    const before = await width();
    const grip = panel.getByRole('separator');
    const { x, y } = (await grip.boundingBox())!;
    await page.mouse.move(x + 4, y + 200);
    await page.mouse.down();
    await page.mouse.move(x - 96, y + 200, { steps: 4 });
    await page.mouse.up();
    expect(await width()).within(before + 95, before + 105);
    await grip.focus();
    await page.keyboard.press('ArrowRight');
    const narrower = await width();
    expect(narrower).within(before + 71, before + 81);
    await page.reload();
    await panel.locator('.failure-line').waitFor();
    expect(await width()).equal(narrower);
  });

  it('lists what a task has made, and copies its names', async () => {
    const [{ task_id, artifacts }] = (await collection('tasks')
      .find({ status: 'SUCCESS', scope: 'project', 'artifacts.1': { $exists: true } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray()) as [Stored];
    const page = await stage.open(`/tasks?open=${task_id}`, CLIPBOARD);
    const names = artifacts.map(({ name }: { name: string }) => name);
    await page.locator('.artifact').nth(1).waitFor();
    expect(await page.locator('.artifact-name').allInnerTexts()).eql(names);
    await button(page, 'Copy all names').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).equal(names.join('\n'));
  });

  it('shows what a task has made also where its id means another one, and asks for nothing in vain', async () => {
    const [{ task }] = (await collection('tasks')
      .aggregate([
        { $match: { scope: 'project' } },
        { $sort: { _id: 1 } },
        { $group: { _id: '$task_id', all: { $push: '$$ROOT' } } },
        { $match: { 'all.1': { $exists: true } } },
        { $project: { task: { $last: '$all' } } },
      ])
      .toArray()) as [Stored];
    const artifacts = [{ name: 'second.csv', size: 12, content_type: 'text/csv' }];
    await collection('tasks').updateOne({ _id: task._id }, { $set: { artifacts } });
    const page = await stage.open(`/tasks?q=${task.task_id}&project_id=${task.project_id}`);
    await page.locator(`tr.row[data-key="${task.task_id}"] .row-link`).click();
    await page.locator('.artifact-name', { hasText: 'second.csv' }).waitFor();
  });

  it('shows a member what a task has made when they want to know, and asks for nothing in vain', async () => {
    // Two of Tomás' projects have a task of this id; on paths it means that of the first one.
    const task_id = '3322740b-db9a-470a-8f93-8abe5dc41179';
    const [first, second] = await collection('tasks').find({ task_id }).sort({ _id: 1 }).toArray();
    const { filename } = await collection('snapshots.files').findOne({
      _id: first.snapshot_file_id,
    });
    const show = async (project: string) => {
      const page = await stage.open(`/tasks?project=${project}&open=${task_id}`, { as: MEMBER });
      await page.getByRole('heading', { name: 'Related' }).waitFor();
      await page.locator('.live.is-live').waitFor();
      const asked = "performance.getEntriesByType('resource').map(({ name }) => name).join()";
      expect(await page.evaluate(asked), 'nothing is asked in vain').not.match(/metadata/);
      return page;
    };
    const one = await show(first.project_id);
    await button(one, 'Show output').click();
    await button(one, new RegExp(`^Download snapshot .${filename}, `)).waitFor();
    const other = await show(second.project_id);
    stage.expectInConsole(/404/);
    const refused = other.waitForResponse((response) => response.status() === 404);
    await button(other, 'Show output').click();
    expect((await refused).url()).match(/metadata$/);
    await other.getByText('No output', { exact: true }).waitFor();
  });

  it('saves a snapshot under its name', async () => {
    const files = await collection('snapshots.files').distinct('_id');
    // Where two tasks share an id, as some of the demo do, one of them is out of reach.
    const [{ task_id }] = (await collection('tasks')
      .aggregate([
        { $group: { _id: '$task_id', all: { $push: '$$ROOT' } } },
        { $match: { 'all.1': { $exists: false }, 'all.snapshot_file_id': { $in: files } } },
        { $replaceWith: { $first: '$all' } },
      ])
      .toArray()) as [Stored];
    const page = await stage.open(`/tasks?open=${task_id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, /^Download snapshot/).click(),
    ]);
    const answer = await fetch(`${stage.service.url}/api/v2/tasks/${task_id}/snapshot/download`, {
      headers: { authorization: `Bearer ${await stage.token(ADMIN)}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(await readFile(await download.path()))).equal(true);
    expect(download.suggestedFilename()).not.equal('');
    // It is cleaned up while somebody looks at it.
    stage.expectInConsole(/404/);
    const { snapshot_file_id } = await collection('tasks').findOne({ task_id });
    await collection('snapshots.files').deleteOne({ _id: snapshot_file_id });
    await button(page, /^Download snapshot/).click();
    const said = page.getByRole('status').filter({ hasText: 'no snapshot to download' });
    await said.waitFor();
    await said.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
  });
});
