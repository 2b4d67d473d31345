/**
 * Exports: all rows of one moment, never fewer, each as a page of the search shows it.
 *
 *     export at F ──► lines ══ pages of the same search, read by pipeline at the same F
 *     anything fails on the way ──► the connection is cut before the stream's end
 */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import {
  ADMIN,
  ANA,
  BO,
  day,
  PEOPLE,
  project,
  schedule,
  task,
  uuid,
} from '../conformance/documents.ts';
import { EXECUTORS } from '../conformance/executors.ts';
import { put, useDatabase } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { readTime } from '../support/readTime.ts';
import { startService, type TestService } from '../support/service.ts';
import { snapshotOf } from '../support/snapshotOf.ts';
import { until } from '../support/until.ts';

const TASKS = 1_200;
const SECRET_ARGS = 'c2VjcmV0-of-a-project';

const VIEWS: readonly (readonly [path: string, caller: number])[] = [
  ['/api/v2/admin/schedules/search', ADMIN],
  [`/api/v2/projects/${uuid(1)}/schedules/search`, ANA],
  ['/api/v2/admin/tasks/search', ADMIN],
  [`/api/v2/projects/${uuid(1)}/tasks/search`, ANA],
  ['/api/v2/users/search', BO],
  ['/api/v2/projects/search', ANA],
  ['/api/v2/admin/projects/search', ADMIN],
  ['/api/v2/admin/audit/search', ADMIN],
];

const ADMIN_TASKS = '/api/v2/admin/tasks/search';

function taskOf(n: number): Document {
  const own = n % 3 > 0;
  return task(n, {
    ...(own && { scope: 'project', project_id: uuid(1 + (n % 2)) }),
    status: n % 4 === 0 ? 'SUCCESS' : 'FAILURE',
    folder: n % 5 === 0 ? `=1+${n}, "x"\r\n` : `folder ${n % 7}`,
    date_queued: n % 6 === 0 ? null : day(n % 11),
    artifacts: [{ name: 'a', size: 1 }],
    args: { n, text: 'ß😀' },
  });
}

