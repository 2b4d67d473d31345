/** A database that is followed, with its writers, its faults and its truth: what suites of the folder begin with. */
import { expect } from 'chai';
import { afterEach } from 'mocha';
import type { ClientSession } from 'mongodb';
import { put, useDatabase } from '../../support/database.ts';
import { type Failure, failCommand, failNone } from '../../support/failCommand.ts';
import { type Following, timeOf, useFollowing } from './following.ts';
import { Truth } from './truth.ts';
import { useWriters } from './useWriters.ts';

/** Call it inside a `describe`. Faults hit the connections of the application of that name. */
export function useFollowed(appName: string) {
  const database = useDatabase();
  afterEach(() => failNone(database.client));
  return {
    database,
    start: useFollowing(),
    startWriters: useWriters(),
    here: () => ({ uri: database.uri, dbName: database.name }),
    timeOf: (write: (session: ClientSession) => Promise<unknown>) => timeOf(database.client, write),
    /** Fails the next `times` commands of the application; off again when the test ends. */
    fail: (failure: Failure, times: number) =>
      failCommand(database.client, { times }, { ...failure, appName }),
    /** Replaces all that is stored by so many users and tasks, of version 0. */
    async refill(users: number, tasks: number): Promise<void> {
      await database.db.dropDatabase();
      const many = (n: number) => Array.from({ length: n }, (_, i) => ({ _id: i as never, v: 0 }));
      await put(database.db, { users: many(users), tasks: many(tasks) });
    },
    /** That all states shown so far were the store's, and more than so many. */
    async expectTrue({ sink, specs }: Pick<Following, 'sink' | 'specs'>, moreThan = 0) {
      const truth = new Truth(database.db, specs);
      await truth.check(sink);
      expect(truth.differences).to.deep.equal([]);
      expect(truth.compared).to.be.greaterThan(moreThan);
    },
  };
}
