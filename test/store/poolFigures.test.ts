/** The figures of a client's connections, in use and waited for, against a real pool of one connection. */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { poolFigures } from '../../src/store/poolFigures.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('the figures of a pool', () => {
  const database = useDatabase();

  it('count commands that wait, and no longer those that were given up meanwhile', async () => {
    const client = new MongoClient(database.uri, { maxPoolSize: 1 });
    const figures = poolFigures(client);
    const told = () => [figures.inUse, figures.waiting];
    const db = client.db('admin');
    try {
      const { topologyVersion } = await db.command({ hello: 1 }, { promoteLongs: false });
      expect(told()).eql([0, 0]);
      // The server answers this one when its time is over.
      const slow = db.command({ hello: 1, topologyVersion, maxAwaitTimeMS: 1_000 });
      await until(() => figures.inUse === 1);
      const left = new AbortController();
      const { signal } = left;
      const givenUp = [1, 2, 3].map(() => db.command({ ping: 1 }, { signal }).catch(() => 'left'));
      const patient = [1, 2].map(() => db.command({ ping: 1 }));
      await until(() => figures.waiting === 5);
      left.abort();
      expect(await Promise.all(givenUp)).eql(['left', 'left', 'left']);
      await Promise.all([slow, ...patient]);
      // One that comes later tells that none of them waits.
      await db.command({ ping: 1 });
      expect(told()).eql([0, 0]);
    } finally {
      await client.close();
    }
  });
});
