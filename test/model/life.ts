/**
 * Lives through a list of steps: writes, faults and searches against one running system. It checks
 * every answer:
 *
 * - The answer is the store's state at the answer's own moment (oracle.ts).
 *
 * - That moment is not before any that was handed out, or written by the service, before the
 *   search began.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Db,
  type MongoClient,
  MongoNetworkError,
  MongoServerSelectionError,
  type Timestamp,
} from 'mongodb';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { AppError } from '../../src/errors.ts';
import { laterOf, printTime } from '../../src/store/clusterTime.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { present } from '../../src/tables/definition/record.ts';
import { withLabels } from '../../src/tables/explore/counts.ts';
import { uuid } from '../conformance/documents.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { openCursors } from '../support/openCursors.ts';
import { readTime } from '../support/readTime.ts';
import { until } from '../support/until.ts';
import { type Ask, bodyOfAsk, everything, isMember, pathOf, planOf, viewOf } from './asks.ts';
import { differenceOf, Oracle, printed } from './oracle.ts';
import type { Fault, Step } from './steps.ts';
import { APP_NAME, type System } from './system.ts';
import { WatchedAsks } from './watchedAsks.ts';
import { change, perform } from './writes.ts';

/** Figures over all lives of a test. */
export interface Tally {
  steps: number;
  index: number;
  pipeline: number;
  /** Answered with an error while a fault was on. */
  refused: number;
  compared: number;
  fromCopies: number;
  unreadable: number;
}

const { labels } = taskCatalogue();

export class Life {
  readonly #system: System;
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #oracle: Oracle;
  readonly #watched: WatchedAsks;
  readonly #tally: Tally;
  /** No answer that is asked for from now on may be older. */
  #floor: Timestamp | undefined;

  constructor(system: System, client: MongoClient, db: Db, tally: Tally) {
    this.#system = system;
    this.#client = client;
    this.#db = db;
    this.#oracle = new Oracle(client, db.databaseName);
    this.#watched = new WatchedAsks(system, this.#oracle);
    this.#tally = tally;
  }

  async live(steps: readonly Step[]): Promise<void> {
    await this.#settle();
    for (const step of steps) {
      this.#tally.steps++;
      await this.#step(step);
      if (step.kind === 'search') this.#watched.add(step.asks);
      await this.#watched.askNext(step.kind !== 'fault');
    }
    await this.#settle();
    await this.#ask(everything());
    for (let n = 0; n < 4; n++) await this.#watched.askNext(true);
    this.#system.index.check();
  }

  async close(): Promise<void> {
    await this.#oracle.close();
    this.#tally.compared += this.#oracle.compared;
    this.#tally.fromCopies += this.#oracle.fromCopies;
    this.#tally.unreadable += this.#oracle.unreadable;
  }

