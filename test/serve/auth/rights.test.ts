/** Callers and their rights: users, members and tasks read from a real store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Db, type Document, MongoClient, Timestamp } from 'mongodb';
import { buildIndexes } from '../../../src/apps/admin/databaseIndexes.ts';
import { DataPolicy } from '../../../src/apps/admin/policy.ts';
import { AppError } from '../../../src/errors.ts';
import type { Permission, Principal } from '../../../src/serve/auth/principal.ts';
import { Rights } from '../../../src/serve/auth/rights.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import { useDatabase } from '../../support/database.ts';
import {
  bearer,
  MISSING,
  PEOPLE,
  PROJECT_A,
  principal,
  SECRET,
  storePeople,
  verifierOf,
} from '../edge.ts';

const TOKENS = verifierOf({ authJwtSecret: SECRET });

const rightsOn = (db: Db, latest?: () => Timestamp) =>
  new Rights({ tokens: TOKENS, policy: new DataPolicy({ db }), latest });

const soon = () => new Deadline(10_000);

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).instanceOf(AppError);
  return error as AppError;
}

/** The database, whose reads add to `asked` the collection and the member they look for. */
const countedReads = (db: Db, asked: string[]): Db =>
  new Proxy(db, {
    get(all, name) {
      const value = Reflect.get(all, name, all);
      if (name !== 'command') return typeof value === 'function' ? value.bind(all) : value;
      return (command: Document, ...options: never[]) => {
        const { find, filter, min } = command;
        if (find) asked.push(`${find}.${Object.keys(min ?? filter)[0]}`);
        return all.command(command, ...options);
      };
    },
  });

/** The caller behind a header. */
async function admit(rights: Rights, authorization: string | undefined, deadline: Deadline) {
  const caller = await rights.claims(authorization);
  await rights.authenticate(caller, deadline);
  return caller;
}

