/**
 * The ways to attack a service. The requests are data (attacks.ts); one function here carries out
 * each kind, for any number of callers.
 *
 * ```
 * flood        requests, so many at once, until all are answered
 * unread       requests on sockets that read nothing of their answers
 * unfinished   the beginning of a request on each socket, then a byte now and then
 * crowd        idle sockets, and bursts of requests beside them
 * ```
 */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSocket } from '../serve/rawSocket.ts';
import { type Answers, type Call, call, flood } from './calls.ts';

interface Named {
  readonly name: string;
  /** Whether strangers do it, who have no token. */
  readonly strangers?: true;
  /** Whether it is for a service that answers by its index. */
  readonly byIndex?: true;
  /** Statuses of its answers, beside 429 and 503; one of them has to come, or it attacks nothing. */
  readonly expects?: readonly number[];
}

export interface Flood extends Named {
  readonly kind: 'flood';
  readonly times: number;
  readonly width: number;
  /** Called for each one, with the token it is sent with. */
  readonly request: (token: string) => Call;
}

export interface Unread extends Named {
  readonly kind: 'unread';
  readonly sockets: number;
  /** Requests pipelined on each. */
  readonly each: number;
  /** Request line and headers, without those that every request has. */
  readonly head: string;
  readonly body?: string;
  /** Whether the rows asked for change all the time. */
  readonly stirred?: true;
}

export interface Unfinished extends Named {
  readonly kind: 'unfinished';
  readonly sockets: number;
  readonly head: string;
  /** Whether the head ends, so that the parts are of the body. */
  readonly headEnds: boolean;
  readonly part: () => Buffer;
}

export interface Crowd extends Named {
  readonly kind: 'crowd';
  readonly idle: number;
  readonly busy: number;
  readonly bursts: number;
  readonly request: Call;
}

export type Attack = Flood | Unread | Unfinished | Crowd;

/** The service, the tokens of its attackers, and the time of an attack that nothing else ends. */
export interface Field {
  readonly url: string;
  readonly port: number;
  readonly tokens: readonly string[];
  readonly lastsMs: number;
  /** Changes a row that is asked for. */
  readonly stir: () => Promise<unknown>;
  /** The time after which a flood sends no more; it still waits for answers. */
  readonly floodMs: number;
  readonly answers: Answers;
}

/** Ten callers send three times what one sends: each has bounds of their own. */
const timesFor = ({ tokens }: Field) => (tokens.length > 1 ? 3 : 1);

export async function carryOut(attack: Attack, field: Field): Promise<void> {
  await begin(attack, field);
  const { expects } = attack;
  if (expects === undefined) return;
  const { statuses } = field.answers;
  if (!expects.some((status) => statuses.has(status))) field.answers.wrongAs(`no ${expects}`);
  for (const [status, n] of statuses) {
    if (![...expects, 429, 503].includes(status)) field.answers.wrongAs(`${n} × ${status}`);
  }
}

async function begin(attack: Attack, field: Field): Promise<void> {
  switch (attack.kind) {
    case 'flood':
      return await floodWith(attack, field);
    case 'unread':
      return await readNothing(attack, field);
    case 'unfinished':
      return await neverFinish(attack, field);
    case 'crowd':
      return await comeInCrowds(attack, field);
  }
}

function tokenOf({ tokens }: Field, { strangers }: Named, n: number): string | undefined {
  return strangers ? undefined : tokens[n % tokens.length]!;
}

async function floodWith(attack: Flood, field: Field): Promise<void> {
  const more = timesFor(field);
  const until = performance.now() + field.floodMs;
  await flood(attack.times * more, attack.width * more, async (n) => {
    if (performance.now() > until) return;
    const token = tokenOf(field, attack, n);
    field.answers.add(
      await call(field.url, { ...(token && { token }), ...attack.request(token ?? '') }),
    );
  });
}

async function readNothing(attack: Unread, field: Field): Promise<void> {
  const sockets = await open(attack.sockets * timesFor(field), field, (socket, n) => {
    socket.pause();
    const { head, body = '' } = attack;
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const text = `${headOf(head, tokenOf(field, attack, n))}${length}\r\n${body}`;
    socket.write(text.repeat(attack.each));
  });
  const until = performance.now() + field.lastsMs;
  while (performance.now() < until) {
    await sleep(100);
    if (attack.stirred) await field.stir();
  }
  for (const socket of sockets) socket.destroy();
}

async function neverFinish(attack: Unfinished, field: Field): Promise<void> {
  const part = attack.part();
  const sockets = await open(attack.sockets * timesFor(field), field, (socket, n) => {
    socket.on('data', (bytes) => countAnswers(bytes, field.answers));
    const head = headOf(attack.head, tokenOf(field, attack, n));
    socket.write(attack.headEnds ? `${head}\r\n` : head);
    socket.write(part);
  });
  const until = performance.now() + field.lastsMs;
  while (performance.now() < until) {
    await sleep(500);
    for (const socket of sockets) if (socket.writable) socket.write(' ');
  }
  for (const socket of sockets) socket.destroy();
}

async function comeInCrowds(attack: Crowd, field: Field): Promise<void> {
  const right = await call(field.url, { ...attack.request, token: field.tokens[0]! });
  const idle = await open(attack.idle, field, () => {});
  for (let burst = 0; burst < attack.bursts; burst++) {
    await flood(attack.busy, attack.busy, async (n) => {
      const reply = await call(field.url, { ...attack.request, token: tokenOf(field, attack, n)! });
      field.answers.add(reply);
      if (reply.status === 200 && reply.text !== right.text) field.answers.wrongAs('other answer');
    });
  }
  for (const socket of idle) socket.destroy();
}

/** Opens sockets, a hundred at a time, so that no full backlog refuses one. */
async function open(
  count: number,
  { port }: Field,
  begin: (socket: Socket, n: number) => void,
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  await flood(count, 100, async (n) => {
    const socket = await openSocket(port);
    socket.on('error', () => {});
    sockets.push(socket);
    begin(socket, n);
  });
  return sockets;
}

function headOf(head: string, token: string | undefined): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `${head}Host: x\r\n${authorization}`;
}

function countAnswers(bytes: Buffer, answers: Answers): void {
  for (const [, status] of bytes.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
    answers.count(Number(status));
  }
}
