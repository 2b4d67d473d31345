/** Profiles of documents that nobody tidied, and the estimate of their distinct values. */
import { expect } from 'chai';
import { BSON, Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { distinctValues, repeatOf } from '../../../src/tables/sample/distinct.ts';
import { fieldsOf } from '../../../src/tables/sample/fields.ts';
import { quoted } from '../../../src/tables/sample/names.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { heldBytes } from '../../support/usage.ts';
import { randomFrom } from '../../worlds/random.ts';

function profileOf(...documents: object[]): Profile {
  const profile = new Profile();
  for (const document of documents) profile.add(BSON.serialize(document), true);
  return profile;
}

const kindsAt = (profile: Profile, path: string) =>
  Object.fromEntries(profile.at(path)?.kinds ?? []);

describe('profiles of documents', () => {
  it('follow paths through objects and arrays, and count each value', () => {
    const profile = profileOf(
      { lines: [{ sku: 'a', n: 1 }, { sku: 'b' }, { sku: 7 }], tags: [] },
      { lines: { sku: 'a' }, tags: ['x', ['y'], null] },
    );
    expect(kindsAt(profile, 'lines.sku')).eql({ string: 3, number: 1 });
    expect(profile.at('lines.sku')).include({ documents: 2, inArrays: 1 });
    expect(profile.at('lines.n')).include({ documents: 1 });
    expect(kindsAt(profile, 'tags')).eql({ string: 1, array: 1, null: 1 });
    expect(profile.at('tags')).include({ documents: 2, inArrays: 2 });
  });

  it('tell types apart as people do', () => {
    const profile = profileOf({
      ...{ int: 1, long: Long.fromString('9007199254740993'), double: 0.5, date: new Date(5) },
      ...{ decimal: Decimal128.fromString('1.10'), id: new ObjectId(), uuid: new UUID(), no: null },
    });
    const kinds = profile.paths().map(({ path, kinds }) => [path, ...kinds.keys()]);
    expect(kinds).eql([
      ...[
        ['int', 'number'],
        ['long', 'number'],
        ['double', 'number'],
        ['date', 'date'],
      ],
      ...[
        ['decimal', 'decimal'],
        ['id', 'objectId'],
        ['uuid', 'binary'],
        ['no', 'null'],
      ],
    ]);
    expect([...profile.at('long')!.values.keys()]).eql([9007199254740993n]);
  });

  it('tell shares by the documents drawn at random, and keys of several types', () => {
    const profile = new Profile();
    const add = (_id: unknown, n: unknown, isDrawn: boolean) =>
      profile.add(BSON.serialize({ _id, n }), isDrawn);
    for (let i = 0; i < 100; i++) add(i === 0 ? 'a' : new ObjectId(), i < 30 ? 'x' : i, true);
    for (let i = 0; i < 100; i++) add(i, i < 50 ? 'y' : true, false);
    profile.finish();
    expect(profile.at('_id')!.shareOf('objectId')).equal(0.99);
    expect(profile.at('_id')!.shareOf('number')).equal(0);
    const looked = { name: 'a', count: 30_000, uniquePaths: [], schema: undefined };
    const { fields } = fieldsOf({ ...looked, profile, isWhole: false, remarks: [] });
    const said = fields.map(({ name, members, remark }) => [
      name,
      'type' in members && members.type,
      remark.split(';')[0],
    ]);
    expect(said).eql([
      ['id', 'mixed', '99 % objectId, 1 % string, under 1 % number'],
      ['n', 'number', '70 % number, 30 % string, under 1 % boolean'],
    ]);
  });

  it('give a key a type that keys may have, and that all of them have', () => {
    const uuids = Array.from({ length: 99 }, () => new UUID().toString());
    const typeOf = (...ids: readonly unknown[]) => {
      const profile = profileOf(...ids.map((_id) => ({ _id })));
      profile.finish();
      const looked = { name: 'a', count: ids.length, uniquePaths: [], schema: undefined };
      const [id] = fieldsOf({ ...looked, profile, isWhole: true, remarks: [] }).fields;
      return id!.members.type;
    };
    expect(typeOf(new Date(0), new Date(1))).equal('mixed');
    expect(typeOf(true, false)).equal('mixed');
    expect(typeOf(Decimal128.fromString('1.1'), Decimal128.fromString('2'))).equal('number');
    expect(typeOf(1, 'a')).equal('mixed');
    expect(typeOf(...uuids)).equal('uuid');
    expect(typeOf(...uuids, 'Main')).equal('string');
  });

  it('tell of integers that answers write as text, also where a double equals them', () => {
    const remarkOn = (n: unknown) => {
      const profile = profileOf({ n });
      profile.finish();
      const looked = { name: 'a', count: 1, uniquePaths: [], schema: undefined };
      return fieldsOf({ ...looked, profile, isWhole: true, remarks: [] }).fields[1]!.remark;
    };
    expect(remarkOn(Long.fromString('1000000000000000000'))).match(/integers past 2\^53/);
    expect(remarkOn(2 ** 60)).not.match(/integers past/);
  });

  it('name what no path reaches, and stop at 10 levels and 5,000 names', () => {
    let deep: object = { end: 1 };
    for (let level = 12; level > 0; level--) deep = { [`l${level}`]: deep };
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`w${i}`, i]));
    const odd = { 'a.b': 1, $set: 2, '': 3, 7: 4, ok: { 'x.y': 5 } };
    const profile = profileOf(odd, deep, wide);
    expect([...profile.oddNames].sort()).eql(['', '$set', '7', 'a.b', 'ok.x.y']);
    expect(profile.tooDeep).equal(1);
    expect(profile.paths().length).equal(5_000);
    expect(profile.namesLeftOut).equal(6_000 + 1 + 10 - 5_000);
  });

  it('stay small with 16 MB of different values', () => {
    const before = heldBytes();
    const profile = profileOf({ many: Array.from({ length: 700_000 }, (_, i) => `value ${i}`) });
    for (let i = 0; i < 40; i++) {
      const names = Array.from({ length: 5_000 }, (_, k) => [`n${k}`, `${i}:${k}`]);
      profile.add(BSON.serialize(Object.fromEntries(names)), true);
    }
    const kept = profile.paths().reduce((sum, { values }) => sum + values.size, 0);
    expect(kept).at.most(200_000);
    const held = heldBytes() - before;
    expect(held).below(200 * 2 ** 20);
    expect(profile.paths().length, 'the profile is held until here').equal(5_000);
  });
});

