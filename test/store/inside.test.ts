/**
 * Values inside of members, written from bytes, equal those of the presenters of stored members.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { BSON, Decimal128, type Document, Long, ObjectId, Timestamp } from 'mongodb';
import { writeJson } from '../../src/store/bson/cells.ts';
import { decode } from '../../src/store/bson/decode.ts';
import { compileInside } from '../../src/store/bson/inside.ts';
import { Members } from '../../src/store/bson/members.ts';
import { Output } from '../../src/store/bson/output.ts';
import { storedListMember, storedMember } from '../../src/tables/definition/storedMembers.ts';

const simple = fc.oneof(
  fc.constantFrom(null, undefined, true, false, 0, -1.5, 2 ** 53, Number.NaN, new Date(0)),
  fc.constantFrom('', 'é"', new ObjectId('0123456789abcdef01234567')),
  fc.integer(),
  fc.constantFrom('12.50', '-0.00', '0E-7', '1E+3').map((text) => Decimal128.fromString(text)),
  fc.constantFrom('-5', '9007199254740993').map((text) => Long.fromString(text)),
);
/** Written by the presenter alone. */
const odd = fc.constantFrom(
  /x/,
  Timestamp.fromBits(1, 2),
  new BSON.DBRef('a', new ObjectId()),
  Buffer.from('x'),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: simple, weight: 4 },
    { arbitrary: odd, weight: 1 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 4 },
    { arbitrary: tie('object'), weight: 5 },
  ),
  object: fc.dictionary(fc.constantFrom('b', 'c', 'buffer', 'low', '$x'), tie('value'), {
    maxKeys: 3,
  }),
}));
const path = fc
  .array(fc.constantFrom('b', 'b', 'c', 'buffer', 'low'), { maxLength: 3 })
  .map((names) => ['a', ...names]);

function writtenInside(bytes: Uint8Array, [first, ...names]: string[], several: boolean) {
  const members = new Members([first!]);
  members.read(bytes);
  const out = new Output(1);
  const write = compileInside({ names, several });
  const isWritten = write(out, members.types[0]!, bytes, members.starts[0]!);
  expect(isWritten || out.length === 0).equal(true);
  return isWritten ? out.take().toString() : undefined;
}

describe('JSON of values inside of a stored member', () => {
  it('is what the presenter shows, or is left to it', () => {
    let written = 0;
    let all = 0;
    fc.assert(
      fc.property(value, path, fc.boolean(), (a, names, several) => {
        const bytes = BSON.serialize({ a }, { ignoreUndefined: false });
        const member = (several ? storedListMember : storedMember)(names.join('.'), 'mixed');
        const shown = member({ document: decode(bytes), joined: {} }, {} as never);
        const json = writtenInside(bytes, names, several);
        all++;
        if (json === undefined) return;
        written++;
        expect(json).equal(JSON.stringify(shown));
      }),
      { numRuns: 3_000 },
    );
    expect(written / all).above(0.6);
  });

  it('takes the last one of two members with one name, as the driver does', () => {
    const inner = BSON.serialize({ b: 1, c: 2 });
    inner[inner.indexOf('c'.charCodeAt(0))] = 'b'.charCodeAt(0);
    const head = Buffer.from([0, 0, 0, 0, 3, 'a'.charCodeAt(0), 0]);
    const bytes = Buffer.concat([head, inner, Buffer.from([0])]);
    bytes.writeInt32LE(bytes.length, 0);
    expect(decode(bytes)).eql({ a: { b: 2 } });
    expect(writtenInside(bytes, ['a', 'b'], false)).equal('2');
  });

  it('has decimals and longs as the driver has them, or leaves them', () => {
    let left = 0;
    let all = 0;
    const digits = fc.bigInt({ min: 0n, max: 2n ** 60n });
    fc.assert(
      fc.property(digits, fc.integer({ min: -40, max: 3 }), fc.boolean(), (n, exponent, minus) => {
        const decimal = Decimal128.fromString(`${minus ? '-' : ''}${n}E${exponent}`);
        for (const stored of [decimal, Long.fromBigInt(minus ? -n : n)]) {
          const bytes = BSON.serialize({ a: stored } as Document);
          const out = new Output(1);
          const isWritten = writeJson(out, 'json', bytes[4]!, bytes, 7, bytes.length - 1);
          all++;
          if (!isWritten) left++;
          if (!isWritten) continue;
          const shown = storedMember('a', 'mixed')(
            { document: decode(bytes), joined: {} },
            {} as never,
          );
          expect(out.take().toString()).equal(JSON.stringify(shown));
        }
      }),
      { numRuns: 1_000 },
    );
    expect(left / all)
      .below(0.9)
      .and.above(0.1);
  });
});
