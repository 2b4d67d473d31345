import { expect } from 'chai';
import fc from 'fast-check';
import { BSON, Decimal128, type Document, Double, Int32, Long } from 'mongodb';
import { compileExtract, projectionOf } from '../../src/follow/extract.ts';
import { Members } from '../../src/store/bson/members.ts';
import {
  type Cell,
  compareScalars,
  EMPTY_ARRAY,
  elements,
  type Row,
  type Scalar,
  scalarKey,
  sortKey,
} from '../../src/textindex/index.ts';
import { useDatabase } from '../support/database.ts';
import { decimalTextOf, isArrayOfOne, NOTHING, numberOf, valuesOf } from './support/columns.ts';
import { members, values } from './support/dirt.ts';

const PATHS = ['a', 'a.b', 'a.b.c', 'b', '_id', 'a.c'];
const columns = [
  ...PATHS.map((path) => ({ name: path, path, as: 'value' as const })),
  { name: 'decimal', path: 'a', as: 'decimal' as const },
];
const extractAll = compileExtract(columns);
const read = new Members(['b', 'other', '_id', 'a']);
const extractFound = compileExtract(columns, read);

/** The same, whether the members were found before or not. */
function extract(document: Uint8Array): Row {
  const row = extractAll(document);
  read.read(document);
  expect(extractFound(document)).to.deep.equal(row);
  return row;
}

const encode = (document: Document): Uint8Array =>
  BSON.serialize(document, { ignoreUndefined: false });
const decode = (bytes: Uint8Array): Document =>
  BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true });
const cellsOf = (document: Document): readonly Cell[] => extract(encode(document)).cells;
const cellOf = (value: unknown): Cell => cellsOf({ _id: 1, a: value })[0]!;
const scalarFor = (value: unknown) => cellOf(value) as Scalar;

