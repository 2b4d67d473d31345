/** How much of a screen is for rows. */
import { expect } from 'chai';
import { TABLES, tableOf } from '../../web/tables/tables.ts';
import { removeTasks, storeTasks } from './runningTasks.ts';
import { show, suite, useStage } from './stage.ts';

suite('room for rows', () => {
  const stage = useStage();
  afterEach(() => removeTasks(stage));

  const measured = async (width: number, height: number) => {
    const page = await stage.open('/tasks', { viewport: { width, height } });
    await page.locator('tr.row').nth(20).waitFor();
    await page.locator('.live.is-live').waitFor();
    const first = (await page.locator('tr.row').first().boundingBox())!;
    const box = (await page.locator('.table-box').boundingBox())!;
    const lines = Math.floor((box.y + box.height - first.y) / first.height);
    return { page, chrome: first.y, rows: lines, row: first };
  };

  it('is all but 150 pixels above it at 1,440', async () => {
    const { page, chrome } = await measured(1_440, 900);
    expect(chrome).at.most(150);
    // Paper has room for all rows of the page, and no use for links elsewhere.
    await page.setViewportSize({ width: 1_440, height: 500 });
    const widthOfStatus = async () =>
      (await page.locator('tr.row [data-column=status]').first().boundingBox())!.width;
    const onScreen = await widthOfStatus();
    await page.emulateMedia({ media: 'print' });
    // Columns keep their widths, and Chromium repeats heads on the next sheet where no box of a button is in them.
    expect(await widthOfStatus()).at.least(onScreen);
    const displays = await page.evaluate<string[]>(
      "[...document.querySelectorAll('thead button, thead .head-grip')].map((one) => getComputedStyle(one).display)",
    );
    expect(displays.filter((one) => one !== 'contents' && one !== 'none')).eql([]);
    const { y, height } = (await page.locator('tr.row').last().boundingBox())!;
    expect(y + height).at.most(await page.evaluate('document.documentElement.scrollHeight'));
    expect(await page.locator('.sidebar, .facets, .timeline').first().isVisible()).equal(false);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1_440, height: 900 });
    // Folded, the timeline asks for nothing.
    const asked = page.waitForRequest(/explore$/);
    await page.getByRole('button', { name: 'Timeline', exact: true }).click();
    const { histogram } = JSON.parse((await asked).postData()!);
    expect(histogram).equal(undefined);
    expect((await page.locator('tr.row').first().boundingBox())!.y).at.most(100);
    await page.reload();
    await page.locator('tr.row').first().waitFor();
    expect(await page.locator('.timeline-area').isVisible(), 'kept over a reload').equal(false);
    // Bars of a column's dates are the viewer's days, also then.
    const figures = page.waitForRequest((one) => !!one.postData()?.includes('"max_buckets":40'));
    await page.locator('th', { hasText: 'Queued' }).click({ button: 'right' });
    const body = JSON.parse((await figures).postData()!);
    expect(body.histogram.time_zone).equal('Europe/Berlin');
  });

  it('is for twenty rows at 1,366 by 768, and for eight where that is zoomed to 200 %', async () => {
    expect((await measured(1_366, 768)).rows).at.least(20);
    const { page, rows } = await measured(683, 384);
    expect(rows).at.least(8);
    // All tables of a file have the same icon.
    for (const name of ['Tasks', 'Schedules', 'Projects']) {
      await page.locator('.nav-text', { hasText: name }).waitFor();
    }
  });

  it('is there, and for a record, where 1,280 by 1,024 is zoomed to 400 %: what lies above scrolls away', async () => {
    const { page, rows } = await measured(320, 256);
    expect(rows).at.least(3);
    const isInSight = (selector: string) =>
      page.evaluate<boolean>(`{
        const { left, top, width } = document.querySelector('${selector}').getBoundingClientRect();
        const at = document.elementFromPoint(left + width / 2, top + 4);
        at?.closest('${selector}') !== null && at !== null;
      }`);
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('j');
    expect(await isInSight('tr.row:focus')).equal(true);
    await page.keyboard.press('Enter');
    await page.locator('.member').last().scrollIntoViewIfNeeded();
    expect(await isInSight('.member:last-child')).equal(true);
  });

  it('ends no line of the timeline past the edge', async () => {
    const viewport = { width: 768, height: 740 };
    const page = await stage.open('/tasks', { viewport, locale: 'de-DE' });
    await page.locator('.timeline-scale', { hasText: 'Intervalle' }).waitFor();
    const scale = (await page.locator('.timeline-scale').boundingBox())!;
    expect(scale.x + scale.width).at.most(768);
  });

  it('shows six columns of tasks at 1,360, and seven at 1,440', async () => {
    for (const [width, count] of [
      [1_360, 6],
      [1_440, 7],
    ] as const) {
      const { page } = await measured(width, 800);
      const heads = await page.locator('thead th:not(.mark-cell)').all();
      const boxes = await Promise.all(heads.map(async (one) => (await one.boundingBox())!));
      expect(boxes.filter((one) => one.x + one.width <= width + 1).length).equal(count);
    }
  });

  it('has two lines a row on a phone, none of them cut off at the side, and tabs with names', async () => {
    const { page, row } = await measured(390, 844);
    expect(row.width).at.most(390);
    const cells = await page.locator('tr.row').first().locator('td.cell:visible').all();
    const tops = await Promise.all(cells.map(async (one) => (await one.boundingBox())!.y));
    expect(new Set(tops).size).equal(2);
    for (const name of ['Tasks', 'Schedules', 'Audit log']) {
      await page.locator('.nav-text', { hasText: name }).waitFor();
    }
  });

  it('has lengths of time to press on the narrowest phone', async () => {
    const { page } = await measured(320, 640);
    const { right } = await page.evaluate<{ readonly right: number }>(
      "document.querySelector('.spans').getBoundingClientRect().toJSON()",
    );
    const hour = (await page.getByRole('button', { name: '1h' }).boundingBox())!;
    expect(hour.x + hour.width).at.most(right);
  });

  it('shows the pressed length of time on a phone, beside what it is compared with', async () => {
    const viewport = { width: 390, height: 844 };
    for (const span of ['1h', '7d', '365d', 'today']) {
      const address = `/tasks?date_queued=${span}&compare=before`;
      const page = await stage.open(address, { viewport });
      await page.getByRole('combobox', { name: 'Compare with' }).waitFor();
      const list = (await page.locator('.spans').boundingBox())!;
      const one = (await page.locator('.span[aria-pressed=true]').boundingBox())!;
      expect(one.x, span).at.least(list.x - 1);
      expect(one.x + one.width, span).at.most(list.x + list.width + 1);
      await page.context().close();
    }
  });

  it('is for 60 to 120 bars where it is wide, of any length of time', async () => {
    const { date_queued } = (await stage.database.db
      .collection('tasks')
      .findOne({ date_queued: { $type: 'date' } }, { sort: { date_queued: -1 } }))!;
    const page = await stage.open('/tasks');
    for (const days of [1, 7, 30, 365]) {
      const from = new Date(date_queued.getTime() - days * 86_400_000).toISOString();
      const range = `${from}..${date_queued.toISOString()}`;
      await page.goto(`${stage.service.url}/tasks?date_queued=${range}`);
      await page.locator('.timeline-bars path').first().waitFor({ state: 'attached' });
      const last = await page.getByRole('slider').getAttribute('aria-valuemax');
      expect(Number(last) + 1, `${days} days`).within(60, 120);
    }
  });

  it('is left to the choice of a comparison before the legend', async () => {
    const { page } = await measured(1_440, 900);
    await page.locator('.timeline-legend span').first().waitFor();
    const choice = page.getByRole('combobox', { name: 'Compare with' });
    expect((await choice.boundingBox())!.width).at.least(115);
  });

  it('is left to the number of a comparison before the legend; its tip has all of it', async () => {
    const page = await stage.open('/tasks?date_queued=365d&compare=before');
    const scale = page.locator('.timeline-scale.is-compared');
    await scale.waitFor();
    await page.locator('.timeline-legend span').first().waitFor();
    const isCut = await scale.evaluate((one) => {
      one.lastChild!.textContent = 'from 1,234,567';
      return one.scrollWidth > one.clientWidth;
    });
    expect(isCut).equal(false);
    expect(await scale.getAttribute('title')).match(/ from [\d,]+$/);
  });

  it('counts rows without a date where no range leaves them out', async () => {
    const page = await stage.open('/tasks?status=PENDING');
    const { db } = stage.database;
    const without = await db
      .collection('tasks')
      .countDocuments({ status: 'PENDING', date_started: { $not: { $type: 'date' } } });
    expect(without).above(0);
    await page.getByRole('combobox', { name: 'Date field' }).selectOption('date_started');
    const said = page.locator('.timeline-scale', { hasText: ' without a date' });
    await said.waitFor();
    expect(await said.getAttribute('title')).contain(`${without} without a date`);
    await page.getByRole('button', { name: '365d', exact: true }).click();
    await said.waitFor({ state: 'detached' });
  });

  it('cuts no name of a state without an ellipsis', async () => {
    const page = await stage.open('/tasks');
    const states = page.locator('.facet-text > .status');
    await states.first().waitFor();
    const beyond = await states.evaluateAll((all) =>
      all.map((one) => {
        const text = one.parentElement!;
        text.style.maxWidth = '40px';
        return one.getBoundingClientRect().right - text.getBoundingClientRect().right;
      }),
    );
    expect(beyond.length).at.least(3);
    expect(Math.max(...beyond)).at.most(1);
  });

  it('ends the page at the edge of the narrowest screen, also where thousands of rows are counted below', async () => {
    for (const locale of ['en', 'de']) {
      const page = await stage.open('/tasks', { viewport: { width: 320, height: 740 }, locale });
      const range = page.locator('.pager-range', { hasText: /\d,?\.?\d{3}/ });
      await range.waitFor();
      const space = "getComputedStyle(document.querySelector('.pager-range')).whiteSpace";
      expect(await page.evaluate(space), 'longer ranges take two lines').equal('normal');
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, locale).equal(320);
    }
  });

  it('holds the menu of columns whole on the narrowest screen', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 320, height: 740 } });
    const opens = page.getByRole('button', { name: 'Columns', exact: true });
    await opens.click();
    const menu = (await page.locator('.menu-sheet').boundingBox())!;
    const button = (await opens.boundingBox())!;
    expect(menu.x).at.least(0);
    expect(menu.x + menu.width).at.most(320);
    expect(menu.y).within(button.y + button.height, button.y + button.height + 10);
  });

  it('has new rows, notices and a failure one over the other at its end', async () => {
    stage.expectInConsole(/503/);
    for (const width of [360, 900, 1_440]) {
      const page = await stage.open('/tasks', { viewport: { width, height: 740 } });
      await page.locator('.live.is-live').waitFor();
      await page.locator('tr.row').first().focus();
      await storeTasks(stage, 1);
      await page.locator('.waiting').waitFor();
      await page.route('**/explore', (route) => route.fulfill({ status: 503, body: '{}' }));
      // Two notices; then the table goes on, and is asked for in vain.
      for (const key of ['b', 'y', 'p', 'p']) await page.keyboard.press(key);
      await page.locator('.notice').nth(1).waitFor();
      await page.locator('.state-line').waitFor();
      const parts = page.locator('.waiting, .notice, .state-line, .pager');
      const boxes = await parts.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).sort((one, other) => one.top - other.top),
      );
      expect(boxes.length, `${width}`).equal(5);
      for (const [at, { bottom }] of boxes.slice(0, -1).entries())
        expect(bottom, `${width}: ${at}`).at.most(boxes[at + 1]!.top + 0.5);
      await page.context().close();
    }
  });

  it('is wide enough on a phone for the rows of each table, and for long filters to remove', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    /** Texts of elements that begin before the page's margin, or end beyond its edge. */
    const outside = (selector: string) =>
      page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')].flatMap((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        const start = left + parseFloat(getComputedStyle(one).paddingLeft);
        return width > 0 && (start < 12 || right > 390) ? [one.textContent] : [];
      })`);
    for (const name of TABLES) {
      await show(page, `/${name}`);
      await page.getByRole('heading', { name: tableOf(name).title, exact: true }).waitFor();
      // The audit log may have no rows.
      if (name === 'audit') await page.locator('tr.row, .empty').first().waitFor();
      else await page.locator('tr.row').nth(5).waitFor();
      expect(await outside('tr.row > td.cell'), name).eql([]);
    }
    await show(page, `/tasks?q=${'kraken+'.repeat(12)}`);
    await page.locator('.empty-list .button').waitFor();
    expect(await outside('.empty-list .button')).eql([]);
  });
});
