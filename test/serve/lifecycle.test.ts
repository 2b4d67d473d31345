/** The service through its life: without a store, with one, losing it, and its end. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { Route } from '../../src/serve/route.ts';
import { openDoor } from '../../src/serve/server/door.ts';
import { type RunningService, startService } from '../../src/service.ts';
import { runInOrder } from '../../src/shutdown.ts';
import { fillStore, SNAPSHOT } from '../guard/store.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { serviceProcess } from '../support/tableSearch.ts';
import { gate, until } from '../support/until.ts';
import { heldBytes } from '../support/usage.ts';
import { bearer, echo, SECRET, startEdge, storePeople } from './edge.ts';
import { openSocket } from './rawSocket.ts';

describe('a store that is away', () => {
  const database = useDatabase();
  let network: NetworkProxy;
  let service: RunningService;

  before(async () => {
    await storePeople(database.db);
    network = await NetworkProxy.to(database.uri);
    network.cut();
    const config = readConfig({
      AUTH_JWT_SECRET: SECRET,
      PORT: '0',
      MONGODB_DB: database.name,
      SEARCH_INDEX: 'off',
      QUERY_TIMEOUT_MS: '2000',
    });
    const log = createLog('silent', { write: () => undefined });
    service = await startService({ config, uri: network.uri, log });
  });
  after(async () => {
    await service.stop();
    await network.close();
  });

  const status = async (path: string) => {
    const answer = await fetch(service.url + path);
    return { status: answer.status, body: (await answer.json()) as { store: { state: string } } };
  };
  const search = () => searchAt(service.url);
  const away = async () => {
    expect((await status('/livez')).status).equal(200);
    const ready = await until(async () => {
      const found = await status('/readyz');
      return found.status === 503 && found;
    });
    expect(ready.body.store.state).equal('down');
    const answer = await search();
    expect(answer).to.include({ status: 503, code: 'StoreUnavailable' });
    expect(answer.retryAfter).match(/^\d+$/);
  };
  const backWithin = async (ms: number) => {
    await until(async () => (await search()).status === 200, 'no search is answered', ms);
    await until(async () => (await status('/readyz')).status === 200, 'it is not ready', ms);
  };

  it('keeps nothing from starting, and no caller waiting', async function start() {
    this.timeout(90_000);
    await away();
    network.restore();
    await backWithin(30_000);
  });

  it('is 503 when it goes later, and is back by itself', async function later() {
    this.timeout(90_000);
    network.cut();
    await sleep(1_000);
    await away();
    network.restore();
    await backWithin(30_000);
  });

  it('is 503 when it is there and says nothing', async function jammed() {
    this.timeout(90_000);
    network.silence();
    await sleep(1_000);
    const started = performance.now();
    await away();
    expect(performance.now() - started).lessThan(30_000);
    network.cut();
    network.restore();
    await backWithin(30_000);
  });
});

describe('the end of the server', () => {
  const database = useDatabase();

  /** A request that is under way until it is released. */
  function held(): { route: Route; begun: Promise<void>; release: () => void } {
    const [begun, released] = [gate(), gate()];
    const route: Route = {
      ...echo('GET', '/held', 'public'),
      async handle(ctx) {
        begun.open();
        await released.passed;
        ctx.body = { done: true };
      },
    };
    return { route, begun: begun.passed, release: released.open };
  }

  it('lets requests under way finish, takes no others, and closes idle connections', async () => {
    const { route, begun, release } = held();
    const edge = await startEdge({ db: database.db, routes: [route] });
    const idle = await openSocket(edge.port);
    idle.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const answer = fetch(`${edge.url}/held`);
    await begun;

    const closed = edge.server.close(5_000);
    await once(idle.resume(), 'close');
    expect(await connected(edge.port)).equal('ECONNREFUSED');
    release();
    const finished = await answer;
    expect(finished.status).equal(200);
    expect(await finished.json()).eql({ done: true });
    expect(await closed).equal(0);
  });

  it('waits for no connection that has never asked anything', async () => {
    const edge = await startEdge({ db: database.db });
    const silent = await openSocket(edge.port);
    const gone = once(silent.resume(), 'close');
    const started = performance.now();
    expect(await edge.server.close(30_000)).equal(0);
    expect(performance.now() - started).lessThan(20_000);
    await gone;
  });

  it('counts no request that has never come whole', async () => {
    const edge = await startEdge({ db: database.db });
    const slow = await openSocket(edge.port);
    slow.on('error', () => undefined).resume();
    slow.write('GET /livez HTTP/1.1\r\nHo');
    await sleep(100);
    expect(await edge.server.close(200)).equal(0);
  });

  it('gives the port back where the service cannot start', async () => {
    const settings = {
      AUTH_JWT_SECRET: SECRET,
      PORT: '0',
      BUILT_IN_TABLES: 'off',
      VIEWS_COLLECTION: 'off',
      CORS_ORIGINS: 'https://app.example.com',
    };
    const config = {
      ...readConfig({ ...settings, RIGHTS: 'claims' }, { heartbeats: false }),
      tables: [],
    };
    const log = createLog('silent', { write: () => undefined });
    const door = await openDoor(config, log);
    const begun = ['/livez', '/livez?verbose', '/readyz'].map(async (path) => {
      return (await fetch(door.url + path)).status;
    });
    expect(await Promise.all(begun), 'before there is a service').eql([200, 200, 503]);
    const headers = { origin: settings.CORS_ORIGINS, 'access-control-request-method': 'POST' };
    const { status } = await fetch(`${door.url}/api/v2/tables`, { method: 'OPTIONS', headers });
    expect(status, 'a page may ask, and read that the service is starting').equal(204);
    const failed = await startService({ config, uri: database.uri, log, door }).catch(
      (error: Error) => error.message,
    );
    expect(failed).match(/TABLES names no file/);
    expect(await connected(door.port)).equal('ECONNREFUSED');
  });

  it('cuts what is not done in time, and counts it', async () => {
    const { route, begun, release } = held();
    const edge = await startEdge({ db: database.db, routes: [route] });
    const answer = fetch(`${edge.url}/held`).then(
      () => 'answered',
      () => 'cut',
    );
    await begun;
    const started = performance.now();
    expect(await edge.server.close(200)).equal(1);
    expect(performance.now() - started).within(150, 20_000);
    expect(await answer).equal('cut');
    release();
  });
});

