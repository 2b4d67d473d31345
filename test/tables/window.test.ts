/** Tables of the newest documents: the same rows at the same moment from the index and from the pipeline. */
import { expect } from 'chai';
import { type Document, Timestamp } from 'mongodb';
import { windowStart } from '../../src/tables/definition/window.ts';
import { readTablesFile } from '../../src/tables/file/index.ts';
import { type TableChange, Tables } from '../../src/tables/index/tables.ts';
import { createIndex, type Row, standardFold } from '../../src/textindex/index.ts';
import { createScan } from '../oracles/scan.ts';
import { serveTables } from '../serve/tables/stage.ts';
import { useDatabase } from '../support/database.ts';
import type { TestService } from '../support/service.ts';
import { OwnStage } from './own/stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields: { id: number, status: string, placed: date, inner: { type: date, path: at.placed } }
    window: { field: placed, span: 90d }
    facets: [status]
  nested:
    collection: orders
    fields: { id: number, inner: { type: date, path: at.placed } }
    window: { field: inner, span: 2w }
  all_orders:
    collection: orders
    fields: { id: number, status: string }
`;

const GRANTED = `
version: 1
tables:
  orders:
    collection: orders
    fields: { id: number, placed: date }
    window: { field: placed, span: 90d }
    sort: -id
    access: [{ roles: [admin] }, { roles: [guest], hide: [placed], document: true }]