describe('the estimate of distinct values', () => {
  const cases: [distinct: number, rows: number][] = [
    ...([
      [3, 1e6],
      [40, 1e6],
      [1_000, 1e6],
      [20_000, 1e6],
      [100_000, 1e6],
    ] as [number, number][]),
    ...([
      [1e6, 1e6],
      [5e6, 5e6],
    ] as [number, number][]),
  ];
  for (const [distinct, rows] of cases) {
    it(`of ${distinct} in ${rows} documents is near from 2,000 of them`, () => {
      const random = randomFrom(distinct + 1);
      const profile = new Profile();
      for (let i = 0; i < 2_000; i++) {
        profile.add(BSON.serialize({ v: Math.floor(random() * distinct) }), true);
      }
      profile.finish();
      const estimate = distinctValues(profile.at('v')!, rows, false);
      if (distinct < rows) expect(estimate / distinct).within(0.5, 2);
      else expect(estimate / distinct).within(0.25, 1);
    });
  }

  it('is exact if every document was looked at', () => {
    const profile = profileOf({ v: 1 }, { v: 2 }, { v: 2 });
    profile.finish();
    expect(distinctValues(profile.at('v')!, 3, true)).equal(2);
  });

  it('tells few from many and unique', () => {
    expect([repeatOf(5, 1_000), repeatOf(300, 1_000), repeatOf(950, 1_000)]).eql([
      'few',
      'many',
      'unique',
    ]);
    expect(repeatOf(3, 3)).equal('unique');
  });
});

describe('a text of the store in a comment', () => {
  it('stays on one line, and short', () => {
    const text = `a\nb\u2028c\u0085d"${'x'.repeat(200)}\ud800`;
    expect(quoted(text)).match(/^"a\\nb\\u2028c\\u0085d\\"x+…"$/);
    expect(quoted(text).length).below(90);
    expect(quoted('\ud800')).equal('"\ufffd"');
  });
});
