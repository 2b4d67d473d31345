/**
 * The reference: every route is in it, it is clean OpenAPI 3.1, and the service does as it says.
 * The suite sends each example as it stands, and checks each answer against the schema it should
 * have.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { GridFSBucket, ObjectId } from 'mongodb';
import { loadFixtures } from '../../src/dev/fixtures/load/load.ts';
import { PROBLEMS } from '../../src/errors.ts';
import { KNOWN } from '../../tools/clientContract/everyRoute.ts';
import { useDatabase } from '../support/database.ts';
import { watch } from '../support/eventStream.ts';
import { useFolder } from '../support/folder.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { exchangeBytes, parseAnswer } from './rawSocket.ts';

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, Answer & { readonly $ref?: string }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
}

/** An operation with its place. */
interface Placed extends Operation {
  readonly path: string;
  readonly method: string;
}

/** Headers that two answers need not share; `/metrics` differs from one to the next. */
const VARYING = [
  ...['x-request-id', 'date', 'server-timing', 'content-length', 'transfer-encoding'],
  ...['connection', 'keep-alive'],
];

const EXAMPLE_IDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KNOWN.parameters).map(([name, { example }]) => [name, example]),
);
const PROJECT = EXAMPLE_IDS.project_id!;
const TABLES = JSON.stringify({
  version: 1,
  tables: { orders: { collection: 'orders', fields: { id: 'objectId', note: 'string' } } },
});
const ADMIN = 1;

/** Headers that only some answers have: to admins, or while the store is away. */
const SOMETIMES: ReadonlySet<string> = new Set(['Server-Timing', 'Age']);

