/**
 * A Chromium for tests of the web UI: the one that `CHROMIUM` names, or else one on the `PATH`. Tests
 * are skipped, aloud, where there is none: `apt-get install chromium-headless-shell` brings one on
 * Debian.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first has no windows to make: a page takes less than half of the processor time there. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Where a Chromium is; undefined where none is found. */
export function chromiumPath(): string | undefined {
  const named = process.env.CHROMIUM?.trim();
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find((file) => isExecutable(file));
}

/**
 * A browser without a window. Its sandbox needs what containers do not give to root. Letters look alike in
 * each Chromium: one for windows takes this hinting from the system.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no Chromium; set CHROMIUM to one');
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--font-render-hinting=slight',
    ],
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
