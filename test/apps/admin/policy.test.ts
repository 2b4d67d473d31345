/** Facts from memory equal facts from the store, whatever users and projects there are. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { DataPolicy } from '../../../src/apps/admin/policy.ts';
import type { Fact } from '../../../src/serve/auth/policy.ts';
import { CaseFolding } from '../../../src/store/caseFolding.ts';
import { project, task, user, uuid } from '../../conformance/documents.ts';
import { type System, startSystem } from '../../model/system.ts';
import { DIRT, ODD_IDS } from '../../model/values.ts';
import { principal } from '../../serve/edge.ts';
import { useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const USERS = [...DIRT.keys()].map((n) => n + 1);

function projects(): Document[] {
  const ofMember = (user_id: unknown) => [{ user_id, role: 'member' }];
  const odd = [...DIRT, ...ODD_IDS].flatMap((value) => [
    { members: ofMember(value()) },
    { members: value() },
    { members: [value(), ...ofMember(3)] },
    { members: [ofMember(4), { user_id: [5] }, { user_id: 6 }] },
    { identifier: value(), members: ofMember(7) },
  ]);
  const twice = [ofMember(8), ofMember(9)].map((members) => ({ identifier: uuid(9), members }));
  const clean = USERS.map((n) => ({ members: ofMember(n) }));
  return [...clean, ...odd, ...twice].map((changes, n) => project(n + 1, changes));
}

describe('the policy of users and projects', () => {
  const database = useDatabase();
  const of = (name: string) => database.db.collection<Document & { _id: number }>(name);

  before(async () => {
    const dirty = DIRT.map((value, n) => user(n + 100, { active: value() }));
    await of('users').insertMany([...USERS.map((n) => user(n)), ...dirty] as never[]);
    await of('projects').insertMany(projects() as never[]);
    await of('tasks').insertOne(task(1, { scope: 'project', project_id: uuid(2) }) as never);
  });

  describe('from the tables', () => {
    let system: System;
    before(async () => {
      const { uri, name: dbName, db } = database;
      system = await startSystem({ uri, dbName, caseFolding: new CaseFolding(db) });
      await until(() => system.index.state().state === 'live');
    });
    after(() => system?.stop());

    const some = [...USERS, ...DIRT.map((_, n) => n + 100), 999];
    const policy = () => new DataPolicy({ db: database.db, known: () => system.index.known });
    const refusal = (id: number) => policy().refusal(principal(id));
    /** Compares facts, asked while memory counts; returns how many are in memory. */
    async function compared(facts: readonly Fact[]): Promise<number> {
      let count = 0;
      for (const fact of facts) {
        await until(() => refusal(1).inMemory('now') !== undefined);
        const known = fact.inMemory('now');
        if (known === undefined) continue;
        count++;
        expect(known, fact.name).to.deep.equal(await fact.read());
      }
      return count;
    }

    it('are the same as in the store, or not known', async () => {
      const stored: unknown[] = await of('projects').distinct('identifier');
      const identifiers = stored.filter((one): one is string => typeof one === 'string');
      const standings = [2, 3, 4, 9].flatMap((id) =>
        [...identifiers, 'none'].map((identifier) => policy().standing(id, identifier)),
      );
      expect(await compared(some.map(refusal))).to.be.above(some.length / 2);
      expect(await compared(some.map((id) => policy().own(id)))).to.be.above(some.length / 2);
      expect(await compared(standings)).to.be.above(standings.length / 4);
    });

    it('are others as soon as a change is there', async () => {
      await of('users').updateOne({ _id: 2 }, { $set: { active: false } });
      await until(() => refusal(2).inMemory('now')?.includes('not active') === true);
      await of('users').updateOne({ _id: 2 }, { $set: { active: true } });
      await until(() => refusal(2).inMemory('now') === '');
      const { identifier } = (await of('projects').findOne({ _id: 2 }))!;
      const standing = () => policy().standing(2, identifier).inMemory('now');
      await until(() => policy().own(2).inMemory('now') !== 'many' && standing() === 'member');
      await of('projects').updateOne({ _id: 2 }, { $set: { members: [] } });
      await until(() => standing() === 'stranger');
      await of('projects').updateOne({ _id: 2 }, { $set: { members: [{ user_id: 2 }] } });
      await until(() => standing() === 'member');
    });
  });

  describe('over HTTP', () => {
    let service: TestService;
    before(async () => {
      service = await startService(database.uri, database.name);
    });
    after(() => service?.stop());

    /** How many times the store was asked for documents. */
    async function queries(): Promise<number> {
      const { opcounters } = await database.db.admin().command({ serverStatus: 1 });
      return opcounters.query;
    }

    it('and rows: a search asks the store for nothing, however quiet its caller was', async () => {
      const paths = [
        '/api/v2/users/search',
        '/api/v2/projects/search',
        `/api/v2/projects/${uuid(2)}/tasks/search`,
      ];
      const token = await service.token(2);
      const isSilent = async () => {
        const before = await queries();
        let byIndex = true;
        for (const path of paths) {
          const { status, headers, body } = await service.post(path, {}, token);
          expect(status, JSON.stringify(body)).to.equal(200);
          byIndex &&= headers.get('search-route') === 'index';
        }
        return byIndex && (await queries()) === before;
      };
      // On a busy machine the stream may be late, and the store is asked, as it should be then.
      await until(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return await isSilent();
      }, 'every round of searches asked the store');
    });
  });
});
