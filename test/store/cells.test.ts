/** JSON that is written by hand is what `JSON.stringify` makes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { writeNumber } from '../../src/store/bson/cells.ts';
import { writeJsonText } from '../../src/store/bson/jsonText.ts';
import { Output } from '../../src/store/bson/output.ts';

function writtenBy(write: (out: Output) => void): string {
  const out = new Output(1);
  out.byte(0x20);
  write(out);
  return out.take().toString().slice(1);
}

describe('values as JSON', () => {
  it('texts of all letters, escapes and halves of characters', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('a', 'é', '߿', 'ࠀ', '中', '￿', '😀', '\ud83d', '\ude00', '"', '\\', '\n'),
      fc.constantFrom('\u0000', '\u007f', '\u0080', '\u2028', '\ud7ff', '\ue000', '\udfff'),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(writtenBy((out) => writeJsonText(out, text))).equal(JSON.stringify(text));
      }),
      { numRuns: 500 },
    );
  });

  it('numbers, durations in thousandths among them', () => {
    const thousandths = fc.integer({ min: -2_000_000, max: 2_000_000_000 }).map((n) => n / 1_000);
    const number = fc.oneof(
      thousandths,
      fc.nat({ max: 5_000 }).map((n) => n / 1_000),
      thousandths.map((n) => n + Number.EPSILON * Math.abs(n)),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
    );
    fc.assert(
      fc.property(number, (n) => {
        expect(writtenBy((out) => writeNumber(out, n))).equal(JSON.stringify(n));
      }),
      { numRuns: 2_000 },
    );
  });

  it('names of any length, one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 })), (names) => {
        const known = names.map((name) => Buffer.from(name));
        const written = writtenBy((out) => {
          for (const one of known) out.put(one);
        });
        expect(written).equal(names.join(''));
      }),
    );
  });

  it('lines of any length, up to their end or that of the bytes', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', '\u000b', '\t', '\u008a', 'é', '中', '😀'),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(8), (lines, before) => {
        const text = Buffer.from(`${'\n'.repeat(before)}${lines.join('\n')}`);
        // What follows is no part of it.
        const bytes = Buffer.concat([text, Buffer.from('\nx\n')]);
        let at = before;
        const read = lines.map(() => {
          return writtenBy((out) => {
            at = out.line(bytes, at, text.length) + 1;
          });
        });
        expect(read).to.deep.equal(lines);
        expect(at).to.equal(text.length + 1);
      }),
      { numRuns: 1_000 },
    );
  });
});
