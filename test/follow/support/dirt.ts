/** Documents with anything in them: every BSON type, in members, in arrays, in arrays of arrays. */
import fc from 'fast-check';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';

const TEXTS = ['', 'a', 'anna', 'ANNA@x.com', '😀', '\uffff', 'a\u0000b', 'Ω', '5', 'zz'];
const INTEGERS = ['0', '1', '-1', '5', '9007199254740991', '9007199254740993', '-9007199254740995'];
const DECIMALS = [
  '5',
  '5.0',
  '0.5',
  '1E3',
  '-0',
  'NaN',
  'Infinity',
  '-Infinity',
  '9007199254740993',
];

const numbers = fc.oneof(
  fc.constantFrom(-1, 0, 1, 5).map((value) => new Int32(value)),
  fc
    .constantFrom(0, -0, 0.5, 5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 2 ** 53, -(2 ** 60))
    .map((value) => new Double(value)),
  fc.constantFrom(...INTEGERS, '4611686018427387905').map((text) => Long.fromString(text)),
  fc.constantFrom(...DECIMALS).map((text) => Decimal128.fromString(text)),
);

const oddOnes = fc.oneof(
  fc.constantFrom(1, 2).map((n) => new ObjectId(`00000000000000000000000${n}`)),
  fc.constantFrom('', 'a', 'ab').map((text) => new Binary(Buffer.from(text))),
  fc.constantFrom(1, 2).map((t) => new Timestamp({ t, i: 1 })),
  // Never one that the store is asked for here: `$regex` matches a stored pattern that is its very own.
  fc.constantFrom('q', 'r').map((pattern) => new BSONRegExp(pattern, 'i')),
  fc.constantFrom('a', 'anna').map((text) => new BSONSymbol(text)),
  fc.constantFrom('a', 'b').map((text) => new Code(text)),
  fc.constantFrom('a', 'b').map((text) => new Code(text, { x: 1 })),
  fc.constantFrom(new MinKey(), new MaxKey()),
  fc.constant(undefined),
);

const plain = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: numbers },
  fc.constantFrom(null, true, false),
  fc.constantFrom(-1, 0, 1_700_000_000_000).map((ms) => new Date(ms)),
  oddOnes,
);

/** Any value; objects in it have members `a`, `b` and `c`. */
export const values = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: plain },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: tie('object') },
  ),
  object: fc.record({ a: tie('value'), b: tie('value'), c: tie('value') }, { requiredKeys: [] }),
})).value;

/** Members of a document, without `_id`. */
export const members = fc.record({ a: values, b: values }, { requiredKeys: [] });
