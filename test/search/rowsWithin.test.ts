/**
 * What the store looks at in searches by pipeline of those who may see some rows only, by its own
 * profile: for what others have as much as for what none has, key by key and document by document.
 */
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ensureIndexes } from '../../src/mongo/indexes.ts';
import { ANA, project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';

const MINE = uuid(1);
const FOREIGN = uuid(7);
const ABSENT = uuid(999);

const IN_PROJECT = `/api/v2/projects/${MINE}`;
const OWN = '/api/v2/projects/search';
const facets = (field: string) => [{ field }];
const chosen = (field: string, id: string) => [{ field, in: [id] }];

/** Path, and body that asks for an id. */
const SEARCHES: readonly (readonly [string, (id: string) => object])[] = [
  [
    `${IN_PROJECT}/tasks/search/explore`,
    (id) => ({ select: chosen('task_id', id), facets: facets('status') }),
  ],
  [`${IN_PROJECT}/tasks/search/export`, (id) => ({ select: chosen('task_id', id) })],
  [`${IN_PROJECT}/schedules/search`, (schedule_id) => ({ filters: { schedule_id } })],
  [
    `${IN_PROJECT}/schedules/search/explore`,
    (schedule_id) => ({ filters: { schedule_id }, facets: facets('folder') }),
  ],
  [`${IN_PROJECT}/schedules/search/export`, (schedule_id) => ({ filters: { schedule_id } })],
  [OWN, (project_id) => ({ filters: { project_id } })],
  [`${OWN}/explore`, (project_id) => ({ filters: { project_id }, facets: facets('type') })],
  [`${OWN}/export`, (project_id) => ({ filters: { project_id } })],
];

describe('what a search by pipeline looks at', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    const { db } = database;
    await ensureIndexes(db);
    const numbers = Array.from({ length: 40 }, (_, n) => n + 1);
    const of = (n: number) => ({ scope: 'project', project_id: uuid(n) });
    const documents = {
      users: [user(ANA)],
      projects: numbers.map((n) =>
        project(n, { members: [{ user_id: n === 1 ? ANA : 100 + n, role: 'owner' }] }),
      ),
      tasks: numbers.map((n) => task(n, of(n))),
      schedules: numbers.map((n) => schedule(n, of(n))),
    };
    for (const [name, each] of Object.entries(documents)) {
      await db.collection(name).insertMany(each);
    }
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await service.token(ANA);
  });
  after(async () => {
    await service?.stop();
  });

  /** What each read of a table looked at, while this was asked. */
  async function lookedAt(path: string, body: object) {
    const { db } = database;
    await db.command({ profile: 0 });
    await db
      .collection('system.profile')
      .drop()
      .catch(() => {});
    await db.command({ profile: 2 });
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    await db.command({ profile: 0 });
    const found = await db
      .collection('system.profile')
      .find({ 'command.aggregate': { $in: ['tasks', 'schedules', 'projects'] } })
      .sort({ ts: 1 })
      .toArray();
    return {
      status: answer.status,
      text,
      reads: found.map(({ command, keysExamined, docsExamined }) => ({
        ...{ collection: command.aggregate, keysExamined, docsExamined },
      })),
    };
  }

  for (const [path, bodyOf] of SEARCHES) {
    it(path.replace(MINE, '…'), async () => {
      const foreign = await lookedAt(path, bodyOf(FOREIGN));
      const absent = await lookedAt(path, bodyOf(ABSENT));
      expect(foreign.status, foreign.text).equal(200);
      expect(foreign.reads).not.empty;
      expect(foreign.reads).deep.equal(absent.reads);
    });
  }
});
