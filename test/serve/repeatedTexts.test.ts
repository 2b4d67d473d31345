/** Texts that repeat are written as others are, whichever of them are known and whether that is worth it or not. */
import { expect } from 'chai';
import fc from 'fast-check';
import { RepeatedTexts } from '../../src/serve/answer/repeatedTexts.ts';
import { Output } from '../../src/store/bson/output.ts';

const HEAD = ',"name":';

describe('texts that repeat', () => {
  it('are their JSON each time: short and long, few, many and ever others', () => {
    const letter = fc.constantFrom('a', 'é', '中', '😀', '\ud83d', '"', '\\', '\n', '\u0000');
    const text = fc.oneof(
      fc.string({ unit: letter, maxLength: 70 }),
      fc.nat(5).map((n) => 'x'.repeat(46 + n)),
    );
    // A part of them is new for so long that looking them up does not pay, and then again all are old.
    const phase = fc.record({
      texts: fc.array(text, { minLength: 1, maxLength: 300 }),
      length: fc.integer({ min: 1, max: 4_000 }),
      fresh: fc.constantFrom(0, 1, 2, 7),
    });
    fc.assert(
      fc.property(fc.array(phase, { minLength: 1, maxLength: 8 }), (phases) => {
        const texts = new RepeatedTexts(HEAD);
        const out = new Output(64);
        let written = 0;
        for (const { texts: some, length, fresh } of phases) {
          for (let n = 0; n < length; n++) {
            const old = some[n % some.length]!;
            const one = fresh > 0 && n % fresh === 0 ? `${old}${written++}` : old;
            out.length = 0;
            texts.write(out, one);
            expect(out.take().toString()).to.equal(HEAD + JSON.stringify(one));
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are their JSON where they have numbers, though a number stands for another text later', () => {
    const text = fc.oneof(
      fc.nat(40).map((n) => `text ${n}`),
      fc.nat(8).map((n) => 'é"'.repeat(n * 5)),
    );
    const number = fc.oneof(fc.nat(6), fc.constantFrom(300, 16_383, 16_384, 2 ** 31));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, number), { minLength: 50, maxLength: 400 }), (all) => {
        const texts = new RepeatedTexts(HEAD);
        const out = new Output(64);
        for (const [one, its] of [...all, ...all]) {
          out.length = 0;
          texts.write(out, one, its);
          expect(out.take().toString()).to.equal(HEAD + JSON.stringify(one));
        }
      }),
    );
  });
});
