/** The server's failpoint for commands: they are refused, held back, or lose their connection. */
import type { MongoClient } from 'mongodb';

/** The commands that fail, and how. */
export interface Failure {
  readonly failCommands: readonly string[];
  readonly errorCode?: number;
  /** Some codes need more with them. */
  readonly errorExtraInfo?: object;
  readonly closeConnection?: boolean;
  /** Only commands of this application. */
  readonly appName?: string;
  /** Only commands on this `database.collection`. */
  readonly namespace?: string;
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
}

/** The part of the matching commands that fails: the next ones, all but the first ones, all. */
export type Mode = { readonly times: number } | { readonly skip: number } | 'alwaysOn';

export interface FailPoint {
  /** Waits until one command has met it. */
  met(): Promise<void>;
}

/** Replaces the failpoint set before, for all clients of the server. */
export async function failCommand(
  client: MongoClient,
  mode: Mode,
  failure: Failure,
): Promise<FailPoint> {
  const admin = client.db('admin');
  const { count } = await admin.command({
    configureFailPoint: 'failCommand',
    mode,
    data: failure,
  });
  const timesEntered = Number(count) + 1;
  return {
    async met() {
      await admin.command({ waitForFailPoint: 'failCommand', timesEntered, maxTimeMS: 15_000 });
    },
  };
}

/** No command fails any more. Waits for those that are held back. */
export async function failNone(client: MongoClient): Promise<void> {
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
}
