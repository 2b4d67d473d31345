/** A follower over a Map sink, started and stopped by the test that uses it. */
import { after, afterEach } from 'mocha';
import { type ClientSession, MongoClient, type Timestamp } from 'mongodb';
import { type ColumnSource, compileExtract, projectionOf } from '../../../src/follow/extract.ts';
import type { CollectionSpec } from '../../../src/follow/followedCollection.ts';
import {
  Follower,
  type FollowerOptions,
  type FollowerState,
} from '../../../src/follow/follower.ts';
import type { Logger } from '../../../src/logger.ts';
import { until as itIs } from '../../support/until.ts';
import { MapSink } from './mapSink.ts';

const columns: ColumnSource[] = ['_id', 'v', 'text', 'inner.list'].map((path) => ({
  name: path,
  path,
  as: 'value',
}));

export const specOf = (name: string, filter?: CollectionSpec['filter']): CollectionSpec => ({
  name,
  filter,
  extract: compileExtract(columns),
  projection: projectionOf(columns),
});

/** Keeps the lines of the log. */
export class Said implements Logger {
  readonly lines: string[] = [];
  readonly warnings: string[] = [];
  info(fields: object, message: string): void {
    this.lines.push(`${message} ${JSON.stringify(fields)}`);
  }
  warn(fields: object, message: string): void {
    this.warnings.push(`${message} ${JSON.stringify(fields)}`);
    this.info(fields, message);
  }
  error(fields: object, message: string): void {
    this.info(fields, message);
  }
}

export interface Following {
  readonly follower: Follower;
  readonly sink: MapSink;
  readonly said: Said;
  readonly specs: readonly CollectionSpec[];
  /** Stops it and closes its client, where that has to come before something else. */
  end(): Promise<void>;
  /** All phases that were told, in order, repetitions left out. */
  readonly phases: string[];
}

export interface StartOptions {
  readonly uri: string;
  readonly dbName: string;
  readonly collections?: readonly string[];
  /** The filter of all collections; it makes their tables windows. */
  readonly filter?: CollectionSpec['filter'];
  readonly options?: FollowerOptions['options'];
  readonly sink?: MapSink;
  /** The tables that the sink has already. */
  readonly restored?: FollowerOptions['restored'];
  readonly tablesFit?: () => Promise<boolean>;
  /** Failpoints can be aimed at it. */
  readonly appName?: string;
}

type Start = (options: StartOptions) => Promise<Following>;

/** Call it inside a `describe`; the followers that it starts end with the test. `live` waits until they are live. */
export function useFollowing(): Start & { readonly live: Start } {
  const running = new Set<() => Promise<void>>();
  const endAll = async () => {
    for (const end of running) await end();
  };
  afterEach(endAll);
  after(endAll);
  const start: Start = async ({ uri, dbName, collections = ['users', 'tasks'], ...others }) => {
    const { options, sink, restored, tablesFit, appName, filter } = others;
    const client = await MongoClient.connect(uri, { appName: appName ?? 'following' });
    const table = sink ?? new MapSink();
    const said = new Said();
    const specs = collections.map((name) => specOf(name, filter));
    const follower = new Follower({
      db: client.db(dbName),
      collections: specs,
      sink: table,
      log: said,
      restored,
      ...(tablesFit && { tablesFit }),
      ...(options ? { options } : {}),
    });
    const end = async () => {
      running.delete(end);
      await follower.stop();
      await client.close();
    };
    running.add(end);
    const phases: string[] = [];
    follower.onStateChange(({ phase }) => {
      if (phases.at(-1) !== phase) phases.push(phase);
    });
    return { follower, sink: table, said, specs, end, phases };
  };
  const live: Start = async (options) => {
    const following = await start(options);
    await untilLive(following.follower);
    return following;
  };
  return Object.assign(start, { live });
}

/** Waits until the state is as wanted; throws with the state after `ms` milliseconds. */
export async function until(
  follower: Follower,
  wanted: (state: FollowerState) => boolean,
  ms = 60_000,
): Promise<void> {
  await itIs(
    () => wanted(follower.state),
    () => `still ${JSON.stringify(follower.state)}`,
    ms,
  );
}

/** Writes, and returns the time of the write. */
export async function timeOf(
  client: MongoClient,
  write: (session: ClientSession) => Promise<unknown>,
): Promise<Timestamp> {
  const session = client.startSession();
  await write(session);
  const { operationTime } = session;
  await session.endSession();
  return operationTime!;
}

/** Waits until the frontier has reached the time, also while it does not move for a moment. */
export async function untilReached(
  follower: Follower,
  time: Timestamp,
  ms = 30_000,
): Promise<void> {
  const why = () => `${time} is not reached: ${JSON.stringify(follower.state)}`;
  await itIs(() => follower.waitFor(time, 250), why, ms);
}

export const untilLive = (follower: Follower, ms?: number): Promise<void> =>
  until(follower, ({ phase }) => phase === 'live', ms);
