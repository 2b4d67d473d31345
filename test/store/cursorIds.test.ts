/** Ids of cursors that are small enough for a double: the server takes them back as longs alone. */
import { expect } from 'chai';
import { BSON, type Db, type Document, Long, Timestamp } from 'mongodb';
import { Deadline } from '../../src/store/deadline.ts';
import { snapshotReplies } from '../../src/store/snapshotCursor.ts';
import { SnapshotRead } from '../../src/store/snapshotRead.ts';
import { useDatabase } from '../support/database.ts';

/** One of a thousand ids is below 2^53. */
const ID = Long.fromNumber(2 ** 40);
const AT = new Timestamp({ t: 1, i: 1 });

describe('a small id of a cursor', () => {
  const database = useDatabase();
  let deadline: Deadline;
  let given: Document[];
  beforeEach(() => {
    deadline = new Deadline(10_000);
    given = [];
  });
  afterEach(() => deadline.close());

  /** A server that gives out this id, behind the driver's writing and reading. */
  function store(): Db {
    const command = async (document: Document, options: BSON.DeserializeOptions) => {
      given.push(BSON.deserialize(BSON.serialize(document), { promoteLongs: false }));
      const cursor = document.getMore
        ? { id: Long.ZERO, nextBatch: [] }
        : { id: ID, firstBatch: [], atClusterTime: AT };
      const { fieldsAsRaw = {}, promoteLongs = true } = options;
      return BSON.deserialize(BSON.serialize({ ok: 1, cursor }), { fieldsAsRaw, promoteLongs });
    };
    return new Proxy(database.db, {
      get: (db, name) => (name === 'command' ? command : Reflect.get(db, name)),
    });
  }

  const replies = () =>
    snapshotReplies(store(), {
      ...{ collection: 'tasks', pipeline: [], beginning: {}, at: AT, batchSize: 10 },
      ...{ timeoutMs: 5_000, deadline },
    });

  it('continues a result', async () => {
    let read = 0;
    for await (const _ of replies()) read++;
    expect(read).equal(2);
    expect(given.slice(1).map(({ getMore }) => getMore)).eql([ID]);
  });

  it('ends a result whose reader stops', async () => {
    for await (const _ of replies()) break;
    expect(given.at(-1)).deep.include({ killCursors: 'tasks', cursors: [ID] });
  });

  it('ends a result that is longer than a reply', async () => {
    await new SnapshotRead(store(), { deadline }).findSomeRaw('tasks', {});
    expect(given.at(-1)).deep.include({ killCursors: 'tasks', cursors: [ID] });
  });
});
