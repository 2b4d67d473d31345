/**
 * Values for random documents, and for questions about them.
 *
 * Pools are small, so that values meet: equal ones of different types, ids and their texts, similar
 * letters. The least and the greatest value of each type are among them.
 */
import fc from 'fast-check';
import {
  Binary,
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
  UUID,
} from 'mongodb';
import type { FieldType } from '../../../src/tables/definition/definition.ts';
import { UNDEFINED } from '../../follow/support/rawInsert.ts';

const OBJECT_IDS = [
  '65f000000000000000000001',
  '65f00000000000000000000a',
  '65f0ffffaaaaaaaaaa000001',
  'a5f00000aaaaaaaaaa00000a',
];
const UUIDS = ['7d0a0000-1111-4000-8000-000000000001', '7d0a0000-1111-4000-8000-00000000000a'];
const WORDS = [
  ...['', 'Ann', 'ann', 'straße', 'STRAẞE', 'a', '😀', '1', '12.5'],
  // A dotted I and one without its dot, a long s, a Kelvin sign, accents of two kinds.
  ...['İı', 'ſaſ', '\u212ak', 'é e\u0301', 'Σςσ'],
  // Half a pair of surrogates is stored as a replacement character.
  ...['a\0nn', 'x\ud800', '\ufffd', ' ann ', '%_.*\\(', `${'ann'.repeat(100)}ß`],
  ...OBJECT_IDS.slice(0, 2),
  ...UUIDS,
];
const DECIMALS = [
  '12.5',
  '12.50',
  '0.1',
  '-0.1',
  '9007199254740993',
  '1',
  '0.30',
  '1E+30',
  '-7.25',
  '9223372036854775807.5',
  '1234567890.123456789012345678901234',
];
/** Only stored: no condition can name them, since no double is near. */
const FAR_DECIMALS = [
  '9.999999999999999999999999999999999E+6144',
  '-1E+6144',
  '1E-6176',
  '-1E-400',
];
const NUMBERS = [
  ...[1, 2, 12.5, 0.1, 0.3, -7.25, 9007199254740992, -1, -0],
  ...[2 ** 63, -(2 ** 63), Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE],
];
const LONGS = [
  '1',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
const DAY_MS = 86_400_000;
/** Windows of a day and of a week differ by the last two but one; no window's start is near any. */
const NOW = Date.now();
export const MOMENTS = [
  ...[0, 1, -1, 1_500, DAY_MS, 1_767_225_600_000, NOW - 3 * DAY_MS, NOW, NOW + DAY_MS],
  ...[Date.parse('0001-01-01T00:00Z'), Date.parse('9999-12-31T23:59:59.999Z'), 8.64e15 - 1],
  -8.64e15,
];
export const SPANS = ['12h', '1d', '1w', '9999w'];

const objectId = fc.constantFrom(...OBJECT_IDS).map((hex) => new ObjectId(hex));
const date = fc.constantFrom(...MOMENTS).map((ms) => new Date(ms));
const binary = fc.constantFrom(new UUID(UUIDS[0]), new Binary(Buffer.from('ab')));
const decimal = fc
  .constantFrom(...DECIMALS, ...FAR_DECIMALS)
  .map((text) => Decimal128.fromString(text));
const double = fc.constantFrom(...NUMBERS).map((number) => new Double(number));
const number = fc.oneof(
  double,
  fc.constantFrom(1, 2, -1, 12, 0).map((n) => new Int32(n)),
  fc.constantFrom(...LONGS).map((text) => Long.fromString(text)),
  decimal,
);

export const CLEAN: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(...WORDS),
  number,
  decimal,
  boolean: fc.boolean(),
  date,
  objectId,
  uuid: fc.constantFrom(...UUIDS),
  mixed: fc.constantFrom<unknown>({ a: [1] }, [1, { b: null }], 'x', 7),
};
const odd = fc.constantFrom<unknown>(
  ...[null, undefined, Number.NaN, Number.POSITIVE_INFINITY, { a: 1 }, {}, [], [[]], [[], [[1]]]],
  ...[
    new UUID(UUIDS[1]),
    new Binary(Buffer.from('ab')),
    new MinKey(),
    new MaxKey(),
    new Timestamp({ t: 2, i: 1 }),
    new Timestamp({ t: 2 ** 32 - 1, i: 2 ** 32 - 1 }),
    new Code('ann'),
    new Code('ann', { a: 1 }),
    new Binary(Buffer.from('ab'), 2),
    { b: 1, a: 1 },
    { a: 1, b: 1 },
    /ann/,
    new BSONSymbol('Ann'),
    new BSONSymbol(OBJECT_IDS[0]!),
    /a/i,
    UNDEFINED,
  ],
  ...['NaN', '-Infinity', '1E-40', '0E+2', '-0', '-0E-6176'].map((text) =>
    Decimal128.fromString(text),
  ),
);
export const any: fc.Arbitrary<unknown> = fc.oneof(...Object.values(CLEAN), odd);

