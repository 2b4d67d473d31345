/**
 * The web UI in a real Chromium, before the real service with demo data. Whatever the console says is
 * kept: an error or a breach of the policy fails the test in which it came.
 */
import { expect } from 'chai';
import { after, afterEach, before, describe } from 'mocha';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { ADMIN, MEMBER, peopleOf } from '../../src/dev/cli/demo.ts';
import { type DemoOptions, loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { type TestDatabase, useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import type { TestSettings } from '../support/settings.ts';
import { HOLDS_ROWS } from './underPointer.ts';

export { ADMIN, MEMBER };

/** The demo's data: as written, with this many generated tasks. */
const DEMO: DemoOptions = { tasks: 3_000, seed: 1 };
/** Long enough for a loaded machine: nothing is measured here. */
const PATIENCE_MS = 30_000;

export interface OpenOptions extends BrowserContextOptions {
  readonly as?: number | 'nobody';
  /** Where the service is, where that is not the stage's own. */
  readonly origin?: string;
}

/** Asks a page for what the browser keeps to itself otherwise. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const TASKS = '/api/v2/admin/tasks/search';

/** A suite of pages: skipped where no Chromium is found, as its title says. */
export function suite(title: string, define: () => void, mostMs = 120_000): void {
  const where = chromiumPath() ? describe : describe.skip;
  where(`${title} (skipped where no Chromium is found)`, function pages() {
    this.timeout(mostMs);
    define();
  });
}

export interface Stage {
  readonly database: TestDatabase;
  readonly service: TestService;
  /** Opens an address of the web UI in a browser of its own. */
  open(address: string, options?: OpenOptions): Promise<Page>;
  token(userId: number, lifeS?: number): Promise<string>;
  /** The service's own answer to an explore, of all tasks where no other search is named. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  ask(body: object, search?: string, as?: number): Promise<any>;
  /** How many rows that has. */
  totalFor(body: object, search?: string, as?: number): Promise<number>;
  /** The console may say this in the test that is running; nothing else. */
  expectInConsole(text: RegExp): void;
}

/**
 * @param through the way to the store, where it is not the straight one
 * @param demo the demo's data, where they are others
 */
export function useStage(
  settings: TestSettings = {},
  through: (uri: string) => Promise<string> = async (uri) => uri,
  demo: DemoOptions = DEMO,
): Stage {
  let service: TestService | undefined;
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  let said: string[] = [];
  let expected: RegExp[] = [];

  after(async () => {
    await browser?.close();
    await service?.stop();
  });
  const database = useDatabase();
  before(async function load() {
    this.timeout(120_000);
    await loadDemo(database.db, demo);
    const uri = await through(database.uri);
    service = await startService(uri, database.name, settings, undefined, peopleOf);
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((one) => one.close()));
    // A view that a failed test leaves would open in those that follow.
    await database.db.collection('views').deleteMany({});
    const unexpected = said.filter((text) => !expected.some((one) => one.test(text)));
    said = [];
    expected = [];
    expect(unexpected, 'in the console').eql([]);
  });

  const token = (userId: number, lifeS?: number) => service!.token(userId, userId === ADMIN, lifeS);
  const ask: Stage['ask'] = async (body, search = TASKS, as = ADMIN) =>
    (await service!.post(`${search}/explore`, body, await token(as))).body;
  return {
    ask,
    totalFor: async (...asked) => (await ask(...asked)).meta.pagination.total_items,
    database,
    get service() {
      return service!;
    },
    token,
    expectInConsole: (text) => void expected.push(text),
    async open(address, { as = ADMIN, origin = service!.url, ...options } = {}) {
      const context = await browser!.newContext({
        viewport: { width: 1440, height: 900 },
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addInitScript(HOLDS_ROWS);
      if (as !== 'nobody') {
        const held = JSON.stringify(await token(as));
        // Once: whoever signs out stays out.
        await context.addInitScript(
          `if (!sessionStorage.begun) { sessionStorage.begun = 1; sessionStorage.token = ${held}; }`,
        );
      }
      const page = await context.newPage();
      // A provider's own pages load and say what they like.
      const isOurs = (url: string) => url.startsWith(origin);
      page.on('console', (message) => {
        const matters = message.type() === 'error' || message.type() === 'warning';
        if (matters && isOurs(page.url())) said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(String(error.stack)));
      page.on('request', (request) => {
        const { protocol, origin: asked } = new URL(request.url());
        const isFromUs = isOurs(request.frame().url());
        if (isFromUs && protocol.startsWith('http') && asked !== origin) {
          said.push(`a request elsewhere: ${request.url()}`);
        }
      });
      await page.goto(`${origin}${address}`);
      return page;
    },
  };
}

/** The one box: it is a combobox, as are choices of one in a list. */
export const searchBox = (page: Page): Locator => page.locator('#search[role=combobox]');

/** Shows another address as the way back would, without loading the page again. */
export async function show(page: Page, address: string): Promise<void> {
  const to = JSON.stringify(address);
  await page.evaluate(
    `history.pushState({}, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** Resolves once the page has taken what was answered before: its own next question has an answer by then, and is painted. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(
    "fetch('/livez').then((one) => one.text()).then(() => new Promise(requestAnimationFrame))",
  );

/** How many rows the web UI says there are. */
export async function totalOf(page: Page): Promise<number> {
  const text = await page.locator('.total').innerText();
  return Number(/^([\d,]+)/.exec(text)?.[1]?.replaceAll(',', ''));
}

/** Waits until the web UI says that there are so many rows. */
export async function waitForTotal(page: Page, total: number): Promise<void> {
  const text = `${total.toLocaleString('en')} `;
  await page.locator('.total', { hasText: new RegExp(`^${text}`) }).waitFor();
}

/** The texts of a column, once all rows of the page are in their places. */
export async function columnTexts(page: Page, title: string): Promise<string[]> {
  await page.locator('.table-box[aria-busy=false]').waitFor();
  const heads = await page.locator('thead th').allInnerTexts();
  const at = heads.findIndex((text) => text.trim() === title);
  return await page.locator(`tbody tr.row td:nth-child(${at + 1})`).allInnerTexts();
}

/**
 * Answers such requests as if their token had expired, until `signInAgain` brings another.
 *
 * @param late how long the answer waits, told the number of requests before
 */
export async function refuse(
  page: Page,
  pattern: string,
  late: (before: number) => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const problem = { status: 401, title: 'Unauthorized', detail: 'The token expired.' };
  const body = JSON.stringify({ ...problem, code: 'Unauthorized', errors: [] });
  const answer = { status: 401, contentType: 'application/problem+json', body };
  let asked = 0;
  // Not the next one alone: that may be of an earlier question, which is given up before its answer.
  await page.route(pattern, async (route) => {
    await late(asked++);
    await route.fulfill(answer);
  });
}

/** Gives a new token to a page that asks for one, since `refuse` refuses requests of that pattern; it refuses no more then. */
export async function signInAgain(stage: Stage, page: Page, pattern?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  // Two tokens of one second and one life are the same, and that one is refused.
  await dialog.getByLabel('Token').fill(await stage.token(ADMIN, 7_200));
  if (pattern !== undefined) await page.unroute(pattern);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}
