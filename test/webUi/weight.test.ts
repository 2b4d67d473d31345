/** The files that a browser loads before it shows rows: with gzip, as over plain HTTP, fonts included. */
import { get } from 'node:http';
import { expect } from 'chai';
import { suite, useStage } from './stage.ts';

/** Kilobytes of 1,000 bytes. */
const MOST = 170;

/** Bytes of an answer's body as they are sent. */
const bytesOf = (address: string) =>
  new Promise<number>((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
  });

suite('the weight of the web UI', () => {
  const stage = useStage();

  for (const locale of ['en-GB', 'de-DE']) {
    it(`is ${MOST} kB at most, in ${locale}`, async function weigh() {
      const page = await stage.open('/tasks', { locale });
      await page.locator('.live.is-live').waitFor();
      const loaded = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name)",
      );
      const assets = [...new Set(loaded)].filter((name) =>
        new URL(name).pathname.includes('/assets/'),
      );
      const files = [page.url(), ...assets];
      const sizes = await Promise.all(files.map(bytesOf));
      const list = files.map((file, at) => `${new URL(file).pathname} ${sizes[at]}`);
      const kB = sizes.reduce((sum, one) => sum + one, 0) / 1_000;
      this.test!.title += `: ${kB.toFixed(1)} kB`;
      expect(kB, list.join(', ')).at.most(MOST);
      expect(list.join(), 'parts that few need').include('.woff2').not.include('provider');
    });
  }
}, 60_000);
