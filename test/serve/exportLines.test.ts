/**
 * Lines of exports made from bytes are those that presenters make of values: for documents of all
 * types in all places, in both formats.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  Binary,
  BSON,
  BSONSymbol,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { csvCell } from '../../src/serve/export/csv.ts';
import { FORMATS } from '../../src/serve/export/lines.ts';
import { Output } from '../../src/store/bson/output.ts';
import { type JoinedRow, present } from '../../src/tables/definition/record.ts';
import { storedMember } from '../../src/tables/definition/storedMembers.ts';
import type { ExportedRow } from '../../src/tables/rows/momentReader.ts';
import { SEED } from '../support/seed.ts';

const JOINED: JoinedRow['joined'] = {
  project: [{ _id: 1, name: '=Apollo, "ß"' }],
  members: [{ _id: 1, email: 'ana@mail.test' }],
};

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
  ...[0, -0, 7, 10, -1, 1.5, 1e21, 1e-7, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, Number.NaN],
  ...[Number.POSITIVE_INFINITY, true, false, null, undefined],
  ...[0, 1, -1, 8.64e15, -8.64e15, Date.UTC(2026, 9, 25), 253402300799999].map((n) => new Date(n)),
  ...[253402300800000, -62167219200000, -62167219200001, 951782400000].map((n) => new Date(n)),
  ...[Long.fromString('9007199254740993'), Long.fromNumber(5), new Int32(3), new Double(4)],
  ...[Decimal128.fromString('1.50'), new BSONSymbol('=symbol'), new Binary(Buffer.from('abc'))],
  ...[new ObjectId('0123456789abcdef01234567'), new Timestamp({ t: 1, i: 2 }), /x/i],
  ...[new MinKey(), new MaxKey(), [], {}, [1, 'a', null], { a: { b: [new Date(0)] } }],
  ...[{ user_email: 'a@b', other: { key: '"' } }, [{ user_id: 1, role: 'owner' }, 5]],
];

const anyText = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed());
/** Names that JavaScript or the driver take for something else, and others; in a Map they keep their order. */
const anyName = fc.oneof(
  fc.constantFrom('0', '12', '07', '$ref', '$id', '__proto__', 'a', 'b"', 'ü'),
  anyText.filter((text) => !text.includes('\0')),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom(...SPECIAL) },
    anyText,
    fc.double(),
    fc.integer(),
    fc.date(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(anyName, tie('value')), { maxLength: 5 })
      .map((members) => new Map(members as [string, unknown][])),
  ),
}));

/** The row as exports read it: its bytes, and no value that is shown. */
const exported = (bytes: Uint8Array): ExportedRow => ({ bytes, joined: JOINED, document: {} });

const decoded = (bytes: Uint8Array): JoinedRow => ({
  joined: JOINED,
  document: BSON.deserialize(bytes, { validation: { utf8: false } }),
});

const { labels } = taskCatalogue();
const contexts = [new Set<string>(), new Set(['get_artifacts_metadata'])].map((options) => ({
  labels,
  options,
}));

