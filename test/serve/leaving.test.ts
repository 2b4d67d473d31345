/** Clients who leave, with Node's own server: what is said of them, and that they are gone. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Closing, whenLeft } from '../../src/serve/server/closing.ts';

describe('a client who leaves', () => {
  let server: Server;
  let errors = 0;
  const asked = new Set<Socket>();

  before(async () => {
    const closing = new Closing();
    server = createServer({ requireHostHeader: false }, (req, res) => {
      asked.add(req.socket);
      setImmediate(() => res.end('answered'));
    });
    server.on('clientError', (_error, socket) => {
      errors += 1;
      socket.destroy();
    });
    server.on('connection', (socket) => {
      const isAsked = () => asked.has(socket);
      whenLeft(socket, isAsked, () => closing.add(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** Sends this and no more; whatever comes until the server closes as well. */
  async function sent(head: string): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(head);
    return await text(socket);
  }

  it('in the middle of a head is let go without an error', async () => {
    expect(await sent('GET / HTTP/1.1\r\nX: y')).equal('');
    expect(errors).equal(0);
  });

  it('before a head is let go', async () => {
    expect(await sent('')).equal('');
    expect(errors).equal(0);
  });

  it('with a whole request, and reads on, is answered', async () => {
    const answer = await sent('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).match(/^HTTP\/1\.1 200 OK\r\n.*answered/s);
    expect(errors).equal(0);
  });
});
