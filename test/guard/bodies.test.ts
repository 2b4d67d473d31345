/** Bodies as attacks: bombs, bodies that never come whole, and what they leave behind. */
import type { Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { storePeople } from '../http/edge.ts';
import { openSocket } from '../http/rawSocket.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { call, flood, meanwhile, saysWhen, startVictim, tally, type Victim } from './victim.ts';

const MB = 2 ** 20;
const SEARCH = '/api/v2/users/search';

describe('bodies as attacks', function suite() {
  this.timeout(120_000);
  if (process.platform !== 'linux') return;
  const database = useDatabase();
  let victim: Victim;
  let token: string;
  let light: string;

  before(async () => {
    await storePeople(database.db);
    victim = await startVictim(database.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await victim.token(2);
    light = await victim.token(3);
    await flood(50, 5, () => call(victim, { method: 'POST', path: SEARCH, token, body: '{}' }));
  });
  after(() => victim?.stop());

  const brotli = (window: number) => ({
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: window },
  });
  const zeros = Buffer.alloc(64 * MB);
  const bombs: Readonly<Record<string, readonly [encoding: string, body: () => Buffer]>> = {
    'brotli bombs': ['br', () => brotliCompressSync(zeros, brotli(22))],
    'brotli bombs with a large window': ['br', () => brotliCompressSync(zeros, brotli(24))],
    'gzip bombs': ['gzip', () => gzipSync(zeros)],
  };
  for (const [what, [encoding, make]] of Object.entries(bombs)) {
    it(`holds no memory for ${what}, 200 at once, and others go on`, async () => {
      const body = make();
      const send = () =>
        call(victim, {
          method: 'POST',
          path: SEARCH,
          token,
          body,
          headers: { 'content-encoding': encoding },
        });
      const idle = await victim.resident();
      await victim.forgetPeak();
      await victim.held();
      const attack = flood(200, 200, send);
      const { replies } = await meanwhile(attack, () =>
        call(victim, { method: 'POST', path: SEARCH, token: light, body: '{}' }),
      );
      const answers = tally(await attack);
      expect(saysWhen(await attack)).equal(true);
      expect(Object.keys(answers).every((status) => ['400', '413', '429'].includes(status))).equal(
        true,
        JSON.stringify(answers),
      );
      expect(tally(replies)).to.have.all.keys('200');
      expect((await victim.peak()) - idle, 'memory at its peak').lessThan(150 * MB);
      await until(
        async () => (await victim.resident()) - idle < 100 * MB,
        'memory is held',
        20_000,
      );
    });
  }

  it('keeps few bytes of bodies that never come whole, and refuses one caller the rest', async () => {
    const idle = await victim.resident();
    const sockets: Socket[] = [];
    let refusals = '';
    const part = Buffer.alloc(900_000, 0x20);
    for (let i = 0; i < 150; i++) {
      const socket = await openSocket(victim.port);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        refusals += chunk;
      });
      socket.write(
        `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
      );
      socket.write(part);
    }
    await until(() => refusals.split('TooManyRequests').length > 80, 'nobody was refused');
    expect((await victim.resident()) - idle).lessThan(150 * MB);
    const other = await call(victim, { method: 'POST', path: SEARCH, token: light, body: '{}' });
    expect(other.status, 'another caller').equal(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => {
      const body = `${' '.repeat(900_000)}{}`;
      return (await call(victim, { method: 'POST', path: SEARCH, token, body })).status === 200;
    }, 'what was held did not come back');
  });
});
