/** JSON that is written by hand is what `JSON.stringify` makes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { writeJsonText, writeNumber } from '../../src/mongo/bson/cells.ts';
import { Known, Output } from '../../src/mongo/bson/output.ts';

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
        const known = names.map((name) => new Known(name));
        const written = writtenBy((out) => {
          for (const one of known) out.known(one);
        });
        expect(written).equal(names.join(''));
      }),
    );
  });
});
