/**
 * Nothing moves under the pointer: rows and values keep their places when others arrive or open.
 */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { FOLDER, removeTasks, storeTasks } from './runningTasks.ts';
import { suite, totalOf, useStage, waitForTotal } from './stage.ts';
import { expectStill } from './underPointer.ts';

suite('under the pointer', () => {
  const stage = useStage();
  beforeEach(() => removeTasks(stage));

  const rows = (page: Page) => page.locator('tr.row');
  const isLive = (page: Page) => page.locator('.live.is-live').waitFor();
  const facet = (page: Page, title: string) =>
    page
      .locator('.facet')
      .filter({ has: page.getByRole('button', { name: new RegExp(`^${title}`), expanded: true }) });
  const counted = (page: Page) => page.locator('.facets[aria-busy=false]').waitFor();

  it('rows are watched in every test: one that moves is told', async () => {
    const page = await stage.open('/tasks');
    await rows(page).nth(5).waitFor();
    await isLive(page);
    const key = await rows(page).nth(3).getAttribute('data-key');
    await rows(page).nth(3).hover();
    await until(
      async () => (await page.evaluate('window.heldRow')) === key,
      'the row is not watched',
    );
    stage.expectInConsole(/moved under the pointer/);
    const told = page.waitForEvent('console', (one) => one.text().startsWith('moved under'));
    await page.evaluate("document.querySelector('tr.row').style.height = '60px'");
    expect((await told).text()).include(key!);
  });

  it('rows stay when others arrive, until they are asked for', async () => {
    await storeTasks(stage, 6);
    const page = await stage.open(`/tasks?folder=${FOLDER}&cols=status,task_id`);
    await waitForTotal(page, 6);
    await isLive(page);
    for (const at of [0, 3]) {
      const total = await totalOf(page);
      await expectStill(page, rows(page).nth(at), async () => {
        await storeTasks(stage, 2);
        await page.getByRole('button', { name: /new$/ }).waitFor();
        await waitForTotal(page, total + 2);
      });
    }
    await page.getByRole('button', { name: '4 new' }).click();
    await rows(page).nth(9).waitFor();
    // A page that is all new does not tell how many more are.
    await rows(page).first().hover();
    await storeTasks(stage, 26);
    await page.getByRole('button', { name: '25+ new' }).waitFor();
  });

  it('rows stay on a phone too, where there is no room beside the total', async () => {
    await storeTasks(stage, 6);
    const viewport = { width: 390, height: 844 };
    const page = await stage.open(`/tasks?folder=${FOLDER}&cols=status,task_id`, { viewport });
    await waitForTotal(page, 6);
    await isLive(page);
    await expectStill(page, rows(page).nth(1), async () => {
      await storeTasks(stage, 2);
      await page.getByRole('button', { name: '2 new' }).waitFor();
    });
  });

  it('rows stay when they are selected, and when the last one is cleared at the end of the table', async () => {
    const page = await stage.open('/tasks');
    await rows(page).nth(24).waitFor();
    const selected = page.locator('.is-selection');
    await page.evaluate(
      "{ const box = document.querySelector('.table-box'); box.scrollTop = box.scrollHeight; }",
    );
    const last = rows(page).nth(24);
    await expectStill(page, last, async () => {
      await last.getByRole('checkbox').focus();
      await page.keyboard.press('Space');
      await selected.waitFor();
    });
    await expectStill(page, last, async () => {
      await page.keyboard.press('Space');
      await selected.waitFor({ state: 'detached' });
    });
  });

  it('a row stays when its record opens', async () => {
    const page = await stage.open('/tasks');
    const fourth = rows(page).nth(3);
    await fourth.waitFor();
    await expectStill(page, fourth.locator('td').nth(1), async () => {
      await page.mouse.down();
      await page.mouse.up();
      await page.getByRole('complementary', { name: 'task details' }).waitFor();
    });
  });

  it('rows stay when the service cannot be reached, and when it can be again', async () => {
    const page = await stage.open('/tasks');
    await isLive(page);
    const line = page.getByRole('alert').filter({ hasText: 'cannot be reached' });
    stage.expectInConsole(/ERR_FAILED/);
    await page.route('**/explore', (route) => route.abort());
    await expectStill(page, rows(page).nth(2), async () => {
      await page.keyboard.press('p');
      await page.locator('.live.is-paused').waitFor();
      await page.keyboard.press('p');
      await line.waitFor();
    });
    await page.unroute('**/explore');
    await expectStill(page, rows(page).nth(2), async () => {
      await line.waitFor({ state: 'detached' });
      await isLive(page);
    });
  });

  it('a value stays under a second click, in the first facet and in a later one', async () => {
    const page = await stage.open('/tasks');
    for (const title of ['Status', 'Type', 'Project']) {
      const value = facet(page, title).locator('.facet-take').nth(2);
      await value.waitFor();
      await value.scrollIntoViewIfNeeded();
      const total = await totalOf(page);
      const click = async () => {
        await page.mouse.down();
        await page.mouse.up();
      };
      await expectStill(page, value, async () => {
        await click();
        await page.locator('.chips').waitFor();
        await until(async () => (await totalOf(page)) !== total);
        await counted(page);
      });
      await expectStill(page, value, async () => {
        await click();
        await page.locator('.chips').waitFor({ state: 'hidden' });
        await waitForTotal(page, total);
        await counted(page);
      });
    }
  });

  it('values are sorted again as soon as the pointer has left the facets', async () => {
    const page = await stage.open('/tasks');
    const texts = () => facet(page, 'Type').locator('.facet-text').allInnerTexts();
    const first = facet(page, 'Project').locator('.facet-take').first();
    await first.click();
    await page.locator('.chips').waitFor();
    await page.locator('.table-box').hover();
    const { facets } = await stage.service
      .post(
        '/api/v2/admin/tasks/search/explore',
        {
          select: [
            {
              field: 'project_id',
              in: [new URL(page.url()).searchParams.get('project_id')],
            },
          ],
          facets: [{ field: 'task_type', limit: 8 }],
        },
        await stage.token(1),
      )
      .then(({ body }) => body);
    const labels = facets[0].values.map(({ label }: { label: string }) => label);
    await until(() =>
      page.evaluate<boolean>(
        `[...document.querySelectorAll('.facet')].some((one) =>
          [...one.querySelectorAll('.facet-text')].map(({ textContent }) => textContent).join()
            === ${JSON.stringify(labels.join())})`,
      ),
    );
    expect(await texts()).eql(labels);
  });

  it('values are sorted again after a finger has touched something else', async () => {
    const page = await stage.open('/tasks', { hasTouch: true });
    await facet(page, 'Project').locator('.facet-take').first().tap();
    await page.locator('.chips').waitFor();
    await counted(page);
    const labels = () => facet(page, 'Type').locator('.facet-text').allInnerTexts();
    const counts = () => facet(page, 'Type').locator('.facet-count').allInnerTexts();
    const numbers = async () => (await counts()).map((text) => Number(text.replaceAll(',', '')));
    const held = await labels();
    expect(await numbers(), 'the values stay while they are pointed at').not.eql(
      (await numbers()).toSorted((a, b) => b - a),
    );
    await page.locator('h1').first().tap();
    await until(async () => (await labels()).join() !== held.join());
    expect(await numbers()).eql((await numbers()).toSorted((a, b) => b - a));
  });
});
