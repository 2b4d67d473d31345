/**
 * Which primary is asked, and that another one took its place: what waits for the old one is given up.
 *
 *     topology   A ──── (none) ──── B
 *     asked      ├─ waits for A ────┤ replaced: ask again, B this time
 *
 * A primary that is cut off from the others goes on being asked until the driver hears nothing from it
 * for long; its successor is known after an election. A server that is merely not known for a moment
 * keeps its commands: another connection's end says nothing about them.
 */
import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb';
import { Ended } from './deadline.ts';

type Description = TopologyDescriptionChangedEvent['newDescription'];

class Primary {
  #address: string | undefined;
  readonly #waiting = new Set<AbortController>();

  constructor(client: MongoClient) {
    client.on('topologyDescriptionChanged', (event) => {
      this.#address ??= primaryOf(event.previousDescription);
      const address = primaryOf(event.newDescription);
      if (address === undefined || address === this.#address) return;
      const replaced = this.#address !== undefined;
      this.#address = address;
      if (!replaced) return;
      const given = [...this.#waiting];
      this.#waiting.clear();
      for (const one of given) one.abort(new Ended('replaced'));
    });
  }

  /** Aborts it when another primary takes the place of this one. The function takes that back. */
  whenReplaced(abort: AbortController): () => void {
    this.#waiting.add(abort);
    return () => this.#waiting.delete(abort);
  }
}

function primaryOf({ servers }: Description): string | undefined {
  for (const [address, { type }] of servers) if (type === 'RSPrimary') return address;
  return undefined;
}

const known = new WeakMap<MongoClient, Primary>();

/** The primary that a client asks; watched from the first call on. */
export function primaryAskedBy(client: MongoClient): Primary {
  const primary = known.get(client) ?? new Primary(client);
  known.set(client, primary);
  return primary;
}