describe('rights', () => {
  const database = useDatabase();
  const collection = (name: string) => database.db.collection<{ _id: number }>(name);
  let rights: Rights;

  before(() => storePeople(database.db));
  beforeEach(() => {
    rights = rightsOn(database.db);
  });

  describe('knows callers by their header', () => {
    it('in the usual form, the scheme in any case', async () => {
      const { authorization } = await bearer('member');
      const token = authorization!.slice('Bearer '.length);
      for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `]) {
        expect(await admit(rights, header, soon())).include({
          sub: '2',
          admin: false,
        });
      }
    });

    it('and no more once the token has expired, since a request may take long', async () => {
      const { authorization } = await bearer('member');
      const caller = await rights.claims(authorization);
      await rights.authenticate(caller, soon());
      const expires = Math.floor(Date.now() / 1_000);
      const error = await failure(rights.authenticate({ ...caller, expires }, soon()));
      expect(error.code).equal('Unauthenticated');
      const end = new Date(expires * 1_000).toISOString();
      expect(error.detail).equal(`The token expired at ${end}; a new one is needed.`);
      expect(error.headers['WWW-Authenticate']).include('error="invalid_token"');
    });

    it('and asks for a token when there is none', async () => {
      const error = await failure(admit(rights, undefined, soon()));
      expect(error.code).equal('Unauthenticated');
      expect(error.headers['WWW-Authenticate']).equal('Bearer realm="table-search"');
    });

    it('and refuses other schemes and forms', async () => {
      const { authorization } = await bearer('member');
      const token = authorization!.slice('Bearer '.length);
      const bad = [
        '',
        'Bearer',
        'Bearer ',
        `Basic ${token}`,
        token,
        `Bearer ${token} x`,
        `Bearer "${token}"`,
      ];
      for (const header of bad) {
        const error = await failure(admit(rights, header, soon()));
        expect(error.code, header).equal('Unauthenticated');
        const isBearer = /^bearer/i.test(header);
        expect(error.headers['WWW-Authenticate']).match(
          isBearer ? /^Bearer .*error="invalid_token"/ : /^Bearer realm="[\w-]+"$/,
        );
        const said = header.startsWith('Basic ') ? /scheme Basic is not taken/ : /has no scheme/;
        expect(error.detail, header).match(isBearer ? /one token/ : said);
      }
    });
  });

  describe('believes only in users who exist and are active', () => {
    const people: [id: number, active: unknown][] = [
      [10, false],
      [11, 'true'],
      [12, 1],
      [13, null],
      [14, undefined],
    ];
    before(() =>
      collection('users').insertMany(
        people.map(([_id, active]) =>
          active === undefined ? { _id } : { _id, active },
        ) as never[],
      ),
    );

    for (const [userId, active] of [...people, [99, 'who is not there'] as const]) {
      it(`so not in one with active: ${String(active)}`, async () => {
        const policy = new DataPolicy({ db: database.db });
        const tokens = { claims: async () => principal(userId, 'admin') };
        const known = new Rights({ tokens, policy });
        const { code, detail, headers } = await failure(admit(known, 'Bearer x', soon()));
        expect(code).equal('Unauthenticated');
        const why = userId === 99 ? 'there is no user 99' : `its user ${userId} is not active`;
        expect(detail).include(`The token is good, but ${why}`);
        expect(headers['WWW-Authenticate']).include(`error_description="${detail}"`);
      });
    }

    it('and sees a change within a second, both ways', async () => {
      const { authorization } = await bearer('otherMember');
      await admit(rights, authorization, soon());
      await collection('users').updateOne({ _id: 3 }, { $set: { active: false } });
      await sleep(1_000);
      expect((await failure(admit(rights, authorization, soon()))).code).equal('Unauthenticated');
      await collection('users').updateOne({ _id: 3 }, { $set: { active: true } });
      await sleep(1_000);
      expect(await admit(rights, authorization, soon())).to.include({ sub: '3' });
    });
  });

  it('reads once for many who ask for old moments, and again for a later one', async () => {
    const params = { project_id: PROJECT_A };
    const asked: string[] = [];
    let latest = new Timestamp({ t: 1_000, i: 0 });
    const sharing = rightsOn(countedReads(database.db, asked), () => latest);
    const at = (moment: Timestamp) => Object.assign(soon(), { notBefore: moment });
    const { authorization } = await bearer('member');
    for (let i = 1; i <= 5; i++) {
      const deadline = at(new Timestamp({ t: i, i: 1 }));
      const caller = await admit(sharing, authorization, deadline);
      await sharing.authorize('path', caller, params, deadline);
    }
    expect(asked).eql(['users._id', 'projects.members.user_id', 'projects.identifier']);
    const session = database.client.startSession();
    const change = async (active: boolean) => {
      await collection('users').updateOne({ _id: 2 }, { $set: { active } }, { session });
      latest = session.operationTime!;
      return at(latest);
    };
    try {
      const error = await failure(admit(sharing, authorization, await change(false)));
      expect(error.code).equal('Unauthenticated');
      const caller = await admit(sharing, authorization, await change(true));
      expect(caller.sub).equal('2');
    } finally {
      await session.endSession();
    }
  });

  describe('permits', () => {
    const task = (n: number) => `cccccccc-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const TASKS: [n: number, scope: unknown, project: unknown][] = [
      [1, 'project', PROJECT_A],
      [2, 'system', null],
      [3, 'backup_infrastructure', null],
      [4, 'project', MISSING],
      [5, 'project', null],
      [6, 'system', PROJECT_A],
      [7, undefined, PROJECT_A],
      [8, ['project'], PROJECT_A],
      [9, 'project', [PROJECT_A]],
    ];
    before(async () => {
      await collection('tasks').insertMany(
        TASKS.map(([_id, scope, project_id]) => ({
          _id,
          task_id: task(_id),
          scope,
          project_id,
        })) as never[],
      );
      await collection('projects').insertMany([
        { _id: 20, identifier: 'eeeeeeee-0000-4000-8000-000000000001', members: 'none' },
        { _id: 21, identifier: 'eeeeeeee-0000-4000-8000-000000000002' },
        {
          _id: 22,
          identifier: 'eeeeeeee-0000-4000-8000-000000000003',
          members: [null, '2', { user_id: '2' }],
        },
      ] as never[]);
    });

    const may = async (permission: Permission, person: keyof typeof PEOPLE, params = {}) => {
      try {
        await rights.authorize(permission, PEOPLE[person], params, soon());
        return 'yes';
      } catch (error) {
        return (error as AppError).code;
      }
    };

    it('admin routes to admins, 403 to others', async () => {
      expect(await may('admin', 'admin')).equal('yes');
      expect(await may('admin', 'member')).equal('Forbidden');
    });

    it('project routes to members and admins, 404 to others and for missing ones', async () => {
      const params = { project_id: PROJECT_A };
      expect(await may('path', 'member', params)).equal('yes');
      expect(await may('path', 'admin', params)).equal('yes');
      expect(await may('path', 'otherMember', params)).equal('NotFound');
      expect(await may('path', 'member', { project_id: MISSING })).equal('NotFound');
      expect(await may('path', 'admin', { project_id: MISSING })).equal('NotFound');
    });

    it('no one but admins where the members are dirty', async () => {
      for (const n of [1, 2, 3]) {
        const params = { project_id: `eeeeeeee-0000-4000-8000-00000000000${n}` };
        expect(await may('path', 'member', params)).equal('NotFound');
        expect(await may('path', 'admin', params)).equal('yes');
      }
    });

    it('task routes as the project of the task; all but project tasks to admins alone', async () => {
      for (const [n] of TASKS) {
        const params = { task_id: task(n) };
        expect(await may('path', 'admin', params), `admin ${n}`).equal('yes');
        expect(await may('path', 'member', params), `member ${n}`).equal(
          n === 1 ? 'yes' : 'NotFound',
        );
        expect(await may('path', 'otherMember', params), `other ${n}`).equal('NotFound');
      }
      expect(await may('path', 'admin', { task_id: MISSING })).equal('NotFound');
      expect(await may('path', 'member', { task_id: MISSING })).equal('NotFound');
    });

    it('no task by what another token of the same user may, with the role admin or without', async () => {
      const without = { ...PEOPLE.admin, roles: [], admin: false };
      const mayBe = async (n: number, principal: Principal) => {
        const params = { task_id: task(n) };
        const admitted = rights.authorize('path', principal, params, soon());
        return await admitted.then(
          () => 'yes',
          ({ code }: AppError) => code,
        );
      };
      await collection('tasks').insertMany(
        [62, 63].map((n) => ({ _id: n, task_id: task(n), scope: 'system' }) as never),
      );
      expect(await mayBe(62, PEOPLE.admin)).equal('yes');
      expect(await mayBe(62, without)).equal('NotFound');
      expect(await mayBe(63, without)).equal('NotFound');
      expect(await mayBe(63, PEOPLE.admin)).equal('yes');
    });

    it('by the lowest _id where two tasks share a task_id', async () => {
      const shared = (_id: number, task_id: string, project_id: string) =>
        ({ _id, task_id, scope: 'project', project_id }) as never;
      const bbbb = 'bbbbbbbb-0000-4000-8000-000000000002';
      await collection('tasks').insertMany([
        shared(31, task(31), bbbb),
        shared(30, task(31), PROJECT_A),
        shared(40, task(41), bbbb),
        shared(41, task(41), PROJECT_A),
      ]);
      expect(await may('path', 'member', { task_id: task(31) })).equal('yes');
      expect(await may('path', 'otherMember', { task_id: task(31) })).equal('NotFound');
      expect(await may('path', 'member', { task_id: task(41) })).equal('NotFound');
      expect(await may('path', 'otherMember', { task_id: task(41) })).equal('yes');
    });

    for (const indexes of ['without indexes', 'by its index']) {
      it(`by one of several ids that a task has, and none near it, ${indexes}`, async () => {
        if (indexes === 'by its index') await buildIndexes(database.db);
        await collection('tasks').replaceOne(
          { _id: 50 },
          { task_id: [task(50), task(53)], scope: 'project', project_id: PROJECT_A } as never,
          { upsert: true },
        );
        try {
          for (const n of [50, 53]) {
            expect(await may('path', 'member', { task_id: task(n) }), `${n}`).equal('yes');
            expect(await may('path', 'otherMember', { task_id: task(n) })).equal('NotFound');
          }
          for (const n of [49, 51, 54]) {
            expect(await may('path', 'member', { task_id: task(n) }), `${n}`).equal('NotFound');
          }
        } finally {
          await collection('tasks').deleteOne({ _id: 50 });
          // An index that had an array in it remembers that.
          await collection('tasks').dropIndexes();
        }
      });
    }

    it('by the same reads for foreign things as for missing ones, first and again', async () => {
      const asked: string[] = [];
      const counted = rightsOn(countedReads(database.db, asked));
      const readsOf = async (
        permission: Permission,
        person: keyof typeof PEOPLE,
        params: object,
      ) => {
        asked.length = 0;
        const call = counted.authorize(permission, PEOPLE[person], { ...params }, soon());
        await call.catch((error: AppError) => expect(error.code).equal('NotFound'));
        return asked.join(' ');
      };
      // Members use things that are foreign to the one who guesses: that must not make the guess
      // quicker.
      const own = 'projects.members.user_id';
      await readsOf('path', 'member', { project_id: PROJECT_A });
      await readsOf('path', 'member', { task_id: task(1) });
      expect(await readsOf('path', 'otherMember', { project_id: MISSING })).equal(own);
      for (const project_id of [PROJECT_A, MISSING]) {
        expect(await readsOf('path', 'otherMember', { project_id }), project_id).equal('');
      }
      const first = new Set<string>();
      for (const again of [false, true]) {
        for (const task_id of [1, 2, 3, 5, 6, 999].map(task)) {
          const read = await readsOf('path', 'otherMember', { task_id });
          if (again) expect(read, task_id).equal('');
          else first.add(read);
        }
      }
      expect(first).length(1);
      expect([...first][0]).match(new RegExp(`^${own} tasks.task_id .*tasks._id$`));
    });

    it('and fetches no foreign task, nor a foreign project', async () => {
      const { db } = database;
      await buildIndexes(db);
      // Its neighbour in the index is read in its place, and is foreign as well.
      const missing = `${task(1).slice(0, -1)}0`;
      await db.command({ profile: 2 });
      for (const params of [{ task_id: task(1) }, { task_id: missing }, { task_id: task(2) }]) {
        expect(await may('path', 'otherMember', params)).equal('NotFound');
      }
      expect(await may('path', 'otherMember', { project_id: PROJECT_A })).equal('NotFound');
      await db.command({ profile: 0 });
      const profile = await db.collection('system.profile').find({ op: 'query' }).toArray();
      const ofTasks = profile.filter(({ ns }) => ns === `${db.databaseName}.tasks`);
      expect(ofTasks).length(6);
      const told = ofTasks.map(({ docsExamined, keysExamined, nreturned }) => [
        docsExamined,
        keysExamined,
        nreturned,
      ]);
      const entry = [0, 1, 1];
      const none = [0, 0, 0];
      expect(told).eql([entry, none, entry, none, entry, none]);
      const ofProjects = profile.filter(({ ns }) => ns === `${db.databaseName}.projects`);
      // The caller's own: once for each task, once for the project; none is read by its identifier.
      const own = ['members.user_id'];
      expect(ofProjects.map(({ command }) => Object.keys(command.filter))).eql([
        own,
        own,
        own,
        own,
      ]);
    });

    it('in a project within a second after it was made', async () => {
      const params = { project_id: 'eeeeeeee-0000-4000-8000-00000000000f' };
      expect(await may('path', 'member', params)).equal('NotFound');
      const members = [{ user_id: 2, role: 'owner' }];
      await collection('projects').insertOne({
        _id: 30,
        identifier: params.project_id,
        members,
      } as never);
      await sleep(1_000);
      expect(await may('path', 'member', params)).equal('yes');
    });

    it('by the membership of a second ago at most', async () => {
      const params = { project_id: PROJECT_A };
      expect(await may('path', 'otherMember', params)).equal('NotFound');
      await collection('projects').updateOne({ _id: 1 }, {
        $push: { members: { user_id: 3, role: 'member' } },
      } as never);
      await sleep(1_000);
      expect(await may('path', 'otherMember', params)).equal('yes');
      await collection('projects').updateOne({ _id: 1 }, {
        $pull: { members: { user_id: 3 } },
      } as never);
      await sleep(1_000);
      expect(await may('path', 'otherMember', params)).equal('NotFound');
    });

    it('for a task, too, whose answer is made of several that are kept', async () => {
      const params = { project_id: PROJECT_A, task_id: task(1) };
      const member = { user_id: 3, role: 'member' };
      for (const [change, answer] of [
        [{ $push: { members: member } }, 'yes'],
        [{ $pull: { members: { user_id: 3 } } }, 'NotFound'],
      ] as const) {
        await may('path', 'otherMember', params);
        await collection('projects').updateOne({ _id: 1 }, change as never);
        const changed = performance.now();
        await sleep(750);
        // Late in the life of the project's kept answer: its age counts for the task.
        await may('path', 'otherMember', params);
        await sleep(changed + 1_000 - performance.now());
        expect(await may('path', 'otherMember', params)).equal(answer);
        await sleep(1_000);
      }
    });
  });
});

describe('rights without a store', () => {
  it('says 503, never that the token is bad', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 200 });
    try {
      const rights = rightsOn(client.db('x'));
      const { authorization } = await bearer('member');
      const error = await failure(admit(rights, authorization, soon()));
      expect(error.code).equal('StoreUnavailable');
      expect(error.headers['Retry-After']).match(/^\d+$/);
      const params = { project_id: PROJECT_A };
      const permission = rights.authorize('path', PEOPLE.member, params, soon());
      expect((await failure(permission)).code).equal('StoreUnavailable');
    } finally {
      await client.close();
    }
  });
});
