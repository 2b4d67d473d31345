/** Keys of the web UI: which row they act on, that they can be switched off, and how far Tab has to go. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { FOLDER, removeTasks, storeTasks } from './runningTasks.ts';
import { CLIPBOARD, searchBox, settled, show, suite, useStage } from './stage.ts';

/** The tag, classes and text of the focused element. */
const focused = (page: Page) =>
  page.evaluate<string>(
    "(({ tagName, className, textContent }) => [tagName, className, textContent.trim()].join(' '))(document.activeElement)",
  );

suite('keys of the web UI', () => {
  const stage = useStage();

  const opened = async (address = '/tasks?status=STARTED') => {
    const page = await stage.open(address);
    await page.locator('tr.row').first().waitFor();
    return page;
  };
  const press = async (page: Page, names: readonly string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };

  it('act on no row while none is meant, and say how to get to one', async () => {
    const page = await opened();
    const { search } = new URL(page.url());
    for (const name of ['c', 's', 'x', 'l']) {
      await page.keyboard.press(name);
      const notice = page.getByRole('status').filter({ hasText: 'Go to a row first' });
      await notice.getByRole('button', { name: 'Dismiss' }).click();
      await notice.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).equal(0);
    expect(await page.locator('tr.row.is-chosen').count()).equal(0);
    expect(new URL(page.url()).search).equal(search);
  });

  it('keep the row that they act on where it is while others arrive', async () => {
    await removeTasks(stage);
    await storeTasks(stage, 2);
    const page = await opened(`/tasks?folder=${FOLDER}`);
    await page.locator('.live.is-live').waitFor();
    await press(page, ['j']);
    const key = "document.activeElement.closest('tr').dataset.key";
    const first = await page.evaluate(key);
    await storeTasks(stage, 1);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.evaluate(key)).equal(first);
  });

  it('select the row whose checkbox has the focus, and by Shift with j and k a range, which goes on and back', async () => {
    const page = await stage.open('/tasks');
    const row = page.locator('tr.row');
    await row.nth(24).waitFor();
    // A key acts on the row whose checkbox has the focus.
    await page.locator('tr.row').nth(5).getByRole('checkbox').click();
    await press(page, ['x']);
    expect(await page.locator('tr.row.is-chosen').count()).equal(0);
    await row.nth(2).focus();
    const selected = () =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('tr.row input')].flatMap((one, at) => one.checked ? [at] : [])`,
      );
    for (const _ of [1, 2]) await page.keyboard.press('Shift+J');
    expect(await selected()).eql([2, 3, 4]);
    for (const _ of [1, 2, 3]) await page.keyboard.press('Shift+K');
    expect(await selected()).eql([1, 2]);
  });

  it('go on to the next row after an action, and come back by z', async () => {
    const page = await stage.open('/tasks?scope=project&preserve=~false');
    const row = page.locator('tr.row');
    await row.nth(24).waitFor();
    const keys = await row.evaluateAll((all) =>
      all.map((one) => (one as unknown as { dataset: { key: string } }).dataset.key),
    );
    const focused = () => page.evaluate<string>('document.activeElement.dataset.key');
    const preserve = async () => {
      await page.keyboard.press('s');
      await page.getByRole('dialog').getByRole('button', { name: 'Preserve 1 task' }).click();
      await page.getByText('1 task preserved').first().waitFor();
    };
    await row.nth(0).focus();
    await preserve();
    await until(async () => (await focused()) === keys[1], 'the next row has no focus');
    await page.keyboard.press('z');
    await page.getByText('Undone: 1 of 1').waitFor();
    await page.keyboard.press('Enter');
    const panel = page.locator('.panel');
    await panel.waitFor();
    const opened = () => new URL(page.url()).searchParams.get('open');
    const first = opened();
    await panel.getByRole('button', { name: 'Next row' }).click();
    expect(opened()).not.equal(first);
    await panel.getByRole('button', { name: 'Previous row' }).click();
    expect(opened()).equal(first);
    await preserve();
    await until(() => opened() !== first, 'the next record is not open');
    // A record that its address has opened is where keys go on.
    const [third, fourth] = await Promise.all(
      [2, 3].map((at) => row.nth(at).getAttribute('data-key')),
    );
    await page.goto(`${stage.service.url}/tasks?scope=project&preserve=~false&open=${third}`);
    await row.nth(24).waitFor();
    await page.keyboard.press('j');
    await until(() => opened() === fourth, 'the record after the open one is not open');
  });

  it('lead over the end of a page, with the record where one is open', async () => {
    const page = await stage.open('/tasks?cols=task_id,status');
    const row = page.locator('tr.row');
    await row.nth(24).waitFor();
    const { data } = await stage.ask({ pagination: { per_page: 51 } });
    const keys: readonly string[] = data.map((one: { task_id: string }) => one.task_id);
    const at = () => page.evaluate<string>('document.activeElement.dataset.key');
    const shows = (name: string) => new URL(page.url()).searchParams.get(name);
    const panel = page.locator('.panel-key');
    await row.nth(24).focus();
    // As often as a key that is held down.
    await press(page, ['j', 'j']);
    await until(
      async () => keys.slice(25, 27).includes(await at()),
      'the first rows of the next page have no focus',
    );
    expect(shows('page')).equal('2');
    await row.nth(24).focus();
    await press(page, ['Enter']);
    await panel.filter({ hasText: keys[49]! }).waitFor();
    await press(page, ['j']);
    await panel.filter({ hasText: keys[50]! }).waitFor();
    expect([shows('page'), shows('open')]).eql(['3', keys[50]]);
    await press(page, ['k']);
    await panel.filter({ hasText: keys[49]! }).waitFor();
    expect([shows('page'), shows('open')]).eql(['2', keys[49]]);
    // Its buttons as well; at the ends of all rows there is none.
    await page.getByRole('button', { name: 'Next row' }).click();
    await panel.filter({ hasText: keys[50]! }).waitFor();
    await page.goto(`${stage.service.url}/tasks?open=${keys[0]}`);
    await panel.filter({ hasText: keys[0]! }).waitFor();
    await row.nth(24).waitFor();
    expect(await page.getByRole('button', { name: 'Previous row' }).isDisabled()).equal(true);
    expect(await page.getByRole('button', { name: 'Next row' }).isEnabled()).equal(true);
    // Without a record the titles of columns are one step up, on every page.
    await page.goto(`${stage.service.url}/tasks?page=2`);
    await row.nth(24).waitFor();
    await row.nth(0).focus();
    await press(page, ['k']);
    expect(await focused(page)).not.match(/^TR row/);
    expect(shows('page')).equal('2');
  });

  it('stay at the last row of all', async () => {
    const { meta } = await stage.ask({});
    const last = meta.pagination.total_pages;
    const { data } = await stage.ask({ pagination: { page: last } });
    const key = data.at(-1).task_id;
    const page = await opened(`/tasks?page=${last}&open=${key}`);
    await page.locator('.panel-key').filter({ hasText: key }).waitFor();
    await press(page, ['j']);
    await until(
      async () => (await page.evaluate('document.activeElement.dataset.key')) !== undefined,
      'no row has the focus',
    );
    expect(await page.evaluate('document.activeElement.dataset.key')).equal(key);
  });

  it('are switched off in their list, for good; other keys and Ctrl K go on', async () => {
    const page = await opened();
    await press(page, ['?']);
    const choice = page.getByRole('checkbox', { name: 'Use single keys as shortcuts' });
    await choice.click();
    await press(page, ['Escape']);
    await choice.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('tr.row').first().waitFor();
    await press(page, ['j', '/', '2', 'f', 'a', 'e', '?']);
    expect(await focused(page)).match(/^BODY/);
    expect(await page.getByRole('dialog').count()).equal(0);
    expect(page.url()).match(/tasks\?status=STARTED$/);
    await press(page, ['ArrowDown']);
    expect(await focused(page)).match(/^TR row/);
    await press(page, ['Control+k']);
    await page.getByRole('combobox', { name: 'Command' }).fill('keyboard short');
    await press(page, ['Enter']);
    await choice.click();
    await press(page, ['Escape']);
    // A key that the dialog takes leads nowhere.
    await choice.waitFor({ state: 'detached' });
    await press(page, ['j']);
    expect(await focused(page)).match(/^TR row/);
  });

  it('lead by Tab from the box to the first row in three steps', async () => {
    const page = await opened('/tasks?status=STARTED&-scope=system');
    await page.locator('.facet-take').first().waitFor();
    await searchBox(page).focus();
    const stops: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      await press(page, ['Tab']);
      stops.push(await focused(page));
    }
    expect(stops[2]).match(/^TR row/);
    await press(page, ['Shift+Tab', 'Shift+Tab', 'Shift+Tab']);
    expect(await page.evaluate('document.activeElement.id')).equal('search');
    await press(page, ['Shift+Tab']);
    expect(await focused(page)).match(/chip/);
    await show(page, '/tasks?group=worker');
    await page.locator('.group-take').first().waitFor();
    await page.locator('.facet-take').first().waitFor();
    await searchBox(page).focus();
    await press(page, ['Tab', 'Tab', 'Tab']);
    expect(await focused(page), 'the first group').match(/^BUTTON group-take/);
  });

  it('lead by arrows within the filters, the timeline, the tools and the titles of columns', async () => {
    const page = await opened();
    await page.locator('.facet-take').first().waitFor();
    await searchBox(page).focus();
    await press(page, ['Tab', 'ArrowRight', 'ArrowRight']);
    expect(await focused(page)).equal('BUTTON span All');
    await press(page, ['ArrowDown']);
    expect(await focused(page)).match(/^DIV timeline-area/);
    await press(page, ['ArrowUp', 'ArrowRight']);
    expect(await focused(page)).equal('BUTTON span 1h');
    await press(page, ['Tab']);
    expect(await focused(page)).match(/compare-toggle/);
    await press(page, ['ArrowDown', 'ArrowDown']);
    expect(await focused(page)).match(/^BUTTON facet-take/);
    await press(page, ['ArrowRight']);
    expect(await focused(page)).match(/^BUTTON facet-not/);
    await press(page, ['ArrowLeft', 'ArrowDown', 'Tab']);
    expect(await focused(page)).match(/^TR row/);
    await press(page, ['Shift+Tab']);
    expect(await focused(page), 'where it was left').match(/^BUTTON facet-take/);
    await press(page, ['Tab', 'ArrowUp', 'ArrowRight', 'ArrowRight']);
    expect(page.url(), 'the page stays').not.match(/page=/);
    expect(await focused(page)).match(/head-/);
    await press(page, ['ArrowDown']);
    expect(await focused(page)).match(/^TR row/);
    await page.getByRole('button', { name: /^Live/ }).focus();
    await press(page, ['ArrowRight', 'ArrowRight']);
    expect(await focused(page)).match(/Columns$/);
    await press(page, ['Tab']);
    expect(await focused(page), 'one stop for all tools').match(/chip/);
  });

  it('keep the focus where a press takes the control away, or leaves it nothing to do', async () => {
    const address = '/tasks?status=SUCCESS&worker=~null,worker-01@pharos-north';
    const page = await stage.open(address, CLIPBOARD);
    await page.locator('tr.row').first().waitFor();
    const pressed = (name: string | RegExp) =>
      page.getByRole('button', { name }).first().press('Enter');
    const isFocused = (selector: string) => page.locator(`${selector}:focus`).waitFor();
    await pressed('Last page');
    await isFocused('[aria-label="Last page"][aria-disabled]');
    await page.keyboard.press('Enter');
    await isFocused('[aria-label="Last page"]');
    // Another press moves on, and none hides the column.
    await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Move Project left' }).focus();
    for (let times = 0; times < 4; times += 1) {
      await page.keyboard.press('Space');
      await isFocused('[aria-label="Move Project left"]');
    }
    expect(new URL(page.url()).searchParams.get('cols')).match(/^project_name,status,/);
    await page.keyboard.press('Escape');
    await page.locator('.facets[aria-busy=false]').waitFor();
    const projects = page.locator('.facet', { hasText: 'Project' });
    const last = await projects.locator('.facet-take').last().innerText();
    await projects.locator('.facet-more').press('Enter');
    expect(await focused(page)).contain(last.split('\n')[0]!);
    await pressed('Remove Worker');
    await isFocused('.chip-text');
    await pressed('Remove Status');
    await isFocused('#search');
    await show(page, '/tasks?q=kraken');
    await page.locator('.empty-list button').press('Enter');
    await page.locator('tr.row').first().waitFor();
    await isFocused('#rows');
    await page.getByLabel('Select all rows on this page').press('Space');
    await pressed(/that match/);
    await isFocused('#rows');
    await page.getByLabel('Select all rows on this page').press('Space');
    await page.locator('tr.row').first().press('Enter');
    await page.locator('.panel').waitFor();
    await page.keyboard.press('y');
    await pressed('Dismiss');
    await isFocused('.panel');
  });

  it('lead by arrows from one tab of a record to the other, which is one stop', async () => {
    const page = await opened();
    await press(page, ['j', 'Enter']);
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Details').focus();
    await press(page, ['ArrowRight']);
    await page.waitForURL(/tab=log/);
    expect(await focused(page)).match(/^BUTTON tab Log/);
    expect(await tab('Details').getAttribute('tabindex')).equal('-1');
    // With Alt it is the browser's way back.
    await press(page, ['Alt+ArrowLeft']);
    expect(await focused(page)).match(/^BUTTON tab Log/);
    await press(page, ['ArrowLeft']);
    await page.locator('.members').waitFor();
    expect(await focused(page)).match(/^BUTTON tab Details/);
  });

  it('find the active command and suggestion in sight on a low screen', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 720, height: 400 } });
    await page.locator('.table-box[aria-busy=false]').waitFor();
    const isInSight = (selector: string) =>
      until(
        () =>
          page.evaluate<boolean>(`{
            const one = document.querySelector('${selector}');
            const { left, top, width, height } = one.getBoundingClientRect();
            one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
          }`),
        `${selector} is out of sight`,
      );
    await press(page, ['Control+k']);
    await page.getByRole('combobox', { name: 'Command' }).waitFor();
    await press(page, ['ArrowUp']);
    await isInSight('.option[aria-selected=true]');
    await press(page, ['Escape']);
    await searchBox(page).click();
    await page.locator('.option').first().waitFor();
    await press(page, ['ArrowUp']);
    await isInSight('.option[aria-selected=true]');
  });

  it('reach the filters of a phone, which lie over the page, and come back from there', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await page.getByRole('button', { name: 'Filters' }).press('Enter');
    await page.locator('.facets.is-sheet').waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).equal('Close filters');
    await press(page, ['Escape']);
    // It comes back once the page without them is painted.
    await until(
      async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Filters',
      'the focus does not come back',
    );
    expect(await page.locator('.facets.is-sheet').count()).equal(0);
    // A reader who has gone on elsewhere stays there.
    await page.getByRole('button', { name: 'Filters' }).press('Enter');
    await page.locator('.facets.is-sheet').waitFor();
    await page.locator('tr.row').nth(2).focus();
    await press(page, ['Escape']);
    await page.locator('.facets.is-sheet').waitFor({ state: 'detached' });
    await settled(page);
    expect(await focused(page)).match(/^TR row/);
  });

  it('leave the filters of a phone by Tab, which would lie over the control that has the focus', async () => {
    const page = await stage.open('/tasks', { viewport: { width: 390, height: 844 } });
    await page.locator('.table-box[aria-busy=false]').waitFor();
    await page.getByRole('button', { name: 'Filters' }).press('Enter');
    await page.locator('.facets.is-sheet').waitFor();
    const isOutside = () =>
      page.evaluate<boolean>(
        "!document.activeElement.closest('.facets') && document.activeElement !== document.body",
      );
    for (let step = 0; step < 4 && !(await isOutside()); step += 1) await press(page, ['Tab']);
    expect(await isOutside()).equal(true);
    await page.locator('.facets.is-sheet').waitFor({ state: 'detached' });
    expect(await isOutside(), 'the focus stays').equal(true);
  });

  it('close by Tab the menus that they leave', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter');
    const sheet = page.locator('.menu-sheet');
    await sheet.waitFor();
    await press(page, ['Tab', 'Shift+Tab']);
    expect(await sheet.count(), 'its button is a part of it').equal(1);
    await press(page, ['Shift+Tab']);
    await sheet.waitFor({ state: 'detached' });
    expect(await focused(page)).not.match(/^BODY/);
    await page.locator('.head-menu').nth(1).press('Enter');
    const menu = page.locator('.head-sheet');
    await menu.waitFor();
    for (let step = 0; step < 20 && (await menu.count()) > 0; step += 1) await press(page, ['Tab']);
    await menu.waitFor({ state: 'detached' });
    expect(await focused(page)).not.match(/^BODY/);
  });

  it('are those of the browser with Alt and Ctrl, and those of an input method while it composes', async () => {
    const page = await opened('/tasks?status=STARTED');
    await page.evaluate("addEventListener('keydown', (event) => { window.last = event; }, true)");
    const isTaken = async (key: string) => {
      await press(page, [key]);
      return await page.evaluate<boolean>('window.last.defaultPrevented');
    };
    const expectLeft = async (selector: string, keys: readonly string[]) => {
      await page.locator(selector).first().focus();
      for (const key of keys) expect(await isTaken(key), `${key} at ${selector}`).equal(false);
    };
    await expectLeft('.head-sort', ['Alt+ArrowRight']);
    await expectLeft('.timeline-area', ['Alt+ArrowLeft', 'Control+ArrowRight']);
    await expectLeft('#search', ['Alt+ArrowLeft']);
    await expectLeft('.chip-text', ['Control+-', 'Alt+ArrowRight']);
    await press(page, ['Escape']);
    await page.locator('tr.row').first().press('Enter');
    await expectLeft('.panel-grip', ['Alt+ArrowRight']);
    const { width } = (await page.locator('.panel').boundingBox())!;
    expect(await page.locator('.panel-grip').getAttribute('aria-valuenow')).equal(
      `${Math.round(width)}`,
    );
    await page.locator('tr.row').first().press('.');
    await page.getByRole('menu').waitFor();
    expect(await isTaken('Alt+ArrowRight'), 'in the menu of a value').equal(false);
    await press(page, ['Escape']);
    const left = await page.evaluate(
      "document.querySelector('#search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))",
    );
    expect(left, 'Enter of an input method').equal(true);
  });

  it('are not the only way to a width: the left button drags a grip, and the right one does not', async () => {
    const page = await opened();
    await page.locator('tr.row').first().press('Enter');
    const panel = page.locator('.panel');
    const { x, y, width } = (await panel.boundingBox())!;
    const dragged = async (button: 'left' | 'right') => {
      await page.mouse.move(x, y + 200);
      await page.mouse.down({ button });
      await page.mouse.move(x - 60, y + 200, { steps: 3 });
      await page.mouse.up({ button });
      return (await panel.boundingBox())!.width;
    };
    expect(await dragged('right')).equal(width);
    expect(await dragged('left')).greaterThan(width + 40);
  });

  it('act on the row with the focus and on selected ones, leave an open dialog alone, and do nothing with more modifier keys', async () => {
    const page = await opened('/tasks?status=STARTED');
    await press(page, ['Control+Shift+k', 'Control+Alt+k']);
    expect(await page.getByRole('dialog').count()).equal(0);
    await press(page, ['Shift+ArrowRight', 'Shift+ArrowDown']);
    expect(page.url()).not.match(/page=/);
    expect(await focused(page)).match(/^BODY/);
    await press(page, ['j', 'c']);
    const dialog = page.getByRole('dialog', { name: /^Cancel/ });
    await dialog.waitFor();
    await press(page, ['Control+k']);
    expect(await dialog.isVisible()).equal(true);
    expect(await page.getByRole('combobox', { name: 'Command' }).count()).equal(0);
    await press(page, ['Escape']);
    await dialog.waitFor({ state: 'detached' });
    // The row with the focus; and rows that are selected.
    await press(page, ['j', 'c']);
    const second = await page.locator('tr.row').nth(1).getAttribute('data-key');
    await dialog.getByText(second!).waitFor();
    await press(page, ['Escape']);
    await dialog.waitFor({ state: 'detached' });
    await press(page, ['k', 'x']);
    expect(await page.locator('tr.row.is-chosen').count()).equal(1);
    await searchBox(page).focus();
    await page.locator('#rows').focus();
    await press(page, ['c']);
    await dialog.getByRole('button', { name: 'Cancel 1 task' }).waitFor();
  });
});