`;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (ms: number) => new Timestamp({ t: ms / 1_000, i: 1 });

describe('the window of a table', () => {
  const read = readTablesFile(FILE);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { resource } = read.tables[0]!;

  it('begins at a whole minute of the moment that is shown', () => {
    const now = Date.UTC(2026, 10, 25, 10, 15, 42);
    const start = windowStart(resource.window!, at(now));
    expect(start.toISOString()).equal('2026-08-27T10:15:00.000Z');
  });

  for (const create of [createIndex, createScan]) {
    it(`is left by rows as the frontier moves on, and listeners are told (${create.name})`, () => {
      const told: TableChange[] = [];
      const tables = new Tables({
        ...{ resources: { [resource.name]: resource }, maxBytes: 1e9, maxRestBytes: 1e9 },
        createTable: (definition) => create(definition, { fold: standardFold() }),
        onBroken: ({ error }) => {
          throw error;
        },
        changes: { changing: (change) => void told.push(change), renewed: () => {} },
      });
      const { name } = resource;
      const columns = tables.of(name).layout.sources.map((source) => source.name);
      const now = Date.UTC(2026, 10, 25, 10, 15, 30);
      const start = now - 30_000 - 90 * DAY;
      const rowOf = (id: number, placed: Date | readonly Date[]): Row => ({
        id,
        cells: columns.map((column) => (column === 'placed' ? placed : null)),
      });
      const dates = [-1, 0, MINUTE - 1, MINUTE, 5 * MINUTE].map((ms) => new Date(start + ms));
      const rows = dates.map((date, n) => rowOf(n, date));
      // Dirty data: one of its dates is in the window for longer.
      rows.push(rowOf(10, [dates[1]!, dates[4]!]));
      tables.begin(name);
      tables.load(name, rows, []);
      const ids = () => {
        const request = { where: { op: 'all' }, sortBy: 'id', descending: false } as const;
        return tables.of(name).table.ask('search', { ...request, page: 1, perPage: 100 })!.ids;
      };
      const advance = (ms: number, goingLive: readonly string[] = []) => {
        tables.apply({ at: at(ms), changed: [], goingLive });
        return ids();
      };
      // A load takes them out in slices; the advance then finds none.
      expect(tables.outdated(name, at(now))).eql([0]);
      expect(tables.outdated(name, at(now + 30_000))).eql([0, 1, 2]);
      expect(advance(now)).eql([0, 1, 2, 3, 4, 10]);
      expect(advance(now, [name])).eql([1, 2, 3, 4, 10]);
      told.length = 0;
      expect(advance(now + 29_000)).eql([1, 2, 3, 4, 10]);
      expect(told).eql([]);
      expect(advance(now + 30_000)).eql([3, 4, 10]);
      expect(told.flatMap(({ changes }) => changes)).eql([
        { id: 1, row: null },
        { id: 2, row: null },
      ]);
      expect(advance(now + 3 * MINUTE)).eql([4, 10]);
      expect(advance(now + DAY)).eql([]);
      tables.check();
      tables.close();
    });
  }

  describe('over a store', () => {
    const database = useDatabase();
    let stage: OwnStage;

    before(async function start() {
      this.timeout(60_000);
      // No date is near the start of a window, which moves on meanwhile.
      const now = Date.now() + DAY / 2;
      const old = Array.from({ length: 2_000 }, (_, n) => ({
        ...{ _id: 1_000 + n, status: n % 2 === 0 ? 'open' : 'closed' },
        placed: new Date(now - (92 + n) * DAY),
        at: { placed: new Date(now - (16 + n) * DAY) },
      }));
      const days = Array.from({ length: 100 }, (_, n) => ({
        ...{ _id: n, status: n % 3 === 0 ? 'open' : 'closed' },
        placed: new Date(now - (n - 5) * DAY),
        at: [{ placed: new Date(now - n * DAY) }, { placed: new Date(now - 2 * n * DAY) }],
      }));
      const odd: Document[] = [
        { _id: 500, placed: null },
        { _id: 501, placed: 'today' },
        { _id: 502, placed: [new Date(0), new Date(now)] },
        { _id: 503, placed: [[new Date(now)]] },
        { _id: 504, placed: new Date(0), at: { placed: [new Date(0), new Date(now)] } },
        { _id: 505 },
      ];
      await database.db.collection('orders').insertMany([...old, ...days, ...odd] as never[]);
      stage = await OwnStage.start(database.db, FILE);
    });
    after(() => stage?.stop());

    const answer = (table: string, body: Document = {}) => stage.answer({ table, body });

    it('holds the newest documents alone, for searches, counts and comparisons', async () => {
      expect(await answer('orders')).include({ total: 97 });
      expect(await answer('nested')).include({ total: 16 });
      expect(await answer('all_orders')).include({ total: 2_106 });
      const explored = await answer('orders', {
        facets: [{ field: 'status', order: 'lift', min_count: 1 }],
        select: [{ field: 'status', in: ['open'] }],
        baseline: [],
        histogram: { field: 'placed' },
      });
      expect(JSON.stringify(explored)).include('"baseline_total":97');
      expect(stage.rows('table:orders')).equal(97);
      expect(stage.rows('table:all_orders')).equal(2_106);
    });

    it('takes documents in and out as their dates change', async () => {
      const set = (_id: number, placed: unknown) =>
        stage.write((db, options) =>
          db
            .collection<{ _id: number }>('orders')
            .updateOne({ _id }, { $set: { placed } }, options),
        );
      await set(1_000, new Date());
      expect(await answer('orders')).include({ total: 98 });
      await set(1_000, new Date(Date.now() - 91 * DAY));
      await set(3, null);
      expect(await answer('orders')).include({ total: 96 });
      await set(3, new Date());
      expect(await answer('orders')).include({ total: 97 });
      stage.check();
      expect(stage.defects).eql([]);
    });
  });

  describe('over HTTP', () => {
    const database = useDatabase();
    let service: TestService;

    before(async function start() {
      this.timeout(60_000);
      const now = Date.now();
      const orders = [1, 100].map((days, _id) => ({ _id, placed: new Date(now - days * DAY) }));
      await database.db.collection<{ _id: number }>('orders').insertMany(orders);
      service = await serveTables(database.uri, database.name, GRANTED);
    });
    after(() => service?.stop());

    async function get(path: string, role: string) {
      const token = await service.tokenOf('x', { roles: [role] });
      return await service.ask('GET', `/api/v2/tables${path}`, { token });
    }

    it('is told with its table, without a field that is hidden', async () => {
      const told = async (role: string) => (await get('', role)).body.data[0].window;
      expect(await told('admin')).eql({ field: 'placed', span: '90d' });
      expect(await told('guest')).eql({ field: null, span: '90d' });
    });

    it('decides on single documents, too, and where the date is hidden', async () => {
      for (const role of ['admin', 'guest']) {
        const statuses = [0, 1].map(
          async (id) => (await get(`/orders/documents/${id}`, role)).status,
        );
        expect(await Promise.all(statuses), role).eql([200, 404]);
      }
      for (const role of ['admin', 'guest']) {
        const token = await service.tokenOf('x', { roles: [role] });
        const { body } = await service.post('/api/v2/tables/orders/search', {}, token);
        expect(body.meta.pagination.total_items).equal(1);
      }
    });
  });
});
