/**
 * Names the primary that commands go to, and gives up commands that wait for a primary that was
 * replaced.
 *
 *     topology   A ──── (none) ──── B
 *     asked      ├─ waits for A ────┤ replaced: ask again, B this time
 *
 * The driver goes on asking a primary that is cut off from the others until it has heard nothing
 * from it for long. Its successor is known after an election. A server that is merely not known for
 * a moment keeps its commands: another connection's end says nothing about them.
 */
import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb';
import { Ended } from './deadline.ts';

type Description = TopologyDescriptionChangedEvent['newDescription'];

interface Elected {
  readonly address: string;
  /** A server that is elected again has another one. */
  readonly election: string | undefined;
}

class Primary {
  #latest: Elected | undefined;
  #elections = 0;
  readonly #waiting = new Set<AbortController>();

  constructor(client: MongoClient) {
    client.on('topologyDescriptionChanged', (event) => {
      this.#latest ??= primaryOf(event.previousDescription);
      const before = this.#latest;
      const now = primaryOf(event.newDescription);
      if (!now || (now.address === before?.address && now.election === before.election)) return;
      this.#latest = now;
      if (!before) return;
      this.#elections += 1;
      if (now.address !== before.address) this.#giveUp();
    });
  }

  /**
   * How many elections were heard of. While it stays the same one primary was asked all the time, and
   * nothing that it had was rolled back.
   */
  get elections(): number {
    return this.#elections;
  }

  /** Aborts it when another primary takes the place of this one. The function takes that back. */
  whenReplaced(abort: AbortController): () => void {
    this.#waiting.add(abort);
    return () => this.#waiting.delete(abort);
  }

  #giveUp(): void {
    const given = [...this.#waiting];
    this.#waiting.clear();
    for (const one of given) one.abort(new Ended('replaced'));
  }
}

function primaryOf({ servers }: Description): Elected | undefined {
  for (const [address, { type, electionId }] of servers) {
    if (type === 'RSPrimary') return { address, election: electionId?.toHexString() };
  }
  return undefined;
}

const primaries = new WeakMap<MongoClient, Primary>();

/** The primary that a client asks; watched from the first call on. */
export function primaryAskedBy(client: MongoClient): Primary {
  const primary = primaries.get(client) ?? new Primary(client);
  primaries.set(client, primary);
  return primary;
}