describe('extract', () => {
  it('finds the values that a plain recursion over the decoded document finds', () => {
    fc.assert(
      fc.property(members, (dirt) => {
        const bytes = encode({ _id: 7, ...dirt });
        const { id, cells } = extract(bytes);
        const document = decode(bytes);
        expect(id).to.equal(7);
        for (const [column, path] of PATHS.entries()) {
          const cell = cells[column]!;
          const one = Array.isArray(cell) && cell.length === 1;
          expect(one, `${path} alone in an array`).to.equal(isArrayOfOne(document, path));
          expect(shown(one ? elements(cell)[0]! : cell), path).to.deep.equal(
            expected(valuesOf(document, path)),
          );
        }
        expect(cells.at(-1)).to.equal(decimalTextOf(document, 'a'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes equal numbers of all types for one value', () => {
    const five = [new Int32(5), new Double(5), Long.fromNumber(5), Decimal128.fromString('5.00')];
    expect(five.map(cellOf)).to.deep.equal([5, 5, 5, 5]);
    const large = [Long.fromString('9007199254740994'), new Double(9007199254740994)];
    expect(large.map(cellOf)).to.deep.equal([9007199254740994, 9007199254740994]);
    expect(cellOf(Long.fromString('9007199254740993'))).to.equal(9007199254740993n);
    expect(cellOf(Decimal128.fromString('9007199254740993'))).to.equal(9007199254740993n);
    expect(cellOf(Decimal128.fromString('1E+30'))).to.equal(10n ** 30n);
    expect(Object.is(cellOf(new Double(-0)), 0)).to.equal(true);
  });

  it('mends text that is no UTF-8', () => {
    const bytes = Buffer.from(encode({ _id: 1, a: 'x~y', b: 'ab~~~c' }));
    bytes[bytes.indexOf('~')] = 0xff;
    bytes.set([0xed, 0xa0, 0x80], bytes.indexOf('~~~'));
    const { cells } = extract(bytes);
    expect(cells[0]).to.equal('x\ufffdy');
    expect(cells[3]).to.equal('ab\ufffd\ufffd\ufffdc');
  });

  it('takes the first of two members with one name', () => {
    const bytes = Buffer.from(encode({ _id: 1, a: null, x: 'second' }));
    bytes[bytes.indexOf('x\0')] = 'a'.charCodeAt(0);
    expect(extract(bytes).cells[0]).to.equal(null);
    const inside = Buffer.from(encode({ _id: 1, a: [{ b: 1, x: 2 }, { b: 3 }] }));
    inside[inside.indexOf('x\0')] = 'b'.charCodeAt(0);
    expect(extract(inside).cells[PATHS.indexOf('a.b')]).to.deep.equal([1, 3]);
  });

  it('asks for each member once', () => {
    expect(projectionOf(columns)).to.deep.equal({ _id: 1, a: 1, b: 1 });
    const nested = [
      { name: 'x', path: 'x.y', as: 'value' as const },
      { name: 'xy', path: 'xy', as: 'value' as const },
    ];
    expect(projectionOf(nested)).to.deep.equal({ _id: 1, 'x.y': 1, xy: 1 });
  });

  it('refuses paths that are no member names', () => {
    for (const path of ['', 'a.', '.a', 'a.0', '$a', 'a..b']) {
      expect(() => compileExtract([{ name: 'x', path, as: 'value' }]), path).to.throw('path');
    }
  });

  describe('compared with the server', () => {
    const database = useDatabase();
    const documents = fc.sample(members, { numRuns: 600, seed: 20_26 });
    const rows = documents.map((dirt, id) => extract(encode({ _id: id, ...dirt })));

    before(async () => {
      await database.db.collection('dirt').insertMany(
        documents.map((dirt, _id) => ({ _id: _id as never, ...dirt })),
        {
          ignoreUndefined: false,
        },
      );
    });

    for (const [column, path] of PATHS.entries()) {
      for (const text of ['a', 'NN', '\uffff', '\u0000b', 'zz']) {
        it(`finds ${JSON.stringify(text)} in ${path}`, async () => {
          const contains = { $regex: text.replace('\0', '\\x00'), $options: 'i' };
          const found = await idsOf({ [path]: contains });
          const needle = text.toLowerCase();
          const has = (value: Scalar) =>
            typeof value === 'string' && value.toLowerCase().includes(needle);
          expect(ids(rows.filter(({ cells }) => elements(cells[column]!).some(has)))).to.deep.equal(
            found,
          );
        });
      }

      for (const value of [null, 'anna', 5, 9007199254740993n, true, new Date(0), 'a\0b']) {
        it(`equals ${typeof value} ${value} in ${path}`, async () => {
          const stored = typeof value === 'bigint' ? Long.fromBigInt(value) : value;
          const found = await idsOf({ [path]: { $eq: stored } });
          const is = (other: Scalar) => compareScalars(other, value) === 0;
          expect(ids(rows.filter(({ cells }) => elements(cells[column]!).some(is)))).to.deep.equal(
            found,
          );
        });
      }

      // Nothing sorts by a path that may lead through an array.
      for (const direction of path.includes('.') ? [] : ([1, -1] as const)) {
        it(`sorts by ${path} ${direction > 0 ? 'ascending' : 'descending'}`, async () => {
          const found = await database.db
            .collection('dirt')
            .find({}, { sort: { [path]: direction, _id: direction }, projection: { _id: 1 } })
            .toArray();
          const key = (cells: readonly Cell[]) => sortKey(cells[column]!, direction < 0);
          const sorted = rows.toSorted(
            (x, y) =>
              direction *
              (compareScalars(key(x.cells), key(y.cells)) || compareScalars(x.id, y.id)),
          );
          expect(sorted.map(({ id }) => id)).to.deep.equal(found.map(({ _id }) => _id));
        });
      }
    }

    it('takes ids for one another exactly when the server does', async () => {
      const known = new Set<unknown>();
      const unusual = fc.sample(values, { numRuns: 400, seed: 7 }).filter(isAllowedAsId);
      for (const id of unusual) {
        const bytes = encode({ _id: id });
        const key = scalarKey(extract(bytes).id);
        // A command: the driver's own insert would put another _id in place of null.
        const { n } = await database.db.command({ insert: 'ids', documents: [{ _id: id }] });
        const inserted = n === 1;
        expect(inserted, JSON.stringify(id)).to.equal(!known.has(key));
        known.add(key);
      }
      expect(known.size).to.be.greaterThan(40);
    });

    const idsOf = async (filter: Document): Promise<unknown[]> => {
      const found = await database.db
        .collection('dirt')
        .find(filter, { sort: { _id: 1 }, projection: { _id: 1 } })
        .toArray();
      return found.map(({ _id }) => _id);
    };
  });
});

const ids = (rows: readonly { readonly id: unknown }[]): unknown[] => rows.map(({ id }) => id);

const isAllowedAsId = (id: unknown): boolean =>
  id !== undefined &&
  !Array.isArray(id) &&
  !(BSON.calculateObjectSize({ id }) > 800) &&
  !['BSONRegExp'].includes((id as { _bsontype?: string } | null)?._bsontype ?? '');

/** A cell in which the rare types are reduced to their kind. */
function shown(cell: Cell): unknown {
  const kind = (value: Scalar): unknown =>
    typeof value === 'object' && value !== null && 'typeOrder' in value
      ? `type ${value.typeOrder}`
      : value;
  return Array.isArray(cell) ? cell.map(kind) : kind(cell as Scalar);
}

function expected(found: unknown[]): unknown {
  const kinds = found.map(kindOf);
  if (kinds.every((kind) => kind === `type ${EMPTY_ARRAY.typeOrder}`)) return [];
  return kinds.length === 1 ? kinds[0] : kinds;
}

const TYPE_ORDER_OF: Readonly<Record<string, number>> = {
  ObjectId: 35,
  Binary: 30,
  Timestamp: 47,
  BSONRegExp: 50,
  MinKey: -1,
  MaxKey: 127,
};

function kindOf(value: unknown): unknown {
  if (value === NOTHING || value === undefined) return 'type 0';
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const number = numberOf(value);
  if (number !== undefined) return number;
  const type = (value as { _bsontype?: string })._bsontype;
  if (type === 'BSONSymbol') return String(value);
  if (type === 'Code') return `type ${(value as { scope?: unknown }).scope ? 65 : 60}`;
  if (type !== undefined) return `type ${TYPE_ORDER_OF[type]}`;
  return `type ${Array.isArray(value) ? 25 : 20}`;
}

describe('numbers that were extracted', () => {
  const database = useDatabase();

  it('takes numbers of all types for equal and in order as the store does', async () => {
    const decimals = [
      ...['0.1', '0.10', '0.1000000000000000055511151231257827', '0.5', '4.35', '-0.1', '0E+3'],
      ...['5.0000000000000000000001', '4.9999999999999999999999', '-1E-26', '1E-6000', '1E+6000'],
      ...[
        '9007199254740993',
        '9007199254740992.5',
        '1E+40',
        '1000000000000000030378602842700367E+1',
      ],
      ...['NaN', '-NaN', 'Infinity', '-Infinity', '9.999999999999999999999999999999999E+6144'],
    ];
    const doubles = [0.1, 0.5, 4.35, 5, 0, 5e-324, 2 ** 53, 1e34, 1e40, 2 ** 120, Number.MAX_VALUE];
    const all = [
      ...decimals.map((text) => Decimal128.fromString(text)),
      ...doubles.map((double) => new Double(double)),
      ...['9007199254740993', '5'].map((text) => Long.fromString(text)),
      ...[Number.NaN, Number.POSITIVE_INFINITY, 2 / 3].map((double) => new Double(double)),
      Decimal128.fromString('1329227995784915872903807060280344E+3'),
      Decimal128.fromString('0.6666666666666666296592325124947819'),
    ];
    await compareAll(all);
    // Past all doubles, decimals inside of others are one infinity.
    const inside = all.filter((one) => !/E\+6\d{3}$/.test(String(one)));
    await compareAll(inside.map((one) => ({ x: one })));
    await compareAll(inside.map((one) => ({ x: [one, 'and more'] })));
  });

  async function compareAll(all: readonly unknown[]): Promise<void> {
    const asked = all.map((one) =>
      all.map((other) => ({ $cmp: [{ $literal: one }, { $literal: other }] })),
    );
    const [answer] = await database.db
      .aggregate([{ $documents: [{}] }, { $project: { _id: 0, asked } }])
      .toArray();
    const scalars = all.map(scalarFor);
    const wrong = scalars.flatMap((one, i) =>
      scalars.flatMap((other, j) => {
        const [our, their] = [Math.sign(compareScalars(one, other)), answer!.asked[i][j]];
        const [a, b] = [all[i], all[j]].map((value) => JSON.stringify(value));
        return our === their ? [] : [`${a} ${b}: ${our}, not ${their}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
    const same = scalars.map((one) => scalars.map((other) => scalarKey(one) === scalarKey(other)));
    expect(same).to.deep.equal(answer!.asked.map((row: number[]) => row.map((n) => n === 0)));
  }
});