  async #step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'write': {
        const time = await perform(this.#client, this.#db, step.write);
        if (step.own && time) this.#wrote(time);
        return;
      }
      case 'burst': {
        const writes = step.writes.map((write) => perform(this.#client, this.#db, write));
        await Promise.all([...writes, this.#ask(step.asks)]);
        return;
      }
      case 'search':
        return await this.#ask(step.asks);
      case 'enable':
        return await this.#enable(uuid(step.schedule), step.enabled);
      case 'ddl':
        return await this.#change(step);
      case 'fault':
        return await this.#fault(step);
      case 'kill':
        await Promise.all([this.#killStreams(), this.#ask(step.asks)]);
        return;
      case 'pause':
        return await sleep(step.ms);
      case 'settle':
        return await this.#settle();
    }
  }

  /** The service is told of a write, as its own management operations tell it. */
  #wrote(time: Timestamp): void {
    this.#system.search.note(time);
    this.#floor = laterOf(this.#floor, time);
  }

  /** All at once; then compared, one after the other. */
  async #ask(asks: readonly Ask[], tolerant = false): Promise<void> {
    for (const check of await Promise.all(asks.map((ask) => this.#answer(ask, tolerant)))) {
      await check?.();
    }
  }

  async #answer(ask: Ask, tolerant: boolean): Promise<(() => Promise<void>) | undefined> {
    const floor = this.#floor;
    try {
      return ask.http ? await this.#overHttp(ask, floor) : await this.#direct(ask, floor);
    } catch (error) {
      if (!tolerant || error instanceof AppError) throw error;
      this.#tally.refused++;
      return undefined;
    }
  }

  async #direct(ask: Ask, floor: Timestamp | undefined) {
    const { plan } = planOf(ask, this.#system.fold);
    const answer = await this.#system.search.run(plan, new Deadline(15_000));
    this.#tally[answer.route]++;
    this.#hand(ask, answer.asOf, floor);
    return () => this.#oracle.check(plan, answer, `${ask.view} by ${answer.route}`);
  }

  async #overHttp(ask: Ask, floor: Timestamp | undefined) {
    const { plan, options } = planOf(ask, this.#system.fold);
    const response = await this.#post('POST', pathOf(ask), bodyOfAsk(ask), ask);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    const asOf = readTime(response.headers.get('search-as-of')!);
    const route = response.headers.get('search-route') as 'index' | 'pipeline';
    this.#tally[route]++;
    this.#hand(ask, asOf, floor);
    return async () => {
      const expected = await this.#oracle.pageAt(plan, asOf);
      if (!expected) return;
      const { record } = viewOf(ask).resource;
      const data = expected.rows.map((row) => present(record, row, { labels, options }));
      const { data: shown, meta, facets, histogram } = JSON.parse(text);
      const parts = (head: readonly unknown[], records: readonly unknown[]) =>
        [[...head, records.length], ...records].map((part) => JSON.stringify(part));
      const counts = expected.counts && {
        facets: withLabels(viewOf(ask).resource, expected.counts.facets, labels),
        histogram: expected.counts.histogram,
      };
      const { total_items: total, current_page: page } = meta.pagination;
      const difference = differenceOf(
        parts([total, page, ask.explore && { facets: facets ?? [], histogram }], shown),
        parts([expected.total, expected.page, counts], data),
      );
      if (!difference) return;
      throw new Error(`${ask.view} by ${route} over HTTP\n  ${printed(plan)}\n${difference}`);
    };
  }

  #post(method: string, path: string, body: unknown, ask?: Ask): Promise<Response> {
    return fetch(`${this.#system.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(ask && isMember(ask) && { authorization: `member ${ask.memberId}` }),
      },
      body: JSON.stringify(body),
    });
  }

  /** Notes that this moment was shown to a caller who asked when `floor` held. */
  #hand(ask: Ask, asOf: Timestamp, floor: Timestamp | undefined): void {
    if (floor?.greaterThan(asOf)) {
      throw new Error(`${ask.view}: ${printTime(asOf)} is before ${printTime(floor)}`);
    }
    this.#floor = laterOf(this.#floor, asOf);
  }

  /** A change through the service, which the very next search shows. */
  async #enable(schedule: string, enabled: boolean): Promise<void> {
    const path = `/api/v2/admin/schedules/${schedule}`;
    const changed = await this.#post('PATCH', path, { enabled });
    await changed.text();
    const filters = { schedule_id: schedule };
    const found = await this.#post('POST', '/api/v2/admin/schedules/search', { filters });
    const { data } = (await found.json()) as { data: { enabled: unknown }[] };
    const seen = data.map((record) => record.enabled);
    const should = changed.status === 200 ? [enabled] : [];
    if (![200, 404].includes(changed.status) || String(seen) !== String(should)) {
      throw new Error(`${path}: ${changed.status}, then shown as ${JSON.stringify(seen)}`);
    }
  }

  async #change({ ddl, asks }: Step & { kind: 'ddl' }): Promise<void> {
    // From here on every answer is of the copy's moment or a later one.
    this.#wrote(await this.#oracle.copy());
    const half = asks.length >> 1;
    const during = asks.slice(0, half).map((ask) => this.#answer(ask, false));
    const [, ...checks] = await Promise.all([change(this.#db, ddl), ...during]);
    const after = await Promise.all(asks.slice(half).map((ask) => this.#answer(ask, false)));
    await this.#oracle.noteChanges();
    for (const check of [...checks, ...after]) await check?.();
  }

  async #fault({ fault, writes, asks }: Step & { kind: 'fault' }): Promise<void> {
    await this.#failpoint(fault);
    try {
      const under = writes.map((write) => perform(this.#client, this.#db, write));
      await Promise.all([...under, this.#ask(asks, true)]);
      await this.#ask(asks, true);
    } finally {
      await this.#failpoint('off');
    }
    await this.#recover();
  }

  /**
   * A driver that was told of a shutdown looks at the server again before it uses it, which may take
   * until the next heartbeat. So the store itself is asked: the index answers without it.
   */
  async #recover(): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      try {
        await this.#system.client.db('admin').command({ ping: 1 });
        return await this.#ask(everything().slice(0, 1));
      } catch (error) {
        const away =
          error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
        if (!away || performance.now() > deadline) throw error;
      }
    }
  }

  async #failpoint(fault: Fault | 'off'): Promise<void> {
    if (fault === 'off') return await failNone(this.#client);
    const { times, failCommands, errorCode } = fault;
    const how = errorCode === undefined ? { closeConnection: true } : { errorCode };
    await failCommand(this.#client, { times }, { appName: APP_NAME, failCommands, ...how });
  }

  async #killStreams(): Promise<void> {
    const ns = `${this.#db.databaseName}.$cmd.aggregate`;
    const cursors = await openCursors(this.#client, ns);
    await this.#db.command({ killCursors: '$cmd.aggregate', cursors });
  }

  /** The index is live again by itself, whatever happened. */
  async #settle(): Promise<void> {
    const state = () => this.#system.index.state();
    await until(
      () => state().state === 'live',
      () => `still ${JSON.stringify(state())}`,
      60_000,
    );
  }
}
