/** The service names the place of a fault in JSON, and parses large texts on a thread of their own. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { jsonFault, parseError } from '../../src/serve/request/jsonFault.ts';

const faultIn = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return jsonFault(error, text);
  }
};

describe('faults of JSON', () => {
  it('are told with their place', () => {
    expect(faultIn('{"q": "x",}')).match(/property name.* at position 10\b/);
    expect(faultIn('{}\n}')).match(/ after JSON at position 3\b/);
    expect(faultIn('\ufeff{}')).includes('byte order mark');
  });

  it('quote no half of a character', () => {
    expect(faultIn('{"a": 😀}')!.isWellFormed()).equal(true);
    expect(faultIn(`[${'1,'.repeat(20)}x,"😀😀😀😀😀😀"]`)!.isWellFormed()).equal(true);
  });

  it('stay short', () => {
    expect(faultIn(`{"a": ${'SECRET'.repeat(100_000)}`)!.length).lessThan(200);
  });

  it('are seen on another thread, at any depth', async () => {
    const deep = '[{"a":'.repeat(150_000);
    expect(await parseError(`${deep}1${'}]'.repeat(150_000)}`)).equal(undefined);
    for (const text of [deep, '{"q": "x",}', '']) {
      const error = await parseError(text);
      expect(jsonFault(error, text)).equal(faultIn(text));
    }
  });

  it('hold the event loop for no longer than a large body is text', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await parseError('['.repeat(500_000) + ']'.repeat(500_000));
    delay.disable();
    // Parsed on the event loop's own thread, it would be 400 and more.
    expect(delay.max / 1e6).lessThan(150);
  });
});
