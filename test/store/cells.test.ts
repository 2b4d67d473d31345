/** JSON that is written by hand equals that of `JSON.stringify`. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  Binary,
  BSON,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { type Plain, writeJson } from '../../src/store/bson/cells.ts';
import { decode } from '../../src/store/bson/decode.ts';
import { Output } from '../../src/store/bson/output.ts';
import {
  boolean,
  date,
  json,
  number,
  type Presenter,
  text,
} from '../../src/tables/definition/record.ts';
import { storedMember } from '../../src/tables/definition/storedMembers.ts';

const SPECIAL = [
  ...[
    '',
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    'a,b',
    '"',
    'x\r\ny',
    'ß',
    '日本',
    '😀',
    '\u2028',
  ],
  ...['\u0000', '\b\f\n\t\r', '\u001f', '\u007f', '\\', 'x'.repeat(70_000), '=ß,"'],
  ...[0, -0, 7, 10, -1, 1.5, 1e21, 1e-7, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, Number.NaN],
  ...[Number.POSITIVE_INFINITY, true, false, null, undefined],
  ...[0, 1, -1, 8.64e15, -8.64e15, Date.UTC(2026, 9, 25), 253402300799999].map((n) => new Date(n)),
  ...[253402300800000, -62167219200000, -62167219200001, 951782400000].map((n) => new Date(n)),
  ...[Long.fromString('9007199254740993'), Long.fromNumber(5), new Int32(3), new Double(4)],
  ...[Decimal128.fromString('1.50'), new BSONSymbol('=symbol'), new Binary(Buffer.from('abc'))],
  ...[new ObjectId('0123456789abcdef01234567'), new Timestamp({ t: 1, i: 2 }), /x/i],
  ...[new MinKey(), new MaxKey(), [], {}, [1, 'a', null], { a: { b: [new Date(0)] } }],
  ...[{ user_email: 'a@b', other: { key: '"' } }, [{ user_id: 1, role: 'owner' }, 5]],
];

/** Around the last safe integer, where a sum of two of them is rounded. */
const atSafeEnd = fc.bigInt({ min: 2n ** 53n - 64n, max: 2n ** 53n + 64n });
const anyDecimal = fc
  .tuple(
    fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 20n }), atSafeEnd),
    fc.integer({ min: -12, max: 3 }),
    fc.constantFrom('', '-'),
  )
  .map(([digits, exponent, sign]) => Decimal128.fromString(`${sign}${digits}E${exponent}`));
const anyText = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed());
/** Names that JavaScript or the driver take for something else, and others; in a Map they keep their order. */
const anyName = fc.oneof(
  fc.constantFrom('0', '12', '07', '$ref', '$id', '__proto__', 'a', 'b"', 'ü'),
  fc.constantFrom('_bsontype', 'toString', 'toJSON'),
  anyText.filter((text) => !text.includes('\0')),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom(...SPECIAL) },
    anyText,
    fc.double(),
    fc.integer(),
    atSafeEnd.map((n) => Long.fromBigInt(n)),
    atSafeEnd.map((n) => new Double(-Number(n))),
    anyDecimal,
    fc.date(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(anyName, tie('value')), { maxLength: 5 })
      .map((members) => new Map(members as [string, unknown][])),
  ),
}));

/** The presenters of each kind. */
const PRESENTERS: Readonly<Record<Plain, Presenter>> = {
  text: text('a'),
  boolean: boolean('a'),
  number: number('a'),
  date: date('a'),
  value: storedMember('a', 'string'),
  json: json('a'),
};

/** The JSON of the one member `a`; undefined where its presenter has to write it. */
function stored(as: Plain, bytes: Uint8Array): string | undefined {
  const out = new Output(1);
  const isWritten = writeJson(out, as, bytes[4]!, bytes, 7, bytes.length - 1);
  const written = out.take().toString();
  if (!isWritten) expect(written).equal('');
  return isWritten ? written : undefined;
}

function writtenBy(write: (out: Output) => void): string {
  const out = new Output(1);
  out.byte(0x20);
  write(out);
  return out.take().toString().slice(1);
}

describe('values as JSON', () => {
  for (const [as, presenter] of Object.entries(PRESENTERS) as [Plain, Presenter][]) {
    it(`as their presenter shows them (${as}), or left to it`, () => {
      fc.assert(
        fc.property(anyValue, (value) => {
          const bytes = BSON.serialize({ a: value }, { ignoreUndefined: false });
          const shown = presenter({ document: decode(bytes), joined: {} }, {} as never);
          expect(stored(as, bytes)).oneOf([JSON.stringify(shown), undefined]);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('of objects with a member `_bsontype`, which is data', () => {
    for (const kind of ['Long', 'Binary', 'x']) {
      const value = new Map<string, unknown>([
        ['_bsontype', kind],
        ['toString', 1],
      ]);
      const document = decode(BSON.serialize({ a: value }));
      const shown = (by: Presenter) => by({ document, joined: {} }, {} as never);
      expect(shown(json('a'))).eql({ _bsontype: kind, toString: 1 });
      expect([shown(number('a')), shown(text('a'))]).eql([null, null]);
    }
  });

  it('of references and code, member by member', () => {
    const value = [new DBRef('b', new ObjectId('0123456789abcdef01234567')), new Code('f')];
    const document = decode(BSON.serialize({ a: value }));
    const shown = json('a')({ document, joined: {} }, {} as never);
    expect(shown).eql([{ $ref: 'b', $id: '0123456789abcdef01234567' }, { code: 'f' }]);
  });

  it('leaves an object with a name that is there twice to its presenter', () => {
    const inner = BSON.serialize({ b: 1, c: 2 });
    inner[inner.indexOf('c'.charCodeAt(0))] = 'b'.charCodeAt(0);
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 0, 3, 0x61, 0]), inner, Buffer.from([0])]);
    bytes.writeInt32LE(bytes.length, 0);
    expect(stored('json', bytes)).equal(undefined);
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
        // The bytes behind the text are no part of it.
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
