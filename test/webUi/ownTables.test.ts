/** Tables of a definition file in the web UI: nothing of them is compiled into it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { put } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { startService } from '../support/service.ts';
import { gate, until } from '../support/until.ts';
import {
  ADMIN,
  columnTexts,
  MEMBER,
  refuse,
  searchBox,
  show,
  signInAgain,
  suite,
  useStage,
  waitForTotal,
} from './stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: objectId
      number: { type: string, values: unique }
      state: { type: string, values: few, look: status }
      customer: { type: objectId, path: customerId }
      email: { label: email, of: customers, through: customer }
      skus: { type: [string], path: lines.sku }
      total: { type: decimal, look: { money: EUR } }
      placed: { type: date, path: placedAt }
    text: [number, email, skus]
    facets: [state, skus]
    sort: -placed
    columns: [number, state, email, total, placed, skus]
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique } }
    access: [{ roles: [admin] }]
  stock:
    collection: orders
    fields:
      id: objectId
      state: { type: string, values: few }
      skus: { type: [string], path: lines.sku }
  reports:
    collection: reports
    fields: { id: objectId, body: string }
    columns: [id]
  recent:
    collection: orders
    fields: { id: objectId, number: string, placed: { type: date, path: placedAt } }
    window: { field: placed, span: 9999w }
  parcels:
    collection: parcels
    fields:
      id: number
      kind: { type: string, values: few }
      tags: { type: [string], look: status }
      code: { type: string, values: unique }
  longs:
    collection: longs
    title: &long A title that somebody has made as long as a definition file takes, and no longer
    fields:
      id: { type: number, title: *long }
      at: { type: date, title: *long }
      kind: { type: string, values: few, title: *long }
      name: { type: string, title: *long }
      words: { type: [string] }
  notes:
    collection: notes
    fields: { id: number, body: mixed }
  sums:
    collection: sums
    fields: { id: mixed, year: { type: number, path: _id.year } }
    columns: [id, year]
  shut:
    collection: sums
    fields: { id: mixed, year: { type: number, path: _id.year } }
    columns: [id, year]
    access: [{ roles: [admin], document: false }]
  keys:
    collection: keys
    fields: { id: mixed, name: string }
  sites:
    collection: sites
    title: History
    fields: { id: number, home: { type: string, look: { link: "{value}" } } }
    columns: [id, home]
  visits:
    collection: visits
    fields: { id: number, at: date, took: { type: number, look: seconds } }
  ring:
    collection: ring
    fields: { id: number, name: string }
  trips:
    collection: trips
    fields: { id: number, parcel: number, code: { label: code, of: parcels, through: parcel } }
  runs:
    collection: runs
    fields: { id: number, status: string }
  boxes:
    collection: boxes
    fields: { id: number, at: date, open: boolean, kg: { type: number, use: [facet], title: Weight } }
  masses:
    collection: masses
    fields: { id: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, key: mixed }
  lives:
    collection: lives
    fields:
      id: number
      born: date
      state: { type: string, values: few, look: status }
      owner: { type: objectId, path: ownerId }
      marks: { type: [number], use: [facet, show] }
      names: [string]
      done: boolean
    columns: [id, born, state, names]
`;

/** A later file. */
const NEXT = `
version: 1
tables:
  orders:
    collection: orders
    fields: { id: objectId, state: { type: string, values: few } }
`;

const ORDERS = 30;
/** Read from the right, and longer than any column. */
const HEBREW = `תחילת ${'הטקסט הארוך מאוד '.repeat(30)}`;
const customers = [1, 2].map((n) => ({
  _id: new ObjectId(`${n}`.padStart(24, '0')),
  email: `customer${n}@shop.example`,
}));
const orders = Array.from({ length: ORDERS }, (_, n) => ({
  _id: new ObjectId(`${n + 100}`.padStart(24, '0')),
  number: `N-${1000 + n}`,
  state: ['paid', 'failed', 'shipping'][n % 3],
  customerId: customers[n % 2]!._id,
  lines: [{ sku: `sku-${n % 4}`, count: 1 }, { sku: 'gift' }],
  total: Decimal128.fromString(`${n}.50`),
  placedAt: new Date(Date.UTC(2026, 10, 1, n)),
  note: { hidden: { deep: `deep text ${n}` } },
}));

