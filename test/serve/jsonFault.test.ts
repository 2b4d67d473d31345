/** Where a body stops being JSON: agreed with `JSON.parse`, and said so that people can mend it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonFault } from '../../src/serve/request/jsonFault.ts';

describe('the place where a text stops being JSON', () => {
  const VALUE = 'a value (text in double quotes, a number, true, false, null, { or [)';
  const FAULTS: Readonly<Record<string, string>> = {
    '': `Line 1, column 1: ${VALUE} is expected here, but the body ends.`,
    '{': 'Line 1, column 2: a member name in double quotes or } is expected here, but the body ends.',
    '{"q": "x",}':
      'Line 1, column 11: a member name in double quotes is expected here, not "}". The comma before it is one too many.',
    '[1, 2,\n]': `Line 2, column 1: ${VALUE} is expected here, not "]". The comma before it is one too many.`,
    "{'q': 1}":
      'Line 1, column 2: a member name in double quotes or } is expected here, not "\'". JSON has no single quotes.',
    '{q: 1}': 'Line 1, column 2: a member name in double quotes or } is expected here, not "q".',
    '{"q" 1}': 'Line 1, column 6: a colon is expected here, not "1".',
    '{"q": undefined}': `Line 1, column 7: ${VALUE} is expected here, not "undefined".`,
    '{"a": 1\n "b": 2}': 'Line 2, column 2: a comma or } is expected here, not "\\"".',
    '{"a": "😀" x': 'Line 1, column 11: a comma or } is expected here, not "x".',
    '{} // done':
      'Line 1, column 4: the end of the body is expected here, not "/". JSON has no comments.',
    '[01]': 'Line 1, column 3: a comma or ] is expected here, not "1".',
    '["open': 'Line 1, column 7: the closing quote of a text is expected here, but the body ends.',
    '["a\nb"]':
      'Line 1, column 4: an escape such as \\n instead of a control character is expected here, not "\\n".',
    '["\\x"]':
      'Line 1, column 3: an escape that JSON knows, such as \\n is expected here, not "\\\\".',
    '\ufeff{}': 'The body begins with a byte order mark (U+FEFF); send it without one.',
  };
  for (const [text, sentence] of Object.entries(FAULTS)) {
    it(JSON.stringify(text), async () => {
      expect(await jsonFault(text)).equal(sentence);
    });
  }

  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('is there exactly where JSON.parse takes no text', async () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom(
          '',
          ',',
          '"',
          '}',
          ']',
          '[',
          ':',
          '\\',
          '0',
          '-',
          '.',
          'e',
          '\n',
          'tru',
          ' ',
        ),
      )
      .map(([json, at, cut, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + cut);
      });
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        expect((await jsonFault(text)) === undefined, text).equal(isJson(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is found in a text of any depth, in words that stay short', async () => {
    const deep = (await jsonFault('[{"a":'.repeat(150_000)))!;
    expect(deep).match(/^Line 1, column 900001: /);
    const long = (await jsonFault(`{"a": ${'SECRET'.repeat(100_000)}`))!;
    expect(long.length).lessThan(200);
  });
});
