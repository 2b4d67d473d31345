/** Commands are given up when no server can be asked for a second, and only then. */
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { isEndedBy } from '../../src/store/deadline.ts';
import { GRACE_MS, primaryAskedBy } from '../../src/store/primary.ts';

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
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const pass = (ms: number) => mock.timers.tick(ms);

  it('are given up when their primary is lost for a second, whatever else is seen meanwhile', () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary', 'RSSecondary');
    const signal = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'RSSecondary');
    pass(GRACE_MS / 2);
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'Unknown');
    pass(GRACE_MS / 2 - 1);
    expect(signal.aborted).equal(false);
    pass(1);
    expect(isEndedBy('lost', signal.reason)).equal(true);
  });

  it('go on when it is back within the second, and are given up at the next loss', () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary');
    const signal = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown');
    client.sees('ReplicaSetWithPrimary', 'RSPrimary');
    pass(GRACE_MS);
    expect(signal.aborted).equal(false);
    client.sees('ReplicaSetNoPrimary', 'Unknown');
    pass(GRACE_MS);
    expect(signal.aborted).equal(true);
  });

  it('that began after the loss wait for the next primary', () => {
    const client = new Watched();
    client.sees('ReplicaSetWithPrimary', 'RSPrimary', 'RSSecondary');
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'RSSecondary');
    pass(GRACE_MS / 2);
    const soon = client.ask();
    pass(GRACE_MS);
    const later = client.ask();
    client.sees('ReplicaSetNoPrimary', 'Unknown', 'Unknown');
    pass(GRACE_MS);
    expect([soon.aborted, later.aborted]).eql([false, false]);
  });

  it('go on where routers are asked, though one of them leaves', () => {
    const client = new Watched();
    client.sees('Sharded', 'Mongos', 'Mongos');
    const signal = client.ask();
    client.sees('Sharded', 'Mongos', 'Unknown');
    pass(GRACE_MS);
    expect(signal.aborted).equal(false);
    client.sees('Sharded', 'Unknown', 'Unknown');
    pass(GRACE_MS);
    expect(signal.aborted).equal(true);
  });
});
