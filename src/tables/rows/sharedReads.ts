/**
 * Joins reads that come while another one is under way into one.
 *
 *     page ──► read A ─ ─ ─ ─ ─ ─ ─ ► rows
 *       page ──┐                  │
 *         page ┼─ waiting ────────┴─► read B: the ids of all of them, once each
 *           page ┘
 *
 * A read costs this process a fifth of a millisecond however few rows it brings, and a row a
 * twentieth of that. The first to ask an idle store does not wait at all, others no longer than
 * `WAIT_MS`. Only reads of one moment are put together.
 */
import type { Timestamp } from 'mongodb';
import { Deadline } from '../../store/deadline.ts';
import type { Resource } from '../definition/definition.ts';

export interface SharedReadsOptions<Id, Opened, Found> {
  /** Equal exactly when the ids are. */
  readonly idKey: (id: Id) => string;
  /** Called when a read is first asked for, at its moment. */
  readonly open: () => Opened;
  readonly read: (read: SharedRead<Id, Opened>) => Promise<Found>;
}

export interface SharedRead<Id, Opened> {
  readonly resource: Resource;
  readonly at: Timestamp;
  readonly ids: ReadonlyMap<string, Id>;
  readonly opened: Opened;
  /** The deadline of the last waiting caller. */
  readonly deadline: Deadline;
}

interface Waiting<Id, Found> {
  readonly at: Timestamp;
  readonly ids: Map<string, Id>;
  readonly deadlines: Deadline[];
  readonly found: Promise<Found>;
  readonly send: () => void;
}

/** How long a read waits for an earlier one to return, milliseconds. */
const WAIT_MS = 4;
/** The most ids of one read. */
const ENOUGH = 1_000;

export class SharedReads<Id, Opened, Found> {
  readonly #options: SharedReadsOptions<Id, Opened, Found>;
  /** The read that still takes ids, by collection. */
  readonly #waiting = new Map<string, Waiting<Id, Found>>();
  /** Reads under way, by collection. */
  readonly #underWay = new Map<string, number>();

  constructor(options: SharedReadsOptions<Id, Opened, Found>) {
    this.#options = options;
  }

  /** The result for these ids, and maybe for other ids asked for at the same time. */
  read(resource: Resource, ids: readonly Id[], at: Timestamp, deadline: Deadline): Promise<Found> {
    const { collection } = resource;
    const open = this.#waiting.get(collection);
    const takesMore = open?.at.equals(at) === true && open.ids.size < ENOUGH;
    const read = takesMore ? open : this.#begin(resource, at);
    for (const id of ids) read.ids.set(this.#options.idKey(id), id);
    read.deadlines.push(deadline);
    if (!this.#underWay.get(collection)) read.send();
    return deadline.wait(read.found);
  }

  #begin(resource: Resource, at: Timestamp): Waiting<Id, Found> {
    const { collection } = resource;
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const timer = setTimeout(send, WAIT_MS);
    const asked = { resource, at, ids: new Map<string, Id>(), opened: this.#options.open() };
    const deadlines: Deadline[] = [];
    // A step later: searches of one turn of the event loop ask side by side.
    const found = sent.then(() => {
      clearTimeout(timer);
      if (this.#waiting.get(collection) === waiting) this.#waiting.delete(collection);
      return this.#send({ ...asked, deadline: Deadline.lastOf(deadlines) });
    });
    found.catch(() => {}); // each of those who ask may have left
    const waiting = { at, ids: asked.ids, deadlines, found, send };
    // A read of another moment waits no longer: it has lost its place.
    this.#waiting.get(collection)?.send();
    this.#waiting.set(collection, waiting);
    return waiting;
  }

  async #send(read: SharedRead<Id, Opened>): Promise<Found> {
    const { collection } = read.resource;
    this.#underWay.set(collection, (this.#underWay.get(collection) ?? 0) + 1);
    try {
      return await this.#options.read(read);
    } finally {
      read.deadline.close();
      this.#underWay.set(collection, this.#underWay.get(collection)! - 1);
      this.#waiting.get(collection)?.send();
    }
  }
}
