/** The estimate of memory, against the index itself with the same documents. */
import { expect } from 'chai';
import { BSON, Decimal128, ObjectId } from 'mongodb';
import { compileExtract } from '../../../src/follow/extract.ts';
import { tableLayout } from '../../../src/tables/definition/tableDefinition.ts';
import { readTablesFile } from '../../../src/tables/file/index.ts';
import { definitionOf } from '../../../src/tables/sample/index.ts';
import { memoryOf } from '../../../src/tables/sample/memory.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { draftTables } from '../../../src/tables/sample/tables.ts';
import { writeTables } from '../../../src/tables/sample/write.ts';
import { createIndex, standardFold } from '../../../src/textindex/index.ts';
import { randomFrom } from '../../worlds/random.ts';

const SIZES = [1_000, 5_000, 25_000];
const SAMPLED = 2_000;
const WORDS = 'harbour atlas ferry bakery vault north south music patient order invoice'.split(' ');

const random = randomFrom(5);
const below = (n: number) => Math.floor(random() * n);
const words = (n: number) => Array.from({ length: n }, () => WORDS[below(WORDS.length)]).join(' ');
const hex = () => below(65_536).toString(16).padStart(4, '0');
const uuid = () => `${hex()}${hex()}-${hex()}-${hex()}-${hex()}-${hex()}${hex()}${hex()}`;
const customers = Array.from({ length: 2_000 }, () => new ObjectId());
const named = (name: string, count: number, value: (i: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value(i)]));

const SHAPES: Readonly<Record<string, (n: number) => object>> = {
  orders: (n) => ({
    ...{ _id: new ObjectId(), number: `O-${n}`, status: ['open', 'shipped', 'lost'][below(3)] },
    ...{ region: `region ${below(40)}`, customerId: customers[below(customers.length)] },
    lines: Array.from({ length: below(4) }, () => ({ sku: `S-${below(500)}` })),
    total: Decimal128.fromString((below(1e6) / 100).toFixed(2)),
    ...{ placedAt: new Date(1.7e12 + n * 6e4), paid: random() < 0.5 },
  }),
  events: (n) => ({
    ...{
      _id: n,
      uuid: uuid(),
      kind: `kind.${below(25)}`,
      host: `host-${below(2_000)}.example.com`,
    },
    ...{ message: `${words(5)} ${below(1e6)}`, ms: random() * 1_000, at: new Date(1.7e12 + n) },
  }),
  people: (n) => ({
    ...{ _id: `user-${n}`, email: `${words(1)}.${words(1)}${n}@example.com` },
    ...{ name: `${words(2)} ${below(3_000)}`, city: `city ${below(3_000)}`, age: below(90) },
    tags: [words(1), words(1)],
  }),
  numbers: (n) => ({ _id: n, a: below(1e6), b: new Date(1.7e12 + n), c: random() < 0.5 }),
  lists: (n) => ({
    ...{
      _id: n,
      owner: customers[below(300)],
      marks: Array.from({ length: 40 }, () => below(200)),
    },
    tags: Array.from({ length: 20 }, () => `tag ${below(500)}`),
  }),
  'short documents': () => ({ _id: new ObjectId(), name: words(1), done: random() < 0.5 }),
  'many columns': () => ({
    ...{ _id: new ObjectId(), ...named('n', 10, (i) => below(1e5) / (i + 1)) },
    ...named('s', 15, (i) => `${words(1)} ${below(30 * (i + 1))}`),
  }),
  'long texts': (n) => ({
    _id: n,
    title: `${words(6)} ${n}`,
    text: `${words(60)} ${n} ${words(60)}`,
  }),
  'different values': () => ({
    ...{ _id: uuid(), a: uuid(), b: `x${below(1e9)}`, c: `${words(3)} ${below(1e9)}` },
    d: new ObjectId(),
  }),
  'dates in lists, and decimals of many digits': (n) => ({
    ...{
      _id: n,
      amount: Decimal128.fromString(`${below(1e9)}${1e8 + below(9e8)}.${below(90) + 10}`),
    },
    steps: Array.from({ length: below(4) }, () => ({ at: new Date(1.7e12 - below(1e10)) })),
  }),
  'equal values': (n) => ({ _id: n, a: 'a text', b: 'another', c: 1, d: new Date(1.7e12) }),
};

