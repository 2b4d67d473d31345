/** Holds back commands of the service on their way, so that other things happen meanwhile. */
import type { MongoClient } from 'mongodb';
import { APP_NAME } from './system.ts';

/** The service's next such command waits in the server for `ms`; returns when it does. */
export async function holdNext(
  client: MongoClient,
  failCommands: readonly string[],
  ms: number,
): Promise<{ readonly held: Promise<void> }> {
  const admin = client.db('admin');
  const { count } = await admin.command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { appName: APP_NAME, failCommands, blockConnection: true, blockTimeMS: ms },
  });
  const wait = {
    waitForFailPoint: 'failCommand',
    timesEntered: Number(count) + 1,
    maxTimeMS: 10_000,
  };
  return { held: admin.command(wait).then(() => {}) };
}

export const letGo = (client: MongoClient): Promise<unknown> =>
  client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
