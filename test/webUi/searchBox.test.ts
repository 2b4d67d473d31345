/**
 * The search box of the web UI: its keys, its roles, and its messages about text that it cannot
 * take.
 */
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { tableOf } from '../../web/tables/tables.ts';
import { gate, until } from '../support/until.ts';
import {
  ADMIN,
  CLIPBOARD,
  searchBox,
  settled,
  show,
  suite,
  useStage,
  waitForTotal,
} from './stage.ts';

/** The focused element's name in words. */
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');

suite('the search box', () => {
  const stage = useStage();

  it('tells assistive technology whether it is open; Tab inserts the active option, and nothing else', async () => {
    const page = await stage.open('/tasks');
    const box = page.getByRole('combobox', { name: 'Search tasks' });
    expect(await box.getAttribute('aria-expanded')).equal('false');
    await box.pressSequentially('status:');
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await options.first().waitFor();
    expect(await box.getAttribute('aria-expanded')).equal('true');
    expect(await box.getAttribute('aria-activedescendant')).equal(null);
    await box.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    const selected = options.and(page.getByRole('option', { selected: true }));
    expect(await selected.getAttribute('id')).equal(active);
    expect(await box.getAttribute('aria-controls')).equal('suggestions');
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).equal('false');
    await box.fill('');
    await box.pressSequentially('stat');
    await page.getByRole('option', { name: /^status: Status/ }).waitFor();
    await box.press('Tab');
    expect(await box.inputValue()).equal('stat');
    expect(await focused(page)).not.equal('search');
    await box.fill('');
    await box.pressSequentially('status:fail');
    await page.getByRole('option', { name: /^Failure/ }).waitFor();
    await box.press('ArrowDown');
    await box.press('Tab');
    expect(await focused(page)).not.equal('search');
    await page.waitForURL(/status=FAILURE/);
    expect(await box.inputValue()).equal('');
  });

  const elsewhere = (page: Page) => page.locator('h1').first().click();
  const note = (page: Page, says: string | RegExp) =>
    page.locator('#search-note', { hasText: says });
  const chip = (page: Page, says: string) =>
    page.getByRole('list', { name: 'Active filters' }).locator('.chip', { hasText: says });
  const totalOfAll = () =>
    stage.database.db.collection('tasks').countDocuments({ scope: { $in: ['project', 'system'] } });

  it('takes pasted conditions as typed ones, and goes on with the word behind them', async () => {
    const page = await stage.open('/tasks', CLIPBOARD);
    const box = searchBox(page);
    await box.focus();
    await page.evaluate("navigator.clipboard.writeText('status:failure retries > 0 gen')");
    await box.press('Control+v');
    await page.waitForURL(/status=FAILURE/);
    await chip(page, 'Failure').waitFor();
    await chip(page, 'Retries').waitFor();
    expect(await box.inputValue()).equal('gen');
  });

  it('takes a quoted value that is typed letter by letter', async () => {
    const names = await stage.database.db.collection('projects').distinct('name');
    const name = names.find((one) => /^\w+ \w+ \w+/.test(one));
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially(`time project:"${name.slice(0, -1)}`);
    expect(await box.inputValue()).equal(`time project:"${name.slice(0, -1)}`);
    await box.pressSequentially(`${name.at(-1)}" `);
    await chip(page, name).waitFor();
    expect((await box.inputValue()).trim()).equal('time');
    await page.waitForURL(/q=time&project_id=/);
    // Enter closes a quote that is open.
    await page.getByRole('button', { name: `Remove Project: ${name}` }).click();
    await box.fill(`project:"${name}`);
    await box.press('Enter');
    await chip(page, name).waitFor();
  });

  it('edits a filter as text when its chip is clicked, and excludes by a button alone', async () => {
    const page = await stage.open('/tasks?status=FAILURE&-scope=system');
    const box = searchBox(page);
    await chip(page, 'Failure').locator('.chip-text').click();
    expect(await box.inputValue()).equal('status:Failure');
    expect(await focused(page)).equal('search');
    await page.waitForURL((url) => !url.search.includes('status'));
    // Escape leaves the filter as it was.
    await box.press('Escape');
    await chip(page, 'Failure').waitFor();
    expect(await box.inputValue()).equal('');
    await chip(page, 'Failure').locator('.chip-text').click();
    // So does the browser's way back.
    await page.waitForURL((url) => !url.search.includes('status'));
    await page.goBack();
    await chip(page, 'Failure').waitFor();
    // The box is emptied after the chip is painted.
    await until(async () => (await box.inputValue()) === '', 'the box was not emptied');
    await chip(page, 'Failure').locator('.chip-text').click();
    // Typed text takes the place of the filter's value, and all other values are offered.
    await page.getByRole('option', { name: /^Pending/ }).waitFor();
    await page.keyboard.type('success');
    expect(await box.inputValue()).equal('status:success');
    await box.press('Enter');
    await page.waitForURL(/\?-scope=system&status=SUCCESS$/);
    await page.getByRole('button', { name: 'Exclude Status: Success' }).click();
    await page.waitForURL(/-status=SUCCESS/);
    await page.getByRole('button', { name: 'Exclude Status: Success', pressed: true }).click();
    await page.waitForURL(/&status=SUCCESS/);
  });

  it('reaches its filters by arrows: Delete removes one, minus excludes, Enter edits; leaving keeps it', async () => {
    const page = await stage.open('/tasks?status=FAILURE&scope=system');
    const box = searchBox(page);
    await box.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).equal('StatusFailure');
    await page.keyboard.press('-');
    await page.waitForURL(/-status=FAILURE/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await page.waitForURL((url) => !url.search.includes('scope'));
    await page.keyboard.press('Enter');
    expect(await box.inputValue()).equal('-status:Failure');
    await box.press('Escape');
    await page.waitForURL(/-status=FAILURE/);
    await page.getByRole('button', { name: /^Remove/ }).click();
    await chip(page, '').waitFor({ state: 'detached' });
    // A filter stays when its editing is left: as it was, or as it is typed.
    await show(page, '/tasks?status=FAILURE');
    await chip(page, 'Failure').locator('.chip-text').click();
    await page.waitForURL((url) => !url.search.includes('status'));
    await elsewhere(page);
    await page.waitForURL(/status=FAILURE/);
    expect(await box.inputValue()).equal('');
    await chip(page, 'Failure').locator('.chip-text').click();
    await page.keyboard.type('success');
    await elsewhere(page);
    await page.waitForURL(/status=SUCCESS/);
    expect(await box.inputValue()).equal('');
    // The button that clears the text still removes the filter.
    await chip(page, 'Success').locator('.chip-text').click();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL((url) => !url.search.includes('status'));
    expect(await chip(page, '').count()).equal(0);
    expect(await box.inputValue()).equal('');
  });

  it('refuses a value that a closed list has not, and filters by one that nothing has only when told to', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('status:failrue ');
    await note(page, 'There is no status “failrue”. Did you mean:').waitFor();
    expect(await box.getAttribute('aria-invalid')).equal('true');
    expect(await chip(page, '').count()).equal(0);
    await waitForTotal(page, await totalOfAll());
    await note(page, '').getByRole('button', { name: 'Failure' }).click();
    await page.waitForURL(/status=FAILURE/);
    expect(await note(page, '').count()).equal(0);
    await box.fill('status:foo');
    await box.press('Enter');
    await note(page, 'There is no status “foo”. One of these:').waitFor();
    // The seven states, and the text itself.
    expect(await note(page, '').getByRole('button').count()).equal(8);
    await box.fill('-scope:sistem ');
    await note(page, 'There is no scope “sistem”.').getByRole('button', { name: 'system' }).click();
    await page.waitForURL(/-scope=system/);
    await show(page, '/tasks');
    await box.fill('worker:zzz ');
    await note(page, 'No tasks with worker “zzz”.').waitFor();
    expect(await chip(page, '').count()).equal(0);
    await waitForTotal(page, await totalOfAll());
    await note(page, '').getByRole('button', { name: 'Filter anyway' }).click();
    await chip(page, 'zzz').waitFor();
    await waitForTotal(page, 0);
    expect(await note(page, '').count()).equal(0);
    await page.getByRole('button', { name: 'Remove Worker: zzz' }).click();
    const [worker] = await stage.database.db
      .collection('tasks')
      .distinct('worker', { worker: /^worker-0/ });
    await box.fill(`worker:${worker.replace('worker', 'wroker')}`);
    await box.press('Enter');
    await note(page, 'Did you mean').getByRole('button', { name: worker, exact: true }).click();
    await chip(page, worker).waitFor();
    await box.fill('task_id:nobody ');
    await note(page, 'No tasks with task id “nobody”.').waitFor();
    // A part of it may be meant.
    const { task_id } = (await stage.database.db
      .collection('tasks')
      .findOne({ task_id: { $type: 'string' }, scope: 'project' }))!;
    await show(page, '/tasks');
    await box.fill(`task_id:${task_id.slice(0, 13)} `);
    const part = `Contains “${task_id.slice(0, 13)}”`;
    await note(page, 'Did you mean').getByRole('button', { name: part }).click();
    await chip(page, task_id.slice(0, 13)).waitFor();
    await waitForTotal(page, 1);
    expect(new URL(page.url()).searchParams.get('task_id~')).equal(task_id.slice(0, 13));
    await page.getByRole('button', { name: /^Exclude Task ID/ }).click();
    await page.waitForURL(/-task_id~=/);
  });

  it('says that a word with a colon is no filter, which ones there are, and what may be meant', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.fill('spent:>60');
    const says = 'Tasks cannot be filtered by “spent”, so it is searched as text. Filters: date,';
    await note(page, says).waitFor();
    await note(page, /, status, /).waitFor();
    await page.waitForURL(/q=spent:%3E60/);
    await box.fill('wroker:zzz');
    await note(page, 'Did you mean:').getByRole('button', { name: 'worker:' }).click();
    expect(await box.inputValue()).equal('worker:zzz');
    await box.press('Enter');
    await note(page, 'No tasks with worker “zzz”.').waitFor();
  });

  it('says that AND and NOT are words, and what may be meant', async () => {
    const page = await stage.open('/tasks?scope=system');
    const box = searchBox(page);
    const meant = (word: string) =>
      note(page, /is searched as a word.*Did you mean:/).getByRole('button', { name: word });
    await box.fill('backup NOT ldap');
    await meant('-ldap').click();
    expect(await box.inputValue()).equal('backup -ldap');
    await box.fill('and ldap');
    await meant('ldap').click();
    expect(await box.inputValue()).equal('ldap');
    await box.fill('');
    await box.pressSequentially('AND -status:failure ');
    await page.waitForURL(/-status=FAILURE/);
    expect(await box.inputValue()).equal('');
    expect(new URL(page.url()).searchParams.has('q')).equal(false);
    expect(await note(page, 'is searched as a word').count()).equal(0);
  });

  it('says that a date and its time need quotes, and puts them', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('date:>=2026-11-01 04:30');
    const meant = 'date:>="2026-11-01 04:30"';
    await note(page, 'quotes keep a date').getByRole('button', { name: meant }).click();
    expect(await box.inputValue()).equal(meant);
    await box.press('Enter');
    await page.waitForURL(/[?]date_queued=2026-11-01T03:30:00.000Z\.\.$/);
  });

  /** Totals of searches for one text each, and of those that hold both: from the rows of the first. */
  async function totalsOf(one: string, other: string) {
    const token = await stage.token(ADMIN);
    const find = async (q: string, page = 1): Promise<readonly object[]> => {
      const body = { filters: { q }, pagination: { page, per_page: 100 } };
      const { data } = (await stage.service.post('/api/v2/admin/tasks/search', body, token)).body;
      return data.length < 100 ? data : [...data, ...(await find(q, page + 1))];
    };
    const { searched } = tableOf('tasks').description;
    const rows = await find(one);
    const both = rows.filter((row) =>
      searched.some((member) => {
        const value = (row as Readonly<Record<string, unknown>>)[member];
        return typeof value === 'string' && value.toLowerCase().includes(other);
      }),
    );
    return { one: rows.length, other: (await find(other)).length, both: both.length };
  }

  it('looks for each word; quotes, hyphens and `or` say otherwise, and the address has it', async () => {
    const { one, other, both } = await totalsOf('vineyard', 'failure');
    expect(both).greaterThan(0).below(one);
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('vineyard failure');
    await waitForTotal(page, both);
    await page.waitForURL(/\?q=vineyard&q=failure$/);
    // Both are marked.
    await page
      .locator('mark', { hasText: /^vineyard$/i })
      .first()
      .waitFor();
    await box.fill('vineyard -failure');
    await waitForTotal(page, one - both);
    await box.fill('vineyard or failure');
    await waitForTotal(page, one + other - both);
    await page.waitForURL(/\?any=q:vineyard%7Cq:failure$/);
    await box.fill('"vineyard failure"');
    await waitForTotal(page, 0);
    // So it is in links from before: one text.
    await page.waitForURL(/\?q=vineyard\+failure$/);
    await page.reload();
    await page.getByText('No tasks match').waitFor();
    expect(await box.inputValue()).equal('"vineyard failure"');
    await box.fill('vine*ard');
    await note(page, 'There are no wildcards').waitFor();
    await box.fill('w '.repeat(31));
    await note(page, 'More than 30 words are searched as one text').waitFor();
  });

  it('joins filters and words by `or` into one chip, which is edited as text', async () => {
    const tasks = stage.database.db.collection('tasks');
    const scope = { $in: ['project', 'system'] };
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    // A filter that another one joins, after it has become a chip.
    await box.pressSequentially('status=failure or retries:>=2 ');
    const says = 'Status: Failure or Retries: ≥ 2';
    await chip(page, says).waitFor();
    const $or = [{ status: 'FAILURE' }, { retries: { $gte: 2 } }];
    await waitForTotal(page, await tasks.countDocuments({ scope, $or }));
    await page.waitForURL(/\?any=status:FAILURE%7Cretries:2\.\.$/);
    await page.reload();
    await chip(page, says).locator('.chip-text').click();
    expect(await box.inputValue()).equal('status:Failure or retries:>=2');
    await box.press('End');
    await box.pressSequentially(' or vineyard ');
    await box.press('Enter');
    await chip(page, `${says} or “vineyard”`).waitFor();
    // A span ends now, also as one of several.
    await page.getByRole('button', { name: /^Remove/ }).click();
    await box.fill('date:2h or retries:>=2 ');
    const date_queued = { $gte: new Date(Date.now() - 2 * 3_600_000) };
    const recent = [{ date_queued }, { retries: { $gte: 2 } }];
    await waitForTotal(page, await tasks.countDocuments({ scope, $or: recent }));
    // Values of one field are a list.
    await page.getByRole('button', { name: /^Remove/ }).click();
    await box.fill('Status: failure or STATUS:retry');
    await box.press('Enter');
    await page.waitForURL(/\?status=FAILURE,RETRY$/);
  });

  it('offers filters, an example and the latest searches on focus, and says when Enter is needed', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.click();
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await list.getByRole('group', { name: 'Filters' }).getByRole('option').first().waitFor();
    expect(await list.getByRole('group', { name: 'Latest searches' }).count()).equal(0);
    await box.press('ArrowDown');
    await box.press('Enter');
    expect(await box.inputValue()).equal('status:');
    await box.pressSequentially('fail');
    await page.getByText('Enter or a space applies this filter.').waitFor();
    await box.press('Enter');
    await chip(page, 'Failure').waitFor();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await box.pressSequentially('exception:nothing ');
    // A value that nobody has can be searched as text.
    await note(page, '').getByRole('button', { name: 'Search as text' }).click();
    await waitForTotal(page, 0);
    expect((await box.inputValue()).trim()).equal('"exception:nothing"');
    await box.fill('');
    const latest = list.getByRole('group', { name: 'Latest searches' }).getByRole('option');
    await box.click();
    await latest.filter({ hasText: 'status:Failure' }).click();
    await page.waitForURL(/\?status=FAILURE$/);
  });

  it('takes a suggestion that a finger touches, and none where it scrolls the list', async () => {
    const page = await stage.open('/tasks', {
      ...{ viewport: { width: 390, height: 420 }, hasTouch: true, isMobile: true },
    });
    await page.locator('tr.row').first().waitFor();
    await searchBox(page).tap();
    const option = page.getByRole('option', { name: 'status: Status' });
    const { x, y } = (await option.boundingBox())!;
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', up: number) =>
      hand.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + 30, y: y + 12 - up }],
      });
    await touch('touchStart', 0);
    for (const up of [10, 20, 30, 40]) await touch('touchMove', up);
    await touch('touchEnd', 40);
    await settled(page);
    expect(await searchBox(page).inputValue()).equal('');
    await option.tap();
    expect(await searchBox(page).inputValue()).equal('status:');
    expect(await focused(page)).equal('search');
  });

  it('filters by ranges of numbers and any length of time, and leads on where no row matches', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    const tasks = stage.database.db.collection('tasks');
    const scope = { $in: ['project', 'system'] };
    await box.fill('retries:>=2 ');
    await waitForTotal(page, await tasks.countDocuments({ scope, retries: { $gte: 2 } }));
    await page.getByRole('button', { name: /^Remove Retries/ }).click();
    await box.fill('took:>1m30s ');
    await chip(page, '> 1 min 30 s').waitFor();
    const took = { $subtract: ['$date_done', '$date_started'] };
    const $expr = { $gt: [took, 90_000] };
    await waitForTotal(page, await tasks.countDocuments({ scope, $expr }));
    await page.waitForURL(/\?execution_time=%3E90\.\.$/);
    // The page tells which rows its total is without.
    await page.getByRole('button', { name: 'without backup tasks' }).click();
    const backups = { scope: 'backup_infrastructure' };
    await waitForTotal(page, await tasks.countDocuments(backups));
    expect(await page.getByRole('button', { name: 'without backup tasks' }).count()).equal(0);
    await page.getByRole('button', { name: /^Remove Scope/ }).click();
    await box.fill('date:90d ');
    await chip(page, 'last 90d').waitFor();
    const from = new Date(Date.now() - 90 * 86_400_000);
    await waitForTotal(page, await tasks.countDocuments({ scope, date_queued: { $gte: from } }));
    // Where no row matches, quotes stand once.
    const day = '2020-01-01T00:00:00Z..2020-01-02T00:00:00Z';
    await show(page, `/tasks?q=nothing+like+this&worker=x&date_queued=${day}`);
    await page.getByRole('button', { name: 'Show backup tasks only' }).waitFor();
    expect(await page.getByRole('button', { name: 'without backup tasks' }).count()).equal(0);
    await page.getByRole('button', { name: 'Text: "nothing like this"' }).waitFor();
    expect(await page.title()).match(/^"nothing like this" in tasks/);
    const scale = page.locator('.timeline-scale');
    await until(async () => (await scale.innerText()) === '', 'a scale of bars that are not there');
    await page.locator('.live.is-live').waitFor();
  });

  it('marks chips that go on to the left', async () => {
    const page = await stage.open('/tasks?status=FAILURE', {
      viewport: { width: 900, height: 700 },
    });
    const cut = page.locator('.chips.is-cut');
    await chip(page, 'Failure').waitFor();
    expect(await cut.count()).equal(0);
    const more = ['worker=x', 'retries=1..3', 'folder=somewhere', 'date_queued=7d'];
    await show(page, `/tasks?status=FAILURE&${more.join('&')}`);
    await cut.waitFor();
    await page.locator('.chips').evaluate((one) => one.scrollTo({ left: 0 }));
    await cut.waitFor({ state: 'detached' });
  });

  it('shows the latest chip to its end, also when the number of rows takes room of the box', async () => {
    const page = await stage.open(
      '/tasks?q=a&status=FAILURE,RETRY&-task_type=sync_ldap,import_schema&date_queued=365d',
    );
    await page.locator('.live.is-live').waitFor();
    const isAtEnd = (one: { scrollLeft: number; clientWidth: number; scrollWidth: number }) =>
      one.scrollLeft > 0 && one.scrollLeft + one.clientWidth >= one.scrollWidth - 1;
    await until(() => page.locator('.chips').evaluate(isAtEnd), 'the latest chip is cut');
  });

  it('leaves its text behind when another table is opened, also while a value is looked up', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('worker:zzz');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    expect(await box.inputValue()).equal('');
    await show(page, '/tasks');
    const lookup = await holdLookups(page);
    await searchBox(page).pressSequentially('worker:worker-0 ');
    await lookup.asked;
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await lookup.answer();
    expect(await searchBox(page).inputValue()).equal('');
    expect(await chip(page, '').count()).equal(0);
    expect(new URL(page.url()).search).equal('');
  });

  it('keeps the blanks in quotes, as they are typed and as Enter takes them', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    await box.pressSequentially('"time  out" x');
    await box.press('Enter');
    await page.waitForURL(/q=time\+\+out&q=x/);
    expect(await box.inputValue()).equal('"time  out" x');
  });

  it('opens no list once the focus has left it, and shows an error until something else is typed', async () => {
    const page = await stage.open('/tasks');
    const box = searchBox(page);
    const lookup = await holdLookups(page);
    await box.pressSequentially('worker:wo');
    await lookup.asked;
    await elsewhere(page);
    await lookup.answer();
    expect(await box.getAttribute('aria-expanded')).equal('false');
    await page.unrouteAll();
    await box.fill('');
    stage.expectInConsole(/500/);
    await page.route('**/api/**', (route) =>
      isLookup(route.request()) ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await box.fill('worker:wo');
    await box.press('Enter');
    await note(page, '').waitFor();
    await box.fill('time');
    await note(page, '').waitFor({ state: 'detached' });
    expect(await box.getAttribute('aria-invalid')).equal('false');
  });
});

/** Whether it asks for values of a field that hold a text. */
const isLookup = (request: Request) => request.postData()?.includes('"contains"') === true;

/** Holds the answers to lookups of values back; `answer` lets them come, and waits for the page to have them. */
async function holdLookups(page: Page) {
  const held = gate();
  const asked = page.waitForRequest(isLookup);
  await page.route('**/api/**', async (route) => {
    if (isLookup(route.request())) await held.passed;
    // The page may have aborted it.
    await route.continue().catch(() => {});
  });
  return {
    asked,
    async answer() {
      held.open();
      await (await asked).response().catch(() => null);
      await settled(page);
    },
  };
}