describe('the estimate of memory', function estimates() {
  this.timeout(120_000);

  for (const [name, document] of Object.entries(SHAPES)) {
    it(`is within 20 % of what the index takes for ${name}`, () => {
      for (const rows of SIZES) {
        const documents = Array.from({ length: rows }, (_, n) => BSON.serialize(document(n)));
        const { told, taken } = memoryFor(documents);
        expect(told / taken, `${rows} documents`).within(0.8, 1.2);
      }
    });
  }

  it('is so for seconds between two dates, which are numbers', () => {
    const between = (n: number) => ({
      _id: n,
      a: new Date(1.7e12 + n),
      b: new Date(1.7e12 + 3 * n),
    });
    const documents = Array.from({ length: 25_000 }, (_, n) => BSON.serialize(between(n)));
    const { told, taken } = memoryFor(documents, 'took: { seconds: [a, b] }');
    expect(told / taken).within(0.8, 1.2);
  });
});

describe('the estimate of labels', () => {
  const looked = (name: string, documents: readonly object[]) => {
    const profile = new Profile();
    for (const one of documents) profile.add(BSON.serialize(one), true);
    profile.finish();
    const rest = { count: 50_000, isWhole: false, uniquePaths: [], remarks: [], schema: undefined };
    return { name, profile, ...rest };
  };
  const told = (person: (name: string) => object): string | undefined => {
    const texts = customers.map((_id, n) => ({ _id, ...person(`${words(40)} ${n}`) }));
    const orders = customers.map((customer, _id) => ({ _id, customer }));
    const collections = [looked('customers', texts), looked('orders', orders)];
    const survey = { db: 'shop', collections, leftOut: [], unfollowable: null };
    const link = { from: 'orders', path: 'customer', to: 'customers', key: '_id' };
    const { text } = definitionOf({ survey, drafts: draftTables(survey, [link]) }, new Date());
    expect(text).contain('label: ');
    return /collection: orders .*documents; (.* MB)/.exec(text)?.[1];
  };

  it('knows their texts wherever these are stored', () => {
    expect(told((name) => ({ person: { name } }))).equal(told((name) => ({ name })));
  });
});

/**
 * Bytes told and taken for documents, of which many are sampled, and few are all looked at.
 *
 * @param more one field more, as a line of the file
 */
function memoryFor(documents: readonly Uint8Array[], more = ''): { told: number; taken: number } {
  const { length: count } = documents;
  const profile = new Profile();
  const isWhole = count <= SAMPLED;
  for (let i = 0; i < Math.min(count, SAMPLED); i++) {
    profile.add(documents[isWhole ? i : below(count)]!, true);
  }
  profile.finish();
  const looked = {
    ...{ name: 'documents', count, profile, isWhole },
    ...{ uniquePaths: [], remarks: [], schema: undefined },
  };
  const survey = { db: 'shop', collections: [looked], leftOut: [], unfollowable: null };
  const head = { db: 'shop', at: new Date(), memory: new Map() };
  const written = writeTables(draftTables(survey, []), head);
  const read = readTablesFile(written.replace(/^ {4}fields:$/m, `$&\n      ${more}`));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { resource } = read.tables[0]!;
  const { definition, sources } = tableLayout(resource);
  const index = createIndex(definition, { fold: standardFold(), expectedRows: count });
  const extract = compileExtract(sources);
  for (const one of documents) index.put(extract(one));
  while (index.maintain(10));
  return { told: memoryOf(resource, looked), taken: index.bytes };
}
