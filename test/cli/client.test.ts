/** The commands that ask a service: in a pipe, in a terminal, and when something is wrong. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import stringWidth from 'string-width';
import { VIEWS } from '../../clients/typescript/index.ts';
import { painter } from '../../src/cli/show/terminal.ts';
import { TABLES } from '../../src/cli/tables.ts';
import { useWorld } from '../client/world.ts';
import { ANA, task, uuid } from '../conformance/documents.ts';
import { useFolder } from '../support/folder.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { plain, run, runInTerminal, start } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';
import { answered, refusalOf } from './answered.ts';

const ESCAPE = '\u001b';
/** Characters that steer a terminal, and one that turns its text around. */
const HOSTILE = `a${ESCAPE}[31mred\n\tb\u202ec\u0007`;

const WITHOUT_COLUMNS = 'without regard to --columns';

describe('table-search, asking a service', function asking() {
  this.timeout(120_000);
  const world = useWorld();
  let env: Record<string, string>;
  const folder = useFolder('asking');

  before(async () => {
    const tasks = world.database.db.collection('tasks');
    await tasks.updateOne({ _id: 5 as never }, { $set: { worker: HOSTILE } });
    await world.database.db.collection('projects').updateOne(
      { _id: 1 as never },
      {
        $set: { name: '図書館 of a very long name that no terminal has the room for, and more' },
      },
    );
    const token = await world.service.token(1, true);
    env = { TABLE_SEARCH_URL: world.service.url, TABLE_SEARCH_TOKEN: token };
  });

  /** The output of a command that works: it exits with 0 and writes nothing to stderr. */
  async function printed(...args: string[]): Promise<string> {
    const { code, out, err } = await run(args, env);
    expect({ code, err }, args.join(' ')).eql({ code: 0, err: '' });
    return out;
  }
  const cells = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));

  it('has columns and fields that are there', () => {
    for (const { view, ofProject = view, columns, facets } of Object.values(TABLES)) {
      for (const one of [view, ofProject]) {
        expect(Object.keys(VIEWS[one].columns)).include.members([...columns]);
        expect(VIEWS[one].facets).include.members([...facets]);
      }
    }
  });

  describe('in a pipe', () => {
    it('prints rows whole, a line each, with a header and without colours', async () => {
      const [plainRows, chosen] = await Promise.all([
        printed('search', 'tasks', '-n', '100'),
        printed('search', 'tasks', '-s', 'worker=worker-1', '--sort', 'id:asc', '-c', 'id,worker'),
      ]);
      const [head, ...rows] = cells(plainRows);
      expect(head).eql(TABLES.tasks!.columns);
      expect(rows.length).equal(60);
      expect(plainRows).not.include(ESCAPE).not.include('…');
      const hostile = rows.find(([id]) => id === uuid(5))!;
      expect(hostile.length).equal(head!.length);
      expect(hostile[5]).equal('a\\u001b[31mred\\n\\tb\\u202ec\\u0007');
      expect(cells(chosen).slice(0, 3)).eql([
        ['id', 'worker'],
        ['1', 'worker-1'],
        ['6', 'worker-1'],
      ]);
    });

    it('prints the whole answer as JSON, and CSV for spreadsheets', async () => {
      const [json, csv, counts] = await Promise.all([
        run(['search', 'users', '-q', 'ana', '--json', '-c', 'id'], env),
        printed('search', 'users', '-f', 'active=true', '--csv', '-c', 'id,last_name'),
        printed('explore', 'tasks', '--facet', 'status:1', '--csv'),
      ]);
      const { data, meta } = JSON.parse(json.out);
      expect(data.map(({ email }: { email: string }) => email)).eql(['ana@mail.test']);
      expect(meta.applied_filters).eql({ q: 'ana' });
      expect(json.err, 'more than the columns asked for').include(WITHOUT_COLUMNS);
      expect(csv).equal('id,last_name\r\n3,Li\r\n2,Kovač\r\n1,Admin\r\n');
      expect(counts).match(/^field,value,label_or_end,count\r\nstatus,FAILURE,,\d+\r\n$/);
    });

    it('says that JSON shows more than the columns asked for', async () => {
      const asked = ['users', '-q', 'ana', '--json', '-n', '1', '-c', 'id'];
      for (const args of [
        ['explore', ...asked],
        ['watch', ...asked, '--once'],
      ]) {
        const { code, out, err } = await run(args, env);
        expect(code).equal(0);
        expect(out).include('"email":');
        expect(err).include(WITHOUT_COLUMNS);
      }
    });

    it('explores: counts by value, by time, and rows where they are asked for', async () => {
      const [counts, both, json] = await Promise.all([
        printed('explore', 'tasks', '-s', 'status!=STARTED', '--facet', 'status'),
        printed(
          'explore',
          'tasks',
          '--histogram',
          'date_queued:P1D',
          '--time-zone',
          'UTC',
          '-n',
          '2',
        ),
        printed('explore', 'tasks', '-s', 'date_queued=2026-01-02..2026-01-04', '--json'),
      ]);
      const [head, ...rows] = cells(counts);
      expect(head).eql(['field', 'value', 'label_or_end', 'count']);
      expect(rows.map(([, value]) => value)).have.members(['SUCCESS', 'FAILURE', 'STARTED']);
      const [times, tasks] = both.split('\n\n');
      expect(cells(times!)[1]!.slice(0, 2)).eql(['date_queued', '2025-12-31T00:00:00.000Z']);
      expect(cells(tasks!).length).equal(3);
      expect(JSON.parse(json).meta.applied_select).eql([
        { field: 'date_queued', from: '2026-01-02T00:00:00.000Z', to: '2026-01-04T00:00:00.000Z' },
      ]);
    });

    it('sorts by several fields', async () => {
      const both = await printed(
        ...['search', 'tasks', '-n', '100', '--sort', 'worker,-id', '-c', 'worker, id'],
        ...['-s', 'worker!=null'],
      );
      const [, ...rows] = cells(both);
      const workers = rows.map(([worker]) => worker!);
      expect(new Set(workers).size).greaterThan(3);
      expect(workers).eql(workers.toSorted());
      const ids = rows.flatMap(([worker, id]) => (worker === 'worker-1' ? [Number(id)] : []));
      expect(ids.length).greaterThan(3);
      expect(ids).eql(ids.toSorted((a, b) => b - a));
    });

    it('lists saved views, and asks as one of them does', async () => {
      const views = world.database.db.collection('views');
      const saved = async (members: object) => {
        const body = { table: 'tasks', name: 'What failed', address: '', ...members };
        const { status } = await world.service.post('/api/v2/views', body, env.TABLE_SEARCH_TOKEN);
        expect(status).equal(201);
      };
      await saved({ address: 'status=FAILURE&q=worker&sort=-id&cols=id,status' });
      await saved({ name: 'Of users', table: 'users', visibility: 'everyone' });
      const asked = ['search', 'tasks', '-n', '100'];
      const [list, one, rows] = await Promise.all([
        printed('views'),
        printed('views', 'What failed', '--json'),
        printed(...asked, '--view', 'What failed'),
      ]);
      expect(cells(list).map((line) => line.slice(0, 3))).have.deep.members([
        ['name', 'table', 'visibility'],
        ['What failed', 'tasks', 'private'],
        ['Of users', 'users', 'everyone'],
      ]);
      expect(JSON.parse(one)).include({ table: 'tasks', mine: true });
      const typed = ['-s', 'status=FAILURE', '-q', 'worker', '--sort', '-id'];
      const { data: same } = await answered(env, [...asked, ...typed]);
      const shown = same.map(({ id, status }) => [`${id}`, `${status}`]);
      expect(shown.length).greaterThan(3);
      expect(cells(rows)).eql([['id', 'status'], ...shown]);
      const fewer = [...asked, '--view', 'What failed', '-s', 'worker=worker-1', '--sort', 'id'];
      const ids = (await answered(env, fewer)).data.map(({ id }) => Number(id));
      expect(ids.length).within(1, shown.length - 1);
      expect(ids, 'options replace the order').eql(ids.toSorted((a, b) => a - b));
      const failed = async (...args: string[]) => (await refusalOf(env, args)).sentence;
      expect(await failed('search', 'tasks', '--view', 'What faild')).equal(
        '--view What faild: "What faild" is unknown; did you mean "What failed"? ' +
          'Views: What failed.',
      );
      expect(await failed('export', 'users', '--view', 'What failed')).equal(
        '--view What failed: this view is one of tasks, not of users.',
      );
      await saved({ name: 'Half', address: 'date_queued=2026-11-01..2026-99-01&q=worker' });
      expect(await failed('export', 'tasks', '--view', 'Half')).equal(
        '--view Half: tasks takes no such filter: date_queued=2026-11-01..2026-99-01.',
      );
      await saved({ name: 'Steers', address: 'nope=%1b%5b31mred%e2%80%ae' });
      const steers = await run(['search', 'tasks', '--view', 'Steers'], env);
      expect(steers.err).equal(
        'table-search: --view Steers: tasks takes no such filter: nope=\\u001b[31mred\\u202e.\n',
      );
      expect((await run(['views', 'Nothing'], env)).err).include('Views: ');
      await saved({ name: 'Of old', address: 'sort=-gone,id&cols=id,gone' });
      const old = await run(['search', 'tasks', '-n', '1', '--view', 'Of old'], env);
      expect(old).include({ code: 0 });
      expect(old.err).match(
        /^--view Of old: tasks has no such order or column: sort=gone, cols=gone\.\n/,
      );
      await saved({ name: 'Backups', address: 'scope=backup_infrastructure' });
      const projects = ['0a', '0b'].map((end) => `4be695ac-4b7c-4555-8870-a4cb3f3fde${end}`);
      await saved({ name: 'Of one', address: `project=${projects[0]}` });
      const backups = ['search', 'tasks', '--view', 'Backups', '-n', '1'];
      const { data } = await answered(env, [...backups, '-f', 'scope=project']);
      expect(data, 'a filter is added').eql([]);
      expect(await failed('search', 'tasks', '--view', 'Of one', '-p', projects[1]!)).equal(
        `--view Of one: this view is one of the project ${projects[0]}.`,
      );
      expect(await failed('search', 'tasks', '--view', 'Of one')).match(
        /^--view Of one: this view is one of a project that is not there for this token; list /,
      );
      await views.deleteMany({});
    });

    it('measures fields, in each form', async () => {
      const asked = ['explore', 'tasks', '--stats', 'date_queued', '--stats', 'retries'];
      const [text, csv, table] = await Promise.all([
        printed(...asked),
        printed(...asked, '--csv'),
        printed(...asked, '--table'),
      ]);
      const stats = (await answered(env, asked)).stats!;
      expect(stats.map(({ field }) => field)).eql(['date_queued', 'retries']);
      const names = ['field', 'count', 'missing', 'min', 'p50', 'p90', 'p95', 'p99', 'max'];
      const rows = stats.map((one) => names.map((name) => `${Object(one)[name] ?? ''}`));
      expect(cells(text)).eql([names, ...rows]);
      expect(csv).equal(`${[names, ...rows].map((row) => row.join()).join('\r\n')}\r\n`);
      const [dates] = stats;
      expect(table)
        .match(/^date_queued {2}\d+ values/)
        .include(`  p50  ${dates!.p50}\n`);
    });

    it('lists the fields of built-in tables, and what each takes', async () => {
      const [shown, json] = await Promise.all([
        printed('tables', 'tasks'),
        printed('tables', 'tasks', '--json'),
      ]);
      expect(shown)
        .include('\nstatus\ttext\tfilter, facet, text, sort, show\t\n')
        .include('\nretries\tnumber\tsort, range, show\t\n')
        .include('\nproject_name\ttext\ttext, sort, show\t\n');
      const { name, fields } = JSON.parse(json);
      expect(name).equal('tasks');
      expect(fields.retries).eql({ type: 'number', uses: ['sort', 'range', 'show'] });
    });

    it('counts by time within the conditions on that time, not over all that there is', async () => {
      const days = ['-s', 'date_queued>=2026-01-02', '-s', 'date_queued<2026-01-05'];
      const asked = ['explore', 'tasks', ...days, '--histogram', 'date_queued:P1D'];
      const { histogram } = await answered(env, [...asked, '--time-zone', 'UTC']);
      expect(histogram!.buckets.map(({ start }) => start!.slice(0, 10))).eql([
        ...['2026-01-02', '2026-01-03', '2026-01-04'],
      ]);
    });

    it('explains how it is answered, to admins', async () => {
      const asked = ['explain', 'tasks', '-q', 'worker-1', '-s', 'status=FAILURE'];
      const [plain, json] = await Promise.all([
        printed(...asked, '--facet', 'worker'),
        printed(...asked, '--json'),
      ]);
      expect(plain).match(/^plan\n {2}tasks where .*"worker-1"/);
      expect(plain).include('\n  select status in ["FAILURE"]\n  facet worker (10)\n');
      expect(plain).match(/\nroute\n {2}(index|pipeline): .+\nrows\n {2}\d+\n/);
      const { route, index, pipeline, total_items } = JSON.parse(json);
      expect(total_items).equal(9);
      expect(route === 'index' ? index.steps.length : pipeline.stages.length).greaterThan(0);
    });

    it('shows members their projects, and says what they may not', async () => {
      const ofAna = { ...env, TABLE_SEARCH_TOKEN: await world.service.token(ANA) };
      const own = await run(['search', 'tasks', '-p', uuid(1), '-n', '100'], ofAna);
      expect(cells(own.out).length).equal(1 + 20);
      const { data } = await answered(ofAna, ['search', 'projects', '-n', '5']);
      expect(data.map(({ identifier }) => identifier)).eql([uuid(1)]);
      const { code, sentence } = await refusalOf(ofAna, ['search', 'tasks']);
      expect(code).equal(3);
      expect(sentence).match(/^Only admins .*--project <id>\.$/);
      expect(await refusalOf(ofAna, ['search', 'users', '-p', uuid(1)])).eql({
        code: 2,
        sentence: 'Rows of users belong to no project; only tasks and schedules do.',
      });
    });

    it('exports all rows, to a pipe and to a file that is there when it is whole', async () => {
      const [csv, file] = [path.join(folder, 'a.csv'), path.join(folder, 'a.ndjson')];
      const [out, toCsv, toJson] = await Promise.all([
        printed('export', 'tasks', '-c', 'id,worker', '--json', '--sort', 'id:asc'),
        printed('export', 'tasks', '-o', csv),
        printed('export', 'tasks', '-o', file, '-s', 'status=SUCCESS'),
      ]);
      const rows = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.length).equal(60);
      expect(rows[4]).eql({ id: 5, worker: HOSTILE });
      expect([toCsv, toJson]).eql(['', '']);
      expect(readFileSync(csv, 'utf8')).include(Object.keys(VIEWS.adminTasks.columns).join());
      const saved = readFileSync(file, 'utf8').trimEnd().split('\n');
      expect(new Set(saved.map((line) => JSON.parse(line).status))).eql(new Set(['SUCCESS']));
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).eql([]);
    });

    it('leaves no file of an export that is cut', async () => {
      const proxy = await NetworkProxy.to(world.service.url);
      const folders = Array.from({ length: 4_000 }, (_, n) =>
        task(20_000 + n, { folder: 'x'.repeat(4_000) }),
      );
      const cut = async () => {
        const file = path.join(folder, 'cut.csv');
        const child = start(['export', 'tasks', '-o', file], {
          ...env,
          TABLE_SEARCH_URL: proxy.url,
        });
        proxy.slow(20);
        let err = '';
        child.stderr!.on('data', (some) => {
          err += some;
        });
        const ended = once(child, 'close');
        const written = () => readdirSync(folder).filter((name) => name.startsWith('cut.csv'));
        await until(() => written().some((name) => statSync(path.join(folder, name)).size > 0));
        proxy.cut();
        expect((await ended)[0], err).equal(5);
        expect(err).match(/^table-search: The export was cut after [\d,]+ of 4,060 rows\.\n$/);
        expect(written()).eql([]);
      };
      await world.withTasks(folders, cut).finally(() => proxy.close());
    });

    it('watches: an answer after the other, until Ctrl-C', async () => {
      const child = start(['watch', 'tasks', '-q', 'worker-watch', '--json'], env);
      let out = '';
      child.stdout!.on('data', (some) => {
        out += some;
      });
      const ended = once(child, 'close');
      const totals = () =>
        out
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
          .filter(({ type }) => type === 'answer')
          .map(({ answer }) => answer.meta.pagination.total_items);
      await until(() => totals().at(-1) === 0);
      await world.database.db
        .collection('tasks')
        .updateOne({ _id: 2 as never }, { $set: { worker: 'worker-watch' } });
      await until(() => totals().at(-1) === 1);
      child.kill('SIGINT');
      expect((await ended)[0]).equal(130);
      const once_ = await printed('watch', 'tasks', '--once', '--facet', 'preserve', '-n', '1');
      expect(once_).match(/^# 60 rows · as of 20.*\nfield\tvalue.*\npreserve\tfalse\t\t60\n/);
    });

    it('says in JSON why a watch has lost its connection', async () => {
      const proxy = await NetworkProxy.to(env.TABLE_SEARCH_URL!);
      const there = { ...env, TABLE_SEARCH_URL: proxy.url };
      const child = start(['watch', 'tasks', '--json'], there);
      const ended = once(child, 'close');
      const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
      const next = async () => JSON.parse((await lines.next()).value!);
      expect(await next()).property('type', 'answer');
      proxy.cut();
      const message = 'The connection was cut before the end of the stream.';
      expect(await next()).deep.include({
        ...{ type: 'lost', error: { name: 'CutStreamError', message } },
      });
      child.kill('SIGINT');
      await ended;
      proxy.close();
    });

    it('follows a log until its task has ended, or shows what there is', async () => {
      const [last, between] = await Promise.all([
        printed('tail', uuid(8), '-n', '2', '--no-follow', '--json'),
        printed('tail', uuid(8), '--after', '10.5'),
      ]);
      expect(between).match(/ line 11\n.* line 12\n$/);
      expect(
        last
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).seq),
      ).eql([11, 12]);
      const child = start(['tail', uuid(7)], env);
      let out = '';
      child.stdout!.on('data', (some) => {
        out += some;
      });
      const ended = once(child, 'close');
      await until(() => out.includes('line 5\n'));
      await world.log(7, 6, 1);
      await until(() => out.includes('line 6\n'));
      await world.database.db
        .collection('tasks')
        .updateOne({ _id: 7 as never }, { $set: { status: 'SUCCESS' } });
      expect((await ended)[0]).equal(0);
      expect(out.split('\n')[0]).equal('2026-01-01T00:00:00.000Z INFO line 1');
      expect(out.trimEnd().split('\n').length).equal(6);
    });
  });

  describe('in a terminal', () => {
    it('prints columns that fit, in colours, and nothing that steers it', async () => {
      const screens = await Promise.all(
        [60, 200].map((columns) => runInTerminal(['search', 'tasks', '-n', '60'], env, columns)),
      );
      for (const [i, { code, text }] of screens.entries()) {
        expect(code, text).equal(0);
        expect(text).include(`${ESCAPE}[1m`);
        // Nothing but our own styles.
        const rest = plain(text).split('\n');
        for (const line of rest) {
          expect(line).not.match(/[\0-\x08\x0b-\x1f\x7f\u202e]/);
          const widest = [60, 200][i]!;
          if (!line.startsWith('No room')) expect(stringWidth(line), line).most(widest);
        }
        expect(rest[1]!.startsWith(uuid(60))).equal(true);
      }
      expect(plain(screens[0]!.text))
        .match(/No room for .*; -c selects columns\./)
        .include('60 of 60 rows · page 1 of 1');
      const tables = await runInTerminal(['tables'], env, 12);
      expect(plain(tables.text)).match(/No room for fields, title\.\r?\n/);
      expect(plain(screens[1]!.text)).include('図書館').not.include('No room');
    });

    it('prints plain text where colours are not wanted', async () => {
      const args = ['explore', 'tasks', '--facet', 'status', '--histogram', 'date_queued'];
      const [uncoloured, { text }] = await Promise.all([
        runInTerminal([...args, '--no-color'], env),
        runInTerminal(args, env),
      ]);
      expect(uncoloured.code).equal(0);
      expect(uncoloured.text).not.include(ESCAPE);
      expect(uncoloured.text)
        .match(/^ {2}FAILURE +\d+ {2}█+/m)
        .include('2025-12-31');
      expect(text).include(ESCAPE);
      expect(plain(text)).equal(uncoloured.text);
      const terminal = { isTTY: true, write: () => true };
      for (const refused of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
        expect(painter(terminal, refused)('red', 'text')).equal('text');
      }
    });

    it('shows how far an export is, redraws a watch, and says how a task has ended', async () => {
      // More than comes at once: an export that is complete in its first piece has no bar.
      const long = Array.from({ length: 200 }, (_, n) =>
        task(20_000 + n, { folder: 'x'.repeat(4_000) }),
      );
      const file = path.join(folder, 'seen.csv');
      const [exported, log, wrong] = await world.withTasks(long, () =>
        Promise.all([
          runInTerminal(['export', 'tasks', '-o', file], env),
          runInTerminal(['tail', uuid(8)], env),
          runInTerminal(['search', 'tasks', '-f', 'emial=x'], env),
        ]),
      );
      expect(exported.code).equal(0);
      expect(exported.text)
        .match(/export [█░]+ \d+ %/)
        .include(`260 rows in ${file}`);
      expect(plain(log.text)).include('INFO line 12\n').include('The task has ended: SUCCESS.');
      expect(plain(wrong.text)).match(/^table-search: .*"emial".*\n$/);
    });
  });
});
