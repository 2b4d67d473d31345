/** Questions about case folding that cross at a change of server. */
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { BSON, type Db } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { useDatabase } from '../support/database.ts';

describe('the case folding of the server', () => {
  const database = useDatabase();

  it('stays that of the server that answers now, where an older answer comes late', async () => {
    const { db, client } = database;
    const later = new EventEmitter();
    const late = once(later, 'answer');
    let asked = 0;
    /** The first answer comes late, and holds no letters equal. */
    const command: Db['command'] = async (...given) => {
      const isFirst = asked++ === 0;
      const reply = await db.command(...given);
      if (!isFirst) return reply;
      await late;
      const { equal } = BSON.deserialize(reply.cursor.firstBatch[0]);
      reply.cursor.firstBatch[0] = BSON.serialize({ equal: equal.map(() => false) });
      return reply;
    };
    const folding = new CaseFolding(Object.assign(Object.create(db), { command }));
    folding.watch();
    const older = folding.ask();
    const topologyVersion = { processId: 'another' };
    const newDescription = { type: 'RSPrimary', address: 'another:1', topologyVersion };
    client.emit('serverDescriptionChanged', { newDescription } as never);
    const fold = await folding.fold();
    later.emit('answer');
    expect(await older).equal(fold);
    expect(folding.latest).equal(fold);
  });
});