/** Keys: mostly of the type, which for a mixed one is any. */
export const keyOf = (type: FieldType): fc.Arbitrary<unknown> => {
  // An index leaves rows with other keys, such as objects, to the pipeline.
  const odd = fc.constantFrom(null, true, false);
  const words = fc.constantFrom(...WORDS);
  const other = fc.oneof(words, fc.nat(5), date, decimal, double, binary, odd);
  const clean = type === 'number' ? fc.nat(30) : type === 'mixed' ? other : CLEAN[type];
  const spread = fc.nat(0xfff).map((n) => new ObjectId(n.toString(16).padStart(24, '65f0')));
  return fc.oneof(
    { weight: 10, arbitrary: clean },
    { weight: 6, arbitrary: spread },
    { weight: 1, arbitrary: other },
  );
};

const isWhole = (text: string) => !text.includes('\ud800');
const ASKED_WORDS = WORDS.filter(isWhole);

/** Values of conditions. */
export const JSON_VALUES: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(...ASKED_WORDS),
  number: fc.constantFrom<unknown>(...NUMBERS, '0.1', '12.50', ...LONGS),
  decimal: fc.constantFrom<unknown>(...NUMBERS, '0.10', '12.5', ...LONGS),
  boolean: fc.boolean(),
  date: fc.constantFrom(...MOMENTS).map((ms) => new Date(ms).toISOString()),
  objectId: fc.constantFrom(...OBJECT_IDS, OBJECT_IDS[1]!.toUpperCase()),
  uuid: fc.constantFrom(...UUIDS, UUIDS[1]!.toUpperCase()),
  mixed: fc.constant(null),
};
/** Values of any type, as a facet may list them. */
export const LISTED = [
  ...ASKED_WORDS,
  ...NUMBERS,
  ...DECIMALS.filter((text) => text !== '1E+30'),
  true,
  false,
];

/** Values that hardly any document has, to make lists long. */
export const FILLERS: Readonly<Record<FieldType, (n: number) => unknown>> = {
  string: (n) => `w${n}`,
  number: (n) => n + 100,
  decimal: (n) => `${n}.5`,
  boolean: () => true,
  date: (n) => new Date(n * DAY_MS).toISOString(),
  objectId: (n) => n.toString(16).padStart(24, '0'),
  uuid: (n) => `${UUIDS[0]!.slice(0, -4)}${String(n).padStart(4, '0')}`,
  mixed: () => null,
};

/** Values of a file's `rows`. */
export const ROW_VALUES: Readonly<Record<Exclude<FieldType, 'mixed'>, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(...ASKED_WORDS),
  number: fc.constantFrom(1, 2, 12.5, 0.1, -1, 0),
  decimal: fc.constantFrom<unknown>(1, 0.1, '12.50', '0.1', '9007199254740993'),
  boolean: fc.boolean(),
  // A file has years of four digits.
  date: fc
    .constantFrom(...MOMENTS.filter((ms) => Math.abs(ms) < 1e15))
    .map((ms) => new Date(ms).toISOString()),
  objectId: fc.constantFrom(...OBJECT_IDS, OBJECT_IDS[1]!.toUpperCase()),
  uuid: fc.constantFrom(...UUIDS, UUIDS[1]!.toUpperCase()),
};

const QUERIES = [
  ...['a', '0', '65F0', '000a', 'ann', 'ß', '-', '1', '7d0a', '0-1', 'aaaa0'],
  ...['65f00000000000000000000a', 'x', 'i', 'İ', 'ı', 'S', 'k', '\u212a', 'é', 'e\u0301', 'σ'],
  ...['\ufffd', ' ANN', '_.*\\(', 'nannann', 'annß'],
] as const;
export const query = fc.constantFrom(...QUERIES);

/** Letters of all texts that are stored or asked for. */
export const LETTERS = [...[...ASKED_WORDS, ...UUIDS, ...OBJECT_IDS, ...QUERIES].join('')];
