/** The web UI where no answer comes, and no failure either: it says so after ten seconds, and asks again when it is told to. */
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { gate, until } from '../support/until.ts';
import {
  MEMBER,
  refuse,
  searchBox,
  settled,
  show,
  signInAgain,
  suite,
  useStage,
  waitForTotal,
} from './stage.ts';

/**
 * Searches with such a body get no answer, or this one, until it is called: those that wait by then wait for ever.
 */
async function hold(page: Page, body: RegExp, answer?: object): Promise<() => void> {
  let isOver = false;
  await page.route('**/search/explore', async (route) => {
    if (isOver || !body.test(route.request().postData() ?? '')) await route.fallback();
    else if (answer) await route.fulfill(answer);
  });
  return () => {
    isOver = true;
  };
}

suite('a service that does not answer', () => {
  const stage = useStage();

  it('is told at the rows, which are live no more, and asked again', async () => {
    const page = await stage.open('/tasks');
    const badge = page.locator('.live');
    await page.locator('.live.is-live').waitFor();
    const letThrough = await hold(page, /timeout/);
    await searchBox(page).fill('timeout');
    const line = page.locator('.state-line', { hasText: 'No answer yet' });
    await line.waitFor();
    expect(await badge.innerText()).equal('Loading');
    // A retry by keys leaves the focus where it is, until rows come; at one of them it would keep others from coming.
    await line.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.locator('.state-line', { hasText: 'Loading…' }).waitFor();
    letThrough();
    await page.locator('.state-line button:focus', { hasText: 'Retry' }).press('Enter');
    await page.locator('#rows:focus').waitFor();
    await page.locator('.state-line').waitFor({ state: 'detached' });
    await waitForTotal(page, await stage.totalFor({ filters: { q: 'timeout' } }));
    await page.locator('.live.is-live').waitFor();
    const letNothing = await hold(page, /nowhere/);
    await searchBox(page).fill('nowhere at all');
    await line.getByRole('button', { name: 'Retry' }).waitFor();
    letNothing();
    await line.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.locator('#rows:focus').waitFor();
  });

  it('leaves the page its name, where scripts are late', async () => {
    const page = await stage.open('/livez');
    await page.route('**/assets/index-*.js', () => undefined);
    await page.goto(`${stage.service.url}/tasks`, { waitUntil: 'commit' });
    const shown = `{
      const { content, visibility } = getComputedStyle(document.querySelector('#page'), '::before');
      content + ' ' + visibility;
    }`;
    await until(async () => (await page.evaluate(shown)) === '"Table search …" visible');
  });

  it('is told in a record, and asked again', async () => {
    const page = await stage.open('/tasks?status=SUCCESS');
    const body = { select: [{ field: 'status', in: ['FAILURE'] }] };
    const { task_id } = (await stage.ask(body)).data[0];
    await page.locator('tr.row').first().waitFor();
    const letThrough = await hold(page, /"field":"task_id"/);
    await show(page, `/tasks?status=SUCCESS&open=${task_id}`);
    const panel = page.locator('.panel');
    await panel.getByText('Loading…').waitFor();
    await panel.getByText('No answer yet').waitFor();
    // A retry by keys leaves the focus where it is.
    await panel.getByRole('button', { name: 'Retry' }).press('Enter');
    await panel.getByText('Loading…').waitFor();
    letThrough();
    await panel.locator('button:focus', { hasText: 'Retry' }).press('Enter');
    await panel.locator('.member').first().waitFor();
    // A refusal of the record alone shows nowhere else.
    stage.expectInConsole(/403/);
    const problem = { title: 'Forbidden', status: 403, detail: 'Not yours.', code: 'Forbidden' };
    const refusal = { status: 403, contentType: 'application/problem+json' };
    await hold(page, /"field":"task_id"/, { ...refusal, body: JSON.stringify(problem) });
    await page.reload();
    await panel.getByRole('alert').filter({ hasText: 'Not yours.' }).waitFor();
  });

  it('is told in a log, ten seconds after a sign-in too, and asked again', async () => {
    const { task_id } = (await stage.ask({ select: [{ field: 'status', in: ['SUCCESS'] }] }))
      .data[0];
    const page = await stage.open('/tasks');
    let isHeld = true;
    await page.route(/\/logs/, (route) => (isHeld ? undefined : route.fallback()));
    stage.expectInConsole(/401/);
    await refuse(page, '**/logs*');
    await page.clock.install();
    await show(page, `/tasks?open=${task_id}&tab=log`);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.clock.fastForward(11_000);
    await signInAgain(stage, page, '**/logs*');
    const state = page.locator('.log-state');
    await state.getByText('Loading…').waitFor();
    expect(await state.innerText()).not.include('No answer yet');
    await page.clock.fastForward(11_000);
    await state.getByText('No answer yet').waitFor();
    isHeld = false;
    await state.getByRole('button', { name: 'Retry' }).click();
    await state.getByText(/[1-9]\d* of \d+ lines/).waitFor();
  });

  it('is told in a menu of a column and in a confirmation, and asked again', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await page.locator('.live.is-live').waitFor();
    await page.clock.install();
    const letThrough = await hold(page, /"facets":\[\{"field":"worker","limit":5/);
    await page.getByRole('button', { name: 'Column menu: Worker' }).click();
    const menu = page.locator('.head-sheet');
    await menu.getByText('Counting…').waitFor();
    await page.clock.fastForward(11_000);
    await menu.getByText('No answer yet').waitFor();
    letThrough();
    await menu.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.locator('.figures-value').first().waitFor();
    await menu.locator('button:focus', { hasText: 'Sort ascending' }).waitFor();
    await page.keyboard.press('Escape');
    let isHeld = true;
    await page.route('**/search/export', (route) => (isHeld ? undefined : route.fallback()));
    await page.getByLabel('Select all rows on this page').click();
    await page.getByRole('button', { name: /that match/ }).click();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Counting matching rows…').waitFor();
    await page.clock.fastForward(11_000);
    isHeld = false;
    await dialog.getByRole('button', { name: 'Retry' }).press('Enter');
    await dialog.getByRole('button', { name: /^Preserve [\d,]+ task/ }).waitFor();
    await dialog.locator('button:focus').waitFor();
  });

  it('is told in a clean-up, and asked again', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    await page.clock.install();
    const letThrough = await hold(page, /"per_page":1\}/);
    await page.getByRole('button', { name: /Clean up/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Counting…').waitFor();
    await page.clock.fastForward(11_000);
    letThrough();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByRole('button', { name: /^Revoke [\d,]+ task/ }).waitFor();
  });

  it('is told among saved views, which are saved nowhere else meanwhile', async () => {
    const page = await stage.open('/livez');
    const held = gate();
    await page.route('**/api/v2/views', async (route) => {
      await held.passed;
      await route.continue();
    });
    await page.goto(`${stage.service.url}/tasks`);
    await page.locator('.live.is-live').waitFor();
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Loading…').waitFor();
    await dialog.getByLabel('Save this view as').fill('Mine');
    await dialog.getByLabel('Save this view as').press('Enter');
    const save = dialog.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled(), 'may save while nobody knows where').equal(true);
    held.open();
    await save.click();
    await page.getByRole('link', { name: 'Mine' }).waitFor();
    // A service that is away is told, and asked again.
    stage.expectInConsole(/503/);
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    const body = JSON.stringify({ ...problem, code: 'StoreUnavailable' });
    await page.route('**/api/v2/views', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
    );
    await page.reload();
    await page.locator('.live.is-live').waitFor();
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The store is away.' }).waitFor();
    await dialog.getByLabel('Save this view as').fill('Other');
    expect(await save.isDisabled(), 'may save in the browser alone').equal(true);
    await page.unroute('**/api/v2/views');
    await dialog.getByRole('button', { name: 'Mine' }).first().waitFor();
    expect(await save.isEnabled()).equal(true);
  });

  it('is told among saved views where the tables are what hangs, and these are asked for again', async () => {
    const page = await stage.open('/livez');
    await page.clock.install();
    let isHeld = true;
    await page.route('**/api/v2/tables', (route) => (isHeld ? undefined : route.continue()));
    await page.goto(`${stage.service.url}/tasks`);
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Loading…').waitFor();
    await page.clock.fastForward(11_000);
    isHeld = false;
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByLabel('Save this view as').fill('Found');
    await dialog.getByRole('button', { name: 'Save', disabled: false }).waitFor();
  });

  it('is told in place of a project, and one question alone goes on where it is asked again', async () => {
    stage.expectInConsole(/ERR_FAILED/);
    const page = await stage.open('/livez', { as: MEMBER });
    await page.clock.install();
    const asked: Route[] = [];
    await page.route('**/api/v2/projects/search/export', (route) => void asked.push(route));
    await page.goto(`${stage.service.url}/tasks`);
    await page.getByText('Loading…').waitFor();
    await page.clock.fastForward(11_000);
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.press('Enter');
    await until(() => asked.length === 2, 'it was not asked again');
    await asked[1]!.abort();
    // The first one is given up: where its connection ends, it is not tried again beside the second.
    await asked[0]!.abort().catch(() => undefined);
    await settled(page);
    await page.clock.fastForward(1_500);
    await until(() => asked.length > 2, 'it was not tried again');
    await settled(page);
    expect(asked.length).equal(3);
  });

  it('is told at the box, whose filter is applied when it answers', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    const letThrough = await hold(page, /"field":"worker"/);
    const { worker } = (await stage.ask({ select: [{ field: 'worker', not_in: [null] }] })).data[0];
    await searchBox(page).pressSequentially(`worker:${worker} `);
    await page.getByText('Looking up the value…').waitFor();
    await page.getByRole('alert').filter({ hasText: 'has not answered in time' }).waitFor();
    letThrough();
    await searchBox(page).press('Enter');
    await page.locator('.chip', { hasText: worker }).waitFor();
  });
});
