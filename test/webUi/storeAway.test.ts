/** The web UI while the service has lost its store, or cannot be reached; and when it is back. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { failCommand, failNone } from '../support/failCommand.ts';
import { useFolder } from '../support/folder.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startOverAnyStore } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ADMIN, MEMBER, searchBox, suite, totalOf, useStage, waitForTotal } from './stage.ts';

const PARCELS = 100_000;
const TABLES = `
version: 1
tables:
  parcels: { collection: parcels, fields: { id: number, kind: { type: string, values: few } } }
`;

suite('the web UI without a store', () => {
  let network: NetworkProxy | undefined;
  const stage = useStage({ QUERY_TIMEOUT_MS: '2000', staleAnswersMs: 0 }, async (uri) => {
    network = await NetworkProxy.to(uri);
    return network.uri;
  });
  after(() => network?.close());
  const folder = useFolder('loading');

  it('says so, keeps what it shows and what was typed, and goes on by itself', async () => {
    const page = await stage.open('/tasks');
    await page.locator('tr.row').first().waitFor();
    const total = await totalOf(page);
    stage.expectInConsole(/503|ERR_/);
    network!.cut();
    const box = searchBox(page);
    await box.fill('time');
    await page.getByRole('alert').filter({ hasText: 'The service is unavailable' }).waitFor();
    expect(await totalOf(page)).equal(total);
    expect(await page.locator('tr.row').count()).equal(25);
    // The service is there, and answers why it cannot.
    await page
      .getByRole('button', { name: /^Not live\. The store cannot be reached\. Retry/ })
      .waitFor();
    // Rows that do not match the typed text are told from those that do.
    await page
      .getByRole('alert')
      .filter({ hasText: /from 20\d\d-.* match an earlier search/ })
      .waitFor();
    const rows = page.getByRole('main');
    expect(await rows.getAttribute('aria-busy')).equal('true');
    const opacity = async () =>
      Number(await page.evaluate("getComputedStyle(document.querySelector('.table')).opacity"));
    // It changes over some frames.
    await until(async () => (await opacity()) < 1, 'the rows are not dimmed');
    await box.fill('');
    await page.getByRole('alert').filter({ hasText: 'Showing data from' }).waitFor();
    expect(await rows.getAttribute('aria-busy')).equal('false');
    await until(async () => (await opacity()) === 1, 'the rows are still dimmed');
    await box.fill('time');
    network!.restore();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await box.inputValue()).equal('time');
    await waitForTotal(page, await stage.totalFor({ filters: { q: 'time' } }));
  });

  it('says that its connection is lost, and is live again by itself when it is back', async () => {
    const proxy = await NetworkProxy.to(stage.service.url);
    try {
      const origin = proxy.url;
      const page = await stage.open('/tasks?cols=worker,task_id', { origin });
      const badge = (says: RegExp) => page.getByRole('button', { name: says });
      const isLive = () => badge(/^Live\. Changes appear as they happen\. Pause/).waitFor();
      await isLive();
      stage.expectInConsole(/ERR_/);
      proxy.cut();
      await badge(/^Disconnected\. The connection was lost\. Retrying/).waitFor();
      expect(await page.locator('tr.row').count(), 'what was shown stays').equal(25);
      const task_id = await page.locator('tr.row').first().getAttribute('data-key');
      const tasks = stage.database.db.collection('tasks');
      await tasks.updateOne({ task_id }, { $set: { worker: 'changed-meanwhile' } });
      proxy.restore();
      await isLive();
      await page.getByRole('cell', { name: 'changed-meanwhile' }).waitFor();
      // A search asked for while nothing answers is answered later.
      proxy.cut();
      const box = searchBox(page);
      await box.fill('changed-mean');
      await page.getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor();
      await badge(/^Disconnected\. The service cannot be reached\./).waitFor();
      expect(await page.locator('tr.row').count()).equal(25);
      proxy.restore();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await waitForTotal(page, 1);
      await isLive();
      expect(await box.inputValue()).equal('changed-mean');
    } finally {
      await proxy.close();
    }
  });

  it('offers members their projects as soon as the service tells them', async () => {
    const page = await stage.open('/', { as: 'nobody' });
    stage.expectInConsole(/503/);
    const body = JSON.stringify({
      title: 'Unavailable',
      status: 503,
      detail: 'Away.',
      code: 'Overloaded',
    });
    await page.route(
      '**/projects/search/export',
      (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
      { times: 1 },
    );
    await page.evaluate(`sessionStorage.token = ${JSON.stringify(await stage.token(MEMBER))}`);
    await page.goto(`${stage.service.url}/tasks`);
    await page.locator('.choose-item').first().click();
    await page.locator('tr.row').first().waitFor();
  });

  it('says that answers take longer while the index cannot give them, and why', async () => {
    const page = await stage.open('/tasks');
    await page.locator('.live.is-live').waitFor();
    const { client } = stage.database;
    const held = { blockConnection: true, blockTimeMS: 8_000, appName: 'table-search' };
    await failCommand(client, { times: 1 }, { failCommands: ['getMore'], ...held });
    const line = page.getByRole('status').filter({ hasText: 'Searches are slower' });
    // The two are read at one moment: the index comes back by itself.
    await until(async () => {
      const said = await page.evaluate<(string | undefined)[]>(
        "['.live.is-slow', '.state-line[role=status]'].map((one) => document.querySelector(one)?.textContent)",
      );
      return said[0]?.includes('Every 5 s') && said[1]?.includes('The index is behind');
    }, 'the web UI does not say that the index is behind');
    await failNone(client);
    await line.waitFor({ state: 'detached' });
    await page.locator('.live.is-live').waitFor();
  });

  it('says how far an index is that is being loaded, and is live when it is', async () => {
    const { client, name, uri } = stage.database;
    // The first reply to the scan comes, and the next one does not: it is begun again and again.
    const fails = { errorCode: 262, appName: 'table-search' };
    const namespace = `${name}.tasks`;
    await failCommand(client, 'alwaysOn', { failCommands: ['getMore'], namespace, ...fails });
    const loading = await startOverAnyStore(uri, name);
    try {
      const page = await stage.open('/users', { origin: loading.url });
      await page.locator('.live.is-live').waitFor();
      const counting: string[] = [];
      page.on('request', (request) => {
        const isWatch = request.headers().accept === 'text/event-stream';
        if (!isWatch && /"facets"/.test(request.postData() ?? '')) counting.push(request.url());
      });
      await page.getByRole('link', { name: 'Tasks' }).click();
      // Rows are there already, from the store. It counts values for the watched explore alone.
      await page.locator('tr.row').first().waitFor();
      await page.locator('.live.is-slow', { hasText: /^Loading \d+ %$/ }).waitFor();
      await page.locator('.facet-value').first().waitFor();
      expect(counting).eql([]);
      const line = page.getByRole('status').filter({ hasText: 'This table is loading' });
      await line.filter({ hasText: /The index is loading \(\d+ % is there\)/ }).waitFor();
      // The two are read at one moment: the load is begun again and again, and goes on meanwhile.
      const shown = await line.evaluate(({ textContent, ownerDocument }) => ({
        text: textContent,
        part: ownerDocument.querySelector('[role=status] progress')?.getAttribute('value'),
      }));
      expect(shown.text).include(`(${shown.part} % is there)`);
      // Where the store has found no rows, none are announced.
      await searchBox(page).fill('no such task');
      await page.getByText('No tasks match').waitFor();
      await line.filter({ hasText: 'Until then searches may take longer.' }).waitFor();
      await failNone(client);
      await line.waitFor({ state: 'detached' });
      await page.locator('.live.is-live').waitFor();
      // Or it would find the service gone.
      await page.close();
    } finally {
      await failNone(client);
      await loading.stop();
    }
  });

  it('waits calmly for an index whose table the store cannot search in time', async () => {
    const { client, name, uri, db } = stage.database;
    const parcels = db.collection<{ _id: number; kind: string }>('parcels');
    const numbers = Array.from({ length: PARCELS }, (_, n) => n);
    await parcels.insertMany(numbers.map((n) => ({ _id: n, kind: `kind ${n % 3}` })));
    const held = { failCommands: ['getMore'], namespace: `${name}.parcels`, errorCode: 262 };
    await failCommand(client, 'alwaysOn', { ...held, appName: 'table-search' });
    const file = path.join(folder, 'tables.yaml');
    writeFileSync(file, TABLES);
    // Pipelines take 270 ms, by the assumed time of a document.
    const settings = { TABLES: file, BUILT_IN_TABLES: 'off', QUERY_TIMEOUT_MS: '250' };
    const loading = await startOverAnyStore(uri, name, settings);
    try {
      stage.expectInConsole(/503/);
      const page = await stage.open('/', { as: 'nobody', origin: loading.url });
      await page.getByLabel('Token').fill(await loading.token(ADMIN, true));
      await page.getByRole('button', { name: 'Sign in' }).click();
      const line = page.getByRole('status').filter({ hasText: 'This table is loading' });
      await line.filter({ hasText: /The index is loading/ }).waitFor();
      await page.locator('.live.is-slow', { hasText: /^Loading \d+ %$/ }).waitFor();
      expect(await page.getByRole('alert').count()).equal(0);
      await failNone(client);
      await waitForTotal(page, PARCELS);
      await page.locator('.facet-value', { hasText: 'kind 2' }).waitFor();
      await page.locator('.live.is-live').waitFor();
      await page.close();
    } finally {
      await failNone(client);
      await loading.stop();
    }
  });
}, 180_000);
