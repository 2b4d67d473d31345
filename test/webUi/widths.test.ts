/** Columns are as wide at first as their longest times, states and titles, in both languages. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Look, TABLES, tableOf } from '../../web/tables/tables.ts';
import { STATUSES } from '../../web/tables/taskStates.ts';
import { FOLDER, storeTasks } from './runningTasks.ts';
import { show, suite, useStage } from './stage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Hours and days whose ages, and whose lengths, are long to say. */
const LONG = [
  59_000,
  HOUR - 1_000,
  24 * HOUR - 1_000,
  2 * DAY - 60_000,
  29 * DAY,
  364 * DAY,
  4_400 * DAY,
];

/** Looks with cells of known lengths; texts and ids may be of any length. */
const KNOWN: ReadonlySet<Look> = new Set(['status', 'date', 'seconds', 'flag', 'truth']);

suite('columns at first', () => {
  const stage = useStage();

  /** Titles and cells that are cut. */
  const cut = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('th, td')].flatMap((one) => {
      const title = one.querySelector('.head-text');
      if (title) return title.scrollWidth > title.clientWidth ? [title.textContent] : [];
      const range = document.createRange();
      range.selectNodeContents(one.querySelector('.cell > *') ?? one);
      const { paddingLeft, paddingRight } = getComputedStyle(one);
      const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const { width } = range.getBoundingClientRect();
      return width > room + 0.5 ? [one.textContent + ': ' + width + ' of ' + room] : [];
    })`);

  const go = async (page: Page, name: string, search: string) => {
    await show(page, `/${name}?${search}`);
    await page.locator(`[aria-current][href^="/${name}"]`).waitFor({ state: 'attached' });
    await page.locator('.table-box[aria-busy=false]').waitFor();
  };

  const expectWhole = async (page: Page, name: (typeof TABLES)[number], times: string) => {
    const looks = Object.entries(tableOf(name).looks);
    const known = looks.filter(([, { look }]) => KNOWN.has(look)).map(([column]) => column);
    await go(page, name, `cols=${known}${name === 'tasks' ? `&folder=${FOLDER}` : ''}`);
    const last = name === 'tasks' ? LONG.length - 1 : 0;
    await page.locator('tr.row').nth(last).waitFor();
    expect(await cut(page), `${name}, ${times}`).eql([]);
  };

  for (const locale of ['en-US', 'de-DE']) {
    it(`cut no title, state or time: ${locale}`, async () => {
      const at = Date.now();
      for (const [index, ms] of LONG.entries()) {
        const dates = { date_queued: new Date(at - ms), date_started: new Date(at - ms) };
        const status = STATUSES[index];
        await storeTasks(stage, 1, {
          ...{ ...dates, date_done: new Date(at), eta: new Date(at + ms), status, preserve: true },
        });
      }
      await stage.database.db.collection('audit').insertOne({
        ...{ at: new Date(at - 364 * DAY), action: 'task.cancel', actor: 1, target_id: locale },
      });
      // Narrow, so that no column is given more than its own width.
      const page = await stage.open('/tasks', { locale, viewport: { width: 600, height: 800 } });
      for (const times of ['ages', 'moments']) {
        if (times === 'moments') {
          const preferences = JSON.stringify({ times: 'absolute' });
          await page.evaluate(`localStorage.preferences = '${preferences}'`);
          await page.reload();
        }
        for (const name of TABLES) await expectWhole(page, name, times);
      }
      for (const name of TABLES) {
        const columns = Object.keys(tableOf(name).looks);
        await go(page, name, `q=no+such+row&cols=${columns}`);
        await page.locator('.empty').waitFor();
        expect(await cut(page), `${name}, titles`).eql([]);
      }
    });
  }
});
