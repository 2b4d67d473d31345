/**
 * `npm run pictures -- [address] [folder] [part of a name] [png|jpg]`: the views of a running demo, light
 * and dark, wide and narrow, to be looked at by people. The demo's data and the clock decide what they
 * show; nothing is compared. With the link that `npm run flights` prints: the tables of the example.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { searchBox } from './stage.ts';

const [given = 'http://127.0.0.1:8080', folder = 'build/pictures', only = '', ending = 'png'] =
  process.argv.slice(2);

/** A link that signs in has its token in it. */
const [address = given, linked] = given.split('/#token=');

const TRACED = '512a6d61-5e9f-4bd6-9708-f19290b0178f';

interface View {
  readonly at: string;
  readonly as?: 'member' | 'nobody';
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const press = (key: string) => (page: Page) => page.locator('body').press(key);

const FLIGHTS: Readonly<Record<string, View>> = {
  flights: {
    at: '/tables/flights?q=delta&status=late,cancelled',
    prepare: (page) => page.locator('tr.row').nth(2).locator('a').first().click(),
  },
};

const VIEWS: Readonly<Record<string, View>> = {
  door: { at: '/', as: 'nobody', prepare: (page) => page.locator('.person').first().waitFor() },
  tasks: { at: '/tasks' },
  found: {
    at: '/tasks?q=timeout&status=FAILURE,RETRY&-task_type=sync_ldap,import_schema&date_queued=365d',
  },
  record: { at: `/tasks?status=FAILURE&-task_type=import_schema&open=${TRACED}` },
  log: { at: `/tasks?open=${TRACED}&tab=log` },
  typing: {
    at: '/tasks',
    prepare: (page) => searchBox(page).pressSequentially('status:failure worker:gpu'),
  },
  many: {
    at: '/schedules?enabled=~true',
    async prepare(page) {
      // A phone has them in a menu, which closes after each.
      const menu = page.getByRole('button', { name: 'Actions' });
      const choose = async (name: string | RegExp) => {
        if (await menu.isVisible()) await menu.click();
        await page.getByRole('button', { name }).click();
      };
      await press('a')(page);
      await choose(/that match/);
      await choose('Disable');
      await page.getByRole('button', { name: /Disable [\d,]+ schedules/ }).waitFor();
    },
  },
  projects: { at: '/projects' },
  empty: { at: '/tasks?q=kraken&status=FAILURE' },
  help: { at: '/users', prepare: press('?') },
  commands: { at: '/schedules', prepare: press('Control+k') },
  views: { at: '/tasks?status=FAILURE', prepare: press('v') },
  export: { at: '/tasks', prepare: press('e') },
  member: { at: '/tasks', as: 'member' },
  denied: { at: '/audit', as: 'member' },
  unknown: { at: '/nope' },
};

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

const browser = await launchChromium();
const answer = await fetch(`${address}/page/sign-in`);
const offered = (await answer.json()) as { people: readonly { token: string }[] | null };
const tokens = linked === undefined ? (offered.people ?? []) : [{ token: linked }];
await mkdir(folder, { recursive: true });
for (const theme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const [name, view] of Object.entries(linked === undefined ? VIEWS : FLIGHTS)) {
      const file = `${name}-${size}-${theme}`;
      if (file.includes(only)) await take(file, view, { viewport, colorScheme: theme });
    }
  }
}
await browser.close();

async function take(
  file: string,
  { at, as, prepare }: View,
  how: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const context = await browser.newContext({ ...how, reducedMotion: 'reduce' });
  const token = as === 'nobody' ? undefined : tokens[as === 'member' ? 1 : 0]?.token;
  if (token) await context.addInitScript(`sessionStorage.token = ${JSON.stringify(token)}`);
  const page = await context.newPage();
  await page.goto(address + at);
  if (token) await page.locator('.live.is-live, .choose').first().waitFor();
  await prepare?.(page);
  // The last answers are painted by then; nothing depends on it.
  await page.waitForTimeout(500);
  await page.screenshot({
    path: path.join(folder, `${file}.${ending}`),
    ...(ending === 'jpg' && { type: 'jpeg', quality: 68 }),
    animations: 'disabled',
  });
  await context.close();
}
