/** Values that look like others, or are of other types than their field: the box finds each, and no two look alike. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { put } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { columnTexts, searchBox, settled, show, suite, useStage, waitForTotal } from './stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: number
      skus: { type: [string], path: lines.sku }
      zip: { type: string, values: many }
      area: { type: string, values: many }
      code: { type: string, values: unique }
      paid: boolean
      placed: date
      state: { type: string, look: status }
      ok: { type: boolean, look: status }
    facets: [skus, zip, paid]
    columns: [id, skus, zip, paid, placed]
    sort: id
`;

const FIRST = '-000044-03-15T12:00:00Z';
const LATE = '+010500-01-01T12:00:00Z';

/** Two lines, and a second of work for a browser that lays all of it out with its matches. */
const LONG = `first\n  second ${'zebra '.repeat(10_000)}`;

/** SKU-1 is part of a hundred more frequent ones. */
const orders = Array.from({ length: 300 }, (_, n) => ({
  _id: n,
  lines: n === 0 ? [{ sku: 'SKU-1' }] : [{ sku: `SKU-${100 + (n % 99)}` }, { sku: 'gift' }],
  zip: n === 1 ? 10002 : n === 2 || n === 3 ? 10003 : n === 4 ? '10003' : `${20_000 + n}`,
  area: n === 5 ? 49 : n === 6 ? true : `A-${n}`,
  code: n === 7 ? '🔥'.repeat(30) : n === 9 ? LONG : `C-${n}`,
  placed: new Date([FIRST, LATE, '2026-01-01T12:00:00Z'][Math.min(n, 2)]!),
  ...{ state: n === 8 ? true : 'open', ok: n % 2 === 0 },
  paid: n < 5 ? 'yes' : n === 5 ? 1 : n % 2 === 0,
}));

const addressOf = (page: Page) => new URL(page.url()).search;

