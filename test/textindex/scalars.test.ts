import { expect } from 'chai';
import fc from 'fast-check';
import type { Scalar } from '../../src/textindex/api.ts';
import {
  decimalFrom,
  decimalOf,
  decimalText,
  isDecimal,
  isShortest,
  nearest,
  shortestDecimal,
} from '../../src/textindex/decimal.ts';
import {
  compareScalars,
  EMPTY_ARRAY,
  prefixKey,
  scalarKey,
  sharedBeginning,
  sortKey,
} from '../../src/textindex/scalars.ts';
import { TYPE_ORDER } from '../../src/textindex/typeOrder.ts';
import { keyAfter } from '../oracles/keyAfter.ts';

/** Ascending; the members of one line are equal to each other. */
const LADDER: readonly (readonly Scalar[])[] = [
  [{ typeOrder: TYPE_ORDER.minKey, key: '' }],
  [EMPTY_ARRAY],
  [null],
  [Number.NaN],
  [Number.NEGATIVE_INFINITY],
  [-(2n ** 63n)],
  [-1.5],
  [0, -0, 0n],
  [1, 1n],
  [2 ** 53, 2n ** 53n],
  [2n ** 53n + 1n],
  [2 ** 60, 2n ** 60n],
  [Number.POSITIVE_INFINITY],
  [''],
  ['Z'],
  ['a'],
  ['a\0'],
  ['aa'],
  ['é'],
  ['\ue000'],
  ['\ufffd', '\ud83d', '\ude00'],
  ['\uffff'],
  ['😀'],
  ['😁'],
  [{ typeOrder: TYPE_ORDER.object, key: 'a' }],
  [{ typeOrder: TYPE_ORDER.object, key: 'b' }],
  [{ typeOrder: TYPE_ORDER.objectId, key: 'a'.repeat(12) }],
  [false],
  [true],
  [{ typeOrder: 44.5, key: '' }],
  [new Date(-1)],
  [new Date(0), new Date(Number.NaN)],
  [new Date(1)],
  [{ typeOrder: TYPE_ORDER.timestamp, key: '' }],
];

describe('scalars', () => {
  it('compare in the order of MongoDB', () => {
    for (const [i, lower] of LADDER.entries()) {
      for (const [j, upper] of LADDER.entries()) {
        for (const a of lower) {
          for (const b of upper) {
            const label = `${scalarKey(a)} ${scalarKey(b)}`;
            expect(Math.sign(compareScalars(a, b)), label).to.equal(Math.sign(i - j));
            expect(scalarKey(a) === scalarKey(b), label).to.equal(i === j);
          }
        }
      }
    }
  });

  it('have a number that never decreases along the order', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aA\0é\ue000\uffff😀\ud83d'), maxLength: 8 });
    const date = fc.oneof(fc.nat(9), fc.constantFrom(-8.64e15, 8.64e15)).map((ms) => new Date(ms));
    const anything = fc.oneof<fc.Arbitrary<Scalar>[]>(
      fc.constantFrom(...LADDER.flat()),
      ...[text, fc.double(), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), date],
    );
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const order = compareScalars(a, b);
        const label = `${scalarKey(a)} ${scalarKey(b)}`;
        if (order === 0) expect(prefixKey(a), label).equal(prefixKey(b));
        if (order < 0) expect(prefixKey(a), label).most(prefixKey(b));
        if (order > 0) expect(prefixKey(a), label).least(prefixKey(b));
      }),
      { numRuns: 5_000 },
    );
    expect(prefixKey('same s')).equal(prefixKey('same six'));
    expect(prefixKey('same')).below(prefixKey('samf'));
    expect(prefixKey(1)).below(prefixKey(1.0001));
    expect(prefixKey(new Date(0))).below(prefixKey(new Date(64)));
  });

  it('have such a number after a beginning that texts share', () => {
    const unit = fc.constantFrom(...'aé\uffff😀\u{1f601}\ud83d\0');
    const text = fc.string({ unit, maxLength: 6 });
    const long = fc.tuple(fc.constantFrom('', 'a', 'aa', '😀'), text).map((of) => of.join(''));
    const anything = fc.oneof<fc.Arbitrary<Scalar>[]>(
      ...[long, long, long],
      fc.constantFrom(...LADDER.flat()),
    );
    fc.assert(
      fc.property(long, long, anything, anything, (one, other, a, b) => {
        const shared = sharedBeginning(one, other);
        for (const text of [one, other]) {
          expect(text.replace(/\p{Surrogate}/gu, '\ufffd').startsWith(shared)).equal(true);
        }
        expect(shared).not.match(/\p{Surrogate}/u);
        const order = compareScalars(a, b);
        const label = JSON.stringify([shared, scalarKey(a), scalarKey(b)]);
        if (order === 0) expect(keyAfter(shared, a), label).equal(keyAfter(shared, b));
        if (order < 0) expect(keyAfter(shared, a), label).most(keyAfter(shared, b));
        if (order > 0) expect(keyAfter(shared, a), label).least(keyAfter(shared, b));
      }),
      { numRuns: 5_000 },
    );
    expect(sharedBeginning('https://a/1', 'https://a/23')).equal('https://a/');
    expect(sharedBeginning('x😀', 'x😁')).equal('x');
    expect(keyAfter('https://a/', 'https://a/1')).below(keyAfter('https://a/', 'https://a/2'));
  });

  it('are the same for a coefficient that is a number as for the same bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(22), fc.nat(30), (n, zeros, places) => {
        const coefficient = zeros > 15 ? n : Math.trunc(n / 10 ** zeros) * 10 ** zeros;
        const decimal = decimalOf(BigInt(coefficient), -places);
        expect(decimalOf(coefficient, -places)).eql(decimal);
        if (!isDecimal(decimal)) return;
        const written = shortestDecimal(decimal.near);
        expect(isShortest(decimal)).equal(compareScalars(written, decimal) === 0);
        expect(nearest(decimal)).equal(Number(`${coefficient}E${-places}`));
      }),
      { numRuns: 2_000 },
    );
    expect(decimalOf(-0, -2)).equal(0);
    expect(decimalOf(5, -1)).equal(0.5);
    expect(decimalOf(12, 2)).equal(1_200);
  });

  it('are written in short texts, from which the same decimals are read', () => {
    const texts = [
      ...['12.34', '1.2E-7', '9007199254740993', '-9007199254740993'],
      ...[`${'9'.repeat(33)}1`, '1E+34', '-1.5E+40', '1E+308', '-1E+6144'],
      `9.${'9'.repeat(33)}E+6144`,
    ];
    for (const text of texts) {
      const decimal = decimalFrom(text);
      if (typeof decimal === 'number' || decimal === undefined) throw new Error(text);
      expect(decimalText(decimal)).equal(text);
    }
  });

  it('take the least element of an array ascending, the greatest descending', () => {
    expect(sortKey([3, null, 'x'], false)).to.equal(null);
    expect(sortKey([3, null, 'x'], true)).to.equal('x');
    expect(sortKey([], true)).to.equal(EMPTY_ARRAY);
    expect(sortKey(7, true)).to.equal(7);
  });
});
