/**
 * The page of fixtures against the pictures in `test/webUi/fixtures`: each state of each component,
 * light and dark. `KEEP_PICTURES=1` keeps the new pictures; `build/differences` has the
 * differences.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { suite } from './stage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const CONFIG = path.join(ROOT, 'web/fixtures/vite.config.ts');
const BUILT = path.join(ROOT, 'build/fixtures');
const KEPT = path.join(import.meta.dirname, 'fixtures');
const DIFFERENCES = path.join(ROOT, 'build/differences');

const KEEPS = process.env.KEEP_PICTURES === '1';
/** How long a picture may take to agree, milliseconds: beside other work, fonts and answers come late. */
const PATIENCE_MS = 3_000;
/** Blocks of 4 by 4 pixels that may differ: less than a letter. On one machine none does. */
const MOST = 2;
const NOW = '2026-11-20T12:00:00.000Z';
const TYPES: Readonly<Record<string, string>> = {
  ...{ html: 'text/html', js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' },
};

interface Scene {
  readonly name: string;
  readonly size: readonly [number, number];
}

type Clip = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

interface Shot {
  readonly png: Buffer;
  /** The picture as it is kept, in base64; and so the blocks that differ. */
  readonly reduced: string;
  readonly blocks: number;
  readonly differs?: string;
}

suite('components of the web UI look as they did', () => {
  let browser: Browser;
  let origin: string;
  // A browser caches the files of a server, but not those of a test's route: each scene loads all
  // of them.
  const server = createServer(async (request, response) => {
    const name = new URL(request.url!, origin).pathname.slice(1) || 'index.html';
    const body = await readFile(path.join(BUILT, name)).catch(() => undefined);
    const type = TYPES[name.split('.').pop()!] ?? 'text/plain';
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'cache-control': 'max-age=600' });
    response.end(body);
  });
  let scenes: readonly Scene[] = [];
  /** Compares pictures. */
  let lens: Page;
  before(async () => {
    // In its own process: Vite sets NODE_ENV, which later files of this one would meet.
    const args = [VITE, 'build', '--config', CONFIG, '--logLevel', 'warn'];
    await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
    lens = await open();
    await lens.goto(`${origin}/`);
    scenes = await lens.evaluate<readonly Scene[]>('scenes');
    await mkdir(KEPT, { recursive: true });
    await mkdir(DIFFERENCES, { recursive: true });
  });
  after(async () => {
    await browser?.close();
    server.close();
  });

  async function open(): Promise<Page> {
    const context = await browser.newContext({
      ...{ viewport: { width: 1440, height: 900 } },
      ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    return page;
  }

  it('in each scene, light and dark', async () => {
    const page = await open();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    for (const { name, size } of scenes) {
      await page.goto(`${origin}/?scene=${name}`);
      await page.evaluate('document.fonts.ready');
      // Answers arrive, and marks of waiting show after 150 ms.
      await page.waitForTimeout(250);
      const clip = { x: 0, y: 0, width: size[0], height: size[1] };
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const fault = await faultOf(`${name}-${colorScheme}.png`, page, clip);
        if (fault !== undefined) faults.push(fault);
      }
    }
    expect(faults, 'see build/differences; KEEP_PICTURES=1 keeps what is right').eql([]);
  });

  /** How the page differs from the picture that is kept of it, after some patience. */
  async function faultOf(file: string, page: Page, clip: Clip): Promise<string | undefined> {
    const kept = path.join(KEPT, file);
    const known = existsSync(kept) ? await readFile(kept, 'base64') : undefined;
    const deadline = performance.now() + PATIENCE_MS;
    let shot = await taken(page, clip, known);
    while (shot.blocks > MOST && performance.now() < deadline) {
      await page.waitForTimeout(100);
      shot = await taken(page, clip, known);
    }
    if (shot.blocks <= MOST) return undefined;
    if (KEEPS) {
      await writeFile(kept, shot.reduced, 'base64');
      return undefined;
    }
    await writeFile(path.join(DIFFERENCES, file), shot.png);
    if (shot.differs === undefined) return `${file}: no picture of it is kept`;
    await writeFile(path.join(DIFFERENCES, `differs-${file}`), shot.differs, 'base64');
    return `${file}: ${shot.blocks} blocks differ`;
  }

  /** A picture of the page, and the blocks in which it differs from the known one: all where none is known. */
  async function taken(page: Page, clip: Clip, known: string | undefined): Promise<Shot> {
    const png = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
    const reduced = await lens.evaluate<string>(`pictures.reduced('${png.toString('base64')}')`);
    if (known === undefined) return { png, reduced, blocks: Number.POSITIVE_INFINITY };
    const { blocks, png: differs } = await lens.evaluate<{ blocks: number; png: string }>(
      `pictures.compared('${reduced}', '${known}')`,
    );
    return { png, reduced, blocks, differs };
  }

  it('and no picture is kept of a scene that is gone', async () => {
    const known = scenes.flatMap(({ name }) => [`${name}-dark.png`, `${name}-light.png`]);
    expect((await readdir(KEPT)).sort()).eql(known.sort());
  });
}, 600_000);
