/** Pipelined requests: one after the other, few, and none once its connection is over. */
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { Pipelining } from '../../src/serve/server/pipelining.ts';
import { until } from '../support/until.ts';
import { openSocket } from './rawSocket.ts';

describe('requests that come before the one before them is answered', () => {
  /** Requests that were begun, with their paths. */
  const begun: { readonly path: string; readonly res: ServerResponse }[] = [];
  let arrived = 0;
  const pipelining = new Pipelining((req, res) => {
    begun.push({ path: req.url!, res });
  });
  const server = createServer((req, res) => {
    arrived += 1;
    pipelining.request(req, res);
  });
  server.on('connection', (socket) => pipelining.opened(socket));
  server.on('clientError', (_, socket) => {
    expect(pipelining.isEnding(socket as Socket)).equal(true);
  });

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    begun.length = 0;
    arrived = 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** So many requests on one socket, all of which have arrived. */
  async function pipelined(count: number) {
    const socket = await openSocket((server.address() as AddressInfo).port);
    let text = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        text += bytes;
      });
    const requests = Array.from(
      { length: count },
      (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    socket.write(requests.join(''));
    await until(() => arrived >= count);
    return {
      socket,
      received: () => [...text.matchAll(/body of (\/\d+)/g)].map(([, path]) => path),
    };
  }
  const paths = () => begun.map(({ path }) => path);
  const answer = (n: number) => begun[n]!.res.end(`body of ${begun[n]!.path}`);
  /** Turns of the event loop, so that everything due has begun. */
  const turns = async () => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('wait for it, and are answered in their order', async () => {
    const { socket, received } = await pipelined(3);
    for (const n of [0, 1, 2]) {
      await until(() => begun.length === n + 1);
      await turns();
      expect(paths()).eql(['/0', '/1', '/2'].slice(0, n + 1));
      answer(n);
    }
    await until(() => received().length === 3);
    expect(received()).eql(['/0', '/1', '/2']);
    socket.destroy();
  });

  it('are never begun when the client is gone', async () => {
    const { socket } = await pipelined(3);
    const closed = once(begun[0]!.res, 'close');
    socket.destroy();
    await closed;
    await turns();
    expect(paths(), 'one that is begun now is never told that it has ended').eql(['/0']);
  });

  it('are never begun when the server has ended the connection', async () => {
    const { socket, received } = await pipelined(3);
    begun[0]!.res.setHeader('Connection', 'close');
    answer(0);
    await once(socket, 'close');
    await turns();
    expect(received()).eql(['/0']);
    expect(paths()).eql(['/0']);
  });

  it('are never begun when they come out of the parser after the end', async () => {
    const { socket } = await pipelined(1);
    const { req } = begun[0]!.res;
    const closed = once(begun[0]!.res, 'close');
    socket.destroy();
    await closed;
    const late = new IncomingMessage(req.socket);
    pipelining.request(late, new ServerResponse(late));
    await turns();
    expect(paths()).eql(['/0']);
  });

  it('are sixteen at most: others are not parsed, and the connection ends after those', async () => {
    const { socket, received } = await pipelined(17);
    // In one piece, and in pieces.
    for (const each of [2_000, 50, 50]) {
      socket.write('GET /more HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(each));
      await turns();
    }
    for (let n = 0; n < 17; n++) {
      await until(() => begun.length === n + 1);
      answer(n);
    }
    await once(socket, 'close');
    expect(received()).eql(Array.from({ length: 17 }, (_, n) => `/${n}`));
    expect(begun.length).equal(17);
    expect(arrived).equal(17);
  });

  it('are sixteen at most where all come at once', async () => {
    const socket = await openSocket((server.address() as AddressInfo).port);
    socket.on('error', () => undefined).resume();
    socket.write('GET /same HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
    for (let n = 0; n < 17; n++) {
      await until(() => begun.length === n + 1);
      answer(n);
    }
    await once(socket, 'close');
    expect([arrived, begun.length]).eql([17, 17]);
  });
});
