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

  it('are seen on another thread, at any depth', async () => {
    const deep = '[{"a":'.repeat(150_000);
    expect(await parseError(`${deep}1${'}]'.repeat(150_000)}`)).equal(undefined);
    for (const text of [deep, '{"q": "x",}', '']) {
      const error = await parseError(text);
      expect(jsonFault(error, text)).equal(faultIn(text));
    }
  });

  it('hold the event loop for no longer than a large body is text', async () => {
    let least = Number.POSITIVE_INFINITY;
    // Several times: other work on the machine holds the event loop too.
    for (let i = 0; i < 5 && least > 150; i++) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await parseError('['.repeat(500_000) + ']'.repeat(500_000));
      delay.disable();
      least = Math.min(least, delay.max / 1e6);
    }
    // Parsed on the event loop's own thread, it would be 400 and more.
    expect(least).lessThan(150);
  });
});
