/**
 * The page of fixtures against the pictures in `test/webUi/fixtures`: each state of each component, light and dark.
 * `KEEP_PICTURES=1` keeps what it shows now; the folder `build/differences` has what differs.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { chromiumPath, launchChromium } from '../support/chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CONFIG = path.join(ROOT, 'web/fixtures/vite.config.ts');
const BUILT = path.join(ROOT, 'build/fixtures');
const KEPT = path.join(import.meta.dirname, 'fixtures');
const DIFFERENCES = path.join(ROOT, 'build/differences');

const KEEPS = process.env.KEEP_PICTURES === '1';
/** Blocks of 4 by 4 pixels that may differ: less than a letter. On one machine none does. */
const MOST = 2;
const ORIGIN = 'http://fixtures.invalid';
const NOW = '2026-11-20T12:00:00.000Z';
const TYPES: Readonly<Record<string, string>> = {
  ...{ html: 'text/html', js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' },
};

interface Scene {
  readonly name: string;
  readonly size: readonly [number, number];
}

const suite = chromiumPath() ? describe : describe.skip;

suite('components of the web UI look as they did (skipped where no Chromium is found)', function fixtures() {
  this.timeout(120_000);
  let browser: Browser;
  let scenes: readonly Scene[] = [];
  /** Compares pictures. */
  let lens: Page;
  before(async () => {
    await build({ configFile: CONFIG, logLevel: 'warn' });
    browser = await launchChromium();
    lens = await open();
    await lens.goto(`${ORIGIN}/`);
    scenes = await lens.evaluate<readonly Scene[]>('scenes');
    await mkdir(KEPT, { recursive: true });
    await mkdir(DIFFERENCES, { recursive: true });
  });
  after(() => browser?.close());

  async function open(): Promise<Page> {
    const context = await browser.newContext({
      ...{ viewport: { width: 1440, height: 900 } },
      ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    await page.route(`${ORIGIN}/**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
      const body = await readFile(path.join(BUILT, name)).catch(() => undefined);
      await (body === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({ body, contentType: TYPES[name.split('.').pop()!] ?? 'text/plain' }));
    });
    return page;
  }

  it('in each scene, light and dark', async () => {
    const page = await open();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    for (const { name, size } of scenes) {
      await page.goto(`${ORIGIN}/?scene=${name}`);
      await page.evaluate('document.fonts.ready');
      // Answers arrive, and marks of waiting show after 150 ms.
      await page.waitForTimeout(250);
      const clip = { x: 0, y: 0, width: size[0], height: size[1] };
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const shot = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
        const file = `${name}-${colorScheme}.png`;
        const fault = await faultOf(file, shot);
        if (fault === undefined) continue;
        await writeFile(path.join(DIFFERENCES, file), shot);
        faults.push(`${file}: ${fault}`);
      }
    }
    expect(faults, 'see build/differences; KEEP_PICTURES=1 keeps what is right').eql([]);
  });

  async function faultOf(file: string, shot: Buffer): Promise<string | undefined> {
    const kept = path.join(KEPT, file);
    const now = await lens.evaluate<string>(`pictures.reduced('${shot.toString('base64')}')`);
    const known = existsSync(kept) ? await readFile(kept, 'base64') : undefined;
    const found =
      known &&
      (await lens.evaluate<{ blocks: number; png: string }>(
        `pictures.compared('${now}', '${known}')`,
      ));
    if (found && found.blocks <= MOST) return undefined;
    if (KEEPS) {
      await writeFile(kept, now, 'base64');
      return undefined;
    }
    if (!found) return 'no picture of it is kept';
    const { blocks, png } = found;
    await writeFile(path.join(DIFFERENCES, `differs-${file}`), png, 'base64');
    return `${blocks} blocks differ`;
  }

  it('and no picture is kept of a scene that is gone', async () => {
    const known = scenes.flatMap(({ name }) => [`${name}-dark.png`, `${name}-light.png`]);
    expect((await readdir(KEPT)).sort()).eql(known.sort());
  });
});
