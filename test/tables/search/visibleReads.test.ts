/**
 * The work of a pipeline search for a caller who is no admin. The store examines rows that the
 * caller may see, and documents related to them. It examines as much for a text or an id of foreign
 * rows as for one that nobody has. The store's own profile counts keys and documents.
 */
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { type Db, ObjectId } from 'mongodb';
import { buildIndexes } from '../../../src/apps/admin/databaseIndexes.ts';
import { project, schedule, task, user, uuid } from '../../conformance/documents.ts';
import { serveTables } from '../../serve/tables/stage.ts';
import { put, useDatabase } from '../../support/database.ts';
import { startService, type TestAnswer, type TestService } from '../../support/service.ts';

const FOREIGN = 300;
const ME = 1;
const MINE = uuid(9_000);

describe('a pipeline search', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    const { db } = database;
    const foreign = Array.from({ length: FOREIGN }, (_, i) => i + 2);
    await buildIndexes(db);
    const mine = [{ user_id: ME }];
    await put(db, {
      users: [
        user(ME, { email: 'me@mail.test' }),
        ...foreign.map((n) => user(n, { email: `wanted${n}@mail.test` })),
      ],
      projects: [
        project(1, { identifier: MINE, name: 'Mine', members: mine }),
        ...foreign.map((n) => project(n, { name: `wanted ${n}`, members: [{ user_id: n }] })),
      ],
    });
    const ofProject = (n: number) => ({ scope: 'project', project_id: n === 1 ? MINE : uuid(n) });
    const every = [1, ...foreign];
    const wanted = (n: number) => (n === 1 ? 'mine' : `wanted${n}`);
    await put(db, {
      tasks: every.map((n) => task(n, { ...ofProject(n), folder: wanted(n) })),
      schedules: every.map((n) => schedule(n, { ...ofProject(n), task_name: wanted(n) })),
    });
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await service.token(ME);
    await db.command({ profile: 2 });
  });
  after(() => service?.stop());

  const examined = (path: string, body: object) =>
    examinedBy(database.db, () => service.post(path, body, token));

  const mine = `/api/v2/projects/${MINE}`;
  const own = '/api/v2/projects/search';
  const facets = (field: string) => [{ field }];
  const TEXTS: readonly (readonly [string, string, (text: string) => object])[] = [
    ['own projects by text', own, (q) => ({ filters: { q } })],
    ['own projects by email', own, (user_email) => ({ filters: { user_email } })],
    ['own projects by name', own, (project_name) => ({ filters: { project_name } })],
    ["a project's tasks by text", `${mine}/tasks/search`, (q) => ({ filters: { q } })],
    ["a project's schedules by text", `${mine}/schedules/search`, (q) => ({ filters: { q } })],
    [
      "a project's tasks by conditions on text",
      `${mine}/tasks/search/explore`,
      (text) => ({
        select: [{ any: [{ text }, { field: 'project_name', contains: text }] }],
        baseline: [{ not_text: text }],
        facets: [{ field: 'worker', by: 'status' }],
      }),
    ],
  ];
  const NOTHING = { select: [{ field: 'folder', in: ['nowhere'] }] };
  const chosen = (id: string) => [{ field: 'task_id', in: [id] }];
  const IDS: readonly (readonly [string, string, (id: string) => object])[] = [
    ['own projects by id', own, (project_id) => ({ filters: { project_id } })],
    [
      'own projects by id, counted',
      `${own}/explore`,
      (project_id) => ({ filters: { project_id }, facets: facets('type') }),
    ],
    [
      'own projects by id, exported',
      `${own}/export`,
      (project_id) => ({ filters: { project_id } }),
    ],
    [
      "a project's tasks by id, counted",
      `${mine}/tasks/search/explore`,
      (id) => ({ select: chosen(id), facets: facets('status'), histogram: { field: 'date_done' } }),
    ],
    [
      "a project's tasks, none of them against one by id",
      `${mine}/tasks/search/explore`,
      (id) => ({ ...NOTHING, baseline: chosen(id), facets: [{ field: 'worker', order: 'lift' }] }),
    ],
    [
      "a project's tasks by id, exported",
      `${mine}/tasks/search/export`,
      (id) => ({ select: chosen(id) }),
    ],
    [
      "a project's schedules by id",
      `${mine}/schedules/search`,
      (schedule_id) => ({ filters: { schedule_id } }),
    ],
    [
      "a project's schedules by id, counted",
      `${mine}/schedules/search/explore`,
      (schedule_id) => ({ filters: { schedule_id }, facets: facets('folder') }),
    ],
    [
      "a project's schedules by id, exported",
      `${mine}/schedules/search/export`,
      (schedule_id) => ({ filters: { schedule_id } }),
    ],
  ];
  const CASES = [
    ...TEXTS.map((one) => [...one, 'wanted', 'wantex'] as const),
    ...IDS.map((one) => [...one, uuid(7), uuid(9_999)] as const),
  ];
  for (const [name, path, bodyOf, has, hasNot] of CASES) {
    it(`of ${name} looks at nothing foreign`, async () => {
      const foreign = await examined(path, bodyOf(has));
      const absent = await examined(path, bodyOf(hasNot));
      expect(foreign, 'reads were profiled').not.to.deep.equal([]);
      expect(foreign).to.deep.equal(absent);
      for (const [collection, documents, keys] of foreign) {
        expect(documents, `documents of ${collection}`).to.be.below(10);
        expect(keys, `keys of ${collection}`).to.be.below(10);
      }
    });
  }
});

const ABSENT = 9_999;
const orderId = (n: number) => n.toString(16).padStart(24, '0');

