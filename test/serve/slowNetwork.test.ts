/** A store a tenth of a second away: being merely behind leads back to the index. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startService, type TestService } from '../support/service.ts';
import { storePeople } from './edge.ts';

const EACH_WAY_MS = 100;
const CLIENTS = 4;
const SEARCHES = 8;
/** Before so many of its searches each client makes a change, which the search has to show. */
const CHANGE_EVERY = 4;

const scheduleId = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

describe('a slow network', function suite() {
  this.timeout(90_000);
  const database = useDatabase();
  let proxy: NetworkProxy;
  let service: TestService;
  let token: string;

  before(async () => {
    await storePeople(database.db);
    const tasks = Array.from({ length: 300 }, (_, n) => ({
      _id: n + 1,
      task_id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
      scope: 'system',
    }));
    await database.db.collection<{ _id: number }>('tasks').insertMany(tasks);
    const schedules = Array.from({ length: CLIENTS }, (_, n) => ({
      _id: scheduleId(n),
      scope: 'system',
      enabled: true,
    }));
    await database.db.collection<{ _id: string }>('schedules').insertMany(schedules);
    proxy = await NetworkProxy.to(database.uri);
    service = await startService(proxy.uri, database.name);
    token = await service.token(1, true);
    await service.live();
  });
  after(async () => {
    proxy?.restore();
    await service?.stop();
    await proxy?.close();
  });

  const client = async (n: number): Promise<(string | null)[]> => {
    const routes = [];
    for (let i = 0; i < SEARCHES; i++) {
      if (i % CHANGE_EVERY === 0) await change(n, i % (2 * CHANGE_EVERY) !== 0);
      const table = ['tasks', 'schedules'][i % 2];
      const path = `/api/v2/admin/${table}/search`;
      // Each search asks for another page: no rows are left from the search before.
      const body = { pagination: { per_page: 10, page: i + 1 } };
      const { status, headers } = await service.post(path, body, token);
      expect(status).to.equal(200);
      routes.push(headers.get('search-route'));
    }
    return routes;
  };

  const change = async (n: number, enabled: boolean) => {
    const path = `/api/v2/admin/schedules/${scheduleId(n)}`;
    const { status, text } = await service.ask('PATCH', path, { token, body: { enabled } });
    expect(status, text).to.equal(200);
  };

  it('leaves most answers to the index, while others write and own changes are shown', async () => {
    let writing = true;
    const writer = (async () => {
      for (let v = 0; writing; v++) {
        await Promise.all(
          ['tasks', 'schedules', 'projects', 'users'].map((name) =>
            database.db.collection(name).updateOne({}, { $set: { v } }),
          ),
        );
        await sleep(20);
      }
    })();
    proxy.slow(EACH_WAY_MS);
    const clients = Array.from({ length: CLIENTS }, (_, n) => client(n));
    const routes = await Promise.all(clients).finally(() => {
      writing = false;
      return writer;
    });
    const byIndex = routes.flat().filter((route) => route === 'index').length;
    expect(byIndex).to.be.at.least(0.75 * CLIENTS * SEARCHES);
  });
});
