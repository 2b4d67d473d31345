/** Records are in memory: a search asks the store for nothing, whatever its rows are. */
import { expect } from 'chai';
import { type CommandStartedEvent, Decimal128, type Document, Long } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import { Quota } from '../../src/tables/search/quota.ts';
import { Search, type SearchSettings } from '../../src/tables/search/search.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { useDatabase } from '../support/database.ts';
import { recordText } from '../support/recordText.ts';
import { until } from '../support/until.ts';
import { type Ask, planOf, VIEWS, type ViewName } from './asks.ts';
import { Oracle } from './oracle.ts';
import { type System, startSystem } from './system.ts';

const within = { scope: 'project', project_id: uuid(1) };
/** Commands that read documents for a search. */
const READS = ['find', 'aggregate', 'count'];

describe('rows from memory', () => {
  const database = useDatabase();
  let system: System;
  let oracle: Oracle;
  let reads: string[] = [];

  before(async () => {
    const { db, uri, name: dbName, client } = database;
    const of = (name: string) => db.collection<Document & { _id: never }>(name);
    const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
    await of('users').insertMany(numbers.map((n) => user(n)) as never[]);
    await of('projects').insertMany(numbers.map((n) => project(n)) as never[]);
    await of('schedules').insertMany(numbers.map((n) => schedule(n, within)) as never[]);
    const traceback = 'Traceback (most recent call last):\n  "μ"\u2028\tline 1\n'.repeat(9);
    const artifacts = [{ name: 'a.csv', size: 5, created_at: new Date(5) }];
    const dirty = [
      task(1, { ...within, traceback, status: 'SUCCESS', artifacts }),
      task(2, {
        ...within,
        args: { a: [1, null, { $date: 'x' }], '': new Date(0) },
        eta: new Date(1),
      }),
      task(3, { ...within, traceback: null, folder: undefined }),
    ];
    const tasks = [...dirty, ...numbers.slice(3).map((n) => task(n, within))];
    await of('tasks').insertMany(tasks as never[]);
    const caseFolding = new CaseFolding(db);
    system = await startSystem({ uri, dbName, caseFolding });
    system.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (READS.includes(commandName)) reads.push(`${commandName} ${command[commandName]}`);
    });
    oracle = new Oracle(client, dbName);
    await until(() => system.index.state().state === 'live');
  });
  after(() => system?.stop());

  async function ask(view: ViewName) {
    const body = { filters: {}, pagination: { page: 1, per_page: 100 }, sorting: {} };
    const one = { view, projectId: uuid(1), memberId: 2, http: false, body } as Ask;
    const { plan } = planOf(one, system.fold);
    reads = [];
    const answer = await system.search.run(plan, new Deadline(15_000));
    return { plan, answer, reads };
  }

  for (const view of Object.keys(VIEWS).filter((name) => name !== 'audit') as ViewName[]) {
    it(`${view}: nothing is read, and each record is what the pipeline shows, byte by byte`, async () => {
      const { plan, answer, reads } = await ask(view);
      expect(answer.route).to.equal('index');
      expect(answer.rows.length).to.be.above(0);
      expect(reads).to.deep.equal([]);
      await oracle.check(plan, answer, view);
    });
  }

  it('are others from the moment on in which a shown member, or what is joined, changes', async () => {
    const { db } = database;
    const records = new RecordJson(VIEWS.tasks.view.resource.record);
    const context = {
      labels: taskCatalogue().labels,
      options: new Set(['get_artifacts_metadata']),
    };
    const shows = async (text: string) => {
      const { answer, reads, plan } = await ask('tasks');
      await oracle.check(plan, answer, text);
      const kept = await until(() => system.search.runNow(plan));
      await oracle.check(plan, kept, `${text}, of rows that are kept`);
      return (
        reads.length === 0 &&
        answer.rows.some((row) => recordText(records, row, context).includes(text))
      );
    };
    const tasks = db.collection<Document & { _id: number }>('tasks');
    await tasks.updateOne({ _id: 4 }, { $set: { traceback: 'changed one' } });
    await until(() => shows('changed one'));
    await tasks.updateOne({ _id: 4 }, { $set: { args: { changed: 'two' } } });
    await until(() => shows('{"changed":"two"}'));
    const projects = db.collection<Document & { _id: number }>('projects');
    await projects.updateOne({ _id: 1 }, { $set: { name: 'Name "three"' } });
    await until(() => shows('"Name \\"three\\""'));
  });

  it('of projects show members as they are from the moment on in which one of them changes', async () => {
    const records = new RecordJson(VIEWS.projects.view.resource.record);
    const context = { labels: taskCatalogue().labels, options: new Set<string>() };
    const shown = async () => {
      const { answer, reads, plan } = await ask('projects');
      // The JSON of members is kept beside them, so records are written before they are checked.
      const texts = answer.rows.map((row) => recordText(records, row, context));
      await oracle.check(plan, answer, 'projects');
      return reads.length === 0 ? texts.join() : '';
    };
    const users = database.db.collection<Document & { _id: number }>('users');
    const [member] = (await database.db.collection('projects').findOne())!.members;
    const _id = member.user_id as number;
    const before = await shown();
    expect(before).to.include(`{"id":${_id},`);
    await users.updateOne({ _id }, { $set: { first_name: 'another first name' } });
    await until(async () => (await shown()).includes('"another first name"'));
    const document = (await users.findOne({ _id }))!;
    await users.deleteOne({ _id });
    await until(async () => !(await shown()).includes(`{"id":${_id},`));
    await users.insertOne({ ...document, first_name: 'a third one' });
    await until(async () => (await shown()).includes('"a third one"'));
  });

  it('answer a search that began by pipeline, when the index is back before that answers', async () => {
    const { index } = system;
    let asked = 0;
    const backLater: SearchSettings['index'] = {
      run: (...given) => (asked++ === 0 ? undefined : index.run(...given)),
      runAlone: index.runAlone.bind(index),
      // As where a row of the page has to be read.
      runNow: () => undefined,
      isLive: index.isLive.bind(index),
    };
    const running = new Quota({ what: 'pipelines', overall: 1, waiting: 1 });
    const busy = running.hold('another');
    try {
      const pipeline = new PipelineExecutor({ db: database.db, resources: RESOURCES, running });
      const { plan } = await ask('tasks');
      const answer = await new Search({ index: backLater, pipeline }).run(
        plan,
        new Deadline(15_000),
      );
      expect([answer.route, asked]).to.deep.equal(['index', 2]);
      await oracle.check(plan, answer, 'back');
    } finally {
      busy.release();
    }
  });

  it('of dirty data are shown as they are stored', async () => {
    const { db } = database;
    const of = (name: string) => db.collection<Document & { _id: number }>(name);
    const odd = [
      { worker: ['one', 'two'], status: ['SUCCESS'], args: { a: [Decimal128.fromString('1.50')] } },
      { retries: Decimal128.fromString('7.0'), date_done: [new Date(5), new Date(6)] },
      {
        folder: { $ref: 'x', $id: 1 },
        task_type: /a/i,
        date_started: Long.fromString('9'.repeat(18)),
      },
      { project_id: [uuid(1)], scope: ['project'] },
    ];
    for (const [n, damage] of odd.entries()) {
      await of('tasks').updateOne({ _id: 8 + n }, { $set: damage });
    }
    await of('users').updateOne({ _id: 2 }, { $set: { first_name: ['Ada', 'Eve'], email: 5 } });
    await of('projects').updateOne(
      { _id: 3 },
      { $set: { name: ['Two', 'names'], config: [null] } },
    );
    await of('projects').updateOne({ _id: 4 }, { $set: { 'members.0.since': Long.MAX_VALUE } });
    await of('schedules').updateOne({ _id: uuid(5) as never }, { $set: { enabled: ['yes'] } });
    for (const view of ['tasks', 'users', 'projects', 'schedules'] as const) {
      await until(async () => {
        const { answer, reads, plan } = await ask(view);
        await oracle.check(plan, answer, view);
        // The tables themselves may still read changed documents.
        return answer.rows.some(({ memory }) => !memory) && reads.length === 0;
      });
    }
    await of('tasks').updateOne(
      { _id: 8 },
      { $set: { worker: 'one', status: 'SUCCESS', args: 1 } },
    );
    await until(async () => {
      const { answer, plan } = await ask('tasks');
      await oracle.check(plan, answer, 'mended');
      return answer.rows.some(({ document, memory }) => document._id === 8 && memory);
    });
    system.index.check();
  });

  for (const member of ['traceback', 'worker']) {
    it(`that are too long are read from the store: ${member}`, async () => {
      const tasks = database.db.collection<Document & { _id: number }>('tasks');
      await tasks.updateOne({ _id: 5 }, { $set: { [member]: 'x'.repeat(20_000) } });
      await until(async () => {
        const { answer, plan } = await ask('tasks');
        await oracle.check(plan, answer, 'long');
        return answer.rows.some(({ document, memory }) => document._id === 5 && !memory);
      });
      await tasks.updateOne({ _id: 5 }, { $set: { [member]: 'short' } });
      await until(async () => {
        const { answer, plan } = await ask('tasks');
        await oracle.check(plan, answer, 'short again');
        return answer.rows.some(({ document, memory }) => document._id === 5 && memory);
      });
      system.index.check();
    });
  }
});
