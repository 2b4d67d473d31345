/** Commands are given up when no server can be asked for a second, and only then. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { isEndedBy } from '../../src/store/deadline.ts';
import { GRACE_MS, primaryAskedBy } from '../../src/store/primary.ts';

const PAST_GRACE_MS = GRACE_MS + 300;

/** A client whose monitors see what they are told: servers by their type. */
class Watched extends EventEmitter {
  readonly #asked = primaryAskedBy(this as unknown as MongoClient);
  #seen: object = { servers: new Map() };

  sees(type: string, ...types: readonly string[]): void {
    const servers = new Map(types.map((one, at) => [`host${at}`, { type: one }]));
    const event = { previousDescription: this.#seen, newDescription: { type, servers } };
    this.#seen = event.newDescription;
    this.emit('topologyDescriptionChanged', event);
  }

  ask(): AbortSignal {
    const abort = new AbortController();
    this.#asked.whenGone(abort);
    return abort.signal;
  }
}

describe('commands under way', () => {
  it('are given up when their primary is lost for a second, whatever else is seen meanwhile', async () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary', 'RSSecondary');
    const signal = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'RSSecondary');
    await sleep(GRACE_MS / 2);
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'Unknown');
    expect(signal.aborted).equal(false);
    await sleep(PAST_GRACE_MS - GRACE_MS / 2);
    expect(isEndedBy('lost', signal.reason)).equal(true);
  });

  it('go on when it is back within the second, and are given up at the next loss', async () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary');
    const signal = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown');
    client.sees('ReplicaSetWithPrimary', 'RSPrimary');
    await sleep(PAST_GRACE_MS);
    expect(signal.aborted).equal(false);
    client.sees('ReplicaSetNoPrimary', 'Unknown');
    await sleep(PAST_GRACE_MS);
    expect(signal.aborted).equal(true);
  });

  it('that began after the loss wait for the next primary', async () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary', 'RSSecondary');
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'RSSecondary');
    await sleep(PAST_GRACE_MS);
    const signal = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'Unknown');
    await sleep(PAST_GRACE_MS);
    expect(signal.aborted).equal(false);
  });

  it('go on where routers are asked, though one of them leaves', async () => {
    const client = new Watched();
    client.sees('Sharded', 'Mongos', 'Mongos');
    const signal = client.ask();
    client.sees('Sharded', 'Mongos', 'Unknown');
    await sleep(PAST_GRACE_MS);
    expect(signal.aborted).equal(false);
    client.sees('Sharded', 'Unknown', 'Unknown');
    await sleep(PAST_GRACE_MS);
    expect(signal.aborted).equal(true);
  });
});
