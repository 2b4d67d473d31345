/** Changes that the web UI makes, and changes by others that it takes. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { FOLDER, removeTasks, storeTasks } from './runningTasks.ts';
import {
  ADMIN,
  MEMBER,
  refuse,
  searchBox,
  settled,
  show,
  signInAgain,
  suite,
  totalOf,
  useStage,
  waitForTotal,
} from './stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: stored documents of any shape
type Stored = any;

suite('the web UI where things change', () => {
  const stage = useStage();
  const collection = (name: string) => stage.database.db.collection<Stored>(name);
  const countOf = (count: number) => count.toLocaleString('en');
  beforeEach(() => removeTasks(stage));

  const chooseAllThatMatch = async (page: Page) => {
    await page.locator('tr.row').first().waitFor();
    await page.getByLabel('Select all rows on this page').click();
    await page.getByRole('button', { name: /that match/ }).click();
  };
  /** Elements that move by themselves: with a transition or an animation that lasts. */
  const MOVING = `[...document.querySelectorAll('*')].filter((one) => {
    const { transitionDuration, animationDuration } = getComputedStyle(one);
    return /[1-9]/.test(transitionDuration + animationDuration);
  }).map(({ className }) => className)`;
  const live = (page: Page) => page.locator('.live.is-live').waitFor();
  /** An export as the API gives it. */
  const exported = async (body: object, headers = {}) => {
    const asked = { token: await stage.token(ADMIN), body, headers };
    return (await stage.service.ask('POST', '/api/v2/admin/tasks/search/export', asked)).text;
  };
  /** The text of a file that a page has saved. */
  const savedText = (page: Page, name: string) =>
    page.evaluate<string>(
      `navigator.storage.getDirectory().then((folder) => folder.getFileHandle('${name}'))
        .then((file) => file.getFile()).then((file) => file.arrayBuffer())
        .then((bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))`,
    );

  it('cancels all that match, each once, and says what became of each', async () => {
    const ids = await storeTasks(stage, 60);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 60);
    await chooseAllThatMatch(page);
    // Somebody was first with one of them, and another ends before it is asked for.
    await collection('tasks').updateOne({ task_id: ids[0] }, { $set: { status: 'SUCCESS' } });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: /^Cancel 59 tasks/ });
    await confirm.waitFor();
    await collection('tasks').updateOne({ task_id: ids[1] }, { $set: { status: 'FAILURE' } });
    stage.expectInConsole(/409/);
    await confirm.dblclick();
    const result = page.getByRole('status').filter({ hasText: '58 tasks cancelled, 1 failed' });
    await result.waitFor();
    await dialog.waitFor({ state: 'detached' });
    await result.getByRole('button', { name: 'Show failures' }).click();
    expect(await dialog.innerText()).include(ids[1]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const ended = await collection('tasks').countDocuments({ folder: FOLDER, status: 'REVOKED' });
    expect(ended).equal(58);
    const audited = await collection('audit')
      .find({ target_id: { $in: ids } })
      .toArray();
    expect(audited).length(58);
    expect(new Set(audited.map(({ target_id }) => target_id)).size).equal(58);
  });

  it('says how many of the selected rows an action skips, and why, of a page and of all that match', async () => {
    await storeTasks(stage, 30);
    await storeTasks(stage, 4, { status: 'SUCCESS' });
    await storeTasks(stage, 2, { status: 'REVOKED' });
    // A worker that writes no status: the service cancels such a task.
    await storeTasks(stage, 1, { status: null });
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 37);
    const dialog = page.getByRole('dialog');
    const confirmed = async (skipped: string, title: string) => {
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await dialog.getByText(skipped).waitFor();
      await dialog.getByRole('heading', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    await page.locator('body').press('a');
    await confirmed('19 of 25 selected: 6 already ended.', 'Cancel 19 tasks?');
    await page.getByRole('button', { name: /that match/ }).click();
    await confirmed('31 of 37 selected: 6 already ended.', 'Cancel 31 tasks?');
    await page.getByRole('button', { name: 'Stop preserving' }).click();
    await dialog.getByText('0 of 37 selected: 37 not preserved.').waitFor();
  });

  it('disables several schedules, and takes it back', async () => {
    const page = await stage.open('/schedules?enabled=~true');
    const total = await totalOfReady(page);
    await page.locator('tr.row input').nth(0).check();
    await page.locator('tr.row input').nth(1).check();
    const marked = await page.locator('tr.row.is-chosen').all();
    const keys = await Promise.all(marked.map((row) => row.getAttribute('data-key')));
    expect(keys).length(2);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 2 schedules' }).click();
    await page.getByText('2 schedules disabled').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForTotal(page, total - 2);
    const off = { _id: { $in: keys }, enabled: false };
    expect(await collection('schedules').countDocuments(off)).equal(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForTotal(page, total);
    expect(await collection('schedules').countDocuments(off)).equal(0);
  });

  it('offers to undo for half a minute, and for as long as somebody is at it', async () => {
    const page = await stage.open('/schedules?enabled=~true');
    await page.clock.install();
    await page.reload();
    await page.locator('tr.row input').first().check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 1 schedule' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.clock.fastForward(25_000);
    expect(await undo.isVisible(), 'after 25 s').equal(true);
    // No dialog holds the focus any more: it is at the rows, and at none that would keep others from coming.
    await page.locator('#rows:focus').waitFor();
    await undo.focus();
    await page.clock.fastForward(60_000);
    expect(await undo.isVisible(), 'while it has the focus').equal(true);
    await page.locator('tr.row').first().focus();
    await page.clock.fastForward(10_000);
    await undo.waitFor({ state: 'detached' });
  });

  it('acts on what was chosen on several pages, and lets go of it when other rows are looked at', async () => {
    const page = await stage.open('/schedules?enabled=~true&sort=schedule_id');
    const total = await totalOfReady(page);
    const chosen = page.locator('.is-selection');
    const choose = async (row: Locator) => {
      await row.locator('input').check();
      return (await row.getAttribute('data-key'))!;
    };
    const keys = [await choose(page.locator('tr.row').nth(1))];
    await page.locator('body').press('ArrowRight');
    await page.waitForURL(/page=2/);
    await page.locator(`tr.row[data-key="${keys[0]}"]`).waitFor({ state: 'detached' });
    keys.push(await choose(page.locator('tr.row').nth(2)));
    await chosen.getByText('2 schedules selected').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Disable 2 schedules' }).click();
    await page.getByText('2 schedules disabled').waitFor();
    const off = { _id: { $in: keys }, enabled: false };
    expect(await collection('schedules').countDocuments(off)).equal(2);
    await dialog.waitFor({ state: 'detached' });
    // Undone while another table is looked at, by a key.
    await page.locator('body').press('4');
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Undone: 2 of 2').waitFor();
    expect(await collection('schedules').countDocuments(off)).equal(0);
    await page.goBack();
    await waitForTotal(page, total);
    await choose(page.locator('tr.row').first());
    await chosen.getByText('1 schedule selected').waitFor();
    await searchBox(page).fill('a');
    await chosen.waitFor({ state: 'detached' });
  });

  const totalOfReady = async (page: Page) => {
    await page.locator('tr.row').first().waitFor();
    return await totalOf(page);
  };

  it('moves by itself, and holds rows while somebody points at them', async () => {
    const [first] = await storeTasks(stage, 3);
    const page = await stage.open(`/tasks?folder=${FOLDER}&cols=status,task_id`);
    await waitForTotal(page, 3);
    await live(page);
    await page.locator('tr.row').nth(1).hover();
    await collection('tasks').updateOne({ task_id: first }, { $set: { status: 'FAILURE' } });
    const changed = page.locator('td.is-changed', { hasText: 'Failure' });
    await changed.waitFor();
    // So do the counts and the bars.
    const facets = page.getByRole('complementary', { name: 'Filters' });
    await facets.getByRole('button', { name: /^Failure ?1$/ }).waitFor();
    await page.locator('.timeline-bars path.tone-failure').waitFor({ state: 'attached' });
    const flashes = () =>
      page.evaluate("getComputedStyle(document.querySelector('td.is-changed')).animationDuration");
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await flashes(), 'it flashes').equal('1.6s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await flashes()).equal('0s');
    expect(await page.evaluate(MOVING), 'for who wants no motion nothing moves').eql([]);
    const before = await page.locator('tr.row').allInnerTexts();
    await storeTasks(stage, 2);
    await page.getByRole('button', { name: '2 new' }).waitFor();
    await waitForTotal(page, 5);
    expect(await page.locator('tr.row').allInnerTexts()).eql(before);
    await page.getByRole('button', { name: '2 new' }).click();
    await page.locator('tr.row').nth(4).waitFor();
    await page.mouse.move(5, 5);
    await storeTasks(stage, 1);
    await page.locator('tr.row').nth(5).waitFor();
    // Waiting changes are shown once nobody points there, though nothing else changes.
    await page.locator('tr.row').nth(1).hover();
    await collection('tasks').deleteOne({ task_id: first });
    await waitForTotal(page, 5);
    expect(await page.locator('tr.row').count()).equal(6);
    await page.mouse.move(5, 5);
    await page.locator('tr.row').nth(5).waitFor({ state: 'detached' });
    await page.locator('body').press('p');
    await page.getByRole('button', { name: /^Paused/ }).waitFor();
  });

  it('follows a log while the task writes it', async () => {
    const [task_id] = await storeTasks(stage, 1);
    const line = (seq: number, level: string, message: string) => ({
      ...{ _id: `${task_id} ${seq}`, task_id, seq, ts: new Date(), level, message },
    });
    await collection('task_logs').insertMany([
      line(1, 'INFO', 'begun'),
      line(2, 'ERROR', 'broken'),
    ]);
    const page = await stage.open(`/tasks?folder=${FOLDER}&status=STARTED&open=${task_id}&tab=log`);
    const lines = page.getByRole('log');
    await lines.getByText('broken').waitFor();
    // It is no longer among the rows, and is read on as if it were.
    await live(page);
    await page.evaluate("document.querySelector('.log').dataset.same = 'yes'");
    await collection('tasks').updateOne({ task_id }, { $set: { status: 'RETRY' } });
    await waitForTotal(page, 0);
    await page.locator('.panel-title', { hasText: 'Retry' }).waitFor();
    expect(await page.locator('.log').getAttribute('data-same')).equal('yes');
    await collection('task_logs').insertOne(line(3, 'WARNING', 'still there'));
    await lines.getByText('still there').waitFor();
    await page.getByLabel('Minimum level').selectOption('ERROR');
    await lines.getByText('begun').waitFor({ state: 'detached' });
    expect(await lines.innerText()).include('broken');
    await page.getByLabel('Minimum level').selectOption('DEBUG');
    await page.getByLabel('Search log').fill('STILL');
    await lines.locator('mark', { hasText: 'still' }).waitFor();
    // One text, as in a document: not each of its words.
    await page.getByLabel('Search log').fill('still there');
    await lines.locator('mark', { hasText: 'still there' }).waitFor();
    await page.getByLabel('Search log').fill('still broken');
    await lines.locator('.log-line').first().waitFor({ state: 'detached' });
    // A log that was refused is read again once somebody has signed in.
    stage.expectInConsole(/401/);
    await refuse(page, '**/logs*');
    await page.reload();
    await signInAgain(stage, page, '**/logs*');
    await lines.getByText('still there').waitFor();
    // So is one that the service could not give.
    stage.expectInConsole(/502/);
    await page.route('**/logs*', (route) => route.fulfill({ status: 502, body: 'nothing' }), {
      times: 1,
    });
    await page.reload();
    await page.locator('.log-state', { hasText: '502 Bad Gateway' }).waitFor();
    await lines.getByText('still there').waitFor();
    // One that has no line yet is not on its way for ever.
    const [silent] = await storeTasks(stage, 1);
    await show(page, `/tasks?folder=${FOLDER}&open=${silent}&tab=log`);
    const state = page.locator('.log-state');
    await state.getByText('0 of 0 lines. New lines appear as they are written.').waitFor();
  });

  it('leaves a long log as it is where a line comes, and lays out what is in sight', async () => {
    const [task_id] = await storeTasks(stage, 1);
    const line = (seq: number) => ({
      ...{ _id: `${task_id} ${seq}`, task_id, seq, ts: new Date(), level: 'INFO' },
      message: `step ${seq}`,
    });
    const long = { ...line(1), message: `step 1 ${'and on '.repeat(60)}to its end` };
    const lines = Array.from({ length: 999 }, (_, at) => line(at + 2));
    await collection('task_logs').insertMany([long, ...lines]);
    const page = await stage.open(`/tasks?folder=${FOLDER}&open=${task_id}&tab=log`);
    const log = page.getByRole('log');
    await log.getByText('step 1000', { exact: true }).waitFor();
    const isLaidOut =
      "document.querySelector('.log-line').checkVisibility({ contentVisibilityAuto: true })";
    expect(await page.evaluate(isLaidOut), 'the first line').equal(false);
    // Each line that is made writes its time.
    await page.evaluate(`{
      window.written = 0;
      const { getSeconds } = Date.prototype;
      Date.prototype.getSeconds = function () { window.written += 1; return getSeconds.call(this); };
    }`);
    await collection('task_logs').insertOne(line(1_001));
    await log.getByText('step 1001', { exact: true }).waitFor();
    expect(await page.evaluate('window.written')).within(1, 500);
    // A line that does not wrap shows to its end.
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await log.evaluate((box) => box.scrollTo(0, 0));
    const beyond = () => log.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await until(async () => (await beyond()) > 1_000, 'the long line is cut off');
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await until(async () => (await beyond()) === 0, 'it does not wrap');
  });

  it('leads to the first error of a long log, and saves all of it', async () => {
    const [task_id] = await storeTasks(stage, 1);
    const lines = Array.from({ length: 300 }, (_, at) => ({
      ...{ _id: `${task_id} ${at + 1}`, task_id, seq: at + 1, ts: new Date() },
      ...{ level: at === 99 || at === 200 ? 'ERROR' : 'INFO', message: `step ${at + 1}` },
    }));
    await collection('task_logs').insertMany(lines);
    const page = await stage.open(`/tasks?folder=${FOLDER}&open=${task_id}&tab=log`);
    const log = page.getByRole('log');
    await log.getByText('step 300', { exact: true }).waitFor();
    /** Whether the line shows, or lies beyond the edge of the box. */
    const isInSight = (at: number) =>
      page.evaluate<boolean>(`{
        const outer = document.querySelector('.log-lines').getBoundingClientRect();
        const inner = document.querySelectorAll('.log-line')[${at - 1}].getBoundingClientRect();
        inner.top >= outer.top && inner.bottom <= outer.bottom;
      }`);
    await until(() => isInSight(300), 'the end does not show');
    expect(await isInSight(100)).equal(false);
    await page.getByRole('button', { name: 'First error' }).click();
    await until(() => isInSight(100), 'the first error does not show');
    await page.getByRole('button', { name: 'Jump to end' }).click();
    await until(() => isInSight(300), 'the end does not show again');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download log' }).click(),
    ]);
    expect(download.suggestedFilename()).equal(`${task_id}.log`);
    const saved = await readFile(await download.path(), 'utf8');
    const headers = { accept: 'text/plain' };
    const asked = { token: await stage.token(ADMIN), headers };
    const answer = await stage.service.ask('GET', `/api/v2/tasks/${task_id}/logs`, asked);
    expect(saved).equal(answer.text);
    expect(saved.trimEnd().split('\n')).length(300);
  });

  it('writes a file piece by piece, says how far it is, stops, and writes all of it', async () => {
    const page = await stage.open('/tasks?cols=task_id,status,folder');
    await page.locator('tr.row').first().waitFor();
    const total = await totalOf(page);
    // Only the browser's own dialog is missing: it would give a file such as this one.
    await page.evaluate(`
      window.gate = new Promise((open) => { window.openGate = open; });
      window.showSaveFilePicker = async ({ suggestedName }) => {
        const folder = await navigator.storage.getDirectory();
        const file = await folder.getFileHandle(suggestedName, { create: true });
        return {
          async createWritable() {
            const to = (await file.createWritable()).getWriter();
            return new WritableStream({
              write: async (bytes) => { await window.gate; await to.write(bytes); },
              close: () => to.close(),
              abort: (why) => to.abort(why),
            });
          },
        };
      };
    `);
    await page.locator('body').press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'NDJSON' }).click();
    await dialog.getByRole('button', { name: 'Save to file…' }).click();
    const far = dialog.getByRole('status').filter({ hasText: ` of ${countOf(total)} rows, ` });
    await far.waitFor();
    const [, rows] = /^([\d,]+) of/.exec(await far.innerText())!;
    // On a busy machine all of it may come in one piece.
    expect(Number(rows!.replaceAll(',', ''))).within(1, total);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    // A write under way goes on to its end.
    await page.evaluate('openGate()');
    await dialog.getByText('Stopped. Nothing was saved.').waitFor();
    await dialog.getByRole('button', { name: 'Save to file…' }).click();
    await dialog.getByText(`Saved ${countOf(total)} rows (`).waitFor();
    expect(await savedText(page, 'tasks.ndjson')).equal(
      await exported({ columns: ['task_id', 'status', 'folder'] }),
    );
  });

  it('counts rows of several lines once, and says that nothing was saved where the connection is lost', async () => {
    const page = await stage.open('/tasks');
    await page.locator('tr.row').first().waitFor();
    // The file is as it was until all rows are in it.
    await page.evaluate(`
      window.showSaveFilePicker = async () => {
        const file = await (await navigator.storage.getDirectory()).getFileHandle('kept', { create: true });
        const before = await file.createWritable();
        await before.write('before');
        await before.close();
        return file;
      };
      const answers = window.fetch;
      window.fetch = async (...request) => {
        if (!String(request[0]).endsWith('/export')) return await answers(...request);
        const parts = ['a,b\\r\\n"1\\n2",""\\r\\n"3'];
        const body = new ReadableStream({
          pull: async (to) => {
            if (parts.length > 0) return to.enqueue(new TextEncoder().encode(parts.pop()));
            await new Promise((cut) => { window.cut = cut; });
            throw new TypeError('network error');
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/csv', 'search-total': '3' } });
      };
    `);
    await page.locator('body').press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save to file…' }).click();
    await dialog
      .getByRole('status')
      .filter({ hasText: /^1 of [\d,]+ rows, 17 B/ })
      .waitFor();
    await page.evaluate('cut()');
    const why = 'The connection was lost in the middle of the answer.';
    await dialog.getByText(`Nothing was saved. ${why}`).waitFor();
    expect(await savedText(page, 'kept')).equal('before');
  });

  it('saves a file of what is shown: what the API gives, after a byte order mark', async () => {
    await storeTasks(stage, 40);
    const page = await stage.open(`/tasks?folder=${FOLDER}&cols=task_id,status`);
    await waitForTotal(page, 40);
    await page.evaluate(`
      window.showSaveFilePicker = async () =>
        (await navigator.storage.getDirectory()).getFileHandle('tasks.csv', { create: true });
    `);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).match(/^tasks-.*\.csv$/);
    const saved = await readFile(await download.path(), 'utf8');
    const select = [{ field: 'folder', in: [FOLDER] }];
    const csv = await exported({ select, columns: ['task_id', 'status'] }, { accept: 'text/csv' });
    expect(saved).equal(`\ufeff${csv}`);
    await page.getByRole('button', { name: 'Save to file…' }).click();
    await page.getByText('Saved 40 rows (').waitFor();
    expect(await savedText(page, 'tasks.csv')).equal(saved);
    stage.expectInConsole(/401/);
    await refuse(page, '**/export');
    await page.getByRole('button', { name: 'Download' }).click();
    await signInAgain(stage, page, '**/export');
    await page.getByRole('dialog', { name: 'Export' }).getByText('The token expired').waitFor();
    expect(saved.split('\r\n')).length(42);
  });

  it('tells a member that a table is not theirs', async () => {
    const page = await stage.open('/audit', { as: MEMBER });
    await page.getByText('You do not have access').waitFor();
  });

  it('asks for a token again when the one there is refused, and loses nothing', async () => {
    await storeTasks(stage, 2);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 2);
    const box = searchBox(page);
    await box.fill('wor');
    await waitForTotal(page, 2);
    stage.expectInConsole(/401/);
    await collection('users').updateOne({ _id: ADMIN }, { $set: { active: false } });
    try {
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      expect(await box.inputValue()).equal('wor');
      expect(await page.locator('tr.row').count()).equal(2);
      // A browser would close a dialog at the second Escape, and give the third one to the box.
      await dialog.getByLabel('Token').fill('half');
      for (let n = 0; n < 9; n++) await page.keyboard.press('Escape');
      expect(await dialog.getByLabel('Token').inputValue()).equal('half');
      expect(await box.inputValue()).equal('wor');
      expect(await page.evaluate("document.querySelector('dialog').matches(':modal')")).equal(true);
      await collection('users').updateOne({ _id: ADMIN }, { $set: { active: true } });
      await until(async () => {
        const { status } = await stage.service.post(
          '/api/v2/users/search',
          {},
          await stage.token(ADMIN),
        );
        return status === 200;
      });
      const signIn = async (token: string) => {
        await dialog.getByLabel('Token').fill(token);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
      };
      // This one ends while the page is looked at; on a busy machine before that.
      await signIn(await stage.token(ADMIN, 3));
      await dialog.filter({ hasText: /token (has )?expired/ }).waitFor();
      expect(await box.inputValue()).equal('wor');
      expect(await page.locator('tr.row').count()).equal(2);
      await signIn(await stage.token(ADMIN));
      await dialog.waitFor({ state: 'detached' });
    } finally {
      await collection('users').updateOne({ _id: ADMIN }, { $set: { active: true } });
    }
    await live(page);
    expect(await box.inputValue()).equal('wor');
  });

  it('keeps the offer to undo in sight while other notices come, each once', async () => {
    const page = await stage.open('/schedules?enabled=~true');
    await page.locator('tr.row input').first().check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 1 schedule' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('#rows').focus();
    for (const key of ['x', 'x', 'x', 'x']) await page.keyboard.press(key);
    const other = page.getByText('Go to a row first');
    await other.first().waitFor();
    expect(await other.count()).equal(1);
    await undo.click();
    await page.getByText('Undone: 1 of 1').waitFor();
  });

  it('leaves rows selected that it could not change, and says why an undo failed', async () => {
    const ids = await storeTasks(stage, 3);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 3);
    const row = (id: string) => page.locator(`tr.row[data-key="${id}"]`);
    for (const id of ids.slice(0, 2)) await row(id).locator('input').check();
    const dialog = page.getByRole('dialog');
    stage.expectInConsole(/404/);
    const forget = (id: string) => collection('tasks').deleteOne({ task_id: id });
    await page.locator('#rows').focus();
    await page.keyboard.press('s');
    const confirm = dialog.getByRole('button', { name: 'Preserve 2 tasks' });
    await confirm.waitFor();
    await forget(ids[1]!);
    await confirm.click();
    await page.getByText('1 task preserved, 1 failed').waitFor();
    await page.locator('.is-selection', { hasText: '1 task selected' }).waitFor();
    await forget(ids[0]!);
    await page.getByRole('button', { name: 'Undo' }).click();
    const undone = page.getByRole('status').filter({ hasText: 'Undone: 0 of 1' });
    await undone.getByRole('button', { name: 'Show failures' }).click();
    expect(await dialog.innerText()).include(ids[0]);
  });

  it('says once why an action on all rows cannot be planned', async () => {
    await storeTasks(stage, 2);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 2);
    await page.locator('body').press('Shift+A');
    stage.expectInConsole(/the server responded with a status of 503/);
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    const body = JSON.stringify({ ...problem, code: 'StoreUnavailable' });
    const answer = { status: 503, contentType: 'application/problem+json', body };
    await page.route('**/tasks/search/*', (route) => route.fulfill(answer));
    await page.locator('body').press('c');
    await page.getByRole('dialog').getByText('The store is away.').waitFor();
    // The request that failed second has failed by then.
    await settled(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('begins with no more rows once the token is refused, and goes on with a new one', async () => {
    const total = 12;
    await storeTasks(stage, total);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, total);
    const preserveAll = async () => {
      await page.locator('#rows').focus();
      await page.keyboard.press('s');
      await page.getByRole('button', { name: `Preserve ${total} tasks` }).click();
    };
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/preserve')) asked += 1;
    });
    stage.expectInConsole(/401/);
    await refuse(page, '**/preserve');
    await page.getByLabel('Select all rows on this page').check();
    await preserveAll();
    await page.getByText(/^0 tasks preserved, 4 failed, 8 not started/).waitFor();
    expect(asked).equal(4);
    await signInAgain(stage, page, '**/preserve');
    // All are still selected.
    await page.locator('.is-selection', { hasText: `${total} tasks selected` }).waitFor();
    await preserveAll();
    await page.getByText(`${total} tasks preserved`).waitFor();
  });

  it('leaves the number of a page to who types it, while rows come', async () => {
    await storeTasks(stage, 30);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 30);
    await page.locator('.live.is-live').waitFor();
    const field = page.getByRole('spinbutton', { name: 'Page' });
    await field.fill('2');
    await storeTasks(stage, 1);
    await waitForTotal(page, 31);
    expect(await field.inputValue()).equal('2');
    await field.press('Enter');
    await page.waitForURL(/page=2/);
  });

  it('asks for no other token where an earlier one is refused late', async () => {
    await storeTasks(stage, 2);
    const page = await stage.open(`/tasks?folder=${FOLDER}`);
    await waitForTotal(page, 2);
    stage.expectInConsole(/401/);
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    await refuse(page, '**/preserve', (before) => (before === 0 ? undefined : late));
    await page.getByLabel('Select all rows on this page').check();
    await page.locator('#rows').focus();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Preserve 2 tasks' }).click();
    // Without a route the browser would let the late one through.
    await signInAgain(stage, page);
    release();
    await page.getByText('0 tasks preserved, 2 failed').waitFor();
    await settled(page);
    expect(await page.getByRole('dialog', { name: 'Sign in again' }).count()).equal(0);
  });
});
