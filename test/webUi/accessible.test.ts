/** Every view of the web UI as axe sees it, light and dark; and the main task by keys alone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../support/chromium.ts';
import { ADMIN, MEMBER, useStage, waitForTotal } from './stage.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The rules about colours. */
const COLORS = ['color-contrast', 'link-in-text-block'];

/** All that axe finds, however slight; or what these rules of it find. */
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

const rows = (page: Page) => page.locator('tr.row').first().waitFor();
const key = (name: string) => async (page: Page) => {
  await rows(page);
  await page.locator('body').press(name);
  await page.getByRole('dialog').waitFor();
};

interface Scene {
  readonly address: string;
  readonly as?: number | 'nobody';
  readonly prepare?: (page: Page) => Promise<void>;
}

const SCENES: Readonly<Record<string, Scene>> = {
  door: { address: '/', as: 'nobody', prepare: (page) => page.getByLabel('Token').waitFor() },
  tasks: { address: '/tasks?status=FAILURE&-scope=system&q=timeout', prepare: rows },
  record: {
    address: '/tasks?open=1e487f84-bb62-4e0f-91f7-db41aebd6920',
    prepare: (page) => page.getByRole('heading', { name: 'Related' }).waitFor(),
  },
  log: {
    address: '/tasks?open=1e487f84-bb62-4e0f-91f7-db41aebd6920&tab=log',
    prepare: (page) => page.locator('.log-line').first().waitFor(),
  },
  schedules: { address: '/schedules', prepare: rows },
  projects: { address: '/projects', prepare: rows },
  users: { address: '/users', prepare: rows },
  audit: { address: '/audit', prepare: (page) => page.locator('tr.row, .empty').first().waitFor() },
  groups: {
    address: '/tasks?group=worker',
    prepare: (page) => page.locator('.group-take').first().waitFor(),
  },
  empty: {
    address: '/tasks?q=nothing+like+this',
    prepare: (page) => page.getByText('No tasks match').waitFor(),
  },
  denied: {
    address: '/audit',
    as: MEMBER,
    prepare: (page) => page.getByText('You do not have access').waitFor(),
  },
  chooseProject: {
    address: '/schedules',
    as: MEMBER,
    prepare: (page) => page.locator('.choose-item').first().waitFor(),
  },
  chosen: {
    address: '/tasks',
    async prepare(page) {
      await rows(page);
      await page.locator('body').press('a');
      await page.getByRole('button', { name: 'Clear selection' }).waitFor();
    },
  },
  confirmation: {
    address: '/schedules',
    async prepare(page) {
      await rows(page);
      await page.locator('body').press('a');
      await page.getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  columns: {
    address: '/tasks',
    async prepare(page) {
      await rows(page);
      await page.getByRole('button', { name: 'Columns' }).click();
    },
  },
  columnMenu: {
    address: '/tasks?cols=status,execution_time,task_id',
    async prepare(page) {
      await rows(page);
      await page.locator('th', { hasText: 'Duration' }).click({ button: 'right' });
      await page.locator('.figures-one').first().waitFor();
    },
  },
  compared: {
    address: '/tasks?date_queued=2026-10-01..2026-11-01&compare=before',
    async prepare(page) {
      await rows(page);
      await page.locator('.bars-outline').waitFor({ state: 'attached' });
    },
  },
  box: {
    address: '/tasks?any=status:FAILURE%7Cq:vineyard',
    async prepare(page) {
      await rows(page);
      await page.locator('body').press('/');
      await page.getByRole('option').first().waitFor();
    },
  },
  cellMenu: {
    address: '/tasks',
    async prepare(page) {
      await rows(page);
      await page.locator('tr.row').first().press('.');
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  help: { address: '/tasks', prepare: key('?') },
  commands: { address: '/tasks', prepare: key('Control+k') },
  export: { address: '/tasks', prepare: key('e') },
  views: { address: '/tasks', prepare: key('v') },
};

const suite = chromiumPath() ? describe : describe.skip;

suite('the web UI for everybody (skipped where no Chromium is found)', function everybody() {
  this.timeout(120_000);
  const stage = useStage();

  for (const [name, { address, as = ADMIN, prepare }] of Object.entries(SCENES)) {
    it(`has nothing at all for axe: ${name}`, async () => {
      const page = await stage.open(address, { as, colorScheme: 'light' });
      await prepare?.(page);
      expect(await faults(page), 'light').eql([]);
      expect(await page.locator('h1').count(), 'headings of the first level').equal(1);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faults(page, COLORS), 'dark').eql([]);
    });
  }

  it('can be read on a phone', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    await rows(page);
    expect(await faults(page)).eql([]);
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
