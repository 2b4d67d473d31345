/** Every view of the web UI as axe sees it, light and dark; and the main task by keys alone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { MEMBER, searchBox, suite, useStage, waitForTotal } from './stage.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The rules about colours. */
const COLORS = ['color-contrast', 'link-in-text-block'];

/** All findings of axe, however slight; or those of these rules. */
async function faults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Rows are faint while newer ones are on their way.
  await page.locator('.is-slow').first().waitFor({ state: 'detached' });
  await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return found.violations.flatMap(({ id, impact, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary}`),
  );
}

/** All that axe finds in the view as it is, light and dark. */
async function expectNothing(page: Page, view: string): Promise<void> {
  expect(await faults(page), `${view}, light`).eql([]);
  expect(await page.locator('h1').count(), `${view}: headings of the first level`).equal(1);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await faults(page, COLORS), `${view}, dark`).eql([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

const rows = (page: Page) => page.locator('tr.row').first().waitFor();
const select = async (page: Page) => {
  await rows(page);
  await page.locator('body').press('a');
  await page.getByRole('button', { name: 'Clear selection' }).waitFor();
};
/** A record with a log, alone in the table: axe takes its time for each row. */
const TASK = '1e487f84-bb62-4e0f-91f7-db41aebd6920';

suite('the web UI for everybody', () => {
  const stage = useStage();

  it('has nothing at all for axe: the page to sign in', async () => {
    const page = await stage.open('/', { as: 'nobody' });
    await page.getByLabel('Token').waitFor();
    await expectNothing(page, 'door');
  });

  it('has nothing at all for axe: found rows, and none', async () => {
    const page = await stage.open('/tasks?status=FAILURE&-scope=system&q=timeout');
    await rows(page);
    await expectNothing(page, 'tasks');
    await searchBox(page).fill('nothing like this');
    await page.getByText('No tasks match').waitFor();
    await page.locator('h1').click();
    await expectNothing(page, 'empty');
  });

  it('has nothing at all for axe: a record, and its log', async () => {
    const page = await stage.open(`/tasks?task_id=${TASK}&open=${TASK}`);
    await page.getByRole('heading', { name: 'Related' }).waitFor();
    await expectNothing(page, 'record');
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.locator('.log-line').first().waitFor();
    await expectNothing(page, 'log');
  });

  it('has nothing at all for axe: the other tables, and a confirmation', async () => {
    const page = await stage.open('/schedules');
    await rows(page);
    await expectNothing(page, 'schedules');
    await select(page);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNothing(page, 'confirmation');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [key, title] of [...['Projects', 'Users', 'Audit log'].entries()]) {
      await page.locator('body').press(String(key + 3));
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      await page.locator('.table-box[aria-busy=false]').waitFor();
      await page.locator('tr.row, .empty').first().waitFor();
      await expectNothing(page, title);
    }
  });

  it('has nothing at all for axe: groups', async () => {
    const page = await stage.open('/tasks?group=scope');
    await page.locator('.group-take').first().waitFor();
    await expectNothing(page, 'groups');
  });

  it('has nothing at all for axe: no access, and projects to choose from', async () => {
    const page = await stage.open('/audit', { as: MEMBER });
    await page.getByText('You do not have access').waitFor();
    await expectNothing(page, 'denied');
    await page.locator('.sidebar').getByRole('link', { name: 'Schedules' }).click();
    await page.locator('.choose-item').first().waitFor();
    await expectNothing(page, 'projects to choose from');
  });

  it('has nothing at all for axe: a comparison, and selected rows', async () => {
    const range = 'date_queued=2026-10-01..2026-11-01';
    const page = await stage.open(`/tasks?${range}&compare=before`);
    await rows(page);
    await page.locator('.bars-outline').waitFor({ state: 'attached' });
    await expectNothing(page, 'compared');
    await select(page);
    await expectNothing(page, 'selected');
  });

  it('has nothing at all for axe: menus and dialogs, and the box', async () => {
    // Four rows.
    const page = await stage.open('/tasks?any=status:RETRY%7Cq:nothing+like+this');
    await rows(page);
    const views: readonly (readonly [string, Locator, () => Promise<void>])[] = [
      [
        'columns',
        page.locator('.menu-sheet'),
        () => page.getByRole('button', { name: 'Columns', exact: true }).click(),
      ],
      [
        'menu of a column',
        page.locator('.figures-one').first(),
        () => page.locator('th', { hasText: 'Duration' }).click({ button: 'right' }),
      ],
      [
        'menu of a value',
        page.getByRole('menuitem').first(),
        () => page.locator('tr.row').first().press('.'),
      ],
      ...['?', 'Control+k', 'e', 'v'].map(
        (key) => [key, page.getByRole('dialog'), () => page.locator('body').press(key)] as const,
      ),
      [
        'box',
        page.getByRole('listbox', { name: 'Suggestions' }),
        () => page.locator('body').press('/'),
      ],
    ];
    for (const [view, shown, open] of views) {
      await open();
      await shown.waitFor();
      await expectNothing(page, view);
      await page.keyboard.press('Escape');
      await shown.waitFor({ state: 'detached' });
    }
  });

  it('tells by outlines in forced colours what is active and what is pressed', async () => {
    const page = await stage.open('/tasks?status=FAILURE', { forcedColors: 'active' });
    await rows(page);
    const outlineOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).outlineStyle`);
    expect(await outlineOf('.nav-item[aria-current=page]')).equal('solid');
    expect(await outlineOf('.head-tools [aria-pressed=true]')).equal('solid');
    await searchBox(page).click();
    const list = page.locator('.suggestions');
    await list.waitFor();
    const before = await list.screenshot();
    await page.keyboard.press('ArrowDown');
    await page.locator('.option[aria-selected=true]').waitFor();
    expect((await list.screenshot()).equals(before), 'the active one looks like the others').equal(
      false,
    );
    await page.keyboard.press('Escape');
    await page.locator('tr.row').first().press('.');
    await page.getByRole('menuitem').first().waitFor();
    expect(await outlineOf('.cell-menu-item:focus')).equal('solid');
  });

  it('can be read on a phone', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    await rows(page);
    await expectNothing(page, 'phone');
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(wide, 'nothing reaches beyond the screen').equal(390);
  });

  it('does its main task by keys alone: find, look, cancel, come back', async () => {
    const { db } = stage.database;
    const page = await stage.open('/tasks');
    await rows(page);
    const press = (name: string) => page.keyboard.press(name);
    await press('/');
    await page.keyboard.type('status:started ');
    await page.getByRole('button', { name: /Remove Status: Started/ }).waitFor();
    // A row of the answer before leaves with the next one, and takes the focus along.
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await press('ArrowDown');
    await page.locator('tr.row:focus').waitFor();
    await press('j');
    await press('Enter');
    const panel = page.getByRole('complementary', { name: 'task details' });
    await panel.waitFor();
    const task_id = new URL(page.url()).searchParams.get('open');
    await press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(task_id!).waitFor();
    await dialog.getByRole('button', { name: 'Cancel 1 task' }).press('Enter');
    await page.getByText('1 task cancelled').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const stored = await db.collection('tasks').findOne({ task_id });
    expect(stored?.status).equal('REVOKED');
    expect(await db.collection('audit').countDocuments({ target_id: task_id })).equal(1);
    await press('Escape');
    await panel.waitFor({ state: 'detached' });
    await press('/');
    await press('Backspace');
    await waitForTotal(
      page,
      await db.collection('tasks').countDocuments({ scope: { $in: ['project', 'system'] } }),
    );
  });
});
