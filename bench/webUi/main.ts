/**
 * The web UI in a Chromium: from a key stroke to painted rows, idle and while others write; and from an
 * address to rows on the screen.
 *
 *     npx tsx bench/webUi/main.ts [--tasks 1000000] [--keep folder] [--seconds 30]
 *
 * A key stroke's time runs from the `input` event to the frame in which its rows are painted: service,
 * network of this machine, JSON, layout and painting included. Counts and bars come in a frame of their
 * own, later. `npm run build` comes first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/support/chromium.ts';
import { changing } from '../changing.ts';
import { describeMachine } from '../machine.ts';
import { percentile } from '../measure.ts';
import { type ServiceProcess, startServiceProcess } from '../serviceProcess.ts';
import { openBenchStore } from '../store.ts';

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    seconds: { type: 'string', default: '30' },
  },
});

const WORDS = [
  'timeout',
  'backup',
  'worker-07',
  'example',
  'b4968',
  'sync ldap',
  'failure',
  'maria',
];
/** The time between two strokes of a fast typist, milliseconds. */
const STROKE_MS = 140;
/** Changed documents a second. */
const CHANGES = 1_000;
const VISITS = 5;

/**
 * Notes when the rows for each key are painted, and when the counts beside them are: the page marks
 * the moments at which rows and counts stand.
 */
const PROBE = `
  window.strokes = { rows: [], counts: [] };
  let began;
  const note = (name) => {
    const from = began?.[name];
    if (from === undefined) return;
    began[name] = undefined;
    requestAnimationFrame(() => setTimeout(() => strokes[name].push(performance.now() - from)));
  };
  addEventListener('input', ({ target }) => {
    if (target.id !== 'search') return;
    const now = performance.now();
    began = { rows: now, counts: now };
  }, true);
  const mark = performance.mark.bind(performance);
  performance.mark = (name, ...more) => {
    mark(name, ...more);
    note(name);
  };
`;

interface Strokes {
  readonly rows: number[];
  readonly counts: number[];
}

async function opened(browser: Browser, { url, token }: ServiceProcess): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`sessionStorage.token = ${JSON.stringify(token)};${PROBE}`);
  const page = await context.newPage();
  await page.goto(`${url}/tasks`);
  await page.locator('tr.row').first().waitFor();
  return page;
}

/** Milliseconds of each key stroke, for so many seconds. */
async function typing(page: Page, seconds: number): Promise<Strokes> {
  const ends = performance.now() + seconds * 1_000;
  await page.evaluate('strokes = { rows: [], counts: [] }');
  for (let word = 0; performance.now() < ends; word++) {
    await page.locator('#search').fill('');
    for (const letter of WORDS[word % WORDS.length]!) {
      await sleep(STROKE_MS);
      await page.keyboard.type(letter);
    }
    await sleep(STROKE_MS);
  }
  await sleep(500);
  const { rows, counts } = await page.evaluate<Strokes>('strokes');
  return { rows: rows.sort((a, b) => a - b), counts: counts.sort((a, b) => a - b) };
}

/** From an address to the first paint, and to rows, of a browser that has nothing of it yet. */
async function visits(browser: Browser, service: ServiceProcess) {
  const paints: number[] = [];
  const rows: number[] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const page = await opened(browser, service);
    rows.push(await page.evaluate<number>('performance.now()'));
    paints.push(
      await page.evaluate<number>(
        'performance.getEntriesByName("first-contentful-paint")[0].startTime',
      ),
    );
    await page.context().close();
  }
  return { paint: Math.max(...paints), rows: Math.max(...rows) };
}

const shown = (ms: number) => `${ms.toFixed(1)} ms`;

const store = await openBenchStore(options.keep);
const place = await store.place(Number(options.tasks));
const service = await startServiceProcess(place);
const browser = await launchChromium();
try {
  const seconds = Number(options.seconds);
  const first = await visits(browser, service);
  const page = await opened(browser, service);
  await typing(page, 3);
  const idle = await typing(page, seconds);
  const stop = changing(place, CHANGES);
  const writing = await typing(page, seconds);
  const rate = await stop();
  // On a machine that is busy otherwise no stroke may be painted before the next one.
  const both = (times: number[]) =>
    times.length === 0
      ? 'none'
      : `p50 ${shown(percentile(times, 0.5))}, p95 ${shown(percentile(times, 0.95))}`;
  const line = ({ rows, counts }: Strokes) =>
    `${both(rows)} of ${rows.length} strokes; counts and bars ${both(counts)}`;
  console.log(JSON.stringify(describeMachine(store.mongod)));
  console.log(`${place.tasks} tasks, from key stroke to painted rows`);
  console.log(`  idle:                       ${line(idle)} (bar: p95 50 ms)`);
  console.log(`  ${Math.round(rate)} changes a second: ${line(writing)}`);
  console.log(`first paint ${shown(first.paint)}, rows ${shown(first.rows)} (worst of ${VISITS})`);
} finally {
  await browser.close();
  await service.stop();
  await store.stop();
}
