/**
 * Five tasks of somebody's morning, each with the keys and clicks it takes. A key pressed with Shift or Ctrl
 * is one key, and each letter of a typed text is one. `docs/internals/clients.md` lists the figures.
 */
import { expect } from 'chai';
import type { Context } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { ADMIN, CLIPBOARD, suite, useStage, waitForTotal } from './stage.ts';

const HOUR = 3_600_000;
const NOW = new Date();

/** One person at a page, whose keys and clicks are counted. */
class Hand {
  readonly page: Page;
  keys = 0;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.page.keyboard.press(name);
    this.keys += names.length;
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.keys += text.length;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }
}

suite('five tasks on the page', () => {
  const stage = useStage({}, undefined, { tasks: 20_000, seed: 1, now: NOW });
  // biome-ignore lint/suspicious/noExplicitAny: stored documents of any shape
  const collection = (name: string) => stage.database.db.collection<any>(name);

  const begin = async (address = '/tasks') => {
    const page = await stage.open(address, CLIPBOARD);
    await page.locator('.live.is-live').waitFor();
    return new Hand(page);
  };
  /** Adds clicks and keys to the test's title, and checks that they have not become more. */
  const took = (test: Context, { keys, clicks }: Hand, most: Pick<Hand, 'keys' | 'clicks'>) => {
    test.test!.title += `: ${clicks} clicks, ${keys} keys`;
    expect(keys, 'keys').at.most(most.keys);
    expect(clicks, 'clicks').at.most(most.clicks);
  };
  const shown = (page: Page) => page.locator('.table-box[aria-busy=false]').waitFor();
  const value = (page: Page, facet: string, text: string) =>
    page
      .locator('.facet')
      .filter({ has: page.getByRole('button', { name: new RegExp(`^${facet}`) }) })
      .locator('.facet-value', { hasText: text });

  it("finds why last night's backups failed", async function task() {
    const since = { $gte: new Date(NOW.getTime() - 24 * HOUR) };
    const failed = await collection('tasks').findOne({
      ...{ scope: 'backup_infrastructure', status: 'FAILURE', date_queued: since },
    });
    const hand = await begin();
    const { page } = hand;
    await hand.click(page.getByRole('button', { name: 'without backup tasks' }));
    await hand.click(page.getByRole('button', { name: '24h', exact: true }));
    await hand.click(value(page, 'Status', 'Failure').locator('.facet-take'));
    await value(page, 'Exception', failed.exception_type).waitFor();
    await hand.click(page.locator('tr.row', { hasText: failed.exception_type }).first());
    await page.locator('.failure-message').waitFor();
    const [message] = failed.traceback.split('\n').slice(-1);
    expect(message).include(await page.locator('.failure-message').innerText());
    took(this, hand, { keys: 0, clicks: 4 });
  });

  it('finds the worker that is slow since Tuesday', async function task() {
    const slow = 'worker-06@pharos-south';
    // On a Tuesday itself there could be too few tasks: the day is always three days ago.
    const day = new Date(NOW.getFullYear(), NOW.getMonth(), NOW.getDate() - 3);
    const name = new Intl.DateTimeFormat('en', { weekday: 'short' }).format(day).toLowerCase();
    await collection('tasks').updateMany(
      { worker: slow, date_queued: { $gte: day }, date_done: { $ne: null } },
      [
        {
          $set: { date_done: { $dateAdd: { startDate: '$date_done', unit: 'hour', amount: 2 } } },
        },
      ],
    );
    const hand = await begin();
    const { page } = hand;
    await hand.press('/');
    await hand.type(`queued:>=${name} took:>1h `);
    await page.locator('.chip').nth(1).waitFor();
    await hand.click(page.getByRole('button', { name: 'What is different here' }));
    await page.locator('.facet-share').first().waitFor();
    const worker = page
      .locator('.facet')
      .filter({ has: page.getByRole('button', { name: /^Worker/ }) })
      .locator('.facet-text');
    expect(await worker.first().innerText()).equal(slow);
    took(this, hand, { keys: 23, clicks: 1 });
  });

  it('cancels hanging tasks, but not the restores', async function task() {
    const hanging = {
      ...{ status: 'STARTED', scope: { $in: ['project', 'system'] } },
      date_started: { $lt: new Date(NOW.getTime() - HOUR) },
    };
    // None of the others passes the hour while the test runs.
    await collection('tasks').updateMany(
      { status: 'STARTED', date_started: { $gte: hanging.date_started.$lt } },
      { $set: { date_started: NOW } },
    );
    // How many hang in the fixtures depends on the time of day.
    const done = await collection('tasks')
      .find({ status: 'SUCCESS', scope: 'project' })
      .limit(8)
      .toArray();
    await collection('tasks').updateMany(
      { _id: { $in: done.map(({ _id }) => _id) } },
      {
        $set: { status: 'STARTED', date_started: new Date(NOW.getTime() - 2 * HOUR) },
        $unset: { date_done: '' },
      },
    );
    const other = done.slice(0, 3);
    await collection('tasks').updateMany(
      { _id: { $in: other.map(({ _id }) => _id) } },
      { $set: { task_type: 'restore_backup' } },
    );
    const restores = { ...hanging, task_type: 'restore_backup' };
    const kept = await collection('tasks').countDocuments(restores);
    const count = (await collection('tasks').countDocuments(hanging)) - kept;
    const hand = await begin();
    const { page } = hand;
    await hand.click(value(page, 'Status', 'Started').locator('.facet-take'));
    await hand.press('/');
    await hand.type('started:<1h ');
    const restore = value(page, 'Type', 'Restore backup');
    await restore.hover();
    await hand.click(restore.locator('.facet-not'));
    await shown(page);
    await hand.press('Escape', 'Shift+A', 'c');
    const dialog = page.getByRole('dialog');
    await hand.click(dialog.getByRole('button', { name: `Cancel ${count} tasks` }));
    await page.getByText(`${count} tasks cancelled`).first().waitFor();
    const running = { status: 'STARTED' };
    expect(await collection('tasks').countDocuments({ ...hanging, ...running })).equal(kept);
    expect(await collection('tasks').countDocuments({ ...restores, ...running })).equal(kept);
    took(this, hand, { keys: 16, clicks: 3 });
  });

  it('finds who disabled a schedule', async function task() {
    const schedule = await collection('schedules').findOne({ scope: 'project', enabled: true });
    const path = `/api/v2/admin/schedules/${schedule._id}`;
    const asked = { token: await stage.token(ADMIN), body: { enabled: false } };
    expect((await stage.service.ask('PATCH', path, asked)).status).equal(200);
    const user = await collection('users').findOne({ _id: ADMIN });
    const hand = await begin();
    const { page } = hand;
    await hand.press('2', '/');
    await hand.type(schedule._id.slice(0, 6));
    // Before there are rows none is the second either.
    await waitForTotal(page, 1);
    await page.locator('tr.row').nth(1).waitFor({ state: 'detached' });
    await hand.press('ArrowDown', 'Enter');
    const change = page.locator('.history-item').first();
    await change.getByText(`${user.first_name} ${user.last_name}`).waitFor();
    expect(await change.innerText()).include('schedule.disable');
    took(this, hand, { keys: 10, clicks: 0 });
  });

  it('sends a colleague in Tokyo the same view', async function task() {
    const hand = await begin('/tasks?status=FAILURE&date_queued=7d&cols=worker,task_id&page=2');
    const { page } = hand;
    await page.locator('tr.row').nth(24).waitFor();
    const keys = (at: Page) =>
      at.locator('tr.row').evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
    await hand.press('y');
    await page.getByText('Copied').first().waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const { pathname, search } = new URL(link);
    const other = await stage.open(pathname + search, { timezoneId: 'Asia/Tokyo', locale: 'de' });
    await other.locator('tr.row').nth(24).waitFor();
    expect(await keys(other)).eql(await keys(page));
    expect(await other.locator('thead th').count()).equal(await page.locator('thead th').count());
    took(this, hand, { keys: 1, clicks: 0 });
  });
}, 180_000);
