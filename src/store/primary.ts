/**
 * Names the primary that commands go to, and gives up commands that wait for a primary that was
 * replaced or lost.
 *
 *     topology   A ──── (none) ──── B              A ──── (none) ──────────
 *     asked      ├─ waits for A ────┤ replaced     ├─ waits for A ────┤ 1 s: lost
 *                                     └─────────── reads are asked again ──┘
 *
 * The driver goes on asking a primary that is cut off from the others until it has heard nothing
 * from it for long. Its successor is known after an election. A server that is merely not known for
 * a moment keeps its commands: another connection's end says nothing about them.
 *
 * A server that stays unknown does not. The driver (7.8) waits without end for a command that it
 * writes to a socket just as that closes: it listens for `drain` and `error`, and hears `close` alone.
 */
import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb';
import { Ended } from './deadline.ts';
import { usableIn } from './storeVerdict.ts';

type Description = TopologyDescriptionChangedEvent['newDescription'];

interface Elected {
  readonly address: string;
  /** A server that is elected again has another one. */
  readonly election: string | undefined;
}

/**
 * A server that was lost counts as away after this long. The driver forgets a server when any of its
 * connections breaks, and has it back half a second later; searches wait for it meanwhile.
 */
export const GRACE_MS = 1_000;

class Primary {
  #latest: Elected | undefined;
  #elections = 0;
  readonly #waiting = new Set<AbortController>();
  #grace: NodeJS.Timeout | undefined;

  constructor(client: MongoClient) {
    client.on('topologyDescriptionChanged', (event) => {
      this.#latest ??= primaryOf(event.previousDescription);
      const before = this.#latest;
      const now = primaryOf(event.newDescription);
      if (usableIn(event.newDescription)) clearTimeout(this.#grace);
      else if (usableIn(event.previousDescription)) this.#noteLoss();
      if (!now || (now.address === before?.address && now.election === before.election)) return;
      this.#latest = now;
      if (!before) return;
      this.#elections += 1;
      if (now.address !== before.address) this.#giveUp('replaced');
    });
  }

  /**
   * How many elections were heard of. While it stays the same one primary was asked all the time, and
   * nothing that it had was rolled back.
   */
  get elections(): number {
    return this.#elections;
  }

  /** Aborts it when the primary is lost or another takes its place. The function takes that back. */
  whenGone(abort: AbortController): () => void {
    this.#waiting.add(abort);
    return () => this.#waiting.delete(abort);
  }

  /** A command that is asked after the loss has been sent to no server, and waits for the next one. */
  #noteLoss(): void {
    const asked = [...this.#waiting];
    this.#grace = setTimeout(() => this.#giveUp('lost', asked), GRACE_MS).unref();
  }

  #giveUp(end: 'replaced' | 'lost', asked = [...this.#waiting]): void {
    for (const one of asked) {
      if (this.#waiting.delete(one)) one.abort(new Ended(end));
    }
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
