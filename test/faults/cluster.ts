/**
 * Three mongods as one replica set, with a network of proxies that can be disturbed.
 *
 *     service ──▶ front a ──▶ mongod a ◀── link a ◀── mongods b and c, the suite
 *             ──▶ front b ──▶ mongod b ◀── link b ◀── mongods a and c, the suite
 *             ──▶ front c ──▶ mongod c ◀── link c ◀── mongods a and b, the suite
 *
 * The set knows its members by their links, so that one of them can be isolated from the others. To
 * the service each member says that all of them stand at their fronts: the ports in its greetings
 * are exchanged, all of which have five digits.
 */
import { MongoClient } from 'mongodb';
import { NetworkProxy } from '../support/networkProxy.ts';
import { type Member, ReplicaSet } from '../support/replicaSet.ts';
import { until } from '../support/until.ts';

const HOST = '127.0.0.1';

/** Long enough for a busy machine, on which a heartbeat may come late. */
const ELECTION_MS = 2_000;

/** Small enough to be overwritten within a fault, large enough for two documents of 16 MB. */
const OPLOG_MB = 64;

/** For waits between faults, on a busy machine. */
const PATIENCE_MS = 90_000;

export class Cluster {
  readonly set: ReplicaSet;
  /** The suite's own, to whichever member is primary; no fault of the fronts touches it. */
  readonly client: MongoClient;
  readonly #fronts: ReadonlyMap<Member, NetworkProxy>;
  readonly #links: ReadonlyMap<Member, NetworkProxy>;

  private constructor(
    set: ReplicaSet,
    client: MongoClient,
    fronts: ReadonlyMap<Member, NetworkProxy>,
    links: ReadonlyMap<Member, NetworkProxy>,
  ) {
    this.set = set;
    this.client = client;
    this.#fronts = fronts;
    this.#links = links;
  }

  static async start(): Promise<Cluster> {
    const links = new Map<number, NetworkProxy>();
    const knownAs = async (port: number) => {
      const link = await NetworkProxy.to(`http://${HOST}:${port}`, { sender: heartbeatSender });
      links.set(port, link);
      return link.port;
    };
    const set = await ReplicaSet.start({
      knownAs,
      electionTimeoutMs: ELECTION_MS,
      oplogMb: OPLOG_MB,
    });
    const ports = new Map<string, string>();
    const fronts = new Map<Member, NetworkProxy>();
    for (const member of set.members) {
      const reply = (message: Buffer) => atFronts(message, ports);
      const front = await NetworkProxy.to(member.directUri, { reply });
      ports.set(member.address, `${HOST}:${front.port}`);
      fronts.set(member, front);
    }
    const byMember = new Map(set.members.map((member) => [member, links.get(member.port)!]));
    const client = new MongoClient(set.uri, {
      appName: 'faults',
      heartbeatFrequencyMS: 500,
      connectTimeoutMS: 2_000,
      socketTimeoutMS: 30_000,
    });
    return new Cluster(set, client, fronts, byMember);
  }

  /** The service's connection string: it leads through the proxies. */
  get serviceUri(): string {
    const hosts = [...this.#fronts.values()].map(({ port }) => `${HOST}:${port}`);
    return `mongodb://${hosts.join()}/?replicaSet=three`;
  }

  /** Between the service and the members, all of them or one. */
  fronts(of?: Member): readonly NetworkProxy[] {
    return of ? [this.#fronts.get(of)!] : [...this.#fronts.values()];
  }

  primary(): Promise<Member> {
    return this.set.primary(this.client);
  }

  /** It hears the others no more, nor they it; the service still reaches all of them. */
  isolate(member: Member): void {
    for (const [other, link] of this.#links) {
      if (other === member) link.silence();
      else link.silenceFrom(member.address);
    }
  }

  /** Undoes everything that was done to the network. */
  restore(): void {
    for (const proxy of [...this.#fronts.values(), ...this.#links.values()]) proxy.restore();
  }

  /** A command to every member, by itself. */
  async tell(members: readonly Member[], command: Readonly<Record<string, unknown>>) {
    await Promise.all(
      members.map((member) => alone(member, (client) => client.db('admin').command(command))),
    );
  }

  /** The members that are not this one. */
  others(than: Member): Member[] {
    return this.set.members.filter((member) => member !== than);
  }

  /** Waits until there is a primary, and all others follow it closely. */
  async whole(): Promise<void> {
    await until(
      () => this.#isWhole().catch(() => false as const),
      'the set is not whole',
      PATIENCE_MS,
    );
  }

  async #isWhole(): Promise<boolean> {
    const status = await this.client.db('admin').command({ replSetGetStatus: 1 });
    const members = status.members as { stateStr: string; optimeDate: Date }[];
    const primary = members.find(({ stateStr }) => stateStr === 'PRIMARY');
    if (!primary) return false;
    return members.every(
      ({ stateStr, optimeDate }) =>
        ['PRIMARY', 'SECONDARY'].includes(stateStr) &&
        primary.optimeDate.getTime() - optimeDate.getTime() <= 2_000,
    );
  }

  async stop(): Promise<void> {
    for (const member of this.set.members) member.thaw();
    await this.client.close();
    const proxies = [...this.#fronts.values(), ...this.#links.values()];
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await this.set.stop();
  }
}

/** Does something with a client of one member. */
export async function alone<T>(
  member: Member,
  work: (client: MongoClient) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(member.directUri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** A heartbeat between members says who sends it: `from`, a text. */
function heartbeatSender(bytes: Buffer): string | undefined {
  if (bytes.length > 4_096 || !bytes.includes('replSetHeartbeat')) return undefined;
  return /\x02from\0.{4}(127\.0\.0\.1:\d+)\0/s.exec(bytes.toString('latin1'))?.[1];
}

/** A greeting with the addresses of the fronts; any other message as it is. */
function atFronts(message: Buffer, addresses: ReadonlyMap<string, string>): Buffer {
  if (message.length > 8_192) return message;
  const text = message.toString('latin1');
  if (!/isWritablePrimary|ismaster/.test(text)) return message;
  let changed = text;
  for (const [link, front] of addresses) changed = changed.replaceAll(`${link}\0`, `${front}\0`);
  return Buffer.from(changed, 'latin1');
}