describe('lines of exports', () => {
  const lineOf = (
    type: keyof typeof FORMATS,
    row: ExportedRow,
    columns: Parameters<(typeof FORMATS)['text/csv']['writer']>[0],
  ) => {
    const out = new Output(1);
    FORMATS[type].writer(columns).write(out, row);
    return out.take().toString();
  };

  it('are what presenters show of an object with a name that is there twice', () => {
    const one = Buffer.from(BSON.serialize({ a: 1 })).subarray(4, -1);
    const members = Buffer.concat([one, Buffer.from(BSON.serialize({ a: 2 })).subarray(4, -1)]);
    const length = Buffer.alloc(4);
    length.writeInt32LE(members.length + 5);
    const twice = Buffer.concat([length, members, Buffer.alloc(1)]);
    const whole = Buffer.from(BSON.serialize({ args: { a: 1, b: 1 } }));
    // Of the same length, so that what is around it stays true.
    twice.copy(whole, whole.indexOf(Buffer.from('args')) + 'args'.length + 1);
    const { record } = RESOURCES.tasks;
    const row = exported(whole);
    const columns = { record, names: ['args'], context: contexts[0]!, keepFormulas: true };
    expect(lineOf('application/x-ndjson', row, columns)).to.equal('{"args":{"a":2}}\n');
  });

  for (const { name: resource, record } of Object.values(RESOURCES)) {
    const all = Object.keys(record);
    const stored = [...new Set(Object.values(record).flatMap(({ reads }) => reads))];
    const anyDocument = fc.record(
      Object.fromEntries([...stored, 'other'].map((name) => [name, anyValue])),
      { requiredKeys: [] },
    );

    it(`are what presenters show of ${resource}`, () => {
      const property = fc.property(
        anyDocument,
        fc.shuffledSubarray(all, { minLength: 1 }),
        fc.constantFrom(...contexts),
        fc.boolean(),
        (document, names, context, keepFormulas) => {
          const bytes = BSON.serialize(document, { ignoreUndefined: false });
          const row = exported(bytes);
          const columns = { record, names, context, keepFormulas };
          const shown = Object.fromEntries(names.map((name) => [name, record[name]!]));
          const value = present(shown, decoded(bytes), context);
          expect(lineOf('application/x-ndjson', row, columns)).to.equal(
            `${JSON.stringify(value)}\n`,
          );
          const cells = names.map((name) => csvCell(value[name], keepFormulas));
          expect(lineOf('text/csv', row, columns)).to.equal(`${cells.join() || '""'}\r\n`);
          const whole = decoded(bytes);
          expect(lineOf('application/x-ndjson', whole, columns)).to.equal(
            `${JSON.stringify(value)}\n`,
          );
        },
      );
      fc.assert(property, { numRuns: 150, seed: SEED });
    });
  }

  it('guard what spreadsheets calculate, and no negative number', () => {
    const record = { a: storedMember('a', 'mixed') };
    const columns = { record, names: ['a'], context: contexts[0]!, keepFormulas: false };
    const cell = (a: unknown) =>
      lineOf('text/csv', exported(BSON.serialize({ a })), columns).slice(0, -2);
    const numbers = ['-1.50', '-7', '-1E-7', '-1.2E+40'];
    for (const text of numbers) {
      expect(cell(Decimal128.fromString(text))).to.equal(text);
      expect(cell(text)).to.equal(text);
    }
    expect(cell(Long.fromString('-9007199254740993'))).to.equal('-9007199254740993');
    expect(cell(Decimal128.fromString('-Infinity'))).to.equal("'-Infinity");
    const calculated = ['-1+2', '-1.5E', '-', '-x', '-1 ', '--1', '-1\n', '+1', '=1', '@x', '\t1'];
    for (const text of calculated) expect(cell(text)).to.match(/^"?'/);
  });

  it('are made of the members that presenters say they read', () => {
    const declared = (reads: readonly string[]) => {
      const look = (_: object, name: string | symbol) => {
        if (!reads.includes(String(name))) throw new Error(`${String(name)} is not declared`);
        return undefined;
      };
      return new Proxy({}, { get: look, has: look as never, getOwnPropertyDescriptor: look });
    };
    for (const { record } of Object.values(RESOURCES)) {
      for (const presenter of Object.values(record)) {
        for (const context of contexts) {
          presenter({ joined: JOINED, document: declared(presenter.reads) }, context);
        }
      }
    }
  });

  it('take the last of two members of one name, and U+FFFD for what is no text', () => {
    const member = (name: string, text: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeInt32LE(text.length + 1);
      return Buffer.concat([Buffer.from(`\x02${name}\0`), length, text, Buffer.from([0])]);
    };
    const elements = Buffer.concat([
      member('name', Buffer.from('first')),
      member('name', Buffer.from([0x61, 0xff, 0x2c, 0xc3])),
    ]);
    const length = Buffer.alloc(4);
    length.writeInt32LE(elements.length + 5);
    const bytes = Buffer.concat([length, elements, Buffer.from([0])]);
    const { record } = RESOURCES.tasks;
    const columns = { record, names: ['name'], context: contexts[0]!, keepFormulas: false };
    const row = exported(bytes);
    expect(lineOf('application/x-ndjson', row, columns)).to.equal('{"name":"a\ufffd,\ufffd"}\n');
    expect(lineOf('text/csv', row, columns)).to.equal('"a\ufffd,\ufffd"\r\n');
  });
});