describe('exports', function exports() {
  this.timeout(60_000);
  const database = useDatabase();

  before(async () => {
    const { db } = database;
    const task_args = {
      user_email: 'ana@mail.test',
      other: { key: SECRET_ARGS },
      key: SECRET_ARGS,
    };
    const within = { scope: 'project', project_id: uuid(1), task_args };
    await put(db, {
      users: PEOPLE,
      projects: [1, 2, 3].map((n) => project(n)),
      schedules: [...[1, 2, 3].map((n) => schedule(n, within)), schedule(4)],
      tasks: Array.from({ length: TASKS }, (_, n) => taskOf(n + 1)),
      audit: [{ _id: 'a', at: day(3), actor: '1', action: 'task.cancel', before: null }],
    });
  });

  for (const executor of EXECUTORS) {
    describe(`by ${executor.name}`, () => {
      let service: TestService;
      const tokens: string[] = [];

      before(async () => {
        service = await startService(...([database.uri, database.name] as const), {
          ...executor.settings,
          DB_ITEM_LIMIT: '5000',
        });
        for (const id of [ADMIN, ANA, BO]) tokens[id] = await service.token(id, id === ADMIN);
        await service.goesBy(executor.route, ADMIN_TASKS, tokens[ADMIN]!);
      });
      after(() => service.stop());

      const ask = (path: string, body: unknown, caller = ADMIN, headers = {}) =>
        fetch(`${service.url}${path}/export`, {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', authorization: `Bearer ${tokens[caller]}` },
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });

      for (const [path, caller] of VIEWS) {
        it(`are the rows of ${path.replace(uuid(1), '…')}`, async () => {
          const { body } = await service.post(
            path,
            { pagination: { per_page: 5000 } },
            tokens[caller],
          );
          const answer = await ask(path, {}, caller);
          const text = await answer.text();
          const rows = text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line));
          expect(rows).to.deep.equal(body.data);
          expect(answer.headers.get('content-type')).to.equal('application/x-ndjson');
          expect(answer.headers.get('search-total')).to.equal(String(rows.length));
          expect(answer.headers.get('search-route')).to.equal(executor.route);
          expect(text).not.to.include(
            path.includes('schedules') && caller === ANA ? SECRET_ARGS : '\0',
          );
        });
      }

      it('follow filters, order, conditions and columns', async () => {
        const asked = {
          filters: { scope: 'project', get_artifacts_metadata: true },
          sorting: { sort_by: 'date_queued', sort_order: 'asc' },
          select: [{ field: 'status', in: ['SUCCESS'] }],
        };
        const pages = { ...asked, pagination: { per_page: 5000 } };
        const { body } = await service.post(`${ADMIN_TASKS}/explore`, pages, tokens[ADMIN]);
        const columns = ['date_queued', 'artifacts', 'id'];
        const lines = (await (await ask(ADMIN_TASKS, { ...asked, columns })).text()).split('\n');
        expect(lines.slice(0, -1)).to.deep.equal(
          body.data.map(({ date_queued, artifacts, id }: Document) =>
            JSON.stringify({ date_queued, artifacts, id }),
          ),
        );
        expect(lines.length).to.be.above(100);
      });

      it('read related documents only for columns that show them', async () => {
        const { db } = database;
        const readsOf = async (columns: readonly string[]) => {
          const since = new Date();
          await (await ask(ADMIN_TASKS, { columns })).text();
          const asked = { ns: `${db.databaseName}.projects`, 'command.find': 'projects' };
          return await db.collection('system.profile').countDocuments({
            ...{ ...asked, 'command.readConcern.level': 'snapshot', ts: { $gte: since } },
          });
        };
        await db.command({ profile: 2 });
        try {
          expect(await readsOf(['id', 'status'])).equal(0);
          expect(await readsOf(['id', 'project_name'])).greaterThan(0);
        } finally {
          await db.command({ profile: 0 });
        }
      });

      it('show one moment while everything is written to', async () => {
        let writing = true;
        const tasks = database.db.collection<{ _id: number }>('tasks');
        const write = async () => {
          for (let n = 0; writing; n = (n + 1) % TASKS) {
            await tasks.updateOne({ _id: n + 1 }, { $inc: { retries: 1 } });
            await tasks.deleteOne({ _id: 50_000 + n });
            await tasks.insertOne({ ...taskOf(50_000 + n), _id: 50_000 + n } as never);
          }
        };
        const writers = [write(), write()].map((one) => one.catch(() => {}));
        try {
          for (let i = 0; i < 3; i++) {
            const answer = await ask(ADMIN_TASKS, { sorting: { sort_by: 'date_queued' } });
            const text = await answer.text().catch((error) => {
              const lines = service.logLines.slice(-5).join('');
              throw new Error(`${error} (${error.cause}); the service: ${lines}`);
            });
            const at = readTime(answer.headers.get('search-as-of')!);
            const there = await snapshotOf(database.db, 'tasks', at);
            const got = text
              .split('\n')
              .slice(0, -1)
              .map((line) => JSON.parse(line));
            const time = ({ date_queued: date }: Document) => date?.getTime() ?? -1;
            const wanted = there
              .filter(({ scope }) => scope !== 'backup_infrastructure')
              .sort((a, b) => time(b) - time(a) || b._id - a._id)
              .map(({ _id, retries }) => [_id, retries]);
            expect(got.map(({ id, retries }) => [id, retries])).to.deep.equal(wanted);
          }
        } finally {
          // The tests after this one have their own data.
          writing = false;
          await Promise.all(writers);
          await tasks.deleteMany({ _id: { $gte: 50_000 } });
        }
      });
    });
  }

  describe('as answers', () => {
    let service: TestService;
    let token: string;
    let other: string;

    before(async () => {
      service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
      token = await service.token(ADMIN, true);
      other = await service.token(BO);
    });
    after(() => service.stop());
    afterEach(() => failNone(database.client));

    const ask = (body: unknown, headers: Record<string, string> = {}, path = ADMIN_TASKS) =>
      fetch(`${service.url}${path}/export`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          // A compressed export, though larger than all buffers, would fit into them.
          'accept-encoding': 'identity',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const csv = { accept: 'text/csv' };
    const oneRow = { filters: { task_id: uuid(5) }, columns: ['id', 'folder', 'args', 'eta'] };

    it('are CSV where that is accepted', async () => {
      const answer = await ask(oneRow, csv);
      expect(answer.headers.get('content-type')).to.match(/^text\/csv; charset=utf-8/);
      expect(answer.headers.get('content-disposition')).to.match(
        /^attachment; filename="tasks-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv"$/,
      );
      expect(await answer.text()).to.equal(
        'id,folder,args,eta\r\n5,"\'=1+5, ""x""\r\n","{""n"":5,""text"":""ß😀""}",\r\n',
      );
      const kept = await ask({ ...oneRow, columns: ['folder'], formulas: 'keep' }, csv);
      expect(await kept.text()).to.equal('folder\r\n"=1+5, ""x""\r\n"\r\n');
    });

    it('are CSV where that is accepted with the parameters that it has', async () => {
      for (const accept of ['text/csv; charset=UTF-8', 'text/csv;header=present', 'text/*;q=0.5']) {
        const { headers } = await ask(oneRow, { accept });
        expect(headers.get('content-type'), accept).to.match(/^text\/csv/);
      }
      const { headers } = await ask(oneRow, { accept: 'text/csv; charset=utf-16' });
      expect(headers.get('content-type')).to.equal('application/x-ndjson');
    });

    it('leave a cell empty where a record has no such member', async () => {
      const body = { filters: { schedule_id: uuid(1) }, columns: ['schedule_id', 'task_args'] };
      const path = '/api/v2/admin/schedules/search';
      expect(await (await ask(body, csv, path)).text()).to.equal(
        `schedule_id,task_args\r\n${uuid(1)},\r\n`,
      );
      const alone = { ...body, columns: ['task_args'] };
      expect(await (await ask(alone, csv, path)).text()).to.equal('task_args\r\n""\r\n');
      expect(await (await ask(alone, {}, path)).text()).to.equal('{}\n');
    });

    it('are whole without a row', async () => {
      const none = { filters: { task_id: uuid(999_999) }, columns: ['id', 'name'] };
      expect(await (await ask(none, csv)).text()).to.equal('id,name\r\n');
      const answer = await ask(none);
      expect([answer.status, await answer.text()]).to.deep.equal([200, '']);
      expect(answer.headers.get('search-total')).to.equal('0');
    });

    it('refuse what they do not take, with its place', async () => {
      const refused = async (body: object) => {
        const answer = await ask(body);
        const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
        return [answer.status, ...errors.map(({ pointer }) => pointer)];
      };
      expect(await refused({ columns: ['id', 'secret', 'id'] })).to.deep.equal([422, '/columns/1']);
      expect(await refused({ columns: ['id', 'id'] })).to.deep.equal([422, '/columns/1']);
      expect(await refused({ columns: [] })).to.deep.equal([422, '/columns']);
      expect(await refused({ pagination: {} })).to.deep.equal([422, '/pagination']);
      expect(await refused({ facets: [] })).to.deep.equal([422, '/facets']);
      expect(await refused({ formulas: 'x' })).to.deep.equal([422, '/formulas']);
    });

    describe('to a form', () => {
      const form = async (fields: Record<string, string> | string, headers = {}) => {
        const answer = await fetch(`${service.url}${ADMIN_TASKS}/export`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
        });
        // `text` of an answer leaves out a byte order mark.
        const text = Buffer.from(await answer.arrayBuffer()).toString();
        const code = text.startsWith('{"type"') ? JSON.parse(text).code : undefined;
        return { status: answer.status, code, text };
      };
      const request = JSON.stringify(oneRow);

      it('are the same, in CSV after a byte order mark', async () => {
        const { text } = await form({ access_token: token, request, accept: 'text/csv' });
        const plain = Buffer.from(await (await ask(oneRow, csv)).arrayBuffer()).toString();
        expect(text).to.equal(`\ufeff${plain}`);
        expect((await form({ access_token: token, request })).text).to.equal(
          await (await ask(oneRow)).text(),
        );
      });

      it('are written in UTF-8, with percent signs or without', async () => {
        const asked = (name: string) => `{"filters":{"project_name":"${name}"},"columns":["id"]}`;
        const plus = `access_token=${token}&request=${asked('Ä+€').replaceAll(' ', '+')}`;
        const applied = await form(plus);
        expect(applied.status, applied.text).to.equal(200);
        const escaped = new URLSearchParams({ access_token: token, request: asked('Ä €') });
        expect((await form(escaped.toString())).text).to.equal(applied.text);
      });

      it('take the token from its field alone', async () => {
        const authorization = `Bearer ${token}`;
        expect(await form({ request }, { authorization })).to.include({ status: 401 });
        expect(await form({ request, access_token: 'x y' })).to.include({ status: 401 });
        expect(await form({ request, access_token: other })).to.include({ status: 403 });
      });

      it('fail in the order of all others', async () => {
        expect((await form({ access_token: other, request: '{' })).status).to.equal(403);
        expect((await form({ access_token: token, request: '{' })).code).to.equal('MalformedBody');
        expect((await form({ access_token: token })).status).to.equal(422);
        expect((await form({ access_token: token, request, x: '' })).status).to.equal(422);
        expect((await form('request=%ff')).code).to.equal('MalformedBody');
        expect((await form('access_token=a&access_token=b')).code).to.equal('MalformedBody');
        expect((await form(`request=${'x'.repeat(2 ** 20)}`)).code).to.equal('BodyTooLarge');
        expect((await form('')).status).to.equal(401);
        for (const broken of ['request=%f', 'request=%fg', 'request=%', 'x&'.repeat(17)]) {
          expect((await form(broken)).code).to.equal('MalformedBody');
        }
        const deep = (value: string) => form(`access_token=${token}&request=${value}`);
        const opened = '['.repeat(300_000);
        const { status, text } = await deep(opened + ']'.repeat(300_000));
        expect(status).to.equal(422);
        expect(text).to.include('Nested more than 1000 levels deep.');
        const half = await deep(opened);
        expect([half.status, half.code]).to.deep.equal([400, 'MalformedBody']);
        expect(JSON.parse(half.text).detail).to.match(/^In the field "request": .*JSON/);
        const cut = await form({ access_token: token, request: '{"q": 1,}' });
        expect(JSON.parse(cut.text).detail).to.match(/^In the field "request": .* column 9/);
        const elsewhere = await fetch(`${service.url}${ADMIN_TASKS}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Bearer ${token}`,
          },
          body: `request=${request}`,
        });
        expect(elsewhere.status).to.equal(415);
      });
    });

    /** How it ended: `cut`, or the status and the number of lines. */
    const ending = async (asked: Promise<Response>): Promise<string> => {
      try {
        const answer = await asked;
        const text = await answer.text();
        return answer.ok ? `200, ${text.split('\n').length - 1} lines` : String(answer.status);
      } catch {
        return 'cut';
      }
    };

    for (const [what, skip, failure] of [
      ['a moment that is gone', 2, { failCommands: ['find'], errorCode: 239 }],
      ['a connection that breaks', 2, { failCommands: ['find'], closeConnection: true }],
      ['a cursor that is lost', 0, { failCommands: ['getMore'], errorCode: 43 }],
    ] as const) {
      it(`break, and are never short: ${what}`, async () => {
        const namespace = `${database.name}.tasks`;
        await failCommand(database.client, { skip }, { ...failure, namespace });
        expect(await ending(ask({}))).to.match(/^cut|^503/);
        expect(service.logLines.filter((line) => line.includes('request failed'))).not.to.be.empty;
        await failNone(database.client);
        // Database indexes that are built meanwhile can end one as well.
        const whole = `200, ${TASKS} lines`;
        await until(async () => (await ending(ask({}))) === whole, 'it is never whole again');
      });
    }

    it('break when a collection that they show is dropped meanwhile', async () => {
      const { db, client } = database;
      const held = { failCommands: ['find'], blockConnection: true, blockTimeMS: 1_500 };
      const namespace = `${database.name}.tasks`;
      const point = await failCommand(client, { skip: 2 }, { ...held, namespace });
      const outcome = ending(ask({}));
      await point.met();
      const projects = await db.collection('projects').find().toArray();
      await db.collection('projects').drop();
      await db.collection('projects').insertMany(projects);
      expect(await outcome).to.equal('cut');
    });

    describe('larger than all buffers', () => {
      /** Four replies of the store: one is sent, one waits, and two are not read yet. */
      const LARGE = 100;
      const path = '/api/v2/admin/projects/search';
      const filters = { q: 'large' };

      before(async () => {
        const config = { text: 'x'.repeat(400_000) };
        const documents = Array.from({ length: LARGE }, (_, n) =>
          project(100 + n, { name: `large ${n}`, config }),
        );
        await database.db.collection('projects').insertMany(documents as never[]);
      });
      after(() => database.db.collection('projects').deleteMany({ _id: { $gte: 100 } as never }));

      it('are read as they are taken: all, in order', async () => {
        const answer = await ask({ filters, columns: ['name'] }, {}, path);
        const names = (await answer.text()).split('\n').slice(0, -1);
        expect(names).to.have.length(LARGE);
        expect(JSON.parse(names[0]!)).to.deep.equal({ name: `large ${LARGE - 1}` });
      });

      it('are two at once for one caller, and end with their client', async () => {
        const leave = new AbortController();
        const open = () =>
          fetch(`${service.url}${path}/export`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'accept-encoding': 'identity',
              authorization: `Bearer ${token}`,
            },
            body: JSON.stringify({ filters }),
            signal: leave.signal,
          });
        const [one, two] = [await open(), await open()];
        expect([one.status, two.status]).to.deep.equal([200, 200]);
        const third = await ask({});
        expect([third.status, ((await third.json()) as { code: string }).code]).to.deep.equal([
          429,
          'TooManyRequests',
        ]);
        leave.abort();
        await until(async () => (await ending(ask({ columns: ['id'] }))).startsWith('200'));
      });

      it('break when the store no longer keeps their moment', async () => {
        const { db, client } = database;
        const keep = (seconds: number) =>
          client
            .db('admin')
            .command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: seconds });
        const { was } = await keep(1);
        try {
          const answer = await ask({ filters }, {}, path);
          const at = readTime(answer.headers.get('search-as-of')!);
          await until(async () => {
            await db.collection('other').insertOne({});
            return await snapshotOf(db, 'users', at).then(
              () => false,
              ({ code }) => code === 239,
            );
          }, 'the moment is kept');
          expect(await ending(Promise.resolve(answer))).to.equal('cut');
        } finally {
          await keep(was);
        }
      });
    });
  });
});
