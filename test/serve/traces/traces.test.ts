/** Traces as a collector receives them, from a real service; and that there is nothing of them where none is asked for. */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ADMIN, PEOPLE, task, uuid } from '../../conformance/documents.ts';
import { put, useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

/** A span as OTLP has it in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

interface Collector {
  readonly url: string;
  readonly spans: Span[];
  readonly services: Set<unknown>;
  readonly server: Server;
}

/** As much of a collector as takes spans. */
async function collector(): Promise<Collector> {
  const spans: Span[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (request, response) => {
    // biome-ignore lint/suspicious/noExplicitAny: what a sender sends
    const sent = (await json(request)) as any;
    if (request.url !== '/v1/traces' || request.method !== 'POST') response.statusCode = 404;
    for (const { resource, scopeSpans } of sent.resourceSpans ?? []) {
      services.add(attributeOf(resource, 'service.name'));
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, services, server };
}

const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, key: string): unknown => {
  const found = attributes.find((one) => one.key === key);
  return found && Object.values(found.value)[0];
};

const SEARCH = '/api/v2/admin/tasks/search';
const SECRET_TEXT = 'a text that somebody looks for';

describe('traces', function traces() {
  this.timeout(60_000);
  const database = useDatabase();
  let receiver: Collector;
  let service: TestService;
  let token: string;
  const delay = process.env.OTEL_BSP_SCHEDULE_DELAY;

  before(async () => {
    receiver = await collector();
    // OpenTelemetry's SDK reads this by itself.
    process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
    await put(database.db, { users: PEOPLE, tasks: [1, 2, 3].map((n) => task(n)) });
    service = await startService(database.uri, database.name, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      SEARCH_INDEX: 'off',
    });
    token = await service.token(ADMIN, true);
  });
  after(async () => {
    if (delay === undefined) delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    else process.env.OTEL_BSP_SCHEDULE_DELAY = delay;
    await service?.stop();
    receiver?.server.close();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    service.ask('POST', path, { token, body, headers });

  /** The spans of a request's trace, the request's own first. */
  async function spansOf(requestId: string): Promise<[request: Span, ...parts: Span[]]> {
    const request = await until(
      () => receiver.spans.find((one) => attributeOf(one, 'table_search.request_id') === requestId),
      'the trace did not come',
    );
    const parts = receiver.spans.filter(
      ({ traceId, spanId }) => traceId === request.traceId && spanId !== request.spanId,
    );
    return [request, ...parts];
  }

  it('tell of a search: plan, search, rows, and what the store was asked', async () => {
    const answer = await post(SEARCH, { filters: { q: SECRET_TEXT } }, { 'x-request-id': 'one' });
    expect(answer.status).equal(200);
    const found = await post(SEARCH, {}, { 'x-request-id': 'two' });
    expect(found.body.data.length).equal(3);
    const [request, ...parts] = await spansOf('two');
    expect(request).include({ name: `POST ${SEARCH}`, kind: 2 });
    expect(attributeOf(request, 'http.route')).equal(SEARCH);
    expect(Number(attributeOf(request, 'http.response.status_code'))).equal(200);
    expect(attributeOf(request, 'table_search.view')).equal('admin tasks');
    expect(attributeOf(request, 'table_search.route')).equal('pipeline');
    expect(attributeOf(request, 'user.id')).equal(String(ADMIN));
    const phase = (name: string) => parts.find((one) => one.name === name)!;
    for (const name of ['plan', 'search', 'rows']) {
      expect(phase(name).parentSpanId, name).equal(request.spanId);
    }
    const commands = parts.filter(({ kind }) => kind === 3);
    const under = (name: string) =>
      commands.filter(({ parentSpanId }) => parentSpanId === phase(name).spanId);
    expect(under('search').map(({ name }) => name)).include('aggregate tasks');
    expect(under('rows').map(({ name }) => name)).include('aggregate tasks');
    for (const command of commands) expect(attributeOf(command, 'db.system.name')).equal('mongodb');
    // All of it within the request; clocks are told to the microsecond.
    const [start, end] = [BigInt(request.startTimeUnixNano), BigInt(request.endTimeUnixNano)];
    for (const { name, startTimeUnixNano, endTimeUnixNano } of parts) {
      expect(BigInt(startTimeUnixNano) >= start - 1_000n, `${name} begins`).equal(true);
      expect(BigInt(endTimeUnixNano) <= end + 1_000n, `${name} ends`).equal(true);
    }
    await spansOf('one');
    expect(JSON.stringify(receiver.spans)).not.include(SECRET_TEXT);
    expect([...receiver.services]).eql(['table-search']);
  });

  it('go on from the trace of the caller', async () => {
    const [traceId, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const traceparent = `00-${traceId}-${parent}-01`;
    await post(`${SEARCH}/explore`, {}, { 'x-request-id': 'three', traceparent });
    const [request] = await spansOf('three');
    expect(request).include({ traceId, parentSpanId: parent });
    // One that was not sampled there is not told here.
    await post(SEARCH, {}, { 'x-request-id': 'four', traceparent: `00-${traceId}-${parent}-00` });
    await post(SEARCH, {}, { 'x-request-id': 'five', traceparent: 'nonsense' });
    const [fifth] = await spansOf('five');
    expect(fifth.parentSpanId ?? '').equal('');
    const told = receiver.spans.map((one) => attributeOf(one, 'table_search.request_id'));
    expect(told).not.include('four');
  });

  it('tell of what is refused, without what was sent', async () => {
    const path = `/api/v2/projects/${uuid(9)}/tasks/search`;
    const answer = await post(path, { filters: { [SECRET_TEXT]: 1 } }, { 'x-request-id': 'six' });
    expect(answer.status).equal(404);
    const [request, ...parts] = await spansOf('six');
    expect(request.name).equal('POST /api/v2/projects/:project_id/tasks/search');
    expect(parts.filter(({ kind }) => kind !== 3)).eql([]);
    const nowhere = await fetch(`${service.url}/${encodeURIComponent(SECRET_TEXT)}`, {
      headers: { 'x-request-id': 'seven' },
    });
    expect(nowhere.status).equal(404);
    expect((await spansOf('seven'))[0].name).equal('GET');
    expect(JSON.stringify(receiver.spans)).not.include('somebody').not.include(uuid(9));
  });

  it('hold nothing up where nobody takes them, and the log says so once', async () => {
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '200';
    const nowhere = await startService(database.uri, database.name, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    });
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
    const told = () => nowhere.logLines.filter((line) => line.includes('traces cannot be sent'));
    const admin = await nowhere.token(ADMIN, true);
    const ask = async () => (await nowhere.post(SEARCH, {}, admin)).status;
    await until(async () => (await ask()) === 200 && told().length > 0, 'the log does not say so');
    for (let n = 0; n < 5; n++) expect(await ask()).equal(200);
    await nowhere.stop();
    expect(told().length).equal(1);
  });

  it('are not there where nobody asks for them: nothing of OpenTelemetry is loaded', async () => {
    const script = `
      import { createRequire } from 'node:module';
      // prom-client has the interface of it, which does nothing.
      const own = /@opentelemetry.(?!api\\b)/;
      await import('${new URL('../../../src/service.ts', import.meta.url)}');
      const cached = Object.keys(createRequire(import.meta.url).cache);
      console.log(JSON.stringify(cached.filter((name) => own.test(name))));
      await import('${new URL('../../../src/serve/traces/otlp.ts', import.meta.url)}');
      const after = Object.keys(createRequire(import.meta.url).cache);
      console.log(after.filter((name) => own.test(name)).length > 0);
    `;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    });
    expect(stdout).equal('[]\ntrue\n');
  });
});
