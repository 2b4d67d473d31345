/** A client that does not read is cut; one that reads slowly is not, however large the buffers in between are. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { StalledReaders } from '../../src/serve/server/stalledReaders.ts';
import { until } from '../support/until.ts';
import { openSocket } from './rawSocket.ts';

const MB = 2 ** 20;
const LIMIT_MS = 4_000;
/** The system accepts more once a third of its 4 MB is free: 1.2 s at this rate, several pieces at a time. */
const BYTES_A_SECOND = 1.2e6;
const PIECE = Buffer.alloc(65_536);

function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, left);
}

describe('clients who do not read their answers', () => {
  const answering = new Set<ServerResponse>();
  const readers = new StalledReaders(LIMIT_MS, () => answering);
  const answers: ServerResponse[] = [];
  /** Answers with as many bytes as the path says. */
  const server = createServer((req, res) => {
    answering.add(res);
    res.once('close', () => answering.delete(res));
    answers.push(res);
    const bytes = Number(req.url!.slice(1));
    Readable.from(pieces(bytes), { objectMode: false }).pipe(res);
  });
  let sockets: Socket[] = [];

  before(async () => {
    server.keepAliveTimeout = 10 * LIMIT_MS;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });
  after(() => {
    readers.stop();
    server.close();
  });

  async function ask(bytes: number): Promise<{ socket: Socket; answer: ServerResponse }> {
    const socket = await openSocket((server.address() as AddressInfo).port);
    sockets.push(socket);
    socket.on('error', () => undefined).pause();
    const before = answers.length;
    socket.write(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => answers.length > before);
    return { socket, answer: answers[before]! };
  }

  /** Reads some of the bytes that are there, and returns how many. */
  const readSome = (socket: Socket, most: number): number => {
    const some = socket.read(Math.min(most, socket.readableLength)) as Buffer | null;
    return some?.length ?? 0;
  };

  it('are cut, and so are those who take a byte now and then', async function cut() {
    this.timeout(60_000);
    const { answer: unread } = await ask(64 * MB);
    const { socket, answer: dripping } = await ask(64 * MB);
    const drip = setInterval(() => readSome(socket, 1), 100);
    try {
      await until(() => unread.destroyed && dripping.destroyed, 'they are not cut');
    } finally {
      clearInterval(drip);
    }
  });

  /** Reads slowly, for a while or until it is cut; how much, and the longest time without a read. */
  async function readSlowly(socket: Socket, answer: ServerResponse) {
    const started = performance.now();
    let read = 0;
    let last = started;
    let pause = 0;
    while (performance.now() - started < 3 * LIMIT_MS && !answer.destroyed) {
      const now = performance.now();
      const some = read < (BYTES_A_SECOND * (now - started)) / 1_000 ? readSome(socket, 16_384) : 0;
      read += some;
      pause = Math.max(pause, now - last);
      if (some > 0) last = now;
      await sleep(1);
    }
    return { read, pause };
  }

  it('are left alone while they read, though the system accepts more only now and then', async function slow() {
    this.timeout(120_000);
    for (;;) {
      const { socket, answer } = await ask(32 * MB);
      await until(() => socket.readableLength > 0);
      const { read, pause } = await readSlowly(socket, answer);
      // A reader whom a busy machine has held up for that long did not read.
      if (answer.destroyed && pause > LIMIT_MS / 8) continue;
      expect(answer.destroyed, `cut after ${read} bytes`).equal(false);
      expect(answer.writableLength, 'something waits to be sent').greaterThan(0);
      socket.resume();
      await until(() => answer.writableFinished, 'the rest is not sent');
      return;
    }
  });

  it('are not cut between two answers', async () => {
    const { socket, answer } = await ask(10);
    await until(() => answer.writableFinished);
    // One that is asked for later and not read is cut in between.
    const { answer: unread } = await ask(64 * MB);
    await until(() => unread.destroyed, 'it is not cut');
    expect(socket.closed).equal(false);
    expect(answer.req.socket.destroyed).equal(false);
  });
});