const FILE = `
version: 1
tables:
  orders:
    collection: own_orders
    fields:
      id: objectId
      region: { type: string, use: [facet] }
      number: { type: string, values: unique, use: [filter, facet, text] }
      customer: { type: number, path: customerId }
      email: { label: email, of: customers, through: customer }
      shop: { type: number, use: [facet] }
      shop_name: { label: name, of: shops, through: shop, key: number }
    text: [id, number, email]
    access: [{ roles: [clerk], rows: { region: { claim: region } }, document: true }]
  customers:
    collection: own_customers
    fields: { id: number, email: string }
  shops:
    collection: own_shops
    fields: { id: number, number: number, name: string }
`;

/** The database indexes that an owner of the collections may have made. */
const INDEXES: readonly (readonly [string, readonly string[]])[] = [
  ['no database index', []],
  ['an index of the field that is asked for', ['number', 'email', 'name']],
  ['an index of the region too', ['number', 'email', 'name', 'region']],
];

for (const [name, paths] of INDEXES) {
  describe(`a pipeline search of one region's orders with ${name}`, () => {
    const database = useDatabase();
    let service: TestService;
    let token: string;

    before(async () => {
      const { db } = database;
      const numbers = Array.from({ length: FOREIGN + 1 }, (_, n) => n);
      await db.collection('own_orders').insertMany(
        numbers.map((n) => ({
          _id: new ObjectId(orderId(n)),
          region: n === 0 ? 'mine' : 'other',
          number: `wanted-${n}`,
          customerId: n,
          shop: n,
        })),
      );
      const customers = db.collection<{ _id: number; email: string }>('own_customers');
      await customers.insertMany(
        numbers.map((n) => ({ _id: n, email: n === 0 ? 'me' : `wanted${n}` })),
      );
      const shops = numbers.map((n) => ({ number: n, name: n === 0 ? 'mine' : `wanted${n}` }));
      await db.collection('own_shops').insertMany(shops);
      for (const path of paths) {
        const collection = { email: 'own_customers', name: 'own_shops' }[path] ?? 'own_orders';
        await db.collection(collection).createIndex({ [path]: 1 });
      }
      const settings = { SEARCH_INDEX: 'off' };
      service = await serveTables(database.uri, database.name, FILE, settings);
      token = await service.tokenOf('bo', { roles: ['clerk'], region: 'mine' });
      await db.command({ profile: 2 });
    });
    after(() => service?.stop());

    const search = '/api/v2/tables/orders/search';
    const byId = (n: number) => [{ field: 'id', in: [orderId(n)] }];
    const byNumber = (n: number) => [{ field: 'number', in: [`wanted-${n}`] }];
    const CASES: readonly (readonly [string, string, (n: number) => object])[] = [
      ['by id', search, (n) => ({ select: byId(n) })],
      ['by id, counted', `${search}/explore`, (n) => facetsOf({ select: byId(n) })],
      ['by id, exported', `${search}/export`, (n) => ({ select: byId(n) })],
      ['by number', search, (n) => ({ select: byNumber(n) })],
      ['by number, counted', `${search}/explore`, (n) => facetsOf({ select: byNumber(n) })],
      ['by number, exported', `${search}/export`, (n) => ({ select: byNumber(n) })],
      [
        'none of them, against one by number',
        `${search}/explore`,
        (n) => ({
          ...{ select: [{ field: 'region', in: ['nowhere'] }], baseline: byNumber(n) },
          facets: [{ field: 'region', order: 'lift' }],
        }),
      ],
      ['by text', search, (n) => ({ filters: { q: `wanted-${n}` } })],
      ['by email', search, (n) => ({ filters: { email: `wanted${n}` } })],
      ["by a shop's name", search, (n) => ({ filters: { shop_name: `wanted${n}` } })],
      [
        "by a shop's name, exported",
        `${search}/export`,
        (n) => ({ select: [{ field: 'shop_name', contains: `wanted${n}` }] }),
      ],
      [
        'none of them, by shops of a name',
        `${search}/explore`,
        (n) => ({
          select: [{ field: 'region', in: ['nowhere'] }],
          facets: [{ field: 'shop', contains: `wanted${n}` }],
        }),
      ],
    ];
    const facetsOf = (body: object) => ({ ...body, facets: [{ field: 'region' }] });

    for (const [asked, path, bodyOf] of CASES) {
      it(`${asked} looks at the same documents, whether or not another region has it`, async () => {
        const [foreign, absent] = [
          await examinedBy(database.db, () => service.post(path, bodyOf(7), token)),
          await examinedBy(database.db, () => service.post(path, bodyOf(ABSENT), token)),
        ];
        expect(foreign, 'reads were profiled').not.to.deep.equal([]);
        expect(foreign).to.deep.equal(absent);
        if (!paths.includes('region')) return;
        for (const [collection, documents] of foreign) {
          // No database index leads to the shops' numbers.
          if (collection === 'own_shops') continue;
          expect(documents, `documents of ${collection}`).to.be.below(10);
        }
      });
    }
  });
}

/** The store's counts for one search that finds nothing, by operation: documents and index keys examined. */
async function examinedBy(
  db: Db,
  search: () => Promise<TestAnswer>,
): Promise<[string, number, number][]> {
  const since = new Date();
  const { status, text, body } = await search();
  expect(status, text).to.equal(200);
  // An export does not even have a line.
  expect(text === '' || body.data.length === 0, text).to.equal(true);
  const profile = db.collection('system.profile');
  // Reads of one moment are the search's own; permissions are read otherwise, and the same for all.
  const ofSearch = { ts: { $gte: since }, 'command.readConcern.level': 'snapshot' };
  const reads = await profile.find(ofSearch).sort({ ts: 1 }).toArray();
  return reads.map(({ ns, docsExamined, keysExamined }) => [
    String(ns).split('.')[1]!,
    docsExamined,
    keysExamined,
  ]);
}
