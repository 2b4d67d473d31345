/** Holds back commands of the service on their way, so that other things happen meanwhile. */
import type { MongoClient } from 'mongodb';
import { failCommand } from '../support/failCommand.ts';
import { APP_NAME } from './system.ts';

export { failNone as letGo } from '../support/failCommand.ts';

/** The service's next such command waits in the server for `ms`; `held` resolves when it does. */
export async function holdNext(
  client: MongoClient,
  failCommands: readonly string[],
  ms: number,
): Promise<{ readonly held: Promise<void> }> {
  const hold = { appName: APP_NAME, failCommands, blockConnection: true, blockTimeMS: ms };
  const failPoint = await failCommand(client, { times: 1 }, hold);
  return { held: failPoint.met() };
}