for (const [executor, settings] of [
  ['the index', {}],
  ['the pipeline', { SEARCH_INDEX: 'off' }],
] as const) {
  suite(`values that look like others, with answers of ${executor}`, () => {
    const folder = useFolder('strange-values');
    const file = path.join(folder, 'tables.yaml');
    before(() => writeFileSync(file, FILE));
    const stage = useStage({ TABLES: file, ...settings }, undefined, { tasks: 1, seed: 1 });
    before(() => put(stage.database.db, { orders }));

    /** Types a filter into an empty box, and applies it. */
    const filtered = async (page: Page, text: string, total: number) => {
      await show(page, '/tables/orders');
      await waitForTotal(page, orders.length);
      await searchBox(page).fill(`${text} `);
      await waitForTotal(page, total);
      return addressOf(page);
    };

    it('filter by the very value, also where more frequent ones hold its text', async () => {
      const page = await stage.open('/tables/orders');
      for (const text of ['skus:SKU-1', 'skus="SKU-1"', 'skus:"SKU-1"']) {
        expect(await filtered(page, text, 1), text).equal('?skus=SKU-1');
      }
      expect(await filtered(page, '-skus:SKU-1', orders.length - 1)).equal('?-skus=SKU-1');
      // The list has it first, and says how many rows it has.
      await show(page, '/tables/orders');
      await waitForTotal(page, orders.length);
      await searchBox(page).fill('skus:SKU-1');
      const first = page.getByRole('option').first();
      await first.filter({ hasText: /^SKU-1\s*1$/ }).waitFor();
      await searchBox(page).press('Enter');
      await waitForTotal(page, 1);
      // No value is the text: several hold it.
      await show(page, '/tables/orders');
      await waitForTotal(page, orders.length);
      await searchBox(page).fill('skus:KU-1 ');
      await page.getByText('Several values match Skus “KU-1”:').waitFor();
    });

    it('come first among the values that a facet finds', async () => {
      const page = await stage.open('/tables/orders');
      const facet = page.locator('.facet', { hasText: 'Skus' });
      await facet.getByLabel('Find skus').fill('SKU-1');
      await facet
        .locator('.facet-value')
        .first()
        .filter({ hasText: /^SKU-1\s*1$/ })
        .waitFor();
      await facet.getByText('Show 91 more (273 together)').waitFor();
      // The other conditions count, and those of the facet do not.
      await show(page, '/tables/orders?skus=gift&paid=~true');
      await facet.getByLabel('Find skus').fill('SKU-1');
      await facet
        .locator('.facet-value')
        .first()
        .filter({ hasText: /^SKU-1\d\d/ })
        .waitFor();
      await show(page, '/tables/orders?skus=gift&paid=yes');
      await facet
        .locator('.facet-value')
        .first()
        .filter({ hasText: /^SKU-1\s*1$/ })
        .click();
      await waitForTotal(page, 5);
    });

    it('are found where the store has a number or truth among texts', async () => {
      const page = await stage.open('/tables/orders');
      expect(await filtered(page, 'zip:10002', 1)).equal('?zip=~10002');
      // Both read so; quotes leave the text alone.
      expect(await filtered(page, 'zip:10003', 3)).equal('?zip=10003,~10003');
      await page.locator('.chip-text').click();
      expect(await searchBox(page).inputValue()).equal('zip:"10003",10003');
      await searchBox(page).press('Escape');
      expect(await filtered(page, 'zip:"10003"', 1)).equal('?zip=10003');
      await searchBox(page).fill('zip:"10002" ');
      await page.getByText('No rows with zip “10002”.').waitFor();
      // A field that is not listed at the side is counted all the same.
      expect(await filtered(page, 'area:49', 1)).equal('?area=~49');
      expect(await filtered(page, 'area:true', 1)).equal('?area=~true');
      await show(page, '/tables/orders');
      await waitForTotal(page, orders.length);
      const facet = page.locator('.facet', { hasText: 'Zip' });
      await facet.getByLabel('Find zip').fill('10002');
      await facet.locator('.facet-take', { hasText: '10002' }).click();
      await waitForTotal(page, 1);
    });

    it('may be dates before 0 and after 9999, which the box takes as cells show them', async () => {
      const page = await stage.open('/tables/orders');
      await waitForTotal(page, orders.length);
      const days = (await columnTexts(page, 'Placed')).slice(0, 2);
      expect(days).eql(['-000044-03-15', '+010500-01-01']);
      for (const text of ['placed:-000044-03-15', 'placed:10500-01-01', 'placed:>=+010000-01-01']) {
        await filtered(page, text, 1);
      }
      // The form of the column's menu keeps a bound that its field cannot show.
      await show(page, '/tables/orders');
      await waitForTotal(page, orders.length);
      await searchBox(page).fill('placed:-000044..+010499 ');
      await waitForTotal(page, orders.length - 1);
      const before = addressOf(page);
      const form = page.locator('.range-form');
      const opened = async () => {
        if (!(await form.isVisible())) {
          await page.locator('th', { hasText: 'Placed' }).locator('.head-menu').click();
        }
        return form;
      };
      const [from, to] = [0, 1].map((at) => form.locator('input').nth(at));
      await opened();
      expect([await from!.inputValue(), await to!.inputValue()]).eql(['', '10500-01-01T00:00']);
      await form.getByRole('button', { name: 'Apply' }).click();
      await settled(page);
      expect(addressOf(page)).equal(before);
      await opened();
      await to!.fill('10501-01-01T00:00');
      await form.getByRole('button', { name: 'Apply' }).click();
      await waitForTotal(page, orders.length);
    });

    it('do not look like them: at the side, in chips, in the box and in a document', async () => {
      const page = await stage.open('/tables/orders');
      const texts = (name: string) =>
        page.locator('.facet', { hasText: name }).locator('.facet-text');
      await texts('Paid').filter({ hasText: '“yes”' }).waitFor();
      expect(await texts('Paid').allInnerTexts()).eql(['No', 'Yes', '“yes”', '1']);
      await page.getByLabel('Find zip').fill('10003');
      const found = ['10003', '10003 (number)'];
      await until(async () => String(await texts('Zip').allInnerTexts()) === String(found));
      await searchBox(page).fill('zip:10003');
      const offers = page.locator('#suggestions .option-text');
      await until(async () => String(await offers.allInnerTexts()) === String(found));
      await searchBox(page).press('Escape');
      await show(page, '/tables/orders?zip=10003,~10003&open=4&tab=document');
      await page.locator('.chip', { hasText: '10003, 10003 (number)' }).waitFor();
      const quoteOf = (member: string) =>
        page.evaluate(`(() => {
          const lines = [...document.querySelectorAll('.tree-line')];
          const line = lines.find((one) => one.querySelector('.tree-name').textContent === '${member}');
          const value = line.querySelector('.tree-value > span');
          return [getComputedStyle(value, '::before').content, value.textContent];
        })()`);
      await page.locator('.tree-line').first().waitFor();
      expect(await quoteOf('zip')).eql(['"\\""', '10003']);
      expect(await quoteOf('_id')).eql(['none', '4']);
    });

    it('begin in cells, and show with their lines and blanks in a record and a document', async () => {
      const page = await stage.open('/tables/orders?q=zebra&cols=id,code');
      await page.locator('tr.row mark').first().waitFor();
      const cell = page.locator('tr.row td[data-column=code]');
      const { length } = await cell.innerText();
      expect(length).within(400, 600);
      expect(await cell.getAttribute('title')).equal(LONG);
      await show(page, '/tables/orders?q=zebra&cols=id,code&open=9');
      const code = page.locator('.member[data-column=code] dd');
      await code.waitFor();
      expect((await code.innerText()).slice(0, 14)).equal('first\n  second');
      await page.getByRole('tab', { name: 'Document' }).click();
      const text = page.locator('.tree-text', { hasText: 'first' });
      await text.waitFor();
      expect(await text.innerText()).match(/^first\n {2}second/);
    });

    it('keep their quotes where another value of the filter is picked', async () => {
      const page = await stage.open('/tables/orders');
      await waitForTotal(page, orders.length);
      await searchBox(page).fill('zip:"10003",2029 ');
      const note = page.getByRole('alert').filter({ hasText: 'Several values match Zip “2029”:' });
      await note.getByRole('button', { name: '20290', exact: true }).click();
      await waitForTotal(page, 2);
      expect(addressOf(page)).equal('?zip=10003,20290');
    });

    it('stand in cells as they are stored; truths of a state have the colours of states', async () => {
      const page = await stage.open('/tables/orders?cols=id,state,ok,code');
      await waitForTotal(page, orders.length);
      expect((await columnTexts(page, 'State'))[8]).equal('true');
      expect((await columnTexts(page, 'Ok')).slice(7, 9)).eql(['No', 'Yes']);
      const row = (at: number) => page.locator('tr.row').nth(at);
      expect(await row(7).locator('.status.tone-revoked').count()).equal(1);
      expect(await row(8).locator('.status.tone-success').count()).equal(1);
      // A title that is cut short has no half of a letter.
      await row(7).locator('td', { hasText: '🔥' }).click({ button: 'right' });
      const title = await page.getByRole('menu').getAttribute('aria-label');
      expect(title).match(/^Code: 🔥+…$/u);
    });

    it('are found where the store has a text or number among truths', async () => {
      const page = await stage.open('/tables/orders');
      const truths = orders.filter(({ paid }) => paid === true).length;
      expect(await filtered(page, 'paid:yes', truths)).equal('?paid=~true');
      expect(await filtered(page, 'paid:"yes"', 5)).equal('?paid=yes');
      await page.locator('.chip-text').click();
      expect(await searchBox(page).inputValue()).equal('paid:"yes"');
      await searchBox(page).press('Escape');
      expect(await filtered(page, 'paid:"yes",no,1', orders.length - truths)).equal(
        '?paid=yes,~false,~1',
      );
      await searchBox(page).fill('paid:"no" ');
      await page.getByText('No rows with paid “no”.').waitFor();
    });
  });
}