describe('the reference', () => {
  const database = useDatabase();
  const folder = useFolder('reference');
  let service: TestService;
  let token: string;
  let source: string;
  let document: Document;
  let operations: Placed[];
  let snapshot: ObjectId;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  before(async function start() {
    this.timeout(60_000);
    await loadFixtures(database.db);
    const { insertedId } = await store('projects', {
      _id: 9_001,
      identifier: PROJECT,
      name: 'Of the examples',
      members: [{ user_id: ADMIN, role: 'owner' }],
    });
    expect(insertedId).equal(9_001);
    snapshot = new ObjectId();
    const bucket = new GridFSBucket(database.db, { bucketName: 'snapshots' });
    const upload = bucket.openUploadStreamWithId(snapshot, 'a.json');
    await new Promise((resolve) => upload.end('{"a":1}', resolve as () => void));
    await store('task_logs', {
      task_id: EXAMPLE_IDS.task_id,
      seq: 1,
      ts: new Date(),
      level: 'info',
    });
    await store('orders', { _id: new ObjectId(EXAMPLE_IDS.id), note: 'any' });
    const file = join(folder, 'tables.json');
    writeFileSync(file, TABLES);
    const settings = { SEARCH_INDEX: 'off', TABLES: file };
    service = await startService(database.uri, database.name, settings);
    token = await service.token(ADMIN, true);
    source = await (await fetch(`${service.url}/openapi.json`)).text();
    document = JSON.parse(source);
    ajv.addSchema({ $id: 'reference', ...document });
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, path, method })),
    );
  });
  after(() => service.stop());

  const store = (name: string, one: object) =>
    database.db.collection<{ _id: unknown }>(name).insertOne(one as never);

  /** The things of the examples, as they were. */
  async function restore(): Promise<void> {
    const { schedule_id, task_id, view_id } = EXAMPLE_IDS;
    const of = { scope: 'project', project_id: PROJECT };
    await database.db.collection('schedules').deleteMany({ project_id: PROJECT });
    await database.db.collection('tasks').deleteMany({ task_id });
    await database.db.collection('views').deleteMany({});
    await store('views', {
      ...{ _id: view_id, audience: `private:${ADMIN}`, owner: String(ADMIN), table: 'tasks' },
      ...{ name: 'All', description: '', address: '', is_default: false },
      ...{ tc_creation: new Date(), tc_update: new Date() },
    });
    await store('schedules', { _id: schedule_id, ...of, enabled: true });
    const running = { status: 'STARTED', snapshot_file_id: snapshot, preserve: false };
    await store('tasks', { _id: 90_001, task_id, ...of, ...running });
  }

  const filled = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLE_IDS[name]!);

  const send = ({ path, method }: Placed, body: unknown, headers = {}) =>
    service.ask(method.toUpperCase(), filled(path), { token, body, headers });

  /** The answer is one that the document has for this operation, its headers and body included. */
  function expectDocumented(one: Placed, answer: TestAnswer): void {
    const { text } = answer;
    const what = `${one.operationId}: ${answer.status} ${text.slice(0, 300)}`;
    const said = one.responses[answer.status];
    expect(said, what).not.equal(undefined);
    const { headers = {}, content } = said!.$ref
      ? document.components.responses[said!.$ref.split('/').at(-1)!]!
      : said!;
    for (const name of Object.keys(headers)) {
      if (!SOMETIMES.has(name)) expect(answer.headers.has(name), `${what} ${name}`).equal(true);
    }
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (content === undefined) return void expect(text, what).equal('');
    const schema = (content[type!] ?? content['*/*'])?.schema;
    expect(schema, `${what} ${type}`).not.equal(undefined);
    if (!/[/+]json$/.test(type!)) return;
    const valid = compiled(schema!);
    expect(valid(JSON.parse(text)), `${what} ${JSON.stringify(valid.errors?.[0])}`).equal(true);
  }

  const known = new Map<object, ValidateFunction>();
  function compiled(schema: object): ValidateFunction {
    const valid = known.get(schema) ?? ajv.compile(absolute(schema));
    known.set(schema, valid);
    return valid;
  }
  const absolute = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"reference#/components'));

  it('is OpenAPI 3.1 in which a linter finds nothing', async () => {
    const linted = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'operation-description': 'error',
        'operation-tag-defined': 'error',
        'parameter-description': 'error',
        'path-params-defined': 'error',
      },
    });
    const problems = async (text: string) =>
      (await lintFromString({ source: text, config: linted })).map(
        ({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer].join(' '),
      );
    expect([...new Set(await problems(source))]).eql([]);
    const [path] = Object.entries(document.paths);
    const small = JSON.stringify({ ...document, paths: Object.fromEntries([path!]) });
    const without = await problems(small.replaceAll('"operationId"', '"x-id"'));
    expect(without.join('\n')).include('operation-operationId');
    expect(document.openapi).match(/^3\.1\./);
  });

  it('has every code, with what to do about it', () => {
    for (const [code, [status, , advice]] of Object.entries(PROBLEMS)) {
      expect(document.info.description).include(`| \`${code}\` | ${status} |`).include(advice);
    }
  });

  it('has examples that are answered as it says', async function examples() {
    this.timeout(120_000);
    let sent = 0;
    for (const one of operations) {
      const content = one.requestBody?.content['application/json'];
      const bodies = content
        ? Object.values(content.examples).map(({ value }) => value)
        : [undefined];
      for (const body of bodies) {
        await restore();
        const answer = await send(one, body);
        expect(answer.status, `${one.operationId} ${answer.text.slice(0, 300)}`).within(200, 299);
        expectDocumented(one, answer);
        sent += 1;
      }
    }
    expect(sent).greaterThan(50);
  });

  it('has records as large pages of all data show them, dirty ones included', async function rows() {
    this.timeout(120_000);
    const shown = { pagination: { per_page: 100 } };
    for (const one of operations.filter(({ path }) => /(admin|users).*\/search$/.test(path))) {
      const answer = await send(one, shown);
      expect(answer.body.data.length, one.path).greaterThan(one.path.includes('audit') ? 0 : 5);
      expectDocumented(one, answer);
    }
  });

  it('has the refusals, as they come', async function refusals() {
    this.timeout(120_000);
    for (const one of operations) {
      const refused: [body: unknown, headers: object][] = [];
      if (one.security === undefined) {
        refused.push(
          [undefined, { authorization: '' }],
          [undefined, { authorization: 'Bearer x' }],
        );
      }
      if (one.requestBody) refused.push([{ nope: 1 }, {}], [undefined, { 'content-type': 'x/y' }]);
      if (one.requestBody) refused.push([undefined, { 'content-type': 'application/json' }]);
      for (const [body, headers] of refused) {
        const answer = await send(one, body, headers);
        expect(answer.status, one.operationId).within(400, 499);
        expectDocumented(one, answer);
      }
      const query = { ...one, path: `${one.path}?scoope=system` };
      expectDocumented(one, await send(query, one.requestBody && { enabled: true }));
    }
  });

  it('has the events of streams, as they come', async function events() {
    this.timeout(60_000);
    const streams = operations.filter(({ responses }) =>
      Object.hasOwn(responses[200]?.content ?? {}, 'text/event-stream'),
    );
    expect(streams.length).equal(12);
    const ended = { task_id: EXAMPLE_IDS.task_id, status: 'SUCCESS' };
    for (const one of streams) {
      await restore();
      await database.db.collection('tasks').updateOne({ task_id: ended.task_id }, { $set: ended });
      const of = one.responses[200]!.content!['text/event-stream'] as object;
      const schemas = (of as { 'x-events': Readonly<Record<string, object>> })['x-events'];
      const body = one.requestBody ? {} : undefined;
      const stream = await watch(service.url + filled(one.path), { body, token });
      // The index is off: explores say so, and logs end with their task.
      for (const event of body ? ['state', 'answer'] : ['line', 'end']) await stream.first(event);
      for (const { event, data } of stream.events) {
        const valid = compiled(schemas[event]!);
        expect(valid(data), `${one.operationId} ${JSON.stringify(valid.errors?.[0])}`).equal(true);
      }
      stream.leave();
    }
  });

  it('has methods that OPTIONS names and HEAD goes with', async function methods() {
    this.timeout(60_000);
    const byPath = new Map<string, Set<string>>();
    for (const { path, method } of operations) {
      const known = byPath.get(path) ?? new Set();
      byPath.set(path, known.add(method.toUpperCase()));
    }
    for (const [path, known] of byPath) {
      await restore();
      const url = service.url + filled(path);
      const options = await fetch(url, { method: 'OPTIONS' });
      const allowed = options.headers.get('allow')!.split(', ');
      const expected = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
      expect([...allowed].sort(), path).eql(expected.sort());
      expect([options.status, await options.text()]).eql([204, '']);
      const headers = { authorization: `Bearer ${token}` };
      const head = await fetch(url, { method: 'HEAD', headers });
      expect(await head.text()).equal('');
      if (!known.has('GET')) {
        expect([head.status, head.headers.get('allow')], path).eql([405, allowed.join(', ')]);
        continue;
      }
      const get = await fetch(url, { headers });
      await get.text();
      expect(head.status, path).equal(get.status);
      const told = (answer: Response) =>
        [...answer.headers].filter(([name]) => !VARYING.includes(name));
      expect(told(head), path).eql(told(get));
    }
    const server = await exchangeBytes(
      Number(new URL(service.url).port),
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(parseAnswer(server).status).equal(204);
  });

  it('gives advice on empty bodies that works', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const one of operations.filter(({ requestBody }) => requestBody !== undefined)) {
      const refused = await send(one, undefined, headers);
      const { detail } = refused.body;
      const advised = /; send a JSON object, such as (\{.*\})\.$/.exec(detail)?.[1];
      expect(advised, `${one.operationId} ${refused.status} ${detail}`).not.equal(undefined);
      await restore();
      const { status } = await send(one, JSON.parse(advised!));
      expect(status, one.operationId).equal(201 in one.responses ? 201 : 200);
    }
  });

  it('is read on a page that loads from here alone, under a policy that lets in nothing else', async () => {
    const page = await fetch(`${service.url}/docs`);
    const html = await page.text();
    expect(page.headers.get('content-type')).equal('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy)
      .include("default-src 'none'")
      .include("script-src 'self'")
      .not.match(/unsafe|http/);
    expect(html).not.match(/<script(?![^>]* src=)|<style|\son\w+=|https?:/);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
    const types: string[] = [];
    for (const asset of assets.filter((url) => !url.startsWith('data:'))) {
      const { status, headers } = await fetch(new URL(asset, `${service.url}/docs`));
      expect([status, headers.get('cache-control')], asset).eql([200, 'public, max-age=3600']);
      types.push(`${headers.get('content-type')}`.split(';')[0]!);
      const tag = { 'if-none-match': headers.get('etag')! };
      const again = await fetch(new URL(asset, `${service.url}/docs`), { headers: tag });
      expect([again.status, await again.text()]).eql([304, '']);
      const described = operations.find(({ path }) => path === `/${asset}`);
      if (described) expect(described.responses).property('304');
    }
    expect(types.sort()).eql([
      'application/json',
      'text/css',
      'text/javascript',
      'text/javascript',
    ]);
  });
});
