/** The table by hand: its columns, its side, its time, and its look while it waits. */
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { changeOf, shareOf } from '../../web/state/times.ts';
import { TABLES, tableOf } from '../../web/tables/tables.ts';
import { until } from '../support/until.ts';
import {
  ADMIN,
  CLIPBOARD,
  searchBox,
  settled,
  show,
  suite,
  totalOf,
  useStage,
  waitForTotal,
} from './stage.ts';
import { expectStill } from './underPointer.ts';

const TASKS = '/api/v2/admin/tasks/search';
interface Ranked {
  readonly values: readonly { value: string | null; count: number; baseline: number }[];
  readonly total: number;
  readonly baseline_total: number;
}

/** The web UI lists none whose two shares are the same text. */
const valuesThatDiffer = ({ values, total, baseline_total }: Ranked) =>
  values.filter(
    ({ count, baseline }) => shareOf(count, total) !== shareOf(baseline, baseline_total),
  );

suite("the web UI's table by hand", () => {
  const stage = useStage();

  const { ask, totalFor } = stage;
  const ready = (page: Page) => page.locator('tr.row').first().waitFor();
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });

  it('is there for all five, by a digit each, with exact totals and pages of any size', async () => {
    const page = await stage.open('/tasks');
    for (const [at, name] of TABLES.entries()) {
      await page.locator('body').press(String(at + 1));
      await page.getByRole('heading', { name: tableOf(name).title, exact: true }).waitFor();
      await waitForTotal(page, await totalFor({}, tableOf(name).description.path));
    }
    await page.locator('body').press('1');
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('50');
    await page.waitForURL(/per=50/);
    await page.locator('tr.row').nth(49).waitFor();
    const total = (await totalFor({})).toLocaleString('en');
    expect(await page.locator('.pager-range').innerText()).equal(`1–50 of ${total}`);
    const third = page.locator('tr.row').nth(2);
    await third.click();
    await button(page, 'Close (Escape)').click();
    expect(
      await page.evaluate('document.activeElement.dataset.key'),
      'one is back at its row',
    ).equal(await third.getAttribute('data-key'));
  });

  it('lets columns be made wider, by hand and by key, and rows lie closer', async () => {
    const page = await stage.open('/tasks?cols=status,worker,date_queued,task_id');
    await ready(page);
    const head = page.locator('thead th').nth(2);
    const widthOf = async () => (await head.boundingBox())!.width;
    const grip = page.getByRole('separator', { name: 'Width of Worker' });
    // The table is as wide as its box at least: what one column gives, the others get.
    const width = async () => Number(await grip.getAttribute('aria-valuenow'));
    const before = await width();
    const { x, y, width: w, height } = (await grip.boundingBox())!;
    await page.mouse.move(x + w / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + w / 2 + 90, y + height / 2, { steps: 3 });
    await page.mouse.up();
    expect(await width()).equal(before + 90);
    const wide = await widthOf();
    await grip.press('Shift+ArrowLeft');
    expect(await width()).equal(before + 90 - 16);
    expect(await widthOf()).lessThan(wide);
    await button(page, 'Columns').click();
    await button(page, 'Relaxed').click();
    await button(page, 'Absolute').click();
    await page.keyboard.press('Escape');
    await page.reload();
    await ready(page);
    expect(await width(), 'kept over a reload').equal(before + 90 - 16);
    await grip.press('Shift+Home');
    expect(await width()).equal(before);
    const rowHeight = async () => (await page.locator('tr.row').first().boundingBox())!.height;
    expect(await rowHeight()).equal(48);
    // The moment, in the viewer's zone: Berlin's, as the stage has it.
    const { data } = await ask({ pagination: { per_page: 1 } });
    const moment = new Date(data[0].date_queued).toLocaleString('sv', {
      timeZone: 'Europe/Berlin',
    });
    const cell = page.locator(`tr.row[data-key="${data[0].task_id}"] time`).first();
    expect(await cell.innerText()).equal(moment);
    await button(page, 'Columns').click();
    await button(page, 'Relaxed').click();
    await button(page, 'Relative').click();
    await page.getByLabel('Find columns').fill('work');
    expect(await page.locator('.menu-row:visible').allInnerTexts()).eql(['Worker']);
    await page.getByLabel('Worker', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    expect(await rowHeight()).equal(48);
    expect(await cell.getAttribute('title')).equal(moment);
    expect(await cell.innerText()).match(/ago$/);
    await head.getByText('Queued').waitFor();
    await page.waitForURL(/cols=status,date_queued,task_id/);
  });

  it('asks for values and others away at once, and counts each field without its own', async () => {
    const page = await stage.open('/tasks');
    const facet = (title: string) =>
      page.locator('.facet').filter({ has: page.getByRole('button', { name: title }) });
    await facet('Status')
      .getByRole('button', { name: /^Failure/ })
      .click();
    await page.getByRole('textbox', { name: 'Find worker' }).fill('gpu');
    const failures = { field: 'status', in: ['FAILURE'] };
    const gpus = { field: 'worker', limit: 8, contains: 'gpu' };
    const [{ values }] = (await ask({ select: [failures], facets: [gpus] })).facets;
    await button(page, `Exclude ${values[0].value}`).click();
    const select = [failures, { field: 'worker', not_in: [values[0].value] }];
    const { meta, facets } = await ask({
      select,
      facets: [{ field: 'status', limit: 8 }, gpus],
    });
    await waitForTotal(page, meta.pagination.total_items);
    const counted = facets.map(({ values }: { values: { count: number }[] }) =>
      values.map(({ count }) => count),
    );
    const shown = (title: string) => facet(title).locator('.facet-count').allInnerTexts();
    await until(async () => {
      const both = [await shown('Status'), await shown('Worker')];
      const numbers = both.map((texts) => texts.map((text) => Number(text.replaceAll(',', ''))));
      return JSON.stringify(numbers) === JSON.stringify(counted);
    }, 'counts are not those of the service');
  });

  it('tells what is different from all rows, by keys, and says where nothing is', async () => {
    const page = await stage.open('/tasks?status=FAILURE&q=gpu');
    await ready(page);
    const toggle = button(page, 'What is different here');
    await toggle.press('Enter');
    await page.waitForURL(/&compare=all$/);
    const body = {
      select: [{ text: 'gpu' }, { field: 'status', in: ['FAILURE'] }],
      baseline: [],
      facets: ['status', 'worker'].map((field) => ({ field, limit: 8, order: 'lift' })),
    };
    const [, ranked] = (await ask(body)).facets;
    const { total, baseline_total } = ranked;
    const values = valuesThatDiffer(ranked);
    expect(values).not.empty;
    const facet = page.locator('.facet').filter({ has: button(page, /^Worker/) });
    const first = facet.locator('.facet-take').first();
    await first.locator('.facet-share').first().waitFor();
    const { count, baseline } = values[0]!;
    expect(await first.locator('.facet-count').allInnerTexts()).eql([
      String(count),
      shareOf(count, total),
      shareOf(baseline, baseline_total),
    ]);
    expect(await facet.locator('.facet-heads').innerText()).match(/^Rows\s+Here\s+All$/);
    const shown = await facet.locator('.facet-text').allInnerTexts();
    expect(shown).eql(values.map(({ value }) => value));
    // Without its own filter the rows are those of the text.
    await page.reload();
    await first.locator('.facet-share').first().waitFor();
    await show(page, '/tasks?status=FAILURE&compare=all');
    const own = page.locator('.facet').filter({ has: button(page, /^Status/) });
    await own.getByText('Counted without its own filters').waitFor();
    expect(await own.getByText('Nothing differs').count()).equal(0);
    await toggle.click();
    await page.waitForURL(/status=FAILURE$/);
    await show(page, `${page.url()}&compare=with-ranked&with=status:FAILURE`);
    await own.getByText('Nothing differs').waitFor();
    await facet.getByText('Nothing differs').waitFor();
  });

  it('compares a range with an earlier one: bars, total and counts by value', async () => {
    const newest = await stage.database.db
      .collection('tasks')
      .findOne({ date_queued: { $type: 'date' } }, { sort: { date_queued: -1 } });
    const ago = (days: number) =>
      new Date(newest!.date_queued.getTime() - days * 86_400_000).toISOString();
    // 20.5 days: none of the calendar's.
    const [before, from, to] = [ago(42), ago(21.5), ago(1)];
    const page = await stage.open(`/tasks?date_queued=${from}..${to}`);
    await ready(page);
    const choice = page.getByRole('combobox', { name: 'Compare with' });
    await expectStill(page, page.locator('tr.row').nth(2), async () => {
      await choice.selectOption('Previous period');
      await page.locator('.bars-outline').waitFor({ state: 'attached' });
    });
    await page.waitForURL(/&compare=before$/);
    const range = (...[start, end]: [string, string]) => [
      { field: 'date_queued', from: start, to: end },
    ];
    const body = {
      select: range(from, to),
      baseline: range(before, from),
      facets: [{ field: 'status', limit: 8 }],
    };
    const now = await ask(body);
    const earlier = await totalFor({ select: range(before, from) });
    const total = now.meta.pagination.total_items;
    expect(earlier).greaterThan(0);
    expect(await page.locator('.timeline-scale').innerText()).contain(
      `${changeOf(total, earlier)} from ${earlier}`,
    );
    const status = page.locator('.facet').filter({ has: button(page, /^Status/) });
    await status.locator('.facet-share').first().waitFor();
    const { values } = now.facets[0];
    expect(values.length).greaterThan(2);
    expect(await status.locator('.facet-count').allInnerTexts()).eql(
      values.flatMap(({ count, baseline }: { count: number; baseline: number }) => [
        count.toLocaleString('en'),
        changeOf(count, baseline),
      ]),
    );
    // A link shows the same; without a range there is no earlier one.
    await page.reload();
    await page.locator('.bars-outline').waitFor({ state: 'attached' });
    await choice.selectOption('A week earlier');
    await page.waitForURL(/&compare=week$/);
    await button(page, 'What is different here').click();
    await page.waitForURL(/&compare=week-ranked$/);
    // Within this range and a week earlier no clock changes.
    const late = [ago(13), ago(1)] as const;
    await show(page, `/tasks?date_queued=${late.join('..')}&compare=week-ranked`);
    const week = late.map((at) => new Date(Date.parse(at) - 7 * 86_400_000).toISOString());
    const facet = { field: 'worker', limit: 8, order: 'lift' };
    const ranked = await ask({
      ...{ select: range(...late), baseline: range(week[0]!, week[1]!), facets: [facet] },
    });
    const expected = valuesThatDiffer(ranked.facets[0]).map(({ value }) => value ?? 'No value');
    const worker = page.locator('.facet').filter({ has: button(page, /^Worker/) });
    await until(
      async () =>
        JSON.stringify(await worker.locator('.facet-text').allInnerTexts()) ===
        JSON.stringify(expected),
      'values are not those with a larger share than a week earlier',
    );
    expect(expected.length).greaterThan(0);
    await button(page, 'What is different here').click();
    await page.waitForURL(/&compare=week$/);
    await button(page, 'All').click();
    await choice.getByText('A week earlier').waitFor({ state: 'detached' });
    await page.locator('.bars-outline').waitFor({ state: 'detached' });
  });

  it('compares with other filters, by keys: bars, total, counts by value, what is different', async () => {
    // A year that the fixtures have, whose dates are as written: the last one has none of them some day.
    const year = '2025-11-16T00:00:00.000Z..2026-11-16T00:00:00.000Z';
    const page = await stage.open(`/tasks?status=SUCCESS&date_queued=${year}`);
    await page.locator('.live.is-live').waitFor();
    const bodies: { readonly facets?: unknown; readonly pagination: { per_page: number } }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/explore')) bodies.push(JSON.parse(request.postData()!));
    });
    await page.locator('body').press('b');
    await page.waitForURL(/&compare=with&with=status:SUCCESS$/);
    await page.locator('.bars-outline').waitFor({ state: 'attached' });
    // The rows are the same: they stay as they are, and counts alone are asked for.
    expect(bodies.filter(({ facets, pagination }) => !facets && pagination.per_page > 1)).empty;
    const choice = page.getByRole('combobox', { name: 'Compare with' });
    const chosen = () => choice.locator('option:checked').innerText();
    expect(await chosen()).equal('Baseline · Status: Success');
    await page.goto(`${page.url().replace('status=SUCCESS', 'status=FAILURE')}`);
    await page.locator('.bars-outline').waitFor({ state: 'attached' });
    // The page's own range, which both have.
    const explore = page.waitForRequest(
      (request) => request.postData()?.includes('"baseline"') === true,
    );
    await button(page, 'What is different here').click();
    const asked = JSON.parse((await explore).postData()!);
    await page.waitForURL(/&compare=with-ranked&with=status:SUCCESS$/);
    const [, range] = asked.select;
    expect(asked.baseline).eql([{ field: 'status', in: ['SUCCESS'] }, range]);
    const ranked = await ask({
      ...{ select: [{ field: 'status', in: ['FAILURE'] }, range], baseline: asked.baseline },
      facets: [{ field: 'worker', limit: 8, order: 'lift' }],
    });
    const worker = page.locator('.facet').filter({ has: button(page, /^Worker/) });
    const expected = valuesThatDiffer(ranked.facets[0]).map(({ value }) => value ?? 'No value');
    expect(expected).not.empty;
    const texts = worker.locator('.facet-text');
    await until(
      async () => JSON.stringify(await texts.allInnerTexts()) === JSON.stringify(expected),
      'values are not those with a larger share than in the baseline',
    );
    // Counts by status leave out all that differs here.
    const status = page.locator('.facet').filter({ has: button(page, /^Status/) });
    await status.getByText('Counted without its own filters').waitFor();
    expect(await status.getByText('Nothing differs').count()).equal(0);
    const succeeded = await totalFor({ select: asked.baseline });
    const failed = await totalFor({ select: [asked.select[0], range] });
    const scale = page.locator('.timeline-scale');
    const change = `${changeOf(failed, succeeded)} from ${succeeded.toLocaleString('en')}`;
    await scale.getByText(change).waitFor();
    // A key opens the closed choice: each step on the way to another one would act.
    for (const key of ['ArrowDown', 's']) {
      await choice.press(key);
      expect(await page.evaluate("document.querySelector('.compare').matches(':open')")).equal(
        true,
      );
      await page.keyboard.press('Escape');
    }
    await page.waitForURL(/status=FAILURE.*&with=status:SUCCESS$/);
    await choice.selectOption('Swap with baseline');
    await page.waitForURL(/status=SUCCESS.*&with=status:FAILURE$/);
    await waitForTotal(page, succeeded);
    await scale.getByText(`from ${failed.toLocaleString('en')}`).waitFor();
    expect(await chosen()).equal('Baseline · Status: Failure');
    await choice.selectOption('Compare');
    await page.locator('.bars-outline').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('with')).equal(false);
    // A span among the baseline's alternatives ends now.
    const moving = page.waitForRequest(
      (request) => request.postData()?.includes('"baseline"') === true,
    );
    const other = 'compare=with&with=any:date_queued:24h|status:FAILURE';
    await show(page, `/tasks?status=SUCCESS&${other}`);
    const [{ any }] = JSON.parse((await moving).postData()!).baseline;
    expect(Date.parse(any[0].from)).greaterThan(Date.now() - 2 * 86_400_000);
    // Backup tasks cannot be compared by value with others, and the page says so.
    await show(page, '/tasks?scope=backup_infrastructure&compare=with');
    await page.getByText('Values cannot be compared with this baseline').waitFor();
  });

  it('takes a range from the timeline by hand and by keys, there and back', async () => {
    const page = await stage.open('/tasks');
    const all = await totalFor({});
    await waitForTotal(page, all);
    const area = page.getByRole('slider');
    // Bars come after the rows.
    await page.locator('.timeline-bars path').first().waitFor({ state: 'attached' });
    const ticks = () => page.locator('.timeline-ticks').innerText();
    const ticksOfAll = await ticks();
    const totalInRange = async () => {
      const address = decodeURIComponent(page.url());
      const [, from, to] = /date_queued=([^&]*?)\.\.([^&]*)/.exec(address)!;
      return await totalFor({ select: [{ field: 'date_queued', from, to }] });
    };
    // The mouse takes a range, and the browser goes back.
    const { x, y, width, height } = (await area.boundingBox())!;
    await page.mouse.move(x + width * 0.7, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/date_queued=.*\.\./);
    await waitForTotal(page, await totalInRange());
    expect(await totalOf(page)).lessThan(all);
    await page.mouse.move(5, 5);
    await until(async () => (await ticks()) !== ticksOfAll, 'the bars of the range do not come');
    await page.goBack();
    await waitForTotal(page, all);
    // Keys go by the bars that show: those of the range may stand a moment longer than its rows.
    await until(async () => (await ticks()) === ticksOfAll, 'the bars of all rows do not come');
    await area.focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) {
      await page.keyboard.press(key);
    }
    const told = await page.locator('.timeline-tip').innerText();
    expect(await area.getAttribute('aria-valuetext')).equal(told);
    await page.keyboard.press('Enter');
    await page.waitForURL(/date_queued=.*\.\./);
    // The tip told the whole range, not its last bar.
    await page.locator('.chip-value').getByText(told, { exact: true }).waitFor();
    const total = await totalInRange();
    await waitForTotal(page, total);
    await page.goBack();
    await waitForTotal(page, all);
    await page.goForward();
    await waitForTotal(page, total);
    expect(total).lessThan(all);
    // Bars that are gone meanwhile are no part of a range.
    await area.focus();
    for (const key of ['ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key);
    await page.locator('.timeline-tip').waitFor();
    await show(page, '/tasks?q=nothing-has-this');
    await page.locator('.timeline-tip').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await show(page, '/tasks');
    await waitForTotal(page, all);
    expect(page.url()).match(/\/tasks$/);
  });

  it('has a menu of each value, by pointer and by keys, in rows and in the record', async () => {
    const COLUMNS = 'status,worker,project_name';
    const page = await stage.open(`/tasks?status=FAILURE,REVOKED&cols=${COLUMNS}`, CLIPBOARD);
    await ready(page);
    const cell = (at: number, column: string) =>
      page.locator('tr.row').nth(at).locator(`[data-column=${column}]`);
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
    const copied = (text: string) =>
      until(
        async () => (await page.evaluate('navigator.clipboard.readText()')) === text,
        `${text} is not copied`,
      );
    // Nothing that lies there moves, or opens.
    await expectStill(page, cell(2, 'worker'), async () => {
      await cell(2, 'worker').click({ button: 'right' });
      await page.keyboard.press('Escape');
    });
    expect(new URL(page.url()).searchParams.has('open')).equal(false);
    // Rows of the project alone, not those that also have what another column shows.
    await page
      .locator('tr.row [data-column=project_name]')
      .filter({ hasNot: page.locator('.none') })
      .first()
      .click({ button: 'right' });
    expect((await page.getByRole('menuitem').allInnerTexts()).slice(2)).eql([
      ...['Copy value', 'Copy link', 'Open project', 'Open in a new tab'],
    ]);
    // The menu of another value takes its place.
    await cell(1, 'status').click({ button: 'right', position: { x: 20, y: 12 } });
    await page.getByRole('menu', { name: /^Status: / }).waitFor();
    expect(await page.getByRole('menu').count()).equal(1);
    await page.keyboard.press('Escape');
    await cell(2, 'status').hover();
    await page.locator('.cell-button').click({ button: 'right' });
    await page.getByRole('menu', { name: /^Status: / }).waitFor();
    await page.keyboard.press('Escape');
    // The button at its end is not left over a record that opens there.
    await cell(2, 'project_name').click();
    await page.locator('.panel').waitFor();
    await button(page, 'Actions on this value').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    const worker = await cell(2, 'worker').innerText();
    await cell(2, 'worker').hover();
    await button(page, 'Actions on this value').click();
    await item(`Not ${worker}`).click();
    await page.waitForURL((url) => url.searchParams.get('-worker') === worker);
    await cell(0, 'status').click({ button: 'right', position: { x: 60, y: 12 } });
    const status = await cell(0, 'status').innerText();
    await item(`Only ${status}`).click();
    await page.waitForURL(new RegExp(`-worker=[^&]+&status=${status.toUpperCase()}&`));
    // Arrow keys lead from value to value, and Escape leads back to the row.
    const third = page.locator('tr.row').nth(2);
    await third.focus();
    await page.keyboard.press('.');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('menu', { name: /^Worker: / }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('menu', { name: `Status: ${status}` }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await copied(status.toUpperCase());
    const key = await third.getAttribute('data-key');
    expect(await page.evaluate('document.activeElement.dataset.key')).equal(key);
    // The record has the same, and leads elsewhere.
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'task details' });
    const project = panel.locator('[data-column=project_name]');
    await project.locator('dt').click({ button: 'right' });
    await item('Open project').click();
    await page.waitForURL(/\/projects\?open=/);
  });

  it('keeps the menu of a value that it scrolls into sight, and a press elsewhere is one on what lies there', async () => {
    const columns = ['task_id', 'status', 'task_type', 'worker', 'project_name', 'folder', 'name'];
    const page = await stage.open(`/tasks?cols=${columns}`, {
      viewport: { width: 800, height: 700 },
    });
    await ready(page);
    await page.locator('tr.row').nth(1).focus();
    await page.keyboard.press('.');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    for (let at = 1; at < columns.length; at++) {
      const before = await menu.getAttribute('aria-label');
      await page.keyboard.press('ArrowRight');
      // Two frames: a scroll is told in the next one.
      await settled(page);
      await settled(page);
      expect(await menu.getAttribute('aria-label')).not.equal(before);
    }
    expect(await page.locator('.table-box').evaluate((box) => box.scrollLeft)).above(0);
    // Where the button of that cell would be.
    const cell = page.locator('tr.row').nth(13).locator('[data-column=folder]');
    const { x, y, width, height } = (await cell.boundingBox())!;
    await page.mouse.move(x + width - 15, y + height / 2);
    await page.mouse.down();
    await menu.waitFor({ state: 'detached' });
    await page.mouse.up();
    await page.locator('.panel').waitFor();
  });

  const TRIED = [
    ...['users active', 'users email', 'schedules crontab', 'projects name'],
    ...['tasks worker', 'tasks user_email'],
  ];
  /** All tables filter in one way: the first column of tasks of each look is tried, and some of the others. */
  const isTried = (offered: readonly string[], table: string, column: string) => {
    const one = `${table} ${column}`;
    const isFirst = offered.find((other) => lookOf(other) === lookOf(one)) === one;
    return offered.includes(one) && (TRIED.includes(one) || (table === 'tasks' && isFirst));
  };
  const lookOf = (one: string) => {
    const [table, column] = one.split(' ') as [string, string];
    const { look, of } = tableOf(table).looks[column]!;
    return `${table} ${look} ${of !== undefined}`;
  };

  it('filters in each column by what a row of it has: the row stays, or leaves', async () => {
    const offered: Record<string, string[]> = { Only: [], Not: [] };
    for (const name of TABLES) {
      const { columns } = tableOf(name);
      const page = await stage.open(`/${name}`, { viewport: { width: 2_400, height: 900 } });
      await page.locator('.live.is-live').waitFor();
      const row = page.locator('tr.row').first();
      if ((await row.count()) === 0) continue;
      const key = await row.getAttribute('data-key');
      const same = page.locator(`tr.row[data-key="${key}"]`);
      const choice = (word: string) =>
        page.getByRole('menuitem', { name: new RegExp(`^${word} `) });
      const openMenu = async (column: string) => {
        await row.locator(`[data-column=${column}]`).click({ button: 'right' });
        await page.getByRole('menuitem').first().waitFor();
      };
      const choose = async (word: string, isThere: () => Promise<void>) => {
        const { search } = new URL(page.url());
        await choice(word).click();
        await page.waitForURL((url) => url.search !== search);
        await page.locator('.table-box[aria-busy=false]').waitFor();
        await isThere();
        expect(await page.getByRole('alert').count(), page.url()).equal(0);
        await page.goBack();
        await page.locator('.table-box[aria-busy=false]').waitFor();
        await same.waitFor();
      };
      for (const column of columns) {
        await openMenu(column);
        for (const [word, of] of Object.entries(offered)) {
          if ((await choice(word).count()) > 0) of.push(`${name} ${column}`);
        }
        if (!isTried(offered.Only!, name, column)) {
          await page.keyboard.press('Escape');
          continue;
        }
        await choose('Only', async () => {
          await same.or(page.locator('.empty')).first().waitFor();
          expect(await page.locator('.empty').count(), `${name} ${column}`).equal(0);
        });
        // Tasks alone show that a row leaves.
        if (name !== 'tasks') continue;
        await openMenu(column);
        await choose('Not', () => same.waitFor({ state: 'detached' }));
      }
      await page.context().close();
    }
    expect(offered.Not).eql(offered.Only);
    expect(offered.Only).include.members(['tasks routing_key', 'tasks date_queued', ...TRIED]);
  });

  it('lets text in cells be selected, also in the one that opens the row', async () => {
    const page = await stage.open('/tasks?cols=task_id,project_name');
    await ready(page);
    for (const column of ['task_id', 'project_name']) {
      const cell = page.locator(`tr.row [data-column=${column}]`).first();
      const { x, y, height } = (await cell.boundingBox())!;
      // The middle of a letter.
      await page.mouse.move(Math.round(x) + 17, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + 90, y + height / 2, { steps: 4 });
      await page.mouse.up();
      const selected = await page.evaluate<string>('String(getSelection())');
      expect(selected.length, column).greaterThan(4);
      expect(await cell.innerText()).contain(selected);
      expect(new URL(page.url()).searchParams.has('open')).equal(false);
      // A plain click lets go of the text, and opens the record.
      await cell.click({ position: { x: 30, y: height / 2 } });
      await page.waitForURL(/open=/);
      await page.getByRole('complementary', { name: 'task details' }).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => !url.searchParams.has('open'));
    }
  });

  it('opens links in tabs of their own, signed in', async () => {
    const page = await stage.open('/tasks');
    const [apart] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .locator('.row-link')
        .first()
        .click({ modifiers: ['Control'] }),
    ]);
    await apart.locator('.panel').waitFor();
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Schedules' }).click({ button: 'middle' }),
    ]);
    await ready(other);
    expect(new URL(page.url()).searchParams.has('open')).equal(false);
    await Promise.all([apart.close(), other.close()]);
  });

  it('opens a row: all of it, to be copied, and what it is related to, and back', async () => {
    const { data } = await ask({
      select: [
        { field: 'status', in: ['FAILURE'] },
        { field: 'scope', in: ['project'] },
      ],
    });
    const row = data.find((one: Readonly<Record<string, unknown>>) =>
      ['project_name', 'traceback', 'user_email'].every((member) => one[member] !== null),
    );
    const page = await stage.open(`/tasks?status=FAILURE&open=${row.task_id}`, CLIPBOARD);
    const panel = page.getByRole('complementary', { name: 'task details' });
    await panel.getByText(row.traceback.split('\n')[0]).waitFor();
    for (const [title, text] of [
      ['Traceback', row.traceback],
      ['Arguments', JSON.stringify(row.args, null, 2)],
    ]) {
      await button(page, `Copy ${title}`).click();
      await until(
        async () => (await page.evaluate('navigator.clipboard.readText()')) === text,
        `${title} is not copied`,
      );
    }
    await panel.getByRole('link', { name: row.project_name }).first().click();
    await page.waitForURL((url) => url.pathname === '/projects');
    const project = page.getByRole('complementary', { name: 'project details' });
    await project.getByRole('heading', { name: row.project_name }).waitFor();
    const back = async () => {
      await page.goBack();
      await panel.getByText(row.traceback.split('\n')[0]).waitFor();
    };
    await back();
    await panel.getByRole('link', { name: row.user_email }).click();
    await page.waitForURL((url) => url.pathname === '/users');
    await page.getByRole('cell', { name: row.user_email }).first().waitFor();
    await back();
    await panel.getByRole('link', { name: 'Schedules of this type' }).click();
    await page.waitForURL((url) => url.pathname === '/schedules');
    const kind = { field: 'task_type', in: [row.task_type] };
    const own = { field: 'project_id', in: [row.project_id] };
    const schedules = tableOf('schedules').description.path;
    await waitForTotal(page, await totalFor({ select: [own, kind] }, schedules));
    await back();
    await panel.getByRole('link', { name: 'Tasks with this exception' }).click();
    await page.waitForURL(/exception_type=/);
    const same = { field: 'exception_type', in: [row.exception_type] };
    const inProject = { field: 'project_id', in: [row.project_id] };
    await waitForTotal(page, await totalFor({ select: [inProject, same] }));
  });

  it('closes a dialog where somebody goes back, and the menu of columns: both were about the view that they leave', async () => {
    const page = await stage.open('/schedules');
    await ready(page);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.waitForURL(/\/tasks$/);
    await ready(page);
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.filter({ hasText: /^Export [\d,]+ tasks/ }).waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/\/schedules$/);
    await ready(page);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.waitForURL(/\/tasks$/);
    await ready(page);
    await button(page, 'Columns').click();
    const sheet = page.locator('.menu-sheet');
    await sheet.waitFor();
    await page.goBack();
    await page.waitForURL(/\/schedules$/);
    await sheet.waitFor({ state: 'detached' });
  });

  it('pins no more columns than leave room to scroll the others into sight', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 1_000, height: 700 } });
    await ready(page);
    const isPinned = async () =>
      await page
        .locator('thead th:not(.mark-cell)')
        .evaluateAll((all) => all.map((one) => one.classList.contains('is-pinned')));
    await page.evaluate(`localStorage.preferences = JSON.stringify({ pinned: { tasks: 8 } })`);
    await page.reload();
    await ready(page);
    const few = (await isPinned()).filter(Boolean).length;
    expect(few).within(2, 5);
    const last = page.locator('thead th').last();
    await last.evaluate((one) => one.scrollIntoView());
    // Nothing lies over it.
    await last.locator('.head-sort').click({ trial: true });
    await page.setViewportSize({ width: 2_400, height: 700 });
    await until(async () => (await isPinned()).filter(Boolean).length === 8, 'not all are pinned');
  });

  it('gives pinned cells the colour of their row', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 900, height: 700 } });
    await ready(page);
    const colours = () =>
      page.evaluate<string[]>(
        "[...new Set([...document.querySelectorAll('tr.row')[1].cells].map((one) => getComputedStyle(one).backgroundColor))]",
      );
    await page.locator('tr.row').nth(1).getByRole('checkbox').click();
    await page.locator('.table-box').evaluate((box) => box.scrollTo({ left: 120 }));
    await page.locator('.table-box[data-left]').waitFor();
    await page.mouse.move(0, 0);
    expect(await colours(), 'selected').length(1);
    await page.locator('tr.row').nth(1).hover();
    expect(await colours(), 'under the pointer').length(1);
  });

  it('keeps what was typed a moment before going back; links and the copied address have it', async () => {
    const page = await stage.open('/tasks', CLIPBOARD);
    await ready(page);
    await page.locator('body').press('2');
    await page.waitForURL(/schedules/);
    await ready(page);
    await page.evaluate(`{
      const box = document.querySelector('#search');
      box.value = 'data';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      history.back();
    }`);
    await page.waitForURL((url) => url.pathname === '/tasks');
    const box = searchBox(page);
    await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
    await until(async () => (await box.inputValue()) === '', 'the box is not that of the tasks');
    await page.goForward();
    await page.waitForURL(/schedules\?q=data$/);
    await until(async () => (await box.inputValue()) === 'data', 'what was typed is lost');
    await waitForTotal(
      page,
      await totalFor({ filters: { q: 'data' } }, tableOf('schedules').description.path),
    );
    const link = page.locator('.row-link').first();
    expect(await link.getAttribute('href')).match(/^\/schedules\?q=data&open=[\w-]+$/);
    await box.fill('dat');
    await box.press('Control+k');
    await page.getByRole('combobox', { name: 'Command' }).fill('copy link');
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).equal(`${stage.service.url}/schedules?q=dat`);
  });

  /** Notes when the box was last typed into, and when the table first showed that it waits. */
  const WATCHED = `
    addEventListener('input', () => { window.typedAt = performance.now(); }, true);
    new MutationObserver(() => {
      if (document.querySelector('.table-box.is-slow')) window.slowAt ??= performance.now();
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
  `;

  it('says that it waits after 150 ms and not before, and what it shows stays meanwhile', async () => {
    const held: Route[] = [];
    let holds = true;
    const page = await stage.open('/', { as: 'nobody' });
    await page.route(`**${TASKS}/explore`, (route) =>
      holds ? void held.push(route) : route.continue(),
    );
    const release = async () => {
      holds = false;
      for (const route of held.splice(0)) await route.continue();
    };
    await page.evaluate(`sessionStorage.token = ${JSON.stringify(await stage.token(ADMIN))}`);
    await page.goto(`${stage.service.url}/tasks`);
    await page.getByText('Loading tasks…').waitFor();
    await release();
    await ready(page);
    const total = await totalOf(page);
    await page.evaluate(WATCHED);
    holds = true;
    await page.locator('body').press('/');
    await page.keyboard.type('x');
    await page.locator('.table-box.is-slow').waitFor();
    const waited = await page.evaluate<number>('slowAt - typedAt');
    expect(waited).at.least(149);
    expect(await totalOf(page)).equal(total);
    expect(await page.locator('tr.row').count()).equal(25);
    await release();
    await waitForTotal(page, await totalFor({ filters: { q: 'x' } }));
    await page.locator('.table-box:not(.is-slow)').waitFor();
  });

  it('stays paused where it was paused before its rows were watched', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    // The key comes right after the counts, and the watch 400 ms later.
    await page.evaluate(`new Promise((done) => {
      performance.clearMarks('counts');
      history.pushState({}, '', '/tasks?status=FAILURE');
      dispatchEvent(new PopStateEvent('popstate'));
      const look = () => {
        if (performance.getEntriesByName('counts').length === 0) return setTimeout(look, 5);
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }));
        setTimeout(done, 1_000);
      };
      look();
    })`);
    expect((await page.locator('.live').innerText()).trim()).equal('Paused');
  });

  it('lets bars of a range without an end reach until now', async () => {
    const page = await stage.open('/users');
    await ready(page);
    const asked = page.waitForRequest(
      (one) => one.url().includes(TASKS) && one.postData()?.includes('"histogram"') === true,
    );
    await show(page, '/tasks?date_queued=2020-01-01T00:00:00.000Z..');
    const { histogram } = (await asked).postDataJSON();
    expect(Math.abs(Date.parse(histogram.until) - Date.now())).below(180_000);
  });

  it('asks for rows and counts no more for a record that opens, and is watched on', async () => {
    const page = await stage.open('/tasks?status=SUCCESS');
    await page.locator('.live.is-live').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pagination } = JSON.parse(request.postData() ?? '{}');
      if (pagination?.per_page === 25) asked.push(request.url());
    });
    for (const name of ['j', 'Enter', 'j', 'l']) await page.keyboard.press(name);
    await page.locator('.log-line').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await page.locator('.live.is-live').waitFor();
    expect(asked).eql([]);
  });

  it('gives a question up as soon as there is a later one: the latest wins', async () => {
    const page = await stage.open('/tasks');
    await ready(page);
    const givenUp: string[] = [];
    const asked = (one: { postDataJSON(): { filters?: { q?: string } } }) =>
      one.postDataJSON().filters?.q ?? '';
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_ABORTED') givenUp.push(asked(request));
    });
    await page.route(`**${TASKS}/explore`, async (route) => {
      // Requests before the last letter are never answered.
      if (/^t(im?)?$/.test(asked(route.request()))) return;
      await route.continue();
    });
    await page.locator('body').press('/');
    await page.keyboard.type('time');
    await waitForTotal(page, await totalFor({ filters: { q: 'time' } }));
    await until(() => ['t', 'ti', 'tim'].every((q) => givenUp.includes(q)), `given up: ${givenUp}`);
    expect(givenUp).not.include('time');
  });
});
