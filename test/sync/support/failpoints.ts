/** Failpoints of the server, aimed at the connections of one application. */
import { afterEach } from 'mocha';
import type { MongoClient } from 'mongodb';

export interface Failure {
  readonly failCommands: readonly string[];
  readonly errorCode?: number;
  /** Some codes have to bring more with them. */
  readonly errorExtraInfo?: object;
  readonly closeConnection?: boolean;
  /** Only commands on this `database.collection`. */
  readonly namespace?: string;
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
}

/** Fails the next `times` commands of that application; off again when the test ends. */
export function useFailpoints(
  client: () => MongoClient,
  appName: string,
): (failure: Failure, times: number) => Promise<void> {
  const configure = (mode: unknown, data?: object) =>
    client()
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode, ...(data ? { data } : {}) });
  afterEach(() => configure('off'));
  return async (failure, times) => {
    await configure({ times }, { ...failure, appName });
  };
}
