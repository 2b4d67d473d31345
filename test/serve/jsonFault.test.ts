/** The service names the place of a fault in JSON, and checks large texts without parsing them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isJson, jsonFault } from '../../src/serve/request/jsonFault.ts';

const faultIn = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return jsonFault(error, text);
  }
};

const PIECES = ['', ',', '"', '}', ']', '[', ':', '\\', '0', '-', '.', 'e', '\n', 'tru', ' '];

describe('faults of JSON', () => {
  it('are told with line and column', () => {
    expect(faultIn('{"q": "x",}')).match(/property name.* at line 1, column 11\.$/);
    expect(faultIn('{"a": 1\n "b": 2}')).match(/ at line 2, column 2\.$/);
    expect(faultIn('\n\n[1 2]')).match(/ at line 3, column 4\.$/);
    expect(faultIn('{}\n}')).match(/ after JSON at line 2, column 1\.$/);
    expect(faultIn('\ufeff{}')).includes('byte order mark');
  });

  it('quote no half of a character', () => {
    expect(faultIn('{"a": 😀}')!.isWellFormed()).equal(true);
    expect(faultIn(`[${'1,'.repeat(20)}x,"😀😀😀😀😀😀"]`)!.isWellFormed()).equal(true);
  });

  it('stay short', () => {
    expect(faultIn(`{"a": ${'SECRET'.repeat(100_000)}`)!.length).lessThan(200);
  });

  it('are seen without parsing exactly where JSON.parse sees one', async () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom(...PIECES))
      .map(([json, at, cut, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + cut);
      });
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        expect(await isJson(text), text).equal(faultIn(text) === undefined);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are seen at any depth', async () => {
    const deep = '[{"a":'.repeat(150_000);
    expect(await isJson(`${deep}1${'}]'.repeat(150_000)}`)).equal(true);
    expect(await isJson(deep)).equal(false);
  });

  it('are seen in a string of escapes about as soon as in one of letters', async () => {
    const quickest = async (inside: string): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 9; i++) {
        const began = performance.now();
        await isJson(`["${inside}"`);
        least = Math.min(least, performance.now() - began);
      }
      return least;
    };
    const letters = await quickest('a'.repeat(1_000_000));
    // Twice the time of letters; escape by escape it was sixty times, and held the event loop for 30 ms.
    expect(await quickest('\\n'.repeat(500_000))).below(15 * letters);
  });

  it('are seen with little memory, however deep', async () => {
    const text = '['.repeat(2 ** 23);
    let most = 0;
    const before = process.memoryUsage().heapUsed;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }, 1);
    expect(await isJson(text)).equal(false);
    clearInterval(watch);
    expect(most).lessThan(32e6);
  });
});
