/** A start from a checkpoint after the file has changed: tables that are as before go on, the others are loaded. */
import { expect } from 'chai';
import { useDatabase } from '../../support/database.ts';
import { useFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { FILE, serveTables, storeOrders } from './stage.ts';

/** The same customers, by another table that shows a text of theirs. */
const ADDED = `  parcels:
    collection: any
    fields: { id: mixed, region: string }
  orders_of_customers:
    collection: orders
    fields:
      id: objectId
      customer: { type: objectId, path: customerId }
      email: { label: email, of: customers, through: customer }
`;

describe('tables of a file that has changed since the checkpoint', function restarts() {
  this.timeout(120_000);
  const database = useDatabase();
  const folder = useFolder('restart');
  /** Names of the tables that the latest start loaded again, from its log. */
  let anew: readonly string[] | undefined;
  before(async () => {
    await storeOrders(database.db);
    // A table without a collection has nothing to go on with.
    await database.db.createCollection('long');
  });

  /** Serves the file until all is live and a later write is shown; returns how each table came to be so. */
  async function serve(text: string): Promise<Readonly<Record<string, string>>> {
    const settings = { CHECKPOINT_DIR: folder };
    const service = await serveTables(database.uri, database.name, text, settings);
    try {
      const token = await service.tokenOf('bo', { roles: ['account'], account: [1, 2, 3] });
      const shown = async () => {
        const search = '/api/v2/tables/accounts/search';
        const { headers, body } = await service.post(search, {}, token);
        const route = headers.get('search-route');
        return route === 'index' && body.data.some(({ id }: { id: number }) => id === 3);
      };
      const numbered = database.db.collection<{ _id: number }>('numbered');
      await numbered.deleteOne({ _id: 3 });
      await service.live();
      await numbered.insertOne({ _id: 3 });
      await until(shown, 'the write is not shown');
    } finally {
      await service.stop();
    }
    const lines = service.logLines.map((line) => JSON.parse(line));
    anew = lines.find(({ msg }) => msg === 'checkpoint read')?.loaded_anew;
    const came = lines
      .filter(({ msg }) => /^collection (loaded|caught up)$/.test(msg))
      .map(({ collection, msg }) => [collection.replace('table:', ''), msg.slice(11)]);
    return Object.fromEntries(came);
  }

  it('go on if neither they nor tables with labels of theirs are others; all else is loaded', async () => {
    const names = ['orders', 'numbered', 'any', 'uuids', 'accounts', 'long', 'customers'];
    const all = (how: string) => Object.fromEntries(names.map((name) => [name, how]));
    expect(await serve(FILE)).eql(all('loaded'));
    expect(await serve(FILE)).eql(all('caught up'));
    expect(anew).equal(undefined);
    const title = FILE.replace('roles: [packer]', 'roles: [packer, clerk]');
    expect(await serve(title), 'another grant').eql(all('caught up'));
    const looks = FILE.replace(
      'status: { type: string, values: few }',
      'status: { type: string, values: few, title: State, look: status }',
    ).replace('collection: orders', 'collection: orders\n    title: Sales\n    columns: [status]');
    expect(looks).include('title: State').include('title: Sales');
    expect(await serve(looks), 'another look').eql(all('caught up'));
    const changed = FILE.replace('fields: { id: mixed, region: string }', 'fields: { id: mixed }');
    expect(await serve(changed + ADDED)).eql({
      ...{ ...all('caught up'), uuids: 'loaded', parcels: 'loaded' },
      ...{ orders_of_customers: 'loaded', customers: 'loaded', orders: 'loaded' },
    });
    const parts = ['uuids', 'parcels', 'orders_of_customers', 'customers', 'orders'];
    expect(anew).have.members(parts);
  });
});
