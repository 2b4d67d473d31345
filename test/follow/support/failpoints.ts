/** Failpoints of the server, aimed at the connections of one application. */
import { afterEach } from 'mocha';
import type { MongoClient } from 'mongodb';
import { type FailPoint, type Failure, failCommand, failNone } from '../../support/failCommand.ts';

/** Fails the next `times` commands of that application; off again when the test ends. */
export function useFailpoints(
  client: () => MongoClient,
  appName: string,
): (failure: Failure, times: number) => Promise<FailPoint> {
  afterEach(() => failNone(client()));
  return (failure, times) => failCommand(client(), { times }, { ...failure, appName });
}