describe('an end in order', () => {
  const quiet = createLog('silent', { write: () => undefined });
  const step = (name: string, run: () => Promise<unknown>, withinMs = 1_000) => ({
    name,
    run,
    withinMs,
  });

  it('runs each part after the one before', async () => {
    const order: string[] = [];
    const part = (name: string, ms: number) =>
      step(name, async () => {
        order.push(`${name} begins`);
        await sleep(ms);
        order.push(`${name} ends`);
      });
    expect(await runInOrder([part('a', 20), part('b', 1)], quiet)).equal(true);
    expect(order).eql(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('goes on past a part that fails or hangs, and says so', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    let reached = false;
    const steps = [
      step('fails', () => Promise.reject(new Error('no'))),
      step('hangs', () => new Promise(() => undefined), 30),
      step('last', async () => {
        reached = true;
      }),
    ];
    expect(await runInOrder(steps, log)).equal(false);
    expect(reached).equal(true);
    expect(lines.map((line) => JSON.parse(line).step)).eql(['fails', 'hangs']);
  });

  const database = useDatabase();
  it('leaves hardly anything of the service on the heap', async () => {
    const { uri, name: MONGODB_DB } = database;
    const settings = { AUTH_JWT_SECRET: SECRET, PORT: '0', MONGODB_DB };
    const config = readConfig(settings, { heartbeats: false });
    const live = async (times: number) => {
      for (let i = 0; i < times; i++) {
        const service = await startService({ config, uri, log: quiet });
        expect(await service.stop()).equal(true);
      }
      // Connections and timers hold a little until their last turn.
      await sleep(50);
      return heldBytes();
    };
    const before = await live(3);
    // One holds more than a megabyte.
    expect((await live(6)) - before).lessThan(3e6);
  });
});

describe('the process', () => {
  const NO_LINES = { large: 0, long: 0, many: 0, rows: 0, largeRows: 0 };
  const database = useDatabase();
  const folder = useFolder('process');
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  function run(env: Record<string, string>) {
    const started = serviceProcess(env);
    child = started.child;
    return started;
  }
  const good = () => ({
    MONGODB_URI: database.uri,
    MONGODB_DB: database.name,
    AUTH_JWT_SECRET: SECRET,
    SEARCH_INDEX: 'off',
  });

  it('says where it listens, and ends with 0 on SIGINT', async function ends() {
    const { said, exited, lines, child: process } = run(good());
    const { url, port } = await said('listening');
    expect(url).equal(`http://127.0.0.1:${port}`);
    await ready(url as string);
    process.kill('SIGINT');
    expectInOrder(await exited, lines);
  });

  function expectInOrder(code: number | null, lines: readonly object[]): void {
    expect(code).equal(0);
    expect(lines.at(-1)).to.include({ msg: 'stopped', clean: true });
    for (const line of lines) expect(line).to.include.keys('level', 'time', 'msg');
  }

  /** The port is open before the store is known to be there. */
  const ready = (url: string) =>
    until(async () => (await fetch(`${url}/readyz`)).status === 200, 'it is not ready');

  it('keeps metrics from a proxy without a token, says who was refused, and ends with 0 on SIGTERM', async () => {
    const { said, exited, lines, child: process } = run(good());
    const { url } = await said('listening');
    await ready(url as string);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await fetch(`${url}/metrics`, { headers })).status).equal(403);
    expect((await fetch(`${url}/metrics`)).status).equal(200);
    expect((await fetch(`${url}/api/v2/tasks/routing-keys`, { headers })).status).equal(401);
    const refused = await until(() => lines.find(({ status }) => status === 401));
    expect(refused.address).equal('127.0.0.1');
    process.kill('SIGTERM');
    expectInOrder(await exited, lines);
  });

  it('finishes what is under way before it ends', async function finishes() {
    await storePeople(database.db);
    const { said, exited, child: process } = run(good());
    const { port, url } = await said('listening');
    await ready(url as string);
    const { authorization } = await bearer('member');
    const socket = await openSocket(Number(port));
    const head = `POST /api/v2/users/search HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
    const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n';
    socket.write(`${head}${body}Expect: 100-continue\r\n\r\n{`);
    // It says so when it has come to the body.
    const [go] = (await once(socket, 'data')) as [Buffer];
    expect(go.toString()).match(/^HTTP\/1.1 100 Continue\r\n/);
    process.kill('SIGTERM');
    await said('stopping');
    await sleep(100);
    socket.write('}');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).match(/^HTTP\/1.1 200 OK\r\n/);
    expect(answer.toString()).match(/\r\nConnection: close\r\n/i);
    expect(await exited).equal(0);
  });

  it('ends with 0, in time, while a download is not read', async function stalled() {
    this.timeout(120_000);
    await database.db.dropDatabase();
    await fillStore(database.db, NO_LINES);
    const { said, exited, lines, child: process } = run(good());
    const { port, url } = await said('listening');
    await ready(url as string);
    const { authorization } = await bearer('member');
    const socket = await openSocket(Number(port));
    socket.on('error', () => undefined);
    const path = `/api/v2/tasks/${SNAPSHOT}/snapshot/download`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString('latin1')).match(/^HTTP\/1.1 200 OK\r\n/);
    socket.pause();
    process.kill('SIGTERM');
    expect(await exited, JSON.stringify(lines.slice(-6))).equal(0);
    expect(lines.find(({ msg }) => msg === 'requests were cut off')).include({ requests: 1 });
    const cut = lines.filter(
      ({ msg, route }) => msg === 'request' && /download/.test(String(route)),
    );
    expect(cut.map(({ status }) => status)).eql([499]);
    expect(lines.at(-1)).to.include({ msg: 'stopped', clean: true });
    socket.destroy();
  });

  it('answers those who wait for a silent store, refuses others, and ends with 0', async function silent() {
    this.timeout(120_000);
    await database.db.dropDatabase();
    await storePeople(database.db);
    const network = await NetworkProxy.to(database.uri);
    const {
      said,
      exited,
      lines,
      child: process,
    } = run({
      ...good(),
      MONGODB_URI: network.uri,
      SEARCH_INDEX: 'off',
    });
    const { url } = await said('listening');
    const search = () => searchAt(url as string);
    try {
      await until(async () => (await search()).status === 200, 'no search is answered');
      const several = () => Array.from({ length: 8 }, () => search());
      // Their connections are there before the service stops taking any.
      await Promise.all(several());
      network.silence();
      const waiting = several();
      await sleep(200);
      process.kill('SIGTERM');
      await said('stopping');
      for (const answer of await Promise.all(waiting)) {
        expect(answer).include({ status: 503, code: 'StoreUnavailable' });
      }
      const saying = () => JSON.stringify(lines.slice(-6));
      const code = await exited;
      expect(code, saying()).equal(0);
    } finally {
      await network.close();
    }
  });

  it('does not start with bad settings, and says why in one line', async () => {
    const { exited, lines } = run({ PORT: 'x', DB_ITEM_LIMIT: '0', TABLES: 'no.yaml' });
    expect(await exited).equal(1);
    expect(lines.length).equal(1);
    expect(lines[0]!.msg)
      .match(/PORT.*DB_ITEM_LIMIT.*AUTH_JWT_SECRET/)
      .include('TABLES "no.yaml" names a file that cannot be read: there is no such file');
  });

  it('does not start with a definition file that has problems, and says each in a line', async () => {
    const file = join(folder, 'tables.yaml');
    await writeFile(file, 'version: 1\ntables:\n  t: { fields: { id: strng } }\n');
    const { exited, lines } = run({ AUTH_JWT_SECRET: SECRET, TABLES: file });
    expect(await exited).equal(1);
    expect(lines.map(({ msg }) => msg)).eql([
      `${file}:3:3  "collection" is missing in t`,
      `${file}:3:22  "strng" is none of string, number, decimal, boolean, date, objectId, uuid, mixed; did you mean "string"?`,
      `Bad settings: TABLES ${JSON.stringify(file)} names a file with 2 problems`,
    ]);
  });

  it('does not start without any table', async () => {
    const { exited, lines } = run({ ...good(), BUILT_IN_TABLES: 'off' });
    expect(await exited).equal(1);
    expect(lines.map(({ msg }) => msg)).eql([
      'Bad settings: BUILT_IN_TABLES is off, and TABLES names no file',
    ]);
  });

  it('does not start in production without a store that is named', async () => {
    const { exited, lines } = run({ AUTH_JWT_SECRET: SECRET, NODE_ENV: 'production' });
    expect(await exited).equal(1);
    expect(lines.map(({ msg }) => msg).join('\n')).match(
      /^Bad settings: NODE_ENV .*MONGODB_URI .*"embedded"/,
    );
  });

  it('ends with its code where its output is not read any more', async function unread() {
    this.timeout(120_000);
    const edge = await startEdge({ db: database.db });
    try {
      const { child: process } = run({ ...good(), PORT: String(edge.port) });
      process.stdout!.destroy();
      const [code] = await once(process, 'exit');
      expect(code).equal(1);
    } finally {
      await edge.close();
    }
  });

  it('serves on where its log is not read any more, and ends with 0 on SIGTERM', async function mute() {
    this.timeout(120_000);
    const { said, child: process } = run({ ...good(), LOG_LEVEL: 'debug' });
    const { url } = await said('listening');
    process.stdout!.destroy();
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/livez`)).status).equal(200);
    process.kill('SIGTERM');
    const [code] = await once(process, 'exit');
    expect(code).equal(0);
  });

  it('says in a line of the log why it has no embedded mongod', async function none() {
    this.timeout(60_000);
    const binary = join(folder, 'mongod');
    const script = '#!/bin/sh\n[ "$1" = --version ] && echo "db version v6.0.5" || exit 1\n';
    await writeFile(binary, script, { mode: 0o755 });
    const { exited, lines } = run({
      ...{ AUTH_JWT_SECRET: SECRET, DATA_DIR: join(folder, 'none') },
      MONGOMS_SYSTEM_BINARY: binary,
    });
    expect(await exited).equal(1);
    const [fatal, ...more] = lines.filter(({ level }) => level === 'fatal');
    expect(fatal).have.all.keys('level', 'time', 'msg');
    expect(fatal!.msg).match(/^mongod is not ready: /);
    expect(more).eql([]);
  });

  it('does not start on a port that is taken, and says so before it starts a mongod', async function taken() {
    const dataDir = join(folder, 'taken');
    const edge = await startEdge({ db: database.db });
    try {
      const { exited, lines } = run({
        AUTH_JWT_SECRET: SECRET,
        PORT: String(edge.port),
        DATA_DIR: dataDir,
      });
      expect(await exited).equal(1);
      expect(existsSync(dataDir)).equal(false);
      const last = lines.find(({ level }) => level === 'fatal');
      expect(last, JSON.stringify(lines)).to.include({
        msg: 'the service cannot start',
        cause: `Port ${edge.port} is taken: set PORT to another, or to 0 for any.`,
      });
    } finally {
      await edge.close();
    }
  });
});

/** A member's search, or why there is none. */
async function searchAt(url: string) {
  const answer = await fetch(`${url}/api/v2/users/search`, {
    method: 'POST',
    headers: { ...(await bearer('member')), 'content-type': 'application/json' },
    body: '{}',
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
}

/** The outcome of a connection to the port: the error, or that it is taken. */
const connected = (port: number) =>
  openSocket(port).then(
    () => 'taken',
    (error: NodeJS.ErrnoException) => error.code,
  );
