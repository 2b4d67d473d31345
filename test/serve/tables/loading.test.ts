/**
 * Tables of a file while the index loads them: watchers are told at once how far it is, and of no
 * other table.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { useDatabase } from '../../support/database.ts';
import { type Watching, watch } from '../../support/eventStream.ts';
import { type Failure, failCommand, failNone } from '../../support/failCommand.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  salaries:
    collection: salaries
    fields: { id: number }
    access: [{ roles: [admin] }]
  patients:
    collection: people
    fields: { id: number, ward: { type: string, values: few } }
    access: [{ roles: [nurse] }]
`;
const LARGE = `
version: 1
tables:
  secrets:
    collection: texts
    fields: { id: number, text: { type: string, values: unique } }
    access: [{ roles: [admin] }]
  texts:
    collection: texts
    fields: { id: number, text: { type: string, values: unique } }
    access: [{ roles: [nurse] }]
  notes:
    collection: notes
    fields: { id: number, of: number, text: { label: text, of: secrets, through: of } }
    access: [{ roles: [nurse] }]
`;
const SEARCH = '/api/v2/tables/patients/search';
const BODY = { facets: [{ field: 'ward' }] };
const PATIENTS = 6_000;

describe('tables of a file that the index loads', function loading() {
  this.timeout(120_000);
  const database = useDatabase();
  let service: TestService | undefined;
  let token: string;
  let events: Watching | undefined;

  before(async () => {
    const numbers = Array.from({ length: PATIENTS }, (_, n) => n + 1);
    const people = database.db.collection<{ _id: number; ward: string }>('people');
    await people.insertMany(numbers.map((n) => ({ _id: n, ward: `w${n % 3}` })));
    const salaries = database.db.collection<{ _id: number }>('salaries');
    await salaries.insertMany(numbers.map((n) => ({ _id: n })));
  });
  afterEach(async () => {
    events?.leave();
    await failNone(database.client);
    await service?.stop();
    service = undefined;
  });

  /** A service whose load of a collection does not end. */
  async function startHeld(collection: string, how: Failure) {
    const namespace = `${database.name}.${collection}`;
    const failure = { ...how, namespace, appName: 'table-search' };
    await failCommand(database.client, 'alwaysOn', failure);
    service = await serveTables(database.uri, database.name, FILE);
    token = await service.tokenOf('ana', { roles: ['nurse'] });
    return service;
  }

  it('tell those who watch at once, and give them their counts as soon as there are some', async () => {
    const { url, ready } = await startHeld('people', {
      ...{ failCommands: ['find', 'getMore', 'aggregate'], errorCode: 262 },
    });
    const refused = await service!.post(`${SEARCH}/explore`, BODY, token);
    expect(refused.body.code).equal('SearchTimeout');
    const failed = async () => (await ready()).body.index.reason?.startsWith('patients: ');
    await until(failed, 'the load has not failed');
    events = await watch(`${url}${SEARCH}/explore`, { body: BODY, token });
    expect(events.status).equal(200);
    const { data } = await events.first('state');
    expect(data).deep.include({ index: 'unavailable' });
    expect(data.loaded).within(0, 99);
    expect(data.reason)
      .match(/^The index is loading \(\d+ % is there\)/)
      .not.match(/:\w|patients/);
    // The store cannot count in time.
    await delay(1_500);
    expect(events.answers).eql([]);
    expect(events.over).equal(false);
    await failNone(database.client);
    const answer = await events.first('answer');
    expect(answer.data.facets[0]).include({ field: 'ward', distinct: 3 });
    await until(
      () => events!.events.findLast(({ event }) => event === 'state')?.data.index === 'live',
    );
  });

  it('name no other table, which somebody may not see', async () => {
    const held = { blockConnection: true, blockTimeMS: 5_000 };
    const { url, ready } = await startHeld('salaries', { failCommands: ['getMore'], ...held });
    events = await watch(`${url}${SEARCH}/explore`, { body: BODY, token });
    const { data } = await events.first('state');
    expect(data.reason).match(
      /^The index is loading \(\d+ % is there\): the load of this table has not begun\.$/,
    );
    const { collections } = (await ready()).body.index;
    expect(collections['table:patients'], 'counts in the percentage').include({
      documents: 0,
      of: PATIENTS,
    });
    const answer = await events.first('answer');
    expect(answer.data.meta.pagination.total_items).equal(PATIENTS);
  });

  it('that are too large for it are named to those who watch them, and to no others', async () => {
    const texts = Array.from({ length: 5_000 }, (_, n) => ({ _id: n, text: `${n} `.repeat(60) }));
    await database.db.collection<{ _id: number; text: string }>('texts').insertMany(texts);
    await database.db.collection<{ _id: number; of: number }>('notes').insertOne({ _id: 1, of: 1 });
    service = await serveTables(database.uri, database.name, LARGE, { SEARCH_MAX_BYTES: '1mb' });
    token = await service.tokenOf('ana', { roles: ['nurse'] });
    const isOff = async () => {
      const { index } = (await service!.ready()).body;
      return index.state === 'live' && index.collections['table:secrets']?.phase === 'off';
    };
    await until(isOff, 'the table is not off');
    for (const [table, named] of Object.entries({
      texts: 'texts',
      notes: 'a table that it reads',
    })) {
      const path = `/api/v2/tables/${table}/search/explore`;
      events = await watch(service.url + path, { body: {}, token });
      const { data } = await events.first('state');
      expect(data.reason).match(new RegExp(`^The index is off for ${named}: .*SEARCH_MAX_BYTES`));
      events.leave();
    }
  });
});