suite('the web UI with tables of a definition file', () => {
  const folder = useFolder('own-tables');
  const file = path.join(folder, 'tables.yaml');
  before(() => writeFileSync(file, FILE));
  const stage = useStage({ TABLES: file });
  before(async () => {
    const { db } = stage.database;
    await put(db, { orders, customers });
    const notes = [{ a: 1 }, { b: [2] }, { a: 2 }].map((body, i) => ({ _id: i + 1, body }));
    await db.collection<(typeof notes)[number]>('notes').insertMany(notes);
    const long = { at: new Date(), kind: HEBREW, name: HEBREW, words: [HEBREW, 'english', HEBREW] };
    const longs = [1, 2, 3].map((_id) => ({ _id, ...long }));
    await db.collection<(typeof longs)[number]>('longs').insertMany(longs);
  });

  it('lists more than fit: the one that shows is in view, and so is the way out; nine have a key', async () => {
    const page = await stage.open('/users', { viewport: { width: 1440, height: 560 } });
    const bar = page.locator('.sidebar');
    // The list of tables comes after the page is painted.
    await page.route('**/api/v2/tables', async (route) => {
      await bar.getByTitle('Tasks', { exact: true }).waitFor();
      await route.continue();
    });
    await page.goto(`${stage.service.url}/tables/lives`);
    const bottomOf = async (name: string) => {
      const { y, height } = (await bar.getByTitle(name, { exact: true }).boundingBox())!;
      return y + height;
    };
    await bar.locator('[aria-current]', { hasText: 'Lives' }).waitFor();
    await until(
      async () => (await bottomOf('Lives')) < (await bottomOf('Commands (Ctrl K)')),
      'the table that shows is out of view',
    );
    expect(await bottomOf('Sign out')).below(560);
    await page.keyboard.press('Control+k');
    const keys = page.locator('#commands .option', { hasText: 'Go to' }).locator('kbd');
    await keys.first().waitFor();
    expect(await keys.allInnerTexts()).eql([...'123456789']);
    await page.keyboard.press('Escape');
    await keys.first().waitFor({ state: 'detached' });
    await page.keyboard.press('9');
    await bar.locator('li:nth-child(9) [aria-current]').waitFor();
  });

  it('is painted without them if their list is late, and asks again after a failure', async () => {
    const page = await stage.open('/users');
    stage.expectInConsole(/503/);
    let asked = 0;
    const held = gate();
    await page.route('**/api/v2/tables', async (route) => {
      if (asked++ > 0) return route.continue();
      await held.passed;
      return route.fulfill({ status: 503, json: { title: 'Unavailable', status: 503 } });
    });
    await page.goto(`${stage.service.url}/tables/orders`);
    await page.getByRole('link', { name: 'Tasks' }).waitFor();
    held.open();
    await waitForTotal(page, ORDERS);
    expect(asked).equal(2);
    expect((await columnTexts(page, 'Number'))[0]).equal('N-1029');
    await page.unroute('**/api/v2/tables');
    stage.expectInConsole(/403/);
    await page.route('**/api/v2/tables', (route) =>
      route.fulfill({ status: 403, json: { title: 'Forbidden', status: 403 } }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'There is no such table' }).waitFor();
  });

  it('shows them beside the built-in ones, by their titles and columns, and sorts them by every column', async () => {
    const page = await stage.open('/tasks');
    await page.getByRole('link', { name: 'Orders' }).click();
    await waitForTotal(page, ORDERS);
    expect(new URL(page.url()).pathname).equal('/tables/orders');
    expect((await columnTexts(page, 'Number'))[0]).equal('N-1029');
    expect((await columnTexts(page, 'Total'))[0]).equal('€29.50');
    expect((await columnTexts(page, 'Email'))[0]).equal('customer2@shop.example');
    // Marks on the axis are as far from each other as their times; the last text begins where it still fits.
    const marks = page.locator('.timeline-ticks span');
    await marks.first().waitFor();
    const at = await marks.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    const steps = at.slice(1).map((x, before) => Math.round(x - at[before]!));
    expect(Math.max(...steps) - Math.min(...steps.slice(0, -1)), String(steps)).most(2);
    expect(steps.at(-1)).above(60);
    expect(await page.locator('.head-sort.is-unsorted').count()).equal(0);
    await page.locator('.head-sort', { hasText: 'Skus' }).click();
    await page.waitForURL(/sort=skus/);
    await page.locator('tr.row', { hasText: 'N-1000' }).waitFor();
    // All have `gift` as their least, so that ids decide.
    expect((await columnTexts(page, 'Number')).slice(0, 3)).eql(['N-1000', 'N-1001', 'N-1002']);
    await show(page, '/tables/notes?sort=-body');
    await waitForTotal(page, 3);
    expect(await columnTexts(page, 'ID')).eql(['2', '3', '1']);
    await page.getByRole('button', { name: /^Every 5 s\. The database sorts/ }).waitFor();
  });

  it('explains the search box, searches in labels and several values, and counts by value', async () => {
    const page = await stage.open('/tables/orders');
    await waitForTotal(page, ORDERS);
    await page.keyboard.press('?');
    const examples = await page.locator('.words dt').allInnerTexts();
    expect(examples.slice(3)).eql([
      ...['apple or state:a', 'state:a', '-state:a', 'state:"a b"', 'number~a'],
      ...['placed:today', 'total:>=2', 'state:none'],
    ]);
    await page.keyboard.press('Escape');
    await searchBox(page).fill('customer1@');
    await waitForTotal(page, ORDERS / 2);
    await page.locator('.facet-take', { hasText: 'sku-2' }).click();
    await waitForTotal(page, orders.filter((_, n) => n % 4 === 2).length);
    expect(new URL(page.url()).searchParams.get('skus')).equal('sku-2');
    await page.getByRole('button', { name: 'What is different here' }).click();
    await page.locator('.facet-share').first().waitFor();
    await show(page, '/tables/orders');
    // No facet counts this text as it stands.
    await searchBox(page).fill('number:N-1004 ');
    await waitForTotal(page, 1);
    expect(new URL(page.url()).searchParams.get('number')).equal('N-1004');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await waitForTotal(page, ORDERS);
    // A label is found by a part of its text.
    for (const typed of ['email:customer2 ', 'email~CUSTOMER2 ']) {
      await searchBox(page).fill(typed);
      await waitForTotal(page, ORDERS / 2);
      expect(new URL(page.url()).searchParams.get('email~')).equal(typed.slice(6, -1));
      await page.locator('.chip-text', { hasText: /^Email contains/ }).click();
      expect(await searchBox(page).inputValue()).equal(`email~${typed.slice(6, -1)}`);
      await searchBox(page).fill('');
      await waitForTotal(page, ORDERS);
    }
    await searchBox(page).fill('-email~customer2 ');
    await waitForTotal(page, ORDERS / 2);
    expect(new URL(page.url()).searchParams.get('-email~')).equal('customer2');
  });

  it('compares with other filters where a table has no dates', async () => {
    const page = await stage.open('/tables/stock?state=failed');
    await waitForTotal(page, ORDERS / 3);
    const choice = page.getByRole('combobox', { name: 'Compare with' });
    await choice.selectOption('Set these filters as baseline');
    await page.waitForURL(/state=failed&compare=with&with=state:failed$/);
    await show(page, page.url().replace('?state=failed', '?state=paid'));
    const facet = page.locator('.facet', { hasText: 'Skus' });
    await facet.locator('.facet-share').first().waitFor();
    const texts = (part: string) => facet.locator(`.facet-${part}`).allInnerTexts();
    // Ten orders of each state have three, three, two and two of the first four.
    const expected = {
      gift: '±0 %',
      'sku-0': '±0 %',
      'sku-1': '−33 %',
      'sku-2': '±0 %',
      'sku-3': '+50 %',
    };
    await until(async () => {
      const [values, changes] = [await texts('text'), await texts('share')];
      const shown = Object.fromEntries(values.map((value, at) => [value, changes[at]]).sort());
      return JSON.stringify(shown) === JSON.stringify(expected);
    }, 'values are not those of both filters');
    // Counts by state leave out all that differs, so they have no change.
    const states = page.locator('.facet', { hasText: 'State' });
    await states.getByText('Counted without its own filters').waitFor();
    expect(await states.locator('.facet-share').count()).equal(0);
    expect(await choice.locator('option:checked').innerText()).equal('Baseline · State: failed');
    // A table without counts has nothing to compare.
    await show(page, '/tables/customers');
    await waitForTotal(page, customers.length);
    await choice.waitFor({ state: 'detached' });
  });

  it('says why a page of too many bytes is not live, and tries no further', async () => {
    const body = 'x'.repeat(400_000);
    const reports = Array.from({ length: 25 }, () => ({ body }));
    await stage.database.db.collection('reports').insertMany(reports);
    const page = await stage.open('/tables/reports');
    stage.expectInConsole(/422/);
    const badge = page.getByRole('button', { name: /^Not live\. Rows of this page have 10 MB/ });
    await badge.waitFor();
    expect(await badge.getAttribute('title')).not.contain('Retrying');
  });

  it('says of a table that cannot be read why, and asks no further until it is told to', async () => {
    const { database } = stage;
    await database.db.createCollection('ring', { capped: true, size: 4_096 });
    const service = await startService(database.uri, database.name, { TABLES: file });
    try {
      const page = await stage.open('/tables/customers', { origin: service.url });
      await waitForTotal(page, customers.length);
      stage.expectInConsole(/503/);
      let asked = 0;
      page.on('request', (request) => {
        if (/ring\/search/.test(request.url())) asked += 1;
      });
      await show(page, '/tables/ring');
      const line = page.locator('.state-line', { hasText: 'This table cannot be read' });
      await line.getByText('MongoDB does not read a capped collection as of one moment.').waitFor();
      expect(await line.innerText()).not.contain('Retrying');
      const before = asked;
      // A failure that passes is asked about again after a second.
      await page.waitForTimeout(1_500);
      expect(asked).equal(before);
      await line.getByRole('button', { name: 'Retry' }).click();
      await until(() => asked > before);
    } finally {
      await service.stop();
    }
  });

  it('leads from a stored address to it, and never to a script', async () => {
    const homes = ['https://a.example/?q=1&r=%20', 'javascript:alert(1)', 'a.example'];
    const sites = homes.map((home, _id) => ({ _id, home }));
    await stage.database.db.collection<(typeof sites)[number]>('sites').insertMany(sites);
    const page = await stage.open('/tables/sites?sort=id');
    await waitForTotal(page, homes.length);
    const links = page.locator('tr.row a.link');
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).eql([
      homes[0],
    ]);
  });

  it('groups rows by a field of lists, as exactly where a filter is on it', async () => {
    const page = await stage.open('/tables/orders?-skus=sku-2&group=skus');
    const lines = page.locator('.group-row');
    await lines.first().waitFor();
    const left = orders.filter((_, n) => n % 4 !== 2);
    const failed = left.filter(({ state }) => state === 'failed').length;
    expect((await lines.first().innerText()).split(/\s+/).slice(0, 2)).eql([
      'gift',
      `${left.length}`,
    ]);
    expect(await lines.first().locator(`td[title="${failed}"]`).count()).greaterThan(0);
    expect((await lines.allInnerTexts()).map((line) => line.split(/\s+/)[0]).sort()).eql([
      ...['gift', 'sku-0', 'sku-1', 'sku-3'],
    ]);
    await page.getByRole('button', { name: 'gift' }).click();
    await waitForTotal(page, left.length);
  });

  it('opens an address with conditions and a record, and shows a change as it comes', async () => {
    const key = String(orders[4]!._id);
    const page = await stage.open(`/tables/orders?state=failed&open=${key}`);
    await waitForTotal(page, ORDERS / 3);
    await page.locator('.panel-name', { hasText: 'N-1004' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const stored = stage.database.db.collection('orders');
    await stored.updateOne({ number: 'N-1000' }, { $set: { state: 'failed' } });
    await waitForTotal(page, ORDERS / 3 + 1);
    await stored.updateOne({ number: 'N-1000' }, { $set: { state: 'paid' } });
    await waitForTotal(page, ORDERS / 3);
    await page.locator('.member', { hasText: 'customer1@shop.example' }).getByRole('link').click();
    await page.locator('.panel-name', { hasText: 'customer1@shop.example' }).waitFor();
    expect(new URL(page.url()).pathname).equal('/tables/customers');
  });

  it('folds a long text and a long list of a record until all of it is asked for', async () => {
    const tags = Array.from({ length: 1_000 }, (_, n) => `tag-${n}`);
    const parcels = stage.database.db.collection<{ _id: number }>('parcels');
    await parcels.insertOne({ _id: 900, kind: 'large', code: 'x '.repeat(5_000), tags } as never);
    const page = await stage.open('/tables/parcels?open=900');
    for (const title of ['Tags', 'Code']) {
      const member = page.locator('.member', { has: page.getByText(title, { exact: true }) });
      const height = async () => (await member.boundingBox())!.height;
      await member.waitFor();
      expect(await height(), title).lessThan(260);
      await member.getByRole('button', { name: 'Show all' }).click();
      await until(async () => (await height()) > 500);
      expect(await member.getByRole('button').count()).equal(0);
    }
    const short = page.locator('.member', { has: page.getByText('Kind', { exact: true }) });
    expect(await short.getByRole('button').count()).equal(0);
    await page.getByRole('tab', { name: 'Document' }).click();
    const code = page.locator('.tree-line', { has: page.getByText('code', { exact: true }) });
    const height = async () => (await code.boundingBox())!.height;
    await code.waitFor();
    expect(await height()).lessThan(300);
    await code.getByRole('button', { name: 'Show all' }).click();
    await until(async () => (await height()) > 500);
    // A document of megabytes: the browser would take minutes to show all of it at once.
    const more = Array(50_000).fill({ tag: 1 });
    const large = { text: `${'x '.repeat(4_000_000)}end`, more };
    await parcels.insertOne({ _id: 901, kind: 'large', ...large } as never);
    await show(page, '/tables/parcels?open=901&tab=document');
    const text = page.locator('.tree-line', { has: page.getByText('text', { exact: true }) });
    await text.getByRole('button', { name: 'Show all' }).click();
    await text.getByText('100,000 of 8,000,003 characters are shown.').waitFor();
    await page.locator('summary', { hasText: 'more' }).click();
    const lines = page.locator('details[open] .tree-line');
    await page.getByRole('button', { name: 'Show more (200 of 50,000)' }).click();
    await page.getByRole('button', { name: 'Show more (800 of 50,000)' }).waitFor();
    // Each has one line of its own, and one in it.
    expect(await lines.count()).lessThan(1_700);
    await page.getByLabel('Search in this document').fill('x end');
    await text.locator('mark', { hasText: 'x end' }).waitFor();
    await parcels.deleteMany({ _id: { $in: [900, 901] } });
  });

  it('names the file of an export as the table, and says why no file can be chosen', async () => {
    const page = await stage.open('/tables/orders');
    await page.locator('tr.row').first().waitFor();
    await page.evaluate(`
      window.names = [];
      window.showSaveFilePicker = async ({ suggestedName }) => {
        names.push(suggestedName);
        throw new DOMException('No file here.', 'SecurityError');
      };
    `);
    await page.locator('body').press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save to file…' }).click();
    await dialog.getByText('Nothing was saved. No file here.').waitFor();
    expect(await page.evaluate('names')).eql(['orders.csv']);
  });

  it('shows the whole document as a tree that can be searched', async () => {
    const page = await stage.open(`/tables/orders?open=${orders[7]!._id}&tab=document`);
    await page.locator('.tree-line', { hasText: 'ObjectId' }).first().waitFor();
    await page.getByLabel('Search in this document').fill('deep text');
    await page.locator('.tree-value', { hasText: 'deep text 7' }).waitFor();
    expect(await page.locator('.tree-value').count()).equal(1);
    const held = gate();
    await page.route('**/documents/**', async (route) => {
      await held.passed;
      await route.continue();
    });
    await show(page, `/tables/orders?open=${orders[8]!._id}&tab=document`);
    await page.locator('.panel [role=status]', { hasText: 'Loading…' }).waitFor();
    held.open();
    await page.locator('.tree-value', { hasText: 'deep text 8' }).waitFor();
    await page.unroute('**/documents/**');
    // A refused request is made again after a new token, and the default view does not take the view's place.
    const view = { table: 'orders', name: 'First', address: 'state=paid' };
    const body = { ...view, visibility: 'everyone', is_default: true };
    const made = await stage.service.post('/api/v2/views', body, await stage.token(ADMIN));
    expect(made.status).equal(201);
    await page.goto(`${stage.service.url}/tables/orders`);
    await page.waitForURL(/state=paid/);
    await waitForTotal(page, ORDERS / 3);
    stage.expectInConsole(/401/);
    await refuse(page, '**/explore');
    // The dialog may be there already, since the counts of the search before are refused too. A
    // dispatched event reaches the chip under it.
    const chip = page.getByRole('button', { name: /^Remove/ }).first();
    await chip.dispatchEvent('click');
    await signInAgain(stage, page, '**/explore');
    await waitForTotal(page, ORDERS);
    await refuse(page, '**/documents/**');
    await page.locator('tr.row').first().click();
    await page.getByRole('tab', { name: 'Document' }).click();
    await signInAgain(stage, page, '**/documents/**');
    await page.locator('.tree-line', { hasText: 'ObjectId' }).first().waitFor();
    await waitForTotal(page, ORDERS);
  });

  it('asks for a whole document again that the store could not give', async () => {
    stage.expectInConsole(/503/);
    const page = await stage.open('/tables/orders');
    const problem = { title: 'Unavailable', status: 503, detail: 'The store is away.' };
    const body = JSON.stringify({ ...problem, type: 'about:blank', code: 'StoreUnavailable' });
    const answer = { status: 503, contentType: 'application/problem+json', body };
    await page.route('**/documents/**', (route) => route.fulfill(answer), { times: 1 });
    await page.locator('tr.row').first().click();
    await page.getByRole('tab', { name: 'Document' }).click();
    await page.getByRole('alert').filter({ hasText: 'The store is away.' }).waitFor();
    await page.locator('.tree-line', { hasText: 'ObjectId' }).first().waitFor();
    // A document that somebody reads stays, with what is typed in its search.
    await page.locator('.live.is-live').waitFor();
    await page.getByLabel('Search in this document').fill('hidden');
    await page.route('**/documents/**', (route) => route.fulfill(answer));
    const stored = stage.database.db.collection('orders');
    const number = await page.locator('.panel-name').innerText();
    await stored.updateOne({ number }, { $set: { 'lines.0.count': 2, 'lines.0.sku': 'sku-9' } });
    await page.getByRole('alert').filter({ hasText: 'The store is away.' }).waitFor();
    await page.locator('.tree-name', { hasText: 'hidden' }).waitFor();
    expect(await page.getByLabel('Search in this document').inputValue()).equal('hidden');
    await page.unroute('**/documents/**');
    await page.locator('.panel .problem').waitFor({ state: 'detached' });
    await stored.replaceOne({ number }, orders.find((one) => one.number === number)!);
  });

  it('offers a name of a numbered row as a filter by that name, and not as a number', async () => {
    const { db } = stage.database;
    const parcels = db.collection<{ _id: number; code: string }>('parcels');
    await parcels.insertOne({ _id: 907, code: 'P-907' });
    const trips = [906, 907].map((parcel, at) => ({ _id: at + 1, parcel }));
    await db.collection<(typeof trips)[number]>('trips').insertMany(trips);
    const page = await stage.open('/tables/trips');
    await page.getByText('P-907').click({ button: 'right' });
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    expect((await items.allInnerTexts()).slice(0, 3)).eql([
      ...['Only P-907', 'Not P-907', 'Copy value'],
    ]);
    await items.first().click();
    await waitForTotal(page, 1);
    await parcels.deleteOne({ _id: 907 });
  });

  it('leaves its rows alone while an action on rows of another table is undone', async () => {
    const tasks = '/tasks?scope=project&preserve=~false&status=SUCCESS';
    const page = await stage.open(tasks);
    await page.locator('.table-box[aria-busy=false]').waitFor();
    const task_id = await page.locator('tr.row').first().getAttribute('data-key');
    const [{ id }] = (await stage.ask({ select: [{ field: 'task_id', in: [task_id] }] })).data;
    const runs = stage.database.db.collection<{ _id: number; status: string }>('runs');
    // A row with the key and a field of the task.
    await runs.insertOne({ _id: id, status: 'as it was' });
    await page.locator('tr.row input').first().check();
    await page.getByRole('button', { name: /^Preserve$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preserve 1 task' }).click();
    await page.getByText('1 task preserved').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await waitForTotal(page, 1);
    await page.locator('.live.is-live').waitFor();
    await page.route('**/runs/search/**', () => {});
    await page.keyboard.press('z');
    await page.getByText('Undone: 1 of 1').waitFor();
    expect(await page.locator('tr.row [data-column=status]').innerText()).equal('as it was');
  });

  it('keeps an open record as it is now, though the table does not show it', async () => {
    const [{ _id, ...before }] = orders as [(typeof orders)[number]];
    const page = await stage.open(`/tables/orders?number=N-1001&open=${_id}`);
    await page.locator('.live.is-live').waitFor();
    const panel = page.locator('.panel');
    const stored = stage.database.db.collection('orders');
    try {
      await stored.updateOne({ _id }, { $set: { number: 'changed out of sight' } });
      await panel.getByText('changed out of sight').first().waitFor();
      await stored.deleteOne({ _id });
      await panel.getByText('It was deleted, or you do not have access.').waitFor();
    } finally {
      await stored.replaceOne({ _id }, before, { upsert: true });
    }
    await panel.getByText(before.number).first().waitFor();
  });

  it('says how far back a table with a window reaches', async () => {
    const page = await stage.open('/tables/recent');
    await waitForTotal(page, ORDERS);
    const reach = page.getByText('Last 9999 weeks', { exact: true });
    expect(await reach.getAttribute('title')).equal(
      'This table leaves out older rows. Placed decides.',
    );
  });

  it('tells an empty text, no value and the text None apart, and filters by each', async () => {
    const parcels = stage.database.db.collection<{ _id: number }>('parcels');
    const kinds = ['', 'None', 'box', 'box', 'box', 'None', ' box'];
    await parcels.insertMany(
      kinds.map((kind, n) => ({ _id: n, kind, code: `P-${n}`, tags: ['open', 'late '] })) as never,
    );
    await parcels.insertMany([7, 8, 9, 10].map((_id) => ({ _id })) as never);
    const page = await stage.open('/tables/parcels?sort=id');
    await waitForTotal(page, 11);
    expect((await columnTexts(page, 'Tags')).at(-1), 'a list of no marks').equal('–');
    const facet = page.locator('.facet', { hasText: 'Kind' });
    const values = facet.locator('.facet-text');
    await values.first().waitFor();
    expect(await values.allInnerTexts()).eql([
      ...['No value', 'box', 'None', 'Empty text', '“ box”'],
    ]);
    // A row's name is its value that the definition calls unique, or else its key; each value is a
    // mark.
    await page.locator('tr.row .row-link').first().click();
    await page.locator('.panel-name', { hasText: /^P-0$/ }).waitFor();
    expect(await page.locator('.panel-title .status').count()).equal(2);
    expect(await page.locator('tr.row').first().locator('.status').allInnerTexts()).eql([
      ...['open', '“late ”'],
    ]);
    await page.locator('tr.row .row-link').nth(7).click();
    await page.locator('.panel-name', { hasText: /^7$/ }).waitFor();
    await page.keyboard.press('Escape');
    for (const [value, total] of [
      ['Empty text', 1],
      ['No value', 4],
      ['None', 2],
      ['“ box”', 1],
    ] as const) {
      await show(page, '/tables/parcels');
      await waitForTotal(page, 11);
      await facet.getByText(value, { exact: true }).click();
      await waitForTotal(page, total);
      const address = page.url();
      await show(page, '/tables/parcels');
      await waitForTotal(page, 11);
      await show(page, address);
      await waitForTotal(page, total);
      await page.locator('.chip', { hasText: value }).waitFor();
    }
  });

  it('shows values of other types than declared as they are', async () => {
    const visits = stage.database.db.collection<{ _id: number }>('visits');
    await visits.insertMany([
      { _id: 1, at: new Date(Date.UTC(2026, 0, 1)), took: 60 },
      { _id: 2, at: 1704117188, took: 'long' },
      { _id: 3, at: 'yesterday' },
      // To a browser it is a date.
      { _id: 4, at: 'order 5' },
    ] as never);
    const page = await stage.open('/tables/visits?sort=-id');
    await waitForTotal(page, 4);
    expect((await columnTexts(page, 'At')).slice(0, 3)).eql(['order 5', 'yesterday', '1704117188']);
    expect((await columnTexts(page, 'Took')).slice(2)).eql(['long', '1 min 00 s']);
    // A narrow column cuts it.
    await page.locator('td[title="1 min 00 s"]').waitFor();
    await page.getByText('yesterday', { exact: true }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy' }).first().waitFor();
  });

  it('shows dates of any century: bars, counts, ranges, documents; and filters by one of several numbers', async () => {
    const born = ['1899-05-01', '1969-12-31', '2026-01-01', '9999-12-31'];
    const lives = born.map((day, n) => ({
      ...{ _id: n, born: new Date(`${day}T12:00Z`), state: ['', 'open'][n % 2] },
      ...{ marks: [n, 1.5], names: n === 0 ? [null, 'Ann', ''] : n === 1 ? [] : ['Bo'] },
    }));
    await stage.database.db.collection<{ _id: number }>('lives').insertMany(lives);
    const page = await stage.open('/tables/lives?sort=id');
    await page.locator('.live.is-live').waitFor();
    await page.locator('.timeline-ticks', { hasText: '2000' }).waitFor();
    expect(await columnTexts(page, 'Names')).eql(['null, Ann, ""', '–', 'Bo', 'Bo']);
    await page.locator('.facet', { hasText: 'State' }).getByText('Empty text').waitFor();
    await page.locator('tr.row').nth(1).locator('.row-link').click();
    await page.getByRole('tab', { name: 'Document' }).click();
    await page.locator('.tree-value', { hasText: '1969-12-31T12:00:00.000Z' }).waitFor();
    // The record of a link need not be on the page.
    await show(page, '/tables/lives?state=open&open=0');
    await waitForTotal(page, 2);
    await page.locator('.panel', { hasText: '1899-05-01' }).waitFor();
    await page.keyboard.press('Escape');
    await show(page, '/tables/lives');
    await waitForTotal(page, 4);
    await show(page, '/tables/lives?born=2026-01-01T00:00:00Z..%2B010000-01-01T00:00:00Z');
    await waitForTotal(page, 2);
    // One of several numbers, and a value that is no id.
    await show(page, '/tables/lives');
    await waitForTotal(page, 4);
    await searchBox(page).fill('marks:3 ');
    await page.waitForURL(/marks=~3$/);
    await waitForTotal(page, 1);
    stage.expectInConsole(/422/);
    await searchBox(page).fill('owner:nobody ');
    await page.getByText('Owner: This must be an ObjectId').waitFor();
  });

  it('keeps the titles of the file in every language', async () => {
    const page = await stage.open('/tables/lives?cols=id,done', { locale: 'de-DE' });
    await page.locator('.total', { hasText: 'Zeilen' }).waitFor();
    await page.locator('.head-sort', { hasText: 'Done' }).waitFor();
    // The UI has a word for it.
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.waitForFunction('document.title.startsWith("History · ")');
    await show(page, '/nowhere');
    await page.getByRole('main').getByRole('link', { name: 'History' }).waitFor();
  });

  it('names filters by their titles, and says to what the bars say yes or no', async () => {
    const boxes = stage.database.db.collection<{
      _id: number;
      at: Date;
      open: boolean;
      kg: number;
    }>('boxes');
    const at = new Date(Date.UTC(2026, 0, 1));
    await boxes.insertMany([1, 2].map((_id) => ({ _id, at, open: _id === 1, kg: _id })));
    await boxes.insertOne({ _id: 3, at, open: true, kg: Number.NaN });
    const page = await stage.open('/tables/boxes');
    await waitForTotal(page, 3);
    await page.locator('.facet-head', { hasText: 'Weight' }).waitFor();
    // A button that showed none more did nothing.
    await page.getByText('Other types: 1', { exact: true }).waitFor();
    expect(await page.getByText('Show 0 more').count()).equal(0);
    await page.locator('.timeline-legend', { hasText: 'Open: Yes' }).waitFor();
    await show(page, '/tables/boxes?group=kg');
    await page.locator('.groups-more', { hasText: 'Other types: 1' }).waitFor();
  });

  it('shows the power of ten of a number that its column cuts, and a binary UUID as its text', async () => {
    const key = '0f8b6c1e-2a3d-4c5b-8e9f-1a2b3c4d5e6f';
    const masses = stage.database.db.collection<{ _id: number; a: number; key: UUID }>('masses');
    await masses.insertOne({ _id: 1, a: 1.234567890123456e-8, key: new UUID(key) });
    const page = await stage.open('/tables/masses');
    const cell = page.locator('td[data-column=a]');
    const power = (await cell.getByText('e-8', { exact: true }).boundingBox())!;
    const box = (await cell.boundingBox())!;
    expect(power.x + power.width).most(box.x + box.width);
    expect(await cell.innerText()).equal('1.234567890123456e-8');
    await show(page, '/tables/masses?open=1&tab=document');
    await page.getByLabel('Search in this document').fill(key);
    await page.locator('.tree-value', { hasText: key }).waitFor();
  });

  it('filters by an exact decimal and by the name that a label shows, and says that one of several values is enough', async () => {
    const page = await stage.open('/tables/orders');
    await waitForTotal(page, ORDERS);
    const offered = async (column: string) => {
      await page
        .locator('tr.row')
        .first()
        .locator(`[data-column=${column}]`)
        .click({ button: 'right' });
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      return (await items.allInnerTexts()).filter((one) => !/^(Copy|Open)/.test(one));
    };
    expect(await offered('skus')).eql(['One of sku-1, gift', 'None of sku-1, gift']);
    await page.keyboard.press('Escape');
    expect(await offered('total')).eql([
      ...['Only 29.50', 'Not 29.50', '29.50 or more', '29.50 or less'],
    ]);
    await page.getByRole('menuitem', { name: 'Only 29.50' }).click();
    await waitForTotal(page, 1);
    await page.locator('.chip', { hasText: '29.5' }).waitFor();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await waitForTotal(page, ORDERS);
    await page.getByText('customer2@shop.example').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open in Customers', exact: true }).click();
    // From there a link leads back to the rows with this label.
    await page.getByRole('link', { name: 'Orders with this Customer' }).click();
    await waitForTotal(page, ORDERS / 2);
    await page.locator('.chip', { hasText: 'customer2@shop.example' }).waitFor();
    await show(page, '/tables/orders');
    await waitForTotal(page, ORDERS);
    await page.getByText('customer2@shop.example').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Only customer2@shop.example' }).click();
    await waitForTotal(page, ORDERS / 2);
    await page.locator('.chip', { hasText: 'customer2@shop.example' }).waitFor();
    // As text it is the key: nothing finds it by its name.
    await page.locator('.chip-text').click();
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'customer2@shop.example' }).waitFor();
    await waitForTotal(page, ORDERS / 2);
    // The field for a date has no seconds: a bound that nobody changed keeps its own.
    const from = '2026-11-01T03:00:17.123Z';
    await show(page, `/tables/orders?placed=${from}..`);
    await page.locator('th', { hasText: 'Placed' }).locator('.head-menu').click();
    await page.getByLabel('Earlier than').fill('2026-11-02T00:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.search === `?placed=${from}..2026-11-01T23:00:00.000Z`);
    stage.expectInConsole(/422/);
    // A link that was cut off.
    await show(page, '/tables/orders?open=0001');
    await page
      .locator('.panel', { hasText: 'It was deleted, or you do not have access.' })
      .waitFor();
  });

  it('offers filters, keys and commands only where a table has use for them', async () => {
    const page = await stage.open('/tables/notes');
    await page.getByRole('toolbar', { name: 'View tools' }).waitFor();
    expect(await page.getByRole('complementary', { name: 'Filters' }).count()).equal(0);
    expect(await page.getByRole('button', { name: 'Filters' }).count()).equal(0);
    const keys = async () => {
      await page.keyboard.press('?');
      const rows = page.locator('.key-row');
      await rows.first().waitFor();
      const found = (await rows.allInnerTexts()).join('; ');
      await page.keyboard.press('Escape');
      await rows.first().waitFor({ state: 'detached' });
      return found;
    };
    expect(await keys()).not.match(/log|Select|Undo|Cancel/);
    await page.keyboard.press('Control+k');
    const command = page.getByRole('combobox', { name: 'Command' });
    await command.fill('Open task log');
    await page.getByText('No matching commands').waitFor();
    await command.press('Escape');
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('complementary', { name: 'Filters' }).waitFor();
    expect(await keys()).match(/log.*Cancel.*Undo/s);
  });

  it('tells rows apart whose keys are objects, and opens each', async () => {
    const sums = stage.database.db.collection<{ _id: object }>('sums');
    await sums.insertMany([2024, 2025, 2026].map((year) => ({ _id: { year, of: 'all' } })));
    const page = await stage.open('/tables/sums?sort=id');
    await waitForTotal(page, 3);
    expect(await columnTexts(page, 'Year')).eql(['2024', '2025', '2026']);
    await page.getByRole('row').nth(2).click();
    await page.locator('.panel-name', { hasText: '2025' }).waitFor();
    await page.getByRole('tab', { name: 'Document' }).click();
    await page.locator('.tree-value', { hasText: '2025' }).waitFor();
    const elsewhere = encodeURIComponent('{"year":2024,"of":"all"}');
    await show(page, `/tables/sums?year=2026&open=${elsewhere}`);
    await page.locator('.tree-value', { hasText: '2024' }).waitFor();
    await page
      .getByRole('button', { name: /^Every 5 s\. The database reads pages with keys/ })
      .waitFor();
    // Where documents are not on offer, nothing is asked that could be waited for.
    await show(page, `/tables/shut?year=2026&open=${elsewhere}`);
    await waitForTotal(page, 1);
    await page.clock.install();
    await page.reload();
    await page.locator('.panel-name').waitFor();
    await waitForTotal(page, 1);
    await page.clock.fastForward(11_000);
    expect(await page.locator('.panel').innerText()).not.include('No answer yet');
  });

  it('opens rows whose keys are fractions, or integers past the exact ones of a browser', async () => {
    const masses = stage.database.db.collection<{ _id: unknown; a: number }>('masses');
    const keys = [0.5, Long.fromString('9007199254740993')];
    await masses.insertMany(keys.map((_id, at) => ({ _id, a: 5_000 + at })));
    const page = await stage.open('/tables/masses');
    for (const [at, key] of keys.entries()) {
      // The table does not show it.
      await show(page, `/tables/masses?a=4999&open=${key}`);
      await page.locator('.panel', { hasText: String(5_000 + at) }).waitFor();
    }
  });

  it('tells texts from the keys that they look like, and opens each', async () => {
    const keys = stage.database.db.collection<{ _id: unknown; name: string }>('keys');
    const all = [1, '1', true, 'true', '', '..'].map((_id) => ({
      ...{ _id, name: `the ${typeof _id} (${_id})` },
    }));
    await keys.insertMany(all);
    const page = await stage.open('/tables/keys?sort=id');
    await waitForTotal(page, all.length);
    await page.locator('tr.row').last().click();
    await page.getByRole('tab', { name: 'Document' }).click();
    for (const { name } of all) {
      await page.locator('tr.row', { hasText: name }).click();
      await page.locator('.tree-value', { hasText: name }).waitFor();
    }
    await show(page, '/tables/keys?name=none&open=%221%22');
    await page.locator('.tree-value', { hasText: 'the string (1)' }).waitFor();
  });

  it('shows no rows of an earlier search where a filter is refused, and names the field', async () => {
    const page = await stage.open('/tables/orders?state=failed');
    await waitForTotal(page, ORDERS / 3);
    stage.expectInConsole(/422/);
    await show(page, '?customer=x');
    const line = page.getByRole('alert');
    await line.filter({ hasText: 'Customer: ' }).waitFor();
    expect(await page.locator('tr.row').count()).equal(0);
    expect(await line.innerText()).not.include('earlier search');
    await line.locator('..').getByRole('button', { name: 'Reset view' }).click();
    await waitForTotal(page, ORDERS);
    // A view without filters has nothing to reset.
    stage.expectInConsole(/400/);
    const problem = { title: 'Bad request', status: 400, detail: 'Refused.' };
    await page.route('**/orders/search/explore', (route) =>
      route.fulfill({ status: 400, json: problem }),
    );
    await page.reload();
    const retry = line.locator('..').getByRole('button');
    await retry.getByText('Retry').waitFor();
    await page.unroute('**/orders/search/explore');
    await retry.click();
    await waitForTotal(page, ORDERS);
  });

  it('asks a service without built-in tables for its own alone, from signing in on', async () => {
    const { database } = stage;
    const settings = { TABLES: file, BUILT_IN_TABLES: 'off' };
    const alone = await startService(database.uri, database.name, settings);
    const nextFile = path.join(folder, 'next.yaml');
    writeFileSync(nextFile, NEXT);
    const next = await startService(database.uri, database.name, { ...settings, TABLES: nextFile });
    try {
      const page = await stage.open('/', { as: 'nobody', origin: alone.url });
      // So late that the page is painted first. Any other request of the page would be a 404 in the
      // console.
      await page.route('**/api/v2/tables', async (route) => {
        await page.locator('.page').waitFor();
        await route.continue();
      });
      await page.getByLabel('Token').fill(await alone.token(ADMIN, true));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await waitForTotal(page, ORDERS);
      await page.locator('th', { hasText: 'Total' }).waitFor();
      await page.locator('.live.is-live').waitFor();
      // The service is started with another file meanwhile, in which columns and the sorting are gone.
      stage.expectInConsole(/422/);
      await page.route('**/api/**', (route, request) =>
        route.continue({ url: request.url().replace(alone.url, next.url) }),
      );
      // The refusal of the earlier columns never shows.
      await page.evaluate(`
        window.alerts = [];
        new MutationObserver(() => {
          for (const one of document.querySelectorAll('[role=alert]')) alerts.push(one.textContent);
        }).observe(document, { childList: true, subtree: true });
      `);
      await page.locator('.live').click();
      await page.locator('.live').click();
      await page.locator('th', { hasText: 'Total' }).waitFor({ state: 'detached' });
      await page.locator('.live.is-live').waitFor();
      await waitForTotal(page, ORDERS);
      expect(await page.evaluate('alerts')).eql([]);
      await page.close();
      const other = await stage.open('/', { as: 'nobody', origin: alone.url });
      await other.getByLabel('Token').fill(await alone.token(MEMBER));
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('heading', { name: 'You do not have access' }).waitFor();
      await other.getByText('Your roles may see no table. Ask an admin for access.').waitFor();
      await other.close();
    } finally {
      await alone.stop();
      await next.stop();
    }
  });

  it('hides them from callers without a grant', async () => {
    const page = await stage.open('/projects', { as: MEMBER });
    await page.locator('tbody tr.row').first().waitFor();
    expect(await page.getByRole('link', { name: 'Orders' }).count()).equal(0);
    await show(page, '/tables/orders');
    await page.getByRole('heading', { name: 'There is no such table' }).waitFor();
  });

  it('cuts long titles: they leave room for the box, and take one line each', async () => {
    const views = [
      { width: 1_440, height: 900, box: 500 },
      { width: 360, height: 740, box: 300 },
      // 1,440 × 900 at a zoom of 200 %.
      { width: 720, height: 450, box: 150 },
    ];
    for (const { box, ...viewport } of views) {
      const page = await stage.open('/tables/longs', { viewport });
      await waitForTotal(page, 3);
      if (viewport.width < 1_000) await page.getByRole('button', { name: 'Filters' }).click();
      await page.locator('.facet-title').first().waitFor();
      expect((await page.locator('.search').boundingBox())!.width).at.least(box);
      for (const one of ['.title', '.timeline-field', '.facet-title']) {
        const text = page.locator(one).first();
        expect((await text.boundingBox())!.height, one).at.most(32);
        expect(await text.getAttribute('title')).match(/no longer$/);
      }
      const second = (await page.locator('.rows-table th .head-sort').nth(1).boundingBox())!;
      expect(second.x, 'the second column to sort by is out of sight').below(viewport.width);
      if (viewport.width < 1_440) continue;
      await show(page, '/tables/longs?group=kind');
      await page.locator('.group-row').first().waitFor();
      const heads = page.locator('.groups-table thead');
      const latest = (await heads.getByText('Latest').boundingBox())!;
      expect(latest.x + latest.width, 'a column of groups is out of sight').below(1_440);
    }
  });

  it('shows the beginning of a cut text, also where people read it from the right', async () => {
    const page = await stage.open('/tables/longs');
    await waitForTotal(page, 3);
    await page.locator('.facet-take', { hasText: HEBREW.trim() }).first().waitFor();
    for (const one of ['.row td:nth-child(4)', '.row td:nth-child(5)', '.facet-text']) {
      const isSeen = await page.evaluate<boolean>(`(() => {
        const box = document.querySelector('${one}');
        const range = document.createRange();
        const text = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(text, 0);
        range.setEnd(text, 1);
        const letter = range.getBoundingClientRect();
        const { left, right } = box.getBoundingClientRect();
        return letter.left >= left && letter.right <= right + 1;
      })()`);
      expect(isSeen, one).equal(true);
    }
    const number = page.locator('.row td:first-child .figure').first();
    const cell = (await page.locator('.row td:first-child').first().boundingBox())!;
    const { x, width } = (await number.boundingBox())!;
    expect(x + width, 'numbers stand to the right').closeTo(cell.x + cell.width, 12);
    await page.locator('.row [data-column=words]').first().click({ button: 'right' });
    const [oneOf] = await page.getByRole('menuitem', { name: /^One of/ }).allInnerTexts();
    expect(oneOf).match(/^One of .{39}…$/u);
  });

  it('shows texts in a record as people read them, also from the right', async () => {
    const parcels = stage.database.db.collection<{ _id: number; code: string }>('parcels');
    await parcels.insertOne({ _id: 900, code: 'טלפון 12 (abc)' });
    const page = await stage.open('/tables/parcels?open=900');
    const toLeft = (one: string) =>
      page.evaluate<boolean>(`(() => {
        const texts = document.createTreeWalker(document.querySelector('${one}'), NodeFilter.SHOW_TEXT);
        let text = texts.nextNode();
        while (!text.data.includes('abc')) text = texts.nextNode();
        const leftOf = (letters) => {
          const range = document.createRange();
          range.setStart(text, text.data.indexOf(letters));
          range.setEnd(text, text.data.indexOf(letters) + 1);
          return range.getBoundingClientRect().left;
        };
        return leftOf('abc') < leftOf('12') && leftOf('12') < leftOf('טלפון');
      })()`);
    await page.locator('.member[data-column=code] dd', { hasText: 'abc' }).waitFor();
    expect(await toLeft('.member[data-column=code] dd'), 'a member').equal(true);
    await page.getByRole('tab', { name: 'Document' }).click();
    await page.locator('.tree-value', { hasText: 'abc' }).waitFor();
    const value = '.tree-line:has(.tree-value):last-child .tree-value';
    expect(await toLeft(value), 'the document').equal(true);
    await parcels.deleteOne({ _id: 900 });
  });

  it('takes two lines for a filter of 900 letters, and shows the field of its chip', async () => {
    const name = 'word+'.repeat(180).slice(0, -1);
    const page = await stage.open(`/tables/longs?words=${name}`);
    for (const width of [1_440, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const without = page.locator('.empty-list .button', { hasText: 'word word' });
      await without.locator('.figure').waitFor();
      expect((await without.boundingBox())!.height).at.most(48);
      expect(await without.getAttribute('title')).match(/^Words: (word ?){180}$/);
      const chips = (await page.locator('.chips').boundingBox())!;
      const field = (await page.locator('.chip-field', { hasText: 'Words' }).boundingBox())!;
      expect(field.x).at.least(chips.x);
    }
  });
});
