/** Heads of columns: they sort, pin, and show the figures of all rows that match. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Facet } from '../../clients/typescript/index.ts';
import { nextAfter } from '../../clients/typescript/viewAddress.ts';
import { columnsOf, tableOf } from '../../web/tables/tables.ts';
import { gate, until } from '../support/until.ts';
import { columnTexts, show, suite, useStage, waitForTotal } from './stage.ts';
import { expectStill } from './underPointer.ts';

suite('heads of columns', () => {
  const stage = useStage();

  const { ask, totalFor } = stage;
  const head = (page: Page, title: string) =>
    page.locator('th').filter({ has: page.getByText(title, { exact: true }) });
  const openMenu = async (page: Page, title: string) => {
    await head(page, title).click({ button: 'right' });
    await page.locator('.head-sheet').waitFor();
  };

  it('sort by any column, wherever they are clicked, and by three with Shift', async () => {
    const page = await stage.open('/tasks?cols=worker,status,execution_time,task_id');
    await page.locator('.live.is-live').waitFor();
    // Beside its title.
    const { width } = (await head(page, 'Worker').boundingBox())!;
    await head(page, 'Worker').click({ position: { x: width - 45, y: 13 } });
    await page.waitForURL(/sort=worker&/);
    await head(page, 'Duration').click({ modifiers: ['Shift'] });
    await page.waitForURL(/sort=worker,-execution_time&/);
    expect(await head(page, 'Duration').getAttribute('aria-sort')).equal('descending');
    expect(await head(page, 'Duration').locator('.head-place').innerText()).equal('2');
    const sorting = [
      { sort_by: 'worker', sort_order: 'asc' },
      { sort_by: 'execution_time', sort_order: 'desc' },
    ];
    const { data } = await ask({ sorting, pagination: { per_page: 25 } });
    await page.locator(`tr.row[data-key="${data[24].task_id}"]`).waitFor();
    expect(await columnTexts(page, 'Task ID')).eql(
      data.map(({ task_id }: { task_id: string }) => task_id),
    );
  });

  it('sort by every column, except where rows hide what is stored', async () => {
    const page = await stage.open('/tasks');
    const unsorted: string[] = [];
    for (const table of ['tasks', 'schedules', 'projects', 'users', 'audit']) {
      const columns = columnsOf(table);
      await show(page, `/${table}?cols=${columns.join()}`);
      await page.getByRole('heading', { name: tableOf(table).title, exact: true }).waitFor();
      await page
        .locator('.head-sort')
        .nth(columns.length - 1)
        .waitFor();
      expect(await page.locator('.head-sort').count()).equal(columns.length);
      unsorted.push(...(await page.locator('.head-sort.is-unsorted').allInnerTexts()));
    }
    expect(unsorted).eql(['Artifacts', 'Arguments']);
    await show(page, '/tasks?status=FAILURE&cols=args,task_id');
    await head(page, 'Arguments').click();
    await page.waitForURL(/sort=args&/);
    await page.locator('.live.is-slow', { hasText: 'Every 5 s' }).waitFor();
    const { data } = await ask({
      select: [{ field: 'status', in: ['FAILURE'] }],
      ...{ sorting: [{ sort_by: 'args', sort_order: 'asc' }], pagination: { per_page: 25 } },
    });
    expect(await columnTexts(page, 'Task ID')).eql(
      data.map(({ task_id }: { task_id: string }) => task_id),
    );
  });

  it('say nothing of a column that rows lack, ask for one that comes on request, and tell the first order', async () => {
    const page = await stage.open('/projects?cols=id');
    await page.locator('.notice', { hasText: 'cols=id' }).waitFor();
    await show(page, '/tasks?status=SUCCESS&cols=artifacts,task_id');
    await page.locator('tr.row td', { hasText: '"content_type"' }).first().waitFor();
    // A table begins with the newest project, or the latest run of a schedule.
    await show(page, '/projects');
    await page.locator('.pager-order', { hasText: 'Newest first' }).waitFor();
    await show(page, '/schedules');
    await page.locator('th[aria-sort=descending]', { hasText: 'Last run' }).waitFor();
    await page.locator('tr.row').first().waitFor();
  });

  it('show exact figures, and take a range; no row moves for that', async () => {
    const page = await stage.open('/tasks?status=SUCCESS,FAILURE');
    await page.locator('.live.is-live').waitFor();
    const select = [{ field: 'status', in: ['SUCCESS', 'FAILURE'] }];
    const { stats, meta } = await ask({ select, stats: [{ field: 'retries' }] });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Retries' }).check();
    await page.keyboard.press('Escape');
    await expectStill(page, page.locator('tr.row .mark-cell').nth(20), async () => {
      await head(page, 'Retries').getByRole('button', { name: /menu/ }).press('Enter');
      await page.locator('.figures-one').first().waitFor();
    });
    const { missing, min, p50, p90, p95, p99, max } = stats[0];
    const shown = await page.locator('.figures-one').allInnerTexts();
    expect(shown.slice(0, 6).map((text) => text.replace(/\s+/g, ' '))).eql([
      ...[`Minimum ${min}`, `Median ${p50}`, `p90 ${p90}`, `p95 ${p95}`, `p99 ${p99}`],
      `Maximum ${max}`,
    ]);
    // The bar behind each is as long as it is far from the least.
    const parts = await page
      .locator('.figures-one')
      .evaluateAll((all) =>
        all.map((one) => Number(/--part: *([\d.]+)/.exec(one.getAttribute('style')!)![1])),
      );
    const part = (value: number) => (value - min) / (max - min);
    expect(max).greaterThan(min);
    expect(parts.slice(0, 6)).eql([0, part(p50), part(p90), part(p95), part(p99), 1]);
    expect(shown.at(-1)).match(new RegExp(`No number\\s+${missing} \\(`));
    await page.getByLabel('From', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/retries=1\.\./);
    const total = await totalFor({ select: [...select, { field: 'retries', from: 1 }] });
    expect(total).lessThan(meta.pagination.total_items);
    await waitForTotal(page, total);
  });

  it('say that counts leave out filters on the column, and no share of the rows that match', async () => {
    // Tasks that have not begun have no worker.
    const page = await stage.open('/tasks?status=PENDING&worker=~null');
    await page.locator('.live.is-live').waitFor();
    const open = () => head(page, 'Worker').getByRole('button', { name: /menu/ }).press('Enter');
    const figures = page.locator('.figures');
    await open();
    await figures.getByText('Counted without its own filters').waitFor();
    const empty = figures.locator('.figures-one', { hasText: 'Empty' });
    expect(await empty.innerText()).match(/^Empty\s+[\d,]+$/);
    await page.keyboard.press('Escape');
    await page
      .locator('.chip', { hasText: 'Worker' })
      .getByRole('button', { name: /^Remove/ })
      .click();
    await page.waitForURL(/\/tasks\?status=PENDING$/);
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await open();
    await figures.locator('.figures-value').first().waitFor();
    expect(await figures.innerText()).not.contain('own filters');
    expect(await empty.innerText()).contain('%');
  });

  it('ask for no range that ends before it begins', async () => {
    const page = await stage.open('/tasks?status=FAILURE');
    await page.locator('.live.is-live').waitFor();
    await head(page, 'Duration').getByRole('button', { name: /menu/ }).press('Enter');
    await page.getByLabel('From', { exact: true }).fill('60');
    const end = page.getByLabel('Below', { exact: true });
    await end.fill('5');
    await page.getByRole('button', { name: 'Apply' }).click();
    const problem = () =>
      page.evaluate(`document.querySelector('.range-form [name=to]').validationMessage`);
    expect(await problem()).equal('The end must be after the beginning.');
    expect(page.url()).match(/\?status=FAILURE$/);
    await end.fill('600');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/execution_time=60\.\.600/);
  });

  it('show a bound right after a number as that number, and keep it so', async () => {
    const page = await stage.open('/tasks?id=>2..=40&cols=id,task_id');
    await openMenu(page, 'Number');
    const [above, upTo] = [page.getByLabel('Above'), page.getByLabel('Up to')];
    expect([await above.inputValue(), await upTo.inputValue()]).eql(['2', '40']);
    await upTo.fill('39');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('id') === '>2..=39');
    const select = [{ field: 'id', from: nextAfter(2), to: nextAfter(39) }];
    await waitForTotal(page, await totalFor({ select }));
  });

  it('find the rows without a value, or those with one, in place of a range', async () => {
    const page = await stage.open('/tasks?execution_time=60..&cols=id,execution_time');
    await page.locator('tr.row').first().waitFor();
    const without = page.getByRole('button', { name: 'No value', exact: true });
    await openMenu(page, 'Duration');
    await without.click();
    await page.waitForURL((url) => url.searchParams.get('execution_time') === '~null');
    const count = async (condition: object) => {
      const { meta } = await ask({ select: [{ field: 'execution_time', ...condition }] });
      return meta.pagination.total_items;
    };
    await waitForTotal(page, await count({ in: [null] }));
    await page.locator('.chip', { hasText: /^Duration\s*No value$/ }).waitFor();
    await openMenu(page, 'Duration');
    expect(await without.getAttribute('aria-pressed')).equal('true');
    await page.getByLabel('From', { exact: true }).fill('60');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('execution_time') === '60..');
    await openMenu(page, 'Duration');
    await without.click();
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await page.locator('tr.row [data-column=execution_time]').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Not No value' }).click();
    await page.waitForURL((url) => url.searchParams.get('-execution_time') === '~null');
    await waitForTotal(page, await count({ not_in: [null] }));
  });

  it('ask again for figures that the store could not give, and say meanwhile why', async () => {
    stage.expectInConsole(/503/);
    const page = await stage.open('/tasks');
    await page.locator('.table-box[aria-busy=false]').waitFor();
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    const answer = {
      ...{ status: 503, contentType: 'application/problem+json' },
      body: JSON.stringify({ ...problem, code: 'StoreUnavailable' }),
    };
    let isAway = true;
    await page.route('**/explore', async (route) => {
      const isOfFigures = route.request().postData()?.includes('"stats"');
      if (isOfFigures && isAway) await route.fulfill(answer);
      else await route.continue();
    });
    await openMenu(page, 'Duration');
    const alert = page.locator('.head-sheet').getByRole('alert');
    await alert.filter({ hasText: 'The store is away.' }).waitFor();
    isAway = false;
    await page.locator('.figures-one', { hasText: 'Median' }).waitFor();
    expect(await alert.count()).equal(0);
  });

  it('leave the other values of a condition when “no value” is let go', async () => {
    const [{ id }] = (await ask({ pagination: { per_page: 1 } })).data;
    const page = await stage.open(`/tasks?id=~null,~${id}&cols=id,task_id`);
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await openMenu(page, 'Number');
    const without = page.locator('.range-form').getByRole('button', { name: 'No value' });
    expect(await without.getAttribute('aria-pressed')).equal('true');
    await without.click();
    await page.waitForURL((url) => url.searchParams.get('id') === `~${id}`);
    await waitForTotal(page, 1);
  });

  it('say in their menu that figures are on their way, where that takes long', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    const held = gate();
    await page.route('**/search/explore', async (route) => {
      await held.passed;
      await route.continue();
    });
    await openMenu(page, 'Worker');
    const wait = page.locator('.head-sheet').getByRole('status');
    await wait.getByText('Counting…').waitFor();
    held.open();
    await page.locator('.figures-value').first().waitFor();
    expect(await wait.count()).equal(0);
  });

  it('pin columns, which stay in sight while others are scrolled, and hide them', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 1_100, height: 700 } });
    await page.locator('.table-frame[data-right] tr.row').first().waitFor();
    await openMenu(page, 'Project');
    await page.getByRole('button', { name: 'Pin to the left' }).click();
    await page.waitForURL(/cols=status,project_name,routing_key/);
    const at = async (title: string) => (await head(page, title).boundingBox())!.x;
    const before = [await at('Status'), await at('Project')];
    await page.evaluate("document.querySelector('.table-box').scrollLeft = 300");
    await page.locator('.table-box[data-left]').waitFor();
    expect([await at('Status'), await at('Project')]).eql(before);
    expect(await at('Type')).lessThan(before[1]!);
    await openMenu(page, 'Project');
    await page.getByRole('button', { name: 'Hide column' }).click();
    await head(page, 'Project').waitFor({ state: 'detached' });
  });

  it('stay pinned by their names, in any order of columns, and as a number of an earlier version', async () => {
    const page = await stage.open('/tasks?cols=status,routing_key,exception_type,worker,task_id');
    const titles = () => page.locator('thead th:not(.mark-cell) .head-text').allInnerTexts();
    const pinned = () => page.locator('thead th.is-pinned:not(.mark-cell)').allInnerTexts();
    const names = async () => (await pinned()).map((one) => one.trim());
    await page.locator('tr.row').first().waitFor();
    await page.evaluate('localStorage.preferences = JSON.stringify({ pinned: { tasks: 1 } })');
    await page.reload();
    for (const title of ['Exception', 'Worker']) {
      await openMenu(page, title);
      await page.getByRole('button', { name: 'Pin to the left' }).click();
      await page.locator('.head-sheet').waitFor({ state: 'detached' });
    }
    await page.waitForURL(/cols=status,exception_type,worker,routing_key/);
    expect(await names()).eql(['Status', 'Exception', 'Worker']);
    await page.getByRole('link', { name: 'Users' }).click();
    await head(page, 'Email').waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.waitForURL(/\/tasks$/);
    await head(page, 'Worker').waitFor();
    expect((await titles()).slice(0, 4)).eql(['Status', 'Exception', 'Worker', 'Type']);
    expect(await names()).eql(['Status', 'Exception', 'Worker']);
    // A column that moves before the last pinned one is pinned in its place.
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Move Type left' }).click();
    expect((await titles()).slice(0, 4)).eql(['Status', 'Exception', 'Type', 'Worker']);
    expect(await names()).eql(['Status', 'Exception', 'Type']);
    await page.locator('.menu-row').getByLabel('Type', { exact: true }).click();
    await head(page, 'Type').waitFor({ state: 'detached' });
    expect(await names(), 'none in place of a hidden one').eql(['Status', 'Exception']);
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.waitForURL(/\/tasks$/);
    expect((await titles()).slice(0, 2)).eql(['Status', 'Type']);
  });

  it('move where they are dragged, and are pinned among pinned ones', async () => {
    const page = await stage.open('/tasks?cols=status,worker,routing_key,task_id');
    await page.locator('tr.row').first().waitFor();
    const titles = () => page.locator('thead th:not(.mark-cell) .head-text').allInnerTexts();
    const pinned = () => page.locator('thead th.is-pinned:not(.mark-cell)').allInnerTexts();
    /** @param at of the width of the head that the pointer is let go over */
    const dragTo = async (title: string, over: string, at: number, isHeld = false) => {
      const from = (await head(page, title).boundingBox())!;
      const to = (await head(page, over).boundingBox())!;
      await page.mouse.move(from.x + 20, from.y + 13);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width * at, to.y + 13, { steps: 5 });
      if (!isHeld) await page.mouse.up();
    };
    await dragTo('Task ID', 'Worker', 0.2, true);
    expect(await head(page, 'Worker').getAttribute('data-drop')).equal('before');
    await page.mouse.up();
    await page.waitForURL(/cols=status,task_id,worker,routing_key$/);
    expect(await titles()).eql(['Status', 'Task ID', 'Worker', 'Type']);
    expect(await page.locator('th:is(.is-moved, [data-drop])').count()).equal(0);
    await dragTo('Task ID', 'Type', 0.9);
    await page.waitForURL(/cols=status,worker,routing_key,task_id$/);
    expect(await pinned()).eql(['Status']);
    // The first one is pinned, whichever it is.
    await dragTo('Worker', 'Status', 0.2);
    await page.waitForURL(/cols=worker,status,routing_key,task_id$/);
    expect(await pinned()).eql(['Worker']);
    await openMenu(page, 'Status');
    await page.getByRole('button', { name: 'Pin to the left' }).click();
    await dragTo('Task ID', 'Status', 0.2);
    await page.waitForURL(/cols=worker,task_id,status,routing_key$/);
    expect(await pinned()).eql(['Worker', 'Task ID', 'Status']);
    await dragTo('Worker', 'Type', 0.9);
    await page.waitForURL(/cols=task_id,status,routing_key,worker$/);
    expect(await pinned()).eql(['Task ID', 'Status']);
    // A pointer that hardly moves clicks, and one that comes back does nothing.
    await dragTo('Status', 'Status', 0.9);
    expect(page.url()).not.contain('sort=');
    await page.locator('#search').focus();
    await head(page, 'Status').click();
    await page.waitForURL(/sort=status/);
    expect(await page.evaluate('document.activeElement.className')).contain('head-sort');
  });

  it('lose their menu when the browser goes back or forward', async () => {
    const page = await stage.open('/users');
    await page.locator('tr.row').first().waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await head(page, 'Worker').waitFor();
    await openMenu(page, 'Worker');
    await page.goBack();
    await head(page, 'Email').waitFor();
    await page.goForward();
    await head(page, 'Worker').waitFor();
    await page.locator('.table-box[aria-busy=false] tr.row').first().waitFor();
    expect(await page.locator('.head-sheet').count()).equal(0);
  });

  it('are as wide as their cells by a double click on the edge', async () => {
    const page = await stage.open('/tasks');
    await page.locator('tr.row').first().waitFor();
    await head(page, 'Project').locator('.head-grip').dblclick();
    const { width } = (await head(page, 'Project').boundingBox())!;
    const widest = await page.evaluate<number>(`Math.max(...[...document.querySelectorAll(
      'tr.row td:nth-child(4)')].map((one) => { const range = document.createRange();
      range.selectNodeContents(one); return range.getBoundingClientRect().width; }))`);
    expect(width).within(widest + 20, widest + 70);
  });

  it('group rows by a column, with exact counts and shares; a group leads to its rows', async () => {
    const page = await stage.open('/tasks?-status=PENDING&cols=worker,status,task_id');
    await page.locator('.live.is-live').waitFor();
    await openMenu(page, 'Worker');
    await page.getByRole('button', { name: 'Group by this column' }).click();
    await page.waitForURL(/group=worker/);
    await page.locator('.group-row').first().waitFor();
    const select = [{ field: 'status', not_in: ['PENDING'] }];
    const { facets } = await ask({
      select,
      facets: [{ field: 'worker', by: 'status', limit: 50 }],
    });
    const [{ by, values }] = facets as [Facet];
    const lines = await page.locator('.group-row').allInnerTexts();
    expect(lines.map((line) => /^(.*?)\s+([\d,]+)/.exec(line)!.slice(1))).eql(
      values.map(({ value, count }) => [String(value ?? 'No value'), count.toLocaleString('en')]),
    );
    const cell = page.locator('.groups-table thead th').filter({ hasText: 'Failure' });
    const at = await cell.evaluate((one) => (one as unknown as { cellIndex: number }).cellIndex);
    const failed = by!.values.indexOf('FAILURE');
    const counts = await page
      .locator(`.group-row > :nth-child(${at + 1})`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    expect(counts).eql(values.map(({ counts }) => counts![failed]!.toLocaleString('en')));
    // Where all rows have one state, none has a share to tell.
    await show(page, '/tasks?status=FAILURE&group=worker');
    await cell.waitFor({ state: 'detached' });
    await page.locator('.table-box[aria-busy=false] .group-row').first().waitFor();
    expect(await page.locator('.groups-table thead th').allInnerTexts()).eql([
      ...['Worker', 'Rows', 'Queued', 'Latest'],
    ]);
    await page.goBack();
    await cell.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const { value, count } = values[1]!;
    await waitForTotal(page, count);
    expect(new URL(page.url()).searchParams.get('worker')).equal(value);
    expect(new Set(await columnTexts(page, 'Worker'))).eql(new Set([value]));
    await page.goBack();
    await page.getByRole('button', { name: 'Show rows' }).click();
    await page.locator('tr.row').first().waitFor();
    expect(page.url()).not.match(/group=/);
    await page.goBack();
    await page.locator('.group-row').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('tr.row').first().waitFor();
    expect(page.url()).not.match(/group=/);
  });

  it('group rows with the latest of each and its course, in few requests', async () => {
    const page = await stage.open('/tasks?status=STARTED');
    await page.locator('.live.is-live').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (request.url().endsWith('/explore') && /"in":/.test(body)) asked.push(body);
    });
    await show(page, '/tasks?group=exception_type');
    const facets = [{ field: 'exception_type', limit: 50 }];
    const { values } = (await ask({ facets })).facets[0] as Facet;
    const groups = page.locator('.group-row');
    await groups
      .nth(values.length - 1)
      .locator('.group-spark')
      .waitFor();
    // Few requests bring them, one after the other.
    await groups
      .locator('.group-latest time')
      .nth(values.length - 1)
      .waitFor();
    const shown = await groups
      .locator('.group-latest')
      .evaluateAll((all) => all.map((one) => one.querySelector('time')?.dateTime));
    const sorting = [{ sort_by: 'date_queued', sort_order: 'desc' }];
    const latest = await Promise.all(
      values.map(async ({ value }) => {
        const select = [{ field: 'exception_type', in: [value] }];
        return (await ask({ select, sorting, pagination: { per_page: 1 } })).data[0].date_queued;
      }),
    );
    expect(values.length).greaterThan(10);
    expect(shown).eql(latest);
    expect(asked.length).lessThan(values.length);
    // A group of one row has one bar, as tall as the tallest of any other.
    const bars = await groups
      .locator('.group-spark path')
      .evaluateAll((all) => all.map((one) => one.getAttribute('d')!));
    const single = values.findIndex(({ count }) => count === 1);
    expect(bars[single]).match(/^M[\d.]+ 2h[^M]*z$/);
    expect(bars[0]!.match(/M/g)!.length).greaterThan(1);
    // Records show a label in place of a routing key: no row of them tells its group.
    await show(page, '/tasks?group=routing_key');
    const labelled = (await ask({ facets: [{ field: 'routing_key', limit: 50 }] })).facets[0];
    await groups.nth(labelled.values.length - 1).waitFor();
    const [{ value }] = labelled.values;
    const select = [{ field: 'routing_key', in: [value] }];
    const { data } = await ask({ select, sorting, pagination: { per_page: 1 } });
    const time = groups.first().locator(`time[datetime="${data[0].date_queued}"]`);
    await time.waitFor();
  });

  it('stand in one line over groups on a phone, as columns do', async () => {
    const viewport = { width: 390, height: 844 };
    const page = await stage.open('/tasks?group=exception_type', { viewport });
    await page.locator('.group-row').nth(3).waitFor();
    const radii = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.groups-table th')].map((one) => getComputedStyle(one).borderRadius)`,
    );
    expect(radii.length).greaterThan(6);
    expect(new Set(radii), 'no pills, which sort rows').eql(new Set(['0px']));
  });

  it('have the focus again after their menu: by Escape, and by each command', async () => {
    const page = await stage.open('/tasks?cols=status,worker,execution_time,task_id');
    await page.locator('tr.row').first().waitFor();
    const focused = () =>
      page.evaluate<string>("document.activeElement.closest('th')?.textContent.trim()");
    const after = async (command: string) => {
      await head(page, 'Worker').getByRole('button', { name: /menu/ }).press('Enter');
      const button = page.locator('.head-sheet').getByRole('button', { name: command });
      await button.press('Enter');
      await page.locator('.head-sheet').waitFor({ state: 'detached' });
      await until(() => page.evaluate<boolean>("document.activeElement.matches('.head-sort')"));
      return await focused();
    };
    await openMenu(page, 'Worker');
    await page.keyboard.press('Escape');
    await page.locator('.head-sheet').waitFor({ state: 'detached' });
    expect(await focused()).equal('Worker');
    expect(await after('Sort ascending')).equal('Worker');
    expect(await after('Pin to the left')).equal('Worker');
    expect(await after('Hide column'), 'the one in its place').equal('Duration');
  });

  it('have their menu beside a title at the right, and the unit of a range in line', async () => {
    const cols = 'status,execution_time,datamimic_status,task_id';
    // Narrow, so that no column is given more than its own width.
    const viewport = { width: 700, height: 800 };
    const page = await stage.open(`/tasks?cols=${cols}`, { viewport });
    await page.locator('tr.row').first().waitFor();
    for (const name of ['Duration', 'Reported status']) {
      await head(page, name).hover();
      const title = (await head(page, name).locator('.head-text').boundingBox())!;
      const menu = (await head(page, name).locator('.head-menu').boundingBox())!;
      const isBeside = menu.x + menu.width <= title.x || title.x + title.width <= menu.x;
      expect(isBeside, name).equal(true);
    }
    await openMenu(page, 'Duration');
    const unit = (await page.getByText('Seconds', { exact: true }).boundingBox())!;
    const apply = (await page.getByRole('button', { name: 'Apply' }).boundingBox())!;
    const middle = ({ y, height }: typeof unit) => y + height / 2;
    expect(middle(unit), 'the unit of its range').closeTo(middle(apply), 1);
  });

  it('have their menu beside the title on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const page = await stage.open('/tasks', { viewport, hasTouch: true, isMobile: true });
    await page.locator('tr.row').first().waitFor();
    const right = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((one) => {
          const range = one.ownerDocument.createRange();
          range.selectNodeContents(one);
          return range.getBoundingClientRect();
        }),
      );
    const titles = await right('.head-text');
    const menus = await page
      .locator('.head-menu')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    expect(titles.length).at.least(5);
    for (const [at, { right: end }] of titles.entries()) {
      expect(end).at.most(menus[at]!.left);
    }
  });
});
